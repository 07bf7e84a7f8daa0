// Finds notes, outline rows and conversations for the search tool, each kind in its own
// way: hits with scores that mean the same, best first.
import { basename } from "node:path";
import type { Answer } from "../../conversations/conversations.ts";
import { Turns } from "../../kernel/kernel.ts";
import type { RelatedNote } from "../../vault/vault.ts";
import type { Grounds, HowSure } from "../../search/search.ts";
import { isoTime, type Span } from "../definition/dates.ts";
import type { Services } from "../definition/define-tool.ts";
import type { Values } from "../definition/field.ts";
import { integer, list, number, object, optional, result, resultObject, text, unlisted } from "../definition/schema.ts";
import type { InVault } from "../vault/every-vault.ts";
import { SEARCH_FRESHNESS, searchNotes } from "../vault/note-search.ts";

export const KINDS = ["note", "outline", "conversation"] as const;
export type Kind = (typeof KINDS)[number];

export const HIT = object({
  // A canvas or a PDF file is searched with the notes, but named as what it is.
  // What an assistant remembers by itself is searched with the conversations.
  kind: result<Kind | "canvas" | "pdf" | "memory">({ type: "string" }),
  /** The argument for the tool that reads it: of a note or canvas, its path. */
  id: text(),
  /** Of a note or canvas, if there are several vaults. */
  vault: optional(text()),
  title: text(),
  /** The place of a row or a conversation, in words for a person. */
  where: optional(text()),
  /** Of a PDF file. */
  page: unlisted(integer()),
  when: text(),
  /** In a conversation: the id of the message that matches, which read_conversation takes as `around`. */
  message: optional(text()),
  /** In a conversation: what the snippet is, if nobody said it. */
  snippetKind: unlisted(text()),
  snippet: text(),
  /** In a conversation: whether what this passage changed in files still stands. */
  holds: unlisted(text()),
  /** Words of a question that it has not, and another of the best hits has. */
  lacks: unlisted(list(text())),
  /** How well it matches, from 0 to 1. For the command; hosts need none, since results are in order. */
  score: unlisted(number()),
});
export type SearchHit = ReturnType<typeof HIT.read>;

/** A hit and how well it matches. */
export type Ranked = SearchHit & { readonly score: number; readonly grounds?: Grounds | undefined };

