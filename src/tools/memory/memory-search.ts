// vaultLibrarian_searchMemory: finds sessions, states and traces by their words.
import type { SearchedKind } from "../../memory/memory.ts";
import {
  choice,
  flag,
  integer,
  list,
  number,
  object,
  optional,
  text,
  withDefault,
  unlisted,
} from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { READS } from "../definition/effects.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { spanBetween } from "../definition/dates.ts";
import { nothingFound, repeated, shortScore } from "../vault/note-search.ts";
import { SHARED } from "./fields.ts";
import { withTimes } from "./times.ts";

const KINDS = { sessions: "session", states: "state", traces: "trace" } as const satisfies Record<string, SearchedKind>;
const TYPES = Object.keys(KINDS) as (keyof typeof KINDS)[];

export const searchMemory = defineTool({
  ...SHARED,
  name: "vaultLibrarian_searchMemory",
  title: "Search memory",
  description:
    "Search memory: which sessions were about it? Find sessions, saved states and traces of what was done, by words.",
  byDefault: false,
  effects: READS,
  pages: "results",
  input: {
    query: text('Words; "a phrase", -without', {
      missing: "Query parameter is required and cannot be empty",
      notEmpty: true,
    }),
    workspaceId: optional(text()),
    memoryTypes: optional(list(choice(TYPES, ""))),
    dateRange: optional(object({ start: optional(text("Date")), end: optional(text("Date")) })),
    sessionId: optional(text()),
    limit: withDefault(
      integer("", { minimum: 1, maximum: 100, invalid: "Invalid search limit: must be between 1 and 100" }),
      10,
    ),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    success: flag(),
    query: text(),
    results: list(
      object({
        type: text(),
        id: text(),
        title: text(),
        content: text(),
        score: number(),
        when: unlisted(text()),
        sessionId: unlisted(text()),
        workspaceId: unlisted(text()),
      }),
    ),
    totalResults: integer(),
    message: optional(text()),
    /** If the query was cut. */
    hint: unlisted(text()),
  },
  about: ({ query }) => query,
  text: ({ results, totalResults, message, hint }) => ({
    head: [
      message ?? `${results.length} of ${totalResults} results, best first: type, id, title, time, session, workspace`,
      ...(hint === undefined ? [] : [hint]),
    ].join("\n"),
    words: results
      .map(({ type, id, title, when, sessionId, workspaceId, content }) =>
        [`- ${type} ${id}`, title, when, sessionId, workspaceId, content].join(" | "),
      )
      .join("\n"),
  }),
  run: async ({ query, workspaceId, memoryTypes, dateRange, sessionId, limit }, { services }) => {
    const { searchMemory } = await import("../../memory/memory.ts");
    const { results, total, hint } = await searchMemory(await services.memory(), query, {
      kinds: (memoryTypes ?? TYPES).map((type) => KINDS[type]),
      workspace: workspaceId,
      session: sessionId,
      during: spanBetween(
        { name: "dateRange.start", sent: dateRange?.start },
        { name: "dateRange.end", sent: dateRange?.end },
      ),
      limit,
    });
    return {
      success: true,
      query: repeated(query),
      results: results.map(({ score, ...found }) => ({ ...withTimes(found), score: shortScore(score) })),
      totalResults: total,
      ...(total === 0 && { message: nothingFound(query) }),
      ...(hint !== undefined && { hint }),
    };
  },
});
