// search: one ranked list of notes, outline rows and conversations, each found
// by a searcher of its own.
import { statSync } from "node:fs";
import type { Answer } from "../../conversations/conversations.ts";
import { Problem } from "../../kernel/kernel.ts";
import type { Values } from "../definition/field.ts";
import {
  choice,
  flag,
  integer,
  list,
  object,
  optional,
  text,
  result,
  resultObject,
  unlisted,
} from "../definition/schema.ts";
import { asLines } from "../call/result-lines.ts";
import { endOf, isoTime, startOf } from "../definition/dates.ts";
import { defineTool, type Services } from "../definition/define-tool.ts";
import { READS } from "../definition/effects.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { freshnessOf, QUERY, SEARCH_FRESHNESS } from "../vault/searches.ts";

const KINDS = ["note", "outline", "conversation"] as const;
type Kind = (typeof KINDS)[number];

const HIT = object({
  // A canvas is searched with the notes, but named as what it is.
  kind: result<Kind | "canvas">({ type: "string" }),
  /** The argument for the tool that reads it: of a note or canvas, its path. */
  id: text(),
  title: text(),
  /** Where a row or a conversation is, in words for a person. */
  where: optional(text()),
  when: text(),
  /** In a conversation: the id of the message that matches, which read_conversation takes as `around`. */
  message: optional(text()),
  /** In a conversation: what the snippet is, if nobody said it. */
  snippetKind: unlisted(text()),
  snippet: text(),
});
type SearchHit = ReturnType<typeof HIT.read>;

/** A hit and how well it matches: results are in order, so that hosts need no score. */
type Ranked = SearchHit & { readonly score: number };

/** How to read each kind. */
const READERS = {
  note: "contentManager_readContent {filePath: id}",
  canvas: "contentManager_readContent {filePath: id}",
  outline: "get_row {rowId: id}",
  conversation: "read_conversation {id, around: message}",
} as const satisfies Record<SearchHit["kind"], string>;

