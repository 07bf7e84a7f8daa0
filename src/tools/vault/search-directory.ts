// vaultLibrarian_searchDirectory: files and folders by name, kind and date.
import { nearestNames } from "../../vault/vault.ts";
import { choice, integer, list, object, optional, record, text, withDefault } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { TAKEN_CONTEXT } from "./context.ts";
import { dataOutput, READS } from "./fields.ts";

export const searchDirectory = defineTool({
  name: "vaultLibrarian_searchDirectory",
  title: "Search files and folders",
  description: "Find files and folders by parts of their names.",
  toolset: "vault",
  byDefault: false,
  contract: "vault",
  effects: READS,
  pages: "data.results",
  input: {
    query: text("Parts of a name", { missing: "Query parameter is required and cannot be empty", notEmpty: true }),
    paths: list(text(), "Folders to look in; / for the whole vault"),
    searchType: withDefault(choice(["files", "folders", "both"], "What to find"), "both"),
    fileTypes: optional(list(text(), "Extensions, such as md")),
    depth: withDefault(integer("How many folders deep", { minimum: 1, maximum: 100 }), 100),
    pattern: optional(text("Pattern of the name, such as *.canvas")),
    dateRange: optional(object({ start: optional(text("Date")), end: optional(text("Date")) }, "When changed")),
    limit: withDefault(integer("How many", { minimum: 1, maximum: 100 }), 20),
    ...TAKEN_CONTEXT,
  },
  output: dataOutput({ results: list(record()), totalResults: integer() }),
  run: async ({ context: _, limit, ...question }, { services, signal }) => {
    const results = nearestNames(await services.vault(), { ...question, signal });
    return { success: true, data: { results: results.slice(0, limit), totalResults: results.length } };
  },
});
