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
  number,
  text,
  withDefault,
  result,
  resultObject,
  unlisted,
} from "../definition/schema.ts";
import { endOf, startOf } from "../definition/dates.ts";
import { defineTool, type Services } from "../definition/define-tool.ts";
import { READS } from "../definition/effects.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { freshnessOf, QUERY, SEARCH_FRESHNESS } from "../vault/searches.ts";

const KINDS = ["note", "outline", "conversation"] as const;
type Kind = (typeof KINDS)[number];

const HIT = object({
  // A canvas is searched with the notes, but named as what it is.
  kind: result<Kind | "canvas">({ type: "string" }),
  title: text(),
  /** Its location, in words for a person. */
  where: text(),
  /** In milliseconds. */
  when: integer(),
  snippet: text(),
  score: number(),
  /** The argument for the tool that reads it, and the name of that tool. */
  id: text(),
  readWith: text(),
  /** In a conversation: the id of the message that matches, which read_conversation takes as `around`. */
  message: optional(text()),
  /** In a conversation: what the snippet is, if nobody said it. */
  snippetKind: unlisted(text()),
});
type SearchHit = ReturnType<typeof HIT.read>;

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
type Searcher = (
  question: Question,
  services: Services,
) => Promise<{ found: SearchHit[]; total: number; facts: Facts }>;

const FACTS = {
  ...SEARCH_FRESHNESS,
  indexingConversations: unlisted(resultObject<NonNullable<Answer<unknown>["indexing"]>>()),
};

const SEARCHERS: Readonly<Record<Kind, Searcher>> = {
  note: async ({ query, path, ...options }, services) => {
    const paths = path === undefined ? undefined : [path];
    const answer = await (await services.vault()).index.search(query, { ...options, paths });
    const found = answer.hits.map(({ path: id, kind, title, snippet, score, mtime }) => ({
      kind: kind === "canvas" ? ("canvas" as const) : ("note" as const),
      title,
      where: id,
      when: mtime,
      snippet: snippet.text,
      score,
      id,
      readWith: "contentManager_readContent",
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
      title: row.topic,
      where: [outline.name, ...ancestorsOf(outline, row).map(({ topic }) => topic)].join(" › "),
      when,
      snippet,
      score,
      id: row.id,
      readWith: "get_row",
    }));
    return { found, total, facts: {} };
  },
  conversation: async ({ query, path, since, before, includeTools, limit, signal }, services) => {
    if (await isOfNotesAlone(query, path)) return { found: [], total: 0, facts: {} };
    const conversations = await services.conversations();
    const { answer, indexing } = await conversations.recall({ query, since, before, includeTools, limit }, { signal });
    const found = answer.conversations.map(
      ({ id, source, title, folder, updated, snippet, message, kind, match = 0 }) => ({
        kind: "conversation" as const,
        title,
        where: folder === undefined ? source : `${source}: ${folder}`,
        when: Math.round(updated),
        snippet,
        score: match,
        id,
        readWith: "read_conversation",
        ...(message !== undefined && { message }),
        ...(kind !== undefined && kind !== "prose" && { snippetKind: kind }),
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
    "Search everything: look anywhere and find every mention across notes, outlines and past conversations (chats) at once. What do I know about it, where did I see the thing or write it down? Start here. Each hit names the tool to read it.",
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
    path: optional(text("Note or folder")),
    limit: withDefault(integer("", { minimum: 1, maximum: 100, isUnlisted: true }), 20),
    /** Also what tools returned and assistants thought. For the command; hosts have recall_conversations. */
    includeTools: unlisted(flag("")),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    results: list(HIT),
    totalResults: integer(),
    ...FACTS,
  },
  touches: ({ path }) => [path],
  about: ({ query }) => query,
  run: async (
    { query, kinds = KINDS, since, until, path, limit, includeTools },
    { services, signal, progress: onProgress },
  ) => {
    const span = { since: startOf("since", since), before: endOf("until", until) };
    const question = { query, path, signal, onProgress, limit, includeTools, ...span };
    const answers = await Promise.all(kinds.map((kind) => SEARCHERS[kind](question, services)));
    return {
      results: fairShare(
        answers.map(({ found }) => found),
        limit,
      ),
      totalResults: answers.reduce((sum, { total }) => sum + total, 0),
      ...answers.reduce<Facts>((all, { facts }) => Object.assign(all, facts), {}),
    };
  },
});

/** The best hits of all kinds, with some places reserved for the best of each kind. */
export function fairShare(kinds: readonly (readonly SearchHit[])[], limit: number): SearchHit[] {
  const byScore = (found: readonly SearchHit[]) => found.toSorted((a, b) => b.score - a.score);
  const share = Math.ceil(limit / (2 * kinds.length));
  const kept = byScore(kinds.flatMap((found) => found.slice(0, share))).slice(0, limit);
  const others = byScore(kinds.flatMap((found) => found.slice(share)));
  return byScore([...kept, ...others.slice(0, limit - kept.length)]);
}
