// Finds notes, outline rows and conversations for the search tool, each kind in its own
// way: hits with scores that mean the same, best first.
import type { Answer } from "../../conversations/conversations.ts";
import { Problem } from "../../kernel/kernel.ts";
import type { RelatedNote } from "../../vault/vault.ts";
import { isoTime, type Span } from "../definition/dates.ts";
import type { Services } from "../definition/define-tool.ts";
import type { Values } from "../definition/field.ts";
import { integer, object, optional, result, resultObject, text, unlisted } from "../definition/schema.ts";
import type { InVault } from "../vault/every-vault.ts";
import { SEARCH_FRESHNESS, searchNotes } from "../vault/note-search.ts";

export const KINDS = ["note", "outline", "conversation"] as const;
export type Kind = (typeof KINDS)[number];

export const HIT = object({
  // A canvas or a PDF file is searched with the notes, but named as what it is.
  kind: result<Kind | "canvas" | "pdf">({ type: "string" }),
  /** The argument for the tool that reads it: of a note or canvas, its path. */
  id: text(),
  /** Of a note or canvas, if there are several vaults. */
  vault: optional(text()),
  title: text(),
  /** Where a row or a conversation is, in words for a person. */
  where: optional(text()),
  /** Of a PDF file. */
  page: unlisted(integer()),
  when: text(),
  /** In a conversation: the id of the message that matches, which read_conversation takes as `around`. */
  message: optional(text()),
  /** In a conversation: what the snippet is, if nobody said it. */
  snippetKind: unlisted(text()),
  snippet: text(),
});
export type SearchHit = ReturnType<typeof HIT.read>;

/** A hit and how well it matches: results are in order, so that hosts need no score. */
export type Ranked = SearchHit & { readonly score: number };

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
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** Whether an answer may be incomplete, and why. */
export type Facts = Partial<Values<typeof FACTS>>;

/** The hits of one kind, best first, and how many there are in all. */
export interface Found {
  readonly found: readonly Ranked[];
  readonly total: number;
  readonly facts: Facts;
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
    const { hits, total, facts, related, whyNothing } = await searchNotes(services, query, paths, {
      ...options,
      // Hits of other kinds may take the place of notes on the page: which are listed is not known yet.
      relatesHits: true,
    });
    const found = hits.map(({ path: id, vault, kind, title, snippet, page, score, mtime }) => ({
      kind: kind === "canvas" || kind === "pdf" ? (kind as "canvas" | "pdf") : ("note" as const),
      id,
      ...(vault !== undefined && { vault }),
      title,
      ...(page !== undefined && { page }),
      when: isoTime(mtime),
      snippet: snippet.text,
      score,
    }));
    return { found, total, facts, related, whyNothing };
  },
  outline: async ({ query, limit, path, during, signal }, services) => {
    // Rows have no times. Missing and unreadable documents are reported by the outline tools.
    const document =
      query !== "" && !(await isOfNotesAlone(query, path))
        ? await (await services.outlines()).currentOfPerson()
        : undefined;
    const outline = await document?.read(signal).catch(unlessProblem);
    const when = Math.round((await document?.modified()) ?? Date.now());
    const isOfTime = during === undefined || (when >= during.start && when < during.end);
    if (outline === undefined || !isOfTime) return { found: [], total: 0, facts: {} };
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
  conversation: async ({ query, path, during, includeTools, limit, signal }, services) => {
    if (await isOfNotesAlone(query, path)) return { found: [], total: 0, facts: {} };
    const conversations = await services.conversations();
    const span = { since: finite(during?.start), before: finite(during?.end) };
    const newestFirst = query === "";
    const { answer, indexing } = await conversations.recall(
      { query, ...span, includeTools, newestFirst, limit },
      { signal },
    );
    const found = answer.conversations.map(
      ({ id, source, title, project, updated, snippet, message, kind, shared, match = 0 }) => ({
        kind: "conversation" as const,
        id,
        title,
        where: `${project === undefined ? source : `${source}: ${project}`}${shared === undefined ? "" : `, shared by ${shared.member} in ${shared.space}`}`,
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
export async function isOfNotesAlone(query: string, path: string | undefined): Promise<boolean> {
  const { parseQuery } = await import("../../search/search.ts");
  const { tags, paths, properties } = parseQuery(query);
  return path !== undefined || tags.length + paths.length + properties.length > 0;
}

function finite(time: number | undefined): number | undefined {
  return Number.isFinite(time) ? time : undefined;
}

function unlessProblem(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}
