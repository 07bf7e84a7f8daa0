// vaultLibrarian_searchContent (notes by their text), _searchDirectory (files and
// folders by name) and _batch (several searches of notes).
import type { Listed, NoteAnswer, NoteHit } from "../../vault/vault.ts";
import { MOST_TOKENS } from "../call/budget.ts";
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
  record,
  text,
  withDefault,
  resultObject,
  unlisted,
} from "../definition/schema.ts";
import { dataOutput, FRESHNESS, OWN_READER, SHARED } from "./fields.ts";

export const QUERY = text('Words; "a phrase", -without, tag:#x, path:folder, prop:status=open', {
  missing: "Query parameter is required and cannot be empty",
  notEmpty: true,
});

/** Searches also name files that could not be read. */
export const SEARCH_FRESHNESS = {
  ...FRESHNESS,
  /** PDF files that are still to be read: search again in a moment. */
  waitingPdfs: unlisted(integer()),
  unreadable: unlisted(list(resultObject<NoteAnswer["unread"][number]>())),
};

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
  budget: MOST_TOKENS,
  input: {
    query: QUERY,
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
        title: text(),
        content: optional(text()),
        score: number(),
        searchMethod: text(),
        /** Of a PDF file. */
        page: unlisted(integer()),
        frontmatter: optional(record()),
        metadata: resultObject<{ fileExtension: string; parentFolder: string; modifiedTime: number }>(),
      }),
    ),
    totalResults: integer(),
    executionTime: number(),
    message: optional(text()),
    ...SEARCH_FRESHNESS,
  },
  touches: ({ paths = [] }) => paths,
  about: ({ query }) => query,
  run: async ({ query, limit, includeContent, snippetLength, paths }, call) => {
    const { services, signal, isForModel, progress } = call;
    const { start: offset } = call.page;
    const started = performance.now();
    const room = isForModel ? ROOM + snippetLength : Number.POSITIVE_INFINITY;
    const { resolveDay } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    const within = paths?.map((path) => resolveDay(vault, path));
    const options = { offset, limit, paths: within, snippetLength, signal, onProgress: progress };
    const answer = await vault.index.search(query, options);
    const results = answer.hits.map((hit) => resultOf(hit, includeContent, room));
    return {
      success: true,
      query,
      results: listWithPage(answer.total, call.page, results),
      totalResults: answer.total,
      executionTime: Math.round((performance.now() - started) * 100) / 100,
      ...(answer.total === 0 && { message: `No results found for query: ${query}` }),
      ...freshnessOf(answer),
    };
  },
});

/** Characters of a hit as JSON, beside its snippet: ten hits of the default length are 1,300 tokens. */
const ROOM = 300;

function resultOf(
  { path, title, snippet, score, method, page, properties, matched, mtime }: NoteHit,
  withContent: boolean,
  room: number,
) {
  const slash = path.lastIndexOf("/");
  const dot = path.lastIndexOf(".");
  const found = {
    filePath: path,
    title,
    ...(withContent && { content: snippet.text }),
    score: shortScore(score),
    searchMethod: method,
    ...(page !== undefined && { page }),
    metadata: {
      fileExtension: dot > slash ? path.slice(dot + 1) : "",
      parentFolder: slash === -1 ? "" : path.slice(0, slash),
      modifiedTime: mtime,
    },
  };
  // All properties if they are few, else only those that matched: those of ten notes may cost more than their snippets.
  const whole = { ...found, frontmatter: properties };
  const frontmatter = JSON.stringify(whole).length <= room ? properties : matched;
  return Object.keys(frontmatter).length > 0 ? { ...found, frontmatter } : found;
}

/** Results are in order: more digits say nothing. */
export function shortScore(score: number): number {
  return Math.max(0.01, Math.round(score * 100) / 100);
}

/** What an answer says besides its results if it may be incomplete. */
export function freshnessOf({
  stale,
  indexing,
  unread,
  waitingPdfs,
}: Pick<NoteAnswer, "stale" | "indexing" | "unread" | "waitingPdfs">) {
  return {
    ...(stale && { stale: true }),
    ...(indexing && {
      indexing: {
        ...indexing,
        hint: "The vault is being indexed for the first time: search again in a moment for more.",
      },
    }),
    ...(waitingPdfs > 0 && { waitingPdfs }),
    ...(unread.length > 0 && { unreadable: unread.slice(0, 20) }),
  };
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
    paths: list(text(), "Folders to look in; / for the whole vault"),
    searchType: withDefault(choice(["files", "folders", "both"], "What to find"), "both"),
    fileTypes: optional(list(text(), "Extensions, e.g. md")),
    depth: withDefault(integer("How many folders deep", { minimum: 1, maximum: 100 }), 100),
    pattern: optional(text("Of the name, e.g. *.canvas")),
    dateRange: optional(object({ start: optional(text("Date")), end: optional(text("Date")) }, "When changed")),
    limit: withDefault(integer("", { minimum: 1, maximum: 100, isUnlisted: true }), 20),
    ...OPTIONAL_CONTEXT,
  },
  output: dataOutput({ results: list(resultObject<FoundName>()), totalResults: integer() }),
  touches: ({ paths = [] }) => paths,
  about: ({ query }) => query,
  run: async ({ context: _, limit, ...question }, { services, signal }) => {
    const { nearestNames } = await import("../../vault/vault.ts");
    const results = nearestNames(await services.vault(), { ...question, signal });
    return { success: true, data: { results: results.slice(0, limit).map(foundName), totalResults: results.length } };
  },
});

function foundName({ path, type, modified, score }: Listed & { readonly score: number }) {
  return { path, type, modified: isoTime(modified), score };
}
type FoundName = ReturnType<typeof foundName>;

interface NoteSearch {
  readonly query: string;
  readonly results: readonly {
    readonly filePath: string;
    readonly title: string;
    readonly score: number;
    readonly content: string;
  }[];
  readonly totalResults: number;
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
  output: dataOutput({ searches: list(resultObject<NoteSearch>()) }),
  about: ({ queries }) => queries?.[0]?.query,
  text: ({ data: { searches } }) => ({
    head: searches
      .map(({ query, results, totalResults }) => `${query}: ${results.length} of ${totalResults}`)
      .join("\n"),
    words: searches.map(({ query, results }) => [query, ...results.map(hitLine)].join("\n")).join("\n\n"),
  }),
  run: async ({ queries }, { services, signal, progress: onProgress }) => {
    const { resolveDay } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    const searches: NoteSearch[] = [];
    for (const { query, limit, paths: sent } of queries) {
      const paths = sent?.map((path) => resolveDay(vault, path));
      const { hits, total } = await vault.index.search(query, { limit, paths, signal, onProgress });
      const results = hits.map(({ path, title, score, snippet }) => ({
        filePath: path,
        title,
        score: shortScore(score),
        content: snippet.text,
      }));
      searches.push({ query, results, totalResults: total });
    }
    return { success: true, data: { searches } };
  },
});

function hitLine({ filePath, title, score, content }: NoteSearch["results"][number]): string {
  return `- ${filePath} | ${title} | ${score} | ${content}`;
}