export interface Question {
  /** Empty to list what is of a time, the newest first. */
  readonly query: string;
  readonly limit: number;
  readonly path: string | undefined;
  /** Of this time: last changed in it; of a note see search/documents/note-times.ts. */
  readonly during: Span | undefined;
  /** How many notes near in meaning are wanted beside the hits. */
  readonly related: number;
  readonly includeTools: boolean | undefined;
  /** True if memories of hosts are wanted beside conversations: not where each hit has to be opened. */
  readonly withMemories: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** Says that an answer may be incomplete, and why. */
export type Facts = Partial<Values<typeof FACTS>>;

/** The hits of one kind, best first, and how many there are in all. */
export interface Found {
  readonly found: readonly Ranked[];
  readonly total: number;
  readonly facts: Facts;
  /** Terms that nothing of the kind has. Undefined if it was not searched; empty while it is incomplete. */
  readonly unfound?: readonly string[] | undefined;
  /** Of a question: whether it is answered. */
  readonly known?: HowSure | undefined;
  /** Notes near in meaning, the nearest first: also hits that may not be listed. */
  readonly related?: readonly NearNote[];
  /** Why there are no hits. */
  readonly whyNothing?: () => Promise<string | undefined>;
}

export type NearNote = RelatedNote & InVault;

type Searcher = (question: Question, services: Services) => Promise<Found>;

export const FACTS = {
  ...SEARCH_FRESHNESS,
  indexingConversations: unlisted(resultObject<NonNullable<Answer<unknown>["indexing"]>>()),
};

export const SEARCHERS: Readonly<Record<Kind, Searcher>> = {
  note: async ({ query, path, ...options }, services) => {
    const paths = path === undefined ? undefined : [path];
    const { hits, total, facts, unfound, known, related, whyNothing } = await searchNotes(services, query, paths, {
      ...options,
      // Hits of other kinds may take the place of notes on the page: which are listed is not known yet.
      relatesHits: true,
    });
    const found = hits.map(({ path: id, vault, kind, title, snippet, page, score, mtime, grounds }) => ({
      kind: kind === "canvas" || kind === "pdf" ? (kind as "canvas" | "pdf") : ("note" as const),
      id,
      ...(vault !== undefined && { vault }),
      title,
      ...(page !== undefined && { page }),
      when: isoTime(mtime),
      snippet: snippet.text,
      score,
      grounds,
    }));
    return { found, total, facts, unfound: query === "" ? undefined : unfound, known, related, whyNothing };
  },
  outline: async ({ query, limit, path, during, signal }, services) => {
    // Rows have no times. Missing and unreadable documents are reported by the outline tools.
    if (query === "" || (await isOfNotesAlone(query, path))) return { found: [], total: 0, facts: {} };
    const { ancestorsOf, rankRows } = await import("../../outline/outline.ts");
    const { parseQuery, surest, unfoundInAll } = await import("../../search/search.ts");
    const { everyOutline } = await import("../outline/every-outline.ts");
    const question = parseQuery(query);
    const all: Ranked[] = [];
    const missing: (readonly string[] | undefined)[] = [];
    const known: (HowSure | undefined)[] = [];
    let total = 0;
    for await (const { outline, document } of everyOutline(services, signal)) {
      const when = Math.round((await document.modified()) ?? Date.now());
      if (during !== undefined && (when < during.start || when >= during.end)) continue;
      const ranked = await new Turns(signal).run(rankRows(outline, question, limit));
      total += ranked.total;
      missing.push(ranked.unfound);
      known.push(ranked.known);
      for (const { row, score, snippet, grounds } of ranked.rows)
        all.push({
          kind: "outline" as const,
          id: row.id,
          title: row.topic,
          where: [outline.name, ...ancestorsOf(outline, row).map(({ topic }) => topic)].join(" › "),
          when: isoTime(when),
          snippet,
          score,
          grounds,
        });
    }
    if (missing.length === 0) return { found: [], total: 0, facts: {} };
    const found = all.toSorted((a, b) => b.score - a.score).slice(0, limit);
    return { found, total, facts: {}, unfound: unfoundInAll(missing), known: surest(known) };
  },
  conversation: async ({ query, path, during, includeTools, withMemories, limit, signal }, services) => {
    if (await isOfNotesAlone(query, path)) return { found: [], total: 0, facts: {} };
    const conversations = await services.conversations();
    const span = { since: finite(during?.start), before: finite(during?.end) };
    const newestFirst = query === "";
    const asked = { query, ...span, includeTools, newestFirst, limit };
    const { answer, sharedUnavailable, reading, ...own } = await conversations.recall(asked, { signal });
    const indexing = own.indexing ?? (reading && { done: reading.done, total: reading.total });
    const { standingOfRows } = await import("../recall/standing.ts");
    const standing = await standingOfRows(answer.conversations, services);
    const found = answer.conversations.map(
      ({ row, id, source, title, project, updated, snippet, message, kind, shared, match = 0, grounds }) => ({
        kind: "conversation" as const,
        id,
        title,
        where: `${project === undefined ? source : `${source}: ${project}`}${shared === undefined ? "" : `, shared by ${shared.member} in ${shared.space}`}`,
        when: isoTime(updated),
        ...(message !== undefined && { message }),
        ...(kind !== undefined && kind !== "prose" && { snippetKind: kind }),
        ...(standing.has(row) && { holds: standing.get(row)! }),
        snippet,
        score: match,
        grounds,
      }),
    );
    const memories = withMemories ? await memoriesFound(query, span, services) : [];
    const isWhole = indexing === undefined && sharedUnavailable === undefined;
    return {
      found: memories.length === 0 ? found : [...found, ...memories].toSorted((a, b) => b.score - a.score),
      total: answer.total + memories.length,
      facts: indexing === undefined ? {} : { indexingConversations: indexing },
      unfound: isWhole ? answer.unfound : [],
      known: isWhole ? answer.known : undefined,
    };
  },
};

const MAX_MEMORIES = 3;
/** All words in one passage are as good a match as the same in a conversation. */
const MEMORY_SCORE = 0.6;

async function memoriesFound(
  query: string,
  {
    since = Number.NEGATIVE_INFINITY,
    before = Number.POSITIVE_INFINITY,
  }: { since?: number | undefined; before?: number | undefined },
  services: Services,
): Promise<Ranked[]> {
  const { memoriesAbout } = await import("../recall/fields.ts");
  const memories = await memoriesAbout(query, { services, most: MAX_MEMORIES });
  return memories
    .filter(({ updated }) => updated >= since && updated < before)
    .map(({ host, path, updated, snippet, share }) => ({
      kind: "memory" as const,
      id: path,
      title: basename(path),
      where: `remembered by ${host}`,
      when: isoTime(updated),
      snippet,
      score: share * MEMORY_SCORE,
    }));
}

/** Only notes have paths, tags and properties, so a query for these matches nothing else. */
export async function isOfNotesAlone(query: string, path: string | undefined): Promise<boolean> {
  const { parseQuery } = await import("../../search/search.ts");
  const { tags, paths, properties } = parseQuery(query);
  return path !== undefined || tags.length + paths.length + properties.length > 0;
}

function finite(time: number | undefined): number | undefined {
  return Number.isFinite(time) ? time : undefined;
}
