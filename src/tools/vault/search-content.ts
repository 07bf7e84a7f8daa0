// vaultLibrarian_searchContent: notes by what is in them.
import type { VaultAnswer, VaultHit } from "../../vault/vault.ts";
import { MOST_TOKENS } from "../budget.ts";
import { flag, integer, list, number, object, optional, record, text, withDefault } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { CONTEXT } from "./context.ts";
import { READS } from "./fields.ts";

export const QUERY = text('Words; also "a phrase", -without, tag:#x, path:folder, prop:status=open', {
  missing: "Query parameter is required and cannot be empty",
  notEmpty: true,
});

export const searchContent = defineTool({
  name: "vaultLibrarian_searchContent",
  title: "Search notes",
  description: "Find notes, best first, with a snippet.",
  toolset: "vault",
  byDefault: true,
  contract: "vault",
  effects: READS,
  pages: "results",
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
    includeContent: withDefault(flag("With the passage"), true),
    snippetLength: withDefault(integer("", { minimum: 20, maximum: 5000 }), 200),
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
        frontmatter: optional(record()),
        metadata: record(),
      }),
    ),
    totalResults: integer(),
    executionTime: number(),
    message: text(),
  },
  run: async ({ query, limit, includeContent, snippetLength, paths }, { services, signal, progress }) => {
    const started = performance.now();
    const { index } = await services.vault();
    const answer = await index.search(query, { limit, paths, snippetLength, signal, onProgress: progress });
    return {
      success: true,
      query,
      results: answer.hits.map((hit) => resultOf(hit, includeContent)),
      totalResults: answer.total,
      executionTime: Math.round((performance.now() - started) * 100) / 100,
      ...(answer.total === 0 && { message: `No results found for query: ${query}` }),
      ...freshnessOf(answer),
    };
  },
});

function resultOf({ path, title, snippet, score, method, properties, mtime }: VaultHit, withContent: boolean) {
  const slash = path.lastIndexOf("/");
  const dot = path.lastIndexOf(".");
  return {
    filePath: path,
    title,
    ...(withContent && { content: snippet.text }),
    score,
    searchMethod: method,
    ...(Object.keys(properties).length > 0 && { frontmatter: properties }),
    metadata: {
      fileExtension: dot > slash ? path.slice(dot + 1) : "",
      parentFolder: slash === -1 ? "" : path.slice(0, slash),
      modifiedTime: mtime,
    },
  };
}

/** What an answer says beside its results where it may not be the whole truth yet. */
export function freshnessOf({ stale, indexing, unread }: Pick<VaultAnswer, "stale" | "indexing" | "unread">) {
  return {
    ...(stale && { stale: true }),
    ...(indexing && {
      indexing: {
        ...indexing,
        hint: "The vault is being indexed for the first time: search again in a moment for more.",
      },
    }),
    ...(unread.length > 0 && { unreadable: unread.slice(0, 20) }),
  };
}
