// search: one list over everything that is kept: notes and conversations now,
// outlines when they are here, each by a source of its own.
import { Problem } from "../../text/problem.ts";
import { choice, integer, list, object, optional, number, text, withDefault } from "../schema.ts";
import { defineTool, type Services } from "../tool.ts";
import { OPTIONAL_CONTEXT } from "./context.ts";
import { READS } from "./fields.ts";
import { freshnessOf, QUERY } from "./search-content.ts";

const KINDS = ["note", "conversation"] as const;
type Kind = (typeof KINDS)[number];

interface Found {
  readonly kind: Kind;
  readonly title: string;
  /** Where it is, for a person. */
  readonly where: string;
  /** Milliseconds. */
  readonly when: number;
  readonly snippet: string;
  readonly score: number;
  /** What the tool that reads it takes, and which tool that is. */
  readonly id: string;
  readonly readWith: string;
}

interface Question {
  readonly query: string;
  readonly limit: number;
  readonly path: string | undefined;
  /** Milliseconds: changed at this time or later, and before that one. */
  readonly since: number | undefined;
  readonly before: number | undefined;
  readonly signal: AbortSignal;
}

/** A source answers for its kind, best first, and says how many there are in all. */
type Source = (question: Question, services: Services) => Promise<{ found: Found[]; total: number; facts: object }>;

const SOURCES: Readonly<Record<Kind, Source>> = {
  note: async ({ query, path, ...options }, services) => {
    const paths = path === undefined ? undefined : [path];
    const answer = await (await services.vault()).index.search(query, { ...options, paths });
    const found = answer.hits.map(({ path: id, title, snippet, score, mtime }) => ({
      kind: "note" as const,
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
  conversation: async ({ query, path, since, before, limit, signal }, services) => {
    // A path is one of the vault.
    if (path !== undefined) return { found: [], total: 0, facts: {} };
    const conversations = await services.conversations();
    const { answer, indexing } = await conversations.recall({ query, since, before, limit }, { signal });
    const found = answer.conversations.map(({ id, source, title, folder, updated, snippet, match = 0 }) => ({
      kind: "conversation" as const,
      title,
      where: folder === undefined ? source : `${source}: ${folder}`,
      when: Math.round(updated),
      snippet,
      score: match,
      id,
      readWith: "read_conversation",
    }));
    return { found, total: answer.total, facts: indexing === undefined ? {} : { indexingConversations: indexing } };
  },
};

export const search = defineTool({
  name: "search",
  title: "Search everything",
  description: "One search over all that is kept here, best first, with the id that the right read tool takes.",
  toolset: "every",
  byDefault: true,
  contract: "vault",
  effects: READS,
  pages: "results",
  input: {
    query: QUERY,
    kinds: optional(list(choice(KINDS, ""), "Only these")),
    since: optional(text("Date, such as 2026-01-31")),
    until: optional(text("Date")),
    path: optional(text("Folder or note")),
    limit: withDefault(integer("How many", { minimum: 1, maximum: 100 }), 20),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    results: list(
      object({
        kind: text(),
        title: text(),
        where: text(),
        when: integer(),
        snippet: text(),
        score: number(),
        id: text(),
        readWith: text(),
      }),
    ),
    totalResults: integer(),
  },
  run: async ({ query, kinds = KINDS, since, until, path, limit }, { services, signal }) => {
    const lastDay = dayOf("until", until);
    const before = lastDay === undefined ? undefined : lastDay + DAY;
    const question = { query, path, signal, limit, since: dayOf("since", since), before };
    const answers = await Promise.all(kinds.map((kind) => SOURCES[kind](question, services)));
    const found = answers.flatMap((answer) => answer.found).toSorted((a, b) => b.score - a.score);
    return {
      results: found.slice(0, limit),
      totalResults: answers.reduce((sum, { total }) => sum + total, 0),
      ...Object.assign({}, ...answers.map(({ facts }) => facts)),
    };
  },
});

const DAY = 24 * 60 * 60 * 1000;

function dayOf(name: string, date: string | undefined): number | undefined {
  if (date === undefined) return undefined;
  const time = Date.parse(date);
  if (Number.isNaN(time)) throw new Problem("invalid", `${name} must be a date, such as 2026-01-31`);
  return time;
}
