// search_outline: finds rows by their text.
import {
  requested,
  choice,
  flag,
  integer,
  list,
  object,
  optional,
  text,
  withDefault,
  unlisted,
} from "../definition/schema.ts";
import { Problem } from "../../kernel/kernel.ts";
import { defineTool } from "../definition/define-tool.ts";
import { InvalidArgument } from "../definition/field.ts";
import { listWithPage } from "../definition/lazy-list.ts";
import { READS } from "../definition/effects.ts";
import { currentDocument, givenId, ROW, rowResult, SHARED, VERSION } from "./fields.ts";

/** Required, unless rows of a state or below a row are asked for, which need no words. */
const QUERY = { ...requested(text(), ["state", "under"]), schema: { type: "string", minLength: 1 } } as const;

export const searchOutline = defineTool({
  ...SHARED,
  name: "search_outline",
  title: "Search the outline",
  description:
    "Search the outline: find rows (items, tasks) that match or mention words in topics or notes, or by state: which are still open?",
  effects: READS,
  pages: "results",
  pageSize: "maxResults",
  input: {
    query: QUERY,
    searchIn: withDefault(choice(["all", "topics", "notes"]), "all"),
    caseSensitive: withDefault(flag(), false),
    maxResults: withDefault(integer("", { minimum: 1, maximum: 100 }), 50),
    /** The query is a regular expression. */
    regex: unlisted(flag()),
    state: optional(choice(["checked", "unchecked", "mixed", "none"])),
    /** A row: only what is below it. */
    under: optional(text()),
    /** Adds the topics above each match. */
    ancestors: unlisted(flag()),
  },
  output: {
    results: list(object({ row: ROW, matchContext: text(), matchField: text(), ancestors: unlisted(list(text())) })),
    totalMatches: integer(),
    truncated: flag(),
    version: VERSION,
  },
  run: async (
    { query = "", under, ancestors, maxResults, regex, ...wanted },
    { services, signal, page: { start } },
  ) => {
    if (query === "" && wanted.state === undefined && givenId(under) === undefined)
      throw new InvalidArgument("query", new Problem("invalid", "query must not be empty"));
    const { ancestorsOf, searchPattern, searchRows } = await import("../../outline/outline.ts");
    const outline = await (await currentDocument(services)).read(signal);
    const asked = { ...wanted, query, under: givenId(under), maxResults: start + maxResults };
    const isPattern = regex === true && query !== "";
    const { matches, total } = isPattern ? await searchPattern(outline, asked, signal) : searchRows(outline, asked);
    const shown = matches.slice(start).map(({ row, matchContext, matchField }) => ({
      row: rowResult(row),
      matchContext,
      matchField,
      ...(ancestors === true && { ancestors: ancestorsOf(outline, row).map(({ topic }) => topic) }),
    }));
    const results = listWithPage(total, { start, size: maxResults }, shown);
    return { results, totalMatches: total, truncated: total > matches.length, version: outline.version };
  },
});