interface Question {
  readonly query: string;
  readonly limit: number;
  readonly path: string | undefined;
  /** In milliseconds: changed at `since` or later, and before `before`. */
  readonly since: number | undefined;
  readonly before: number | undefined;
  readonly includeTools: boolean | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** Whether an answer may be incomplete, and why. */
type Facts = Partial<Values<typeof FACTS>>;

/** Finds hits of one kind, best first, and counts all of them. */
type Searcher = (question: Question, services: Services) => Promise<{ found: Ranked[]; total: number; facts: Facts }>;

const FACTS = {
  ...SEARCH_FRESHNESS,
  indexingConversations: unlisted(resultObject<NonNullable<Answer<unknown>["indexing"]>>()),
};

const SEARCHERS: Readonly<Record<Kind, Searcher>> = {
  note: async ({ query, path, ...options }, services) => {
    const { resolveDay } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    const paths = path === undefined ? undefined : [resolveDay(vault, path)];
    const answer = await vault.index.search(query, { ...options, paths });
    const found = answer.hits.map(({ path: id, kind, title, snippet, score, mtime }) => ({
      kind: kind === "canvas" ? ("canvas" as const) : ("note" as const),
      id,
      title,
      when: isoTime(mtime),
      snippet: snippet.text,
      score,
    }));
    return { found, total: answer.total, facts: freshnessOf(answer) };
  },
  outline: async ({ query, limit, path, since = 0, before = Number.POSITIVE_INFINITY, signal }, services) => {
    // Missing and unreadable documents are reported by the outline tools.
    const document = !(await isOfNotesAlone(query, path))
      ? await (await services.outlines()).currentIfThere()
      : undefined;
    const outline = await document?.read(signal).catch(unlessProblem);
    const stats = outline?.path ? statSync(outline.path, { throwIfNoEntry: false }) : undefined;
    const when = Math.round(stats?.mtimeMs ?? Date.now());
    if (outline === undefined || when < since || when >= before) return { found: [], total: 0, facts: {} };
    const { ancestorsOf, rankRows } = await import("../../outline/outline.ts");
    const { parseQuery } = await import("../../search/search.ts");
    const { rows, total } = rankRows(outline, parseQuery(query), limit);
    const found = rows.map(({ row, score, snippet }) => ({
      kind: "outline" as const,
      id: row.id,
      title: row.topic,
      where: [outline.name, ...ancestorsOf(outline, row).map(({ topic }) => topic)].join(" › "),
      when: isoTime(when),
      snippet,
      score,
    }));
    return { found, total, facts: {} };
  },
  conversation: async ({ query, path, since, before, includeTools, limit, signal }, services) => {
    if (await isOfNotesAlone(query, path)) return { found: [], total: 0, facts: {} };
    const conversations = await services.conversations();
    const { answer, indexing } = await conversations.recall({ query, since, before, includeTools, limit }, { signal });
    const found = answer.conversations.map(
      ({ id, source, title, project, updated, snippet, message, kind, match = 0 }) => ({
        kind: "conversation" as const,
        id,
        title,
        where: project === undefined ? source : `${source}: ${project}`,
        when: isoTime(updated),
        ...(message !== undefined && { message }),
        ...(kind !== undefined && kind !== "prose" && { snippetKind: kind }),
        snippet,
        score: match,
      }),
    );
    return { found, total: answer.total, facts: indexing === undefined ? {} : { indexingConversations: indexing } };
  },
};

/** Only notes have paths, tags and properties, so a query for these matches nothing else. */
async function isOfNotesAlone(query: string, path: string | undefined): Promise<boolean> {
  const { parseQuery } = await import("../../search/search.ts");
  const { tags, paths, properties } = parseQuery(query);
  return path !== undefined || tags.length + paths.length + properties.length > 0;
}

function unlessProblem(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}

export const search = defineTool({
  name: "search",
  title: "Search everything",
  description:
    "Search everything: look anywhere, find every mention across notes, outlines and past conversations (chats). What do I know about it, where did I see or write it? Start here. Each hit names the tool to read it.",
  toolset: "every",
  byDefault: true,
  contract: "vault",
  effects: READS,
  pages: "results",
  input: {
    query: QUERY,
    kinds: optional(list(choice(KINDS))),
    since: optional(text("e.g. 2026-03, yesterday, 7d")),
    until: optional(text()),
    path: optional(text()),
    limit: optional(integer("", { minimum: 1, maximum: 100, isUnlisted: true })),
    /** Also what tools returned and assistants thought. For the command; hosts have recall_conversations. */
    includeTools: unlisted(flag("")),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    results: list(HIT),
    totalResults: integer(),
    message: optional(text()),
    readWith: optional(result<Readonly<Record<string, string>>>({ type: "object" })),
    ...FACTS,
  },
  touches: ({ path }) => [path],
  about: ({ query }) => query,
  text: ({ results, totalResults, readWith = {}, message, ...facts }) => ({
    head: [
      message ?? `${results.length} of ${totalResults} results, best first: kind, id, title, place, time, snippet`,
      ...Object.entries(readWith).map(([kind, call]) => `Read a ${kind} with ${call}`),
      asLines(facts),
    ]
      .filter((line) => line !== "")
      .join("\n"),
    words: results.map(lineOf).join("\n"),
  }),
  run: async (
    { query, kinds = KINDS, since, until, path, limit = 20, includeTools },
    { services, signal, isForModel, progress: onProgress },
  ) => {
    const span = { since: startOf("since", since), before: endOf("until", until) };
    const question = { query, path, signal, onProgress, limit, includeTools, ...span };
    const answers = await Promise.all(kinds.map((kind) => SEARCHERS[kind](question, services)));
    const ranked = fairShare(
      answers.map(({ found }) => found),
      limit,
    );
    const hits = ranked.map(({ score: _, ...hit }) => hit);
    const results = isForModel ? await shortened(hits, query) : hits;
    const found = new Set(results.map(({ kind }) => kind));
    const totalResults = answers.reduce((sum, { total }) => sum + total, 0);
    return {
      results,
      totalResults,
      ...(totalResults === 0 && { message: `No results found for query: ${query}` }),
      ...(found.size > 0 && { readWith: Object.fromEntries([...found].map((kind) => [kind, READERS[kind]])) }),
      ...answers.reduce<Facts>((all, { facts }) => Object.assign(all, facts), {}),
    };
  },
});

function lineOf({ kind, id, title, where, when, message, snippetKind, snippet }: SearchHit): string {
  const about = [title, where, when, message && `message ${message}`, snippetKind].filter(Boolean).join(" | ");
  return onOneLine(`- ${kind} ${id} | ${about} | ${snippet}`);
}

function onOneLine(text: string): string {
  return text.replace(/\s*[\n\r]\s*/g, " ");
}

/** Characters of a hit as JSON: 20 hits are 1,500 tokens. */
const ROOM = 280;
const LONGEST_TITLE = 60;
const SHORTEST_SNIPPET = 40;

/** Snippets get what ids and titles leave: those of conversations need half of a hit. */
async function shortened(hits: readonly SearchHit[], query: string): Promise<SearchHit[]> {
  const { beginningOf, parseQuery, snippetOf } = await import("../../search/search.ts");
  const bare = hits.map((hit) => ({ ...hit, title: beginningOf(hit.title, LONGEST_TITLE), snippet: "" }));
  const frames = bare.reduce((sum, hit) => sum + JSON.stringify(hit).length, 0);
  const length = Math.max(SHORTEST_SNIPPET, Math.floor(ROOM - frames / Math.max(1, hits.length)));
  const terms = parseQuery(query);
  const short = (snippet: string) => {
    const [, before, text, after] = /^(…?)(.*?)(…?)$/s.exec(snippet)!;
    const cut = snippetOf(text!, terms, length - 2).text;
    return `${cut.startsWith("…") ? "" : before}${cut}${cut.endsWith("…") ? "" : after}`;
  };
  return bare.map((hit, i) => ({
    ...hit,
    snippet: hits[i]!.snippet.length <= length ? hits[i]!.snippet : short(hits[i]!.snippet),
  }));
}

/** The best hits of all kinds, with some places reserved for the best of each kind. */
export function fairShare(kinds: readonly (readonly Ranked[])[], limit: number): Ranked[] {
  const byScore = (found: readonly Ranked[]) => found.toSorted((a, b) => b.score - a.score);
  const share = Math.ceil(limit / (2 * kinds.length));
  const kept = byScore(kinds.flatMap((found) => found.slice(0, share))).slice(0, limit);
  const others = byScore(kinds.flatMap((found) => found.slice(share)));
  return byScore([...kept, ...others.slice(0, limit - kept.length)]);
}
