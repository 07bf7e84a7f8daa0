// vaultLibrarian_links, _tags and _batch: what else the index knows of a vault.
import { LINK_TYPES, linksOf } from "../../vault/vault.ts";
import { choice, integer, list, object, optional, record, text, withDefault } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { TAKEN_CONTEXT } from "./context.ts";
import { dataOutput, READS } from "./fields.ts";
import { QUERY } from "./search-content.ts";

const SHARED = { toolset: "vault", contract: "vault", byDefault: false, effects: READS } as const;

export const links = defineTool({
  ...SHARED,
  name: "vaultLibrarian_links",
  title: "Links of a note",
  description:
    "Links of a note or of a folder's notes: backlinks, outgoing, unresolved (lead nowhere), orphans (no note leads there).",
  pages: "data.links",
  input: {
    path: text("Note or folder; / for the whole vault", { missing: "Path is required" }),
    type: withDefault(choice(LINK_TYPES, "Which"), "backlinks"),
    ...TAKEN_CONTEXT,
  },
  output: dataOutput({ path: text(), links: list(record()) }),
  run: async ({ path, type }, { services, signal }) => {
    const { freshness, ...data } = await linksOf(await services.vault(), path, type, signal);
    return { success: true, data: { ...data, type }, ...(freshness.stale && freshness) };
  },
});

export const tags = defineTool({
  ...SHARED,
  name: "vaultLibrarian_tags",
  title: "Tags of the vault",
  description: "Every tag of the vault, with the number of notes that have it.",
  pages: "data.tags",
  input: { filter: optional(text("Part of a tag")), ...TAKEN_CONTEXT },
  output: dataOutput({ tags: list(object({ tag: text(), count: integer() })) }),
  run: async ({ filter = "" }, { services }) => {
    const { answer, ...freshness } = await (await services.vault()).index.ask((index) => index.tags());
    const wanted = filter.replace(/^#/, "").toLowerCase();
    return {
      success: true,
      data: { tags: answer.filter(({ tag }) => tag.toLowerCase().includes(wanted)) },
      ...(freshness.stale && freshness),
    };
  },
});

export const batchSearch = defineTool({
  ...SHARED,
  name: "vaultLibrarian_batch",
  title: "Several searches",
  description: "Several searches of notes in one call.",
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
    ...TAKEN_CONTEXT,
  },
  pages: "data.searches",
  output: dataOutput({ searches: list(record()) }),
  run: async ({ queries }, { services, signal, progress: onProgress }) => {
    const { index } = await services.vault();
    const searches = [];
    for (const { query, limit, paths } of queries) {
      const { hits, total } = await index.search(query, { limit, paths, signal, onProgress });
      const results = hits.map(({ path, title, score, snippet }) => ({
        filePath: path,
        title,
        score,
        content: snippet.text,
      }));
      searches.push({ query, results, totalResults: total });
    }
    return { success: true, data: { searches } };
  },
});
