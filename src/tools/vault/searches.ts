// vaultLibrarian_searchContent (notes by their text), _searchDirectory (files and
// folders by name) and _batch (several searches of notes).
import type { Listed, NoteHit } from "../../vault/vault.ts";
import { MAX_TOKENS } from "../call/budget.ts";
import { CONTEXT, OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { isoTime } from "../definition/dates.ts";
import { defineTool } from "../definition/define-tool.ts";
import { READS } from "../definition/effects.ts";
import { listWithPage } from "../definition/lazy-list.ts";
import {
  choice,
  flag,
  integer,
  list,
  number,
  object,
  optional,
  requested,
  record,
  text,
  withDefault,
  words,
  resultObject,
  unlisted,
} from "../definition/schema.ts";
import { HOW_SURE, unfoundOf } from "../definition/unfound-words.ts";
import { askEveryVault, best, type InVault, notAsked, UNAVAILABLE } from "./every-vault.ts";
import { dataOutput, OWN_READER, SHARED } from "./fields.ts";
import {
  hintsOf,
  MAX_RELATED,
  nothingFound,
  QUERY,
  QUERY_SYNTAX,
  RELATED,
  relatedOf,
  repeated,
  SEARCH_FRESHNESS,
  searchFirstVault,
  searchNotes,
  shortScore,
} from "./note-search.ts";
import { tagsOfAll } from "./tags.ts";

export const searchContent = defineTool({
  ...SHARED,
  name: "vaultLibrarian_searchContent",
  title: "Search notes",
  description:
    "Search notes: look for anything, find notes (pages, passages) that mention it, by words, tag or property. Do I have a note on it? Only notes.",
  byDefault: true,
  effects: READS,
  pages: "results",
  pageSize: "limit",
  budget: MAX_TOKENS,
  input: {
    query: { ...QUERY, schema: { ...QUERY.schema, description: `${QUERY_SYNTAX}; tag:* lists tags` } },
    limit: withDefault(
      integer("", {
        minimum: 1,
        maximum: 100,
        invalid: "Invalid search limit: must be between 1 and 100",
      }),
      10,
    ),
    includeContent: withDefault(flag(), true),
    snippetLength: withDefault(integer("", { minimum: 20, maximum: 5000, isUnlisted: true }), 200),
    paths: optional(list(text(), "Notes or folders")),
    ...CONTEXT,
  },
  output: {
    success: flag(),
    query: text(),
    results: list(
      object({
        filePath: text(),
        vault: optional(text()),
        title: text(),
        content: text(),
        score: number(),
        searchMethod: text(),
        /** Of a PDF file. */
        page: unlisted(integer()),
        frontmatter: optional(record()),
        /** The note has more of it, or longer ones. */
        frontmatterCut: unlisted(flag()),
        metadata: resultObject<{ fileExtension: string; parentFolder: string; modifiedTime: number }>(),
      }),
    ),
    related: RELATED,
    totalResults: integer(),
    /** How many in each vault, if there are several. */
    totals: unlisted(record()),
    /** Of tag:*, with the number of notes that have each. */
    tags: unlisted(list(object({ tag: text(), count: integer() }))),
    /** If more than are listed. */
    totalTags: unlisted(integer()),
    executionTime: number(),
    message: optional(text()),
    ...HOW_SURE,
    ...SEARCH_FRESHNESS,
  },
  touches: ({ paths = [] }) => paths,
  about: ({ query }) => query,
  run: async ({ query, limit, includeContent, snippetLength, paths }, call) => {
    const { services, signal, isForModel, progress } = call;
    const { start: offset } = call.page;
    const started = performance.now();
    const room = isForModel ? MAX_PROPERTIES : Number.POSITIVE_INFINITY;
    const related = offset === 0 ? MAX_RELATED : 0;
    const options = { offset, limit, snippetLength, related, signal, onProgress: progress };
    const { hits, total, totals, facts, unfound, known, whyNothing, elsewhere, ...near } = await searchFirstVault(
      services,
      query,
      paths,
      options,
    );
    const results = hits.map((hit) => resultOf(hit, includeContent, room));
    const missing = await unfoundOf(query, unfound);
    const all = /^\s*tag:#?\*\s*$/i.test(query) ? (await tagsOfAll(services)).tags : undefined;
    const tags = all?.slice(0, MAX_TAGS);
    const isCut = all !== undefined && all.length > MAX_TAGS;
    return {
      success: true,
      query: repeated(query),
      results: listWithPage(total, call.page, results),
      ...relatedOf(near),
      totalResults: total,
      ...(known !== undefined && { known }),
      ...(totals !== undefined && { totals }),
      ...(tags !== undefined && { tags }),
      ...(isCut && { totalTags: all.length }),
      executionTime: Math.round((performance.now() - started) * 100) / 100,
      ...(total === 0 && tags === undefined && { message: nothingFound(query) }),
      ...facts,
      ...missing.fact,
      ...(tags === undefined
        ? hintsOf(elsewhere, facts.hint, missing.hint, await whyNothing())
        : isCut && {
            hint: `These are the ${MAX_TAGS} most frequent of ${all.length} tags: of another one, search tag:#name.`,
          }),
    };
  },
});

/** More are listed by the tool that renames them. */
const MAX_TAGS = 200;

/** Characters of a hit's properties as JSON. Of ten notes more may cost more than all of their snippets. */
const MAX_PROPERTIES = 600;

function resultOf(
  { path, vault, title, snippet, score, method, page, properties, matched, mtime }: NoteHit & InVault,
  withContent: boolean,
  room: number,
) {
  const slash = path.lastIndexOf("/");
  const dot = path.lastIndexOf(".");
  const found = {
    filePath: path,
    ...(vault !== undefined && { vault }),
    title,
    content: withContent ? snippet.text : "",
    score: shortScore(score),
    searchMethod: method,
    ...(page !== undefined && { page }),
    metadata: {
      fileExtension: dot > slash ? path.slice(dot + 1) : "",
      parentFolder: slash === -1 ? "" : path.slice(0, slash),
      modifiedTime: mtime,
    },
  };
  if (Object.keys(properties).length === 0) return found;
  return JSON.stringify(properties).length <= room
    ? { ...found, frontmatter: properties }
    : { ...found, frontmatter: matched, frontmatterCut: true };
}

export const searchDirectory = defineTool({
  ...OWN_READER,
  name: "vaultLibrarian_searchDirectory",
  title: "Find files by name",
  description: "Find files and folders of the vault by name, extension or date: a PDF, an image, an attachment.",
  byDefault: false,
  effects: READS,
  pages: "data.results",
  input: {
    query: text("Parts of a name", { missing: "Query parameter is required and cannot be empty", notEmpty: true }),
    paths: requested(list(text(), "Folders to look in; / for the whole vault")),
    searchType: withDefault(choice(["files", "folders", "both"], "What to find"), "both"),
    fileTypes: optional(words("Extensions, e.g. md")),
    depth: withDefault(integer("How many folders deep", { minimum: 1, maximum: 100 }), 100),
    pattern: optional(text("Of the name, e.g. *.canvas")),
    dateRange: optional(object({ start: optional(text("Date")), end: optional(text("Date")) }, "When changed")),
    limit: withDefault(integer("", { minimum: 1, maximum: 100, isUnlisted: true }), 20),
    ...OPTIONAL_CONTEXT,
  },
  output: { ...dataOutput({ results: list(resultObject<FoundName>()), totalResults: integer() }), ...UNAVAILABLE },
  touches: ({ paths = [] }) => paths,
  about: ({ query }) => query,
  run: async ({ context: _, limit, paths = ["/"], ...question }, { services, signal }) => {
    const { nearestNames } = await import("../../vault/vault.ts");
    const asked = { ...question, paths, signal };
    const { answers, missing } = await askEveryVault(services, (vault) => nearestNames(vault, asked));
    const results = best(
      answers.map((each) => each.answer.map((found) => ({ ...found, ...each.in, mtime: found.modified }))),
      limit,
    );
    const totalResults = answers.reduce((sum, { answer }) => sum + answer.length, 0);
    return { success: true, data: { results: results.map(foundName), totalResults }, ...missing };
  },
});

function foundName({ path, vault, type, modified, score }: Listed & InVault & { readonly score: number }) {
  return { path, ...(vault !== undefined && { vault }), type, modified: isoTime(modified), score };
}
type FoundName = ReturnType<typeof foundName>;

interface NoteSearch {
  readonly query: string;
  readonly results: readonly {
    readonly filePath: string;
    readonly vault?: string;
    readonly title: string;
    readonly score: number;
    readonly content: string;
  }[];
  readonly totalResults: number;
  /** Names places that do not exist, or says that the query was cut. */
  readonly hint?: string;
}

export const batchSearch = defineTool({
  ...SHARED,
  name: "vaultLibrarian_batch",
  title: "Several searches",
  description: "Several searches of notes in one call.",
  byDefault: false,
  effects: READS,
  input: {
    queries: list(
      object({
        query: QUERY,
        limit: withDefault(integer("", { minimum: 1, maximum: 50 }), 5),
        paths: optional(list(text())),
      }),
      "The searches",
      20,
    ),
    ...OPTIONAL_CONTEXT,
  },
  pages: "data.searches",
  output: { ...dataOutput({ searches: list(resultObject<NoteSearch>()) }), ...UNAVAILABLE },
  about: ({ queries }) => queries?.[0]?.query,
  text: ({ data: { searches }, unavailable }) => ({
    head: [
      ...searches.map(({ query, results, totalResults, hint }) =>
        [`${query}: ${results.length} of ${totalResults}`, hint].filter(Boolean).join(". "),
      ),
      ...notAsked(unavailable),
    ].join("\n"),
    words: searches.map(({ query, results }) => [query, ...results.map(hitLine)].join("\n")).join("\n\n"),
  }),
  run: async ({ queries }, { services, signal, progress: onProgress }) => {
    const searches: NoteSearch[] = [];
    let unavailable: Awaited<ReturnType<typeof searchNotes>>["facts"]["unavailable"];
    for (const { query, limit, paths } of queries) {
      const options = { limit, signal, onProgress };
      const { hits, total, facts, whyNothing } = await searchNotes(services, query, paths, options);
      const hint = hintsOf(facts.hint, await whyNothing());
      ({ unavailable } = facts);
      const results = hits.map(({ path, vault, title, score, snippet }) => ({
        filePath: path,
        ...(vault !== undefined && { vault }),
        title,
        score: shortScore(score),
        content: snippet.text,
      }));
      searches.push({ query: repeated(query), results, totalResults: total, ...hint });
    }
    return { success: true, data: { searches }, ...(unavailable !== undefined && { unavailable }) };
  },
});

function hitLine({ filePath, vault, title, score, content }: NoteSearch["results"][number]): string {
  return `- ${filePath}${vault === undefined ? "" : ` (in ${vault})`} | ${title} | ${score} | ${content}`;
}
