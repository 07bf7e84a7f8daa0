// vaultManager_listDirectory: what is in a folder.
import { listFolder } from "../../vault/vault.ts";
import { flag, integer, list, optional, record, text, withDefault } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { TAKEN_CONTEXT } from "./context.ts";
import { dataOutput, READS } from "./fields.ts";

export const listDirectory = defineTool({
  name: "vaultManager_listDirectory",
  title: "List a folder",
  description: "List notes, attachments and folders, with sizes, times and counts.",
  toolset: "vault",
  byDefault: true,
  contract: "vault",
  effects: READS,
  returnsForeignText: false,
  pages: "data.entries",
  input: {
    path: text("/ for the whole vault", { missing: "Path is required" }),
    filter: optional(text("Part of a name, or *.canvas")),
    depth: withDefault(integer("", { minimum: 1, maximum: 100 }), 1),
    includeFiles: withDefault(flag(), true),
    includeFolders: withDefault(flag(), true),
    ...TAKEN_CONTEXT,
  },
  output: dataOutput({
    path: text(),
    files: integer(),
    folders: integer(),
    entries: list(record(), "What is there"),
  }),
  run: async ({ path: sent, context: _, ...options }, { services, signal }) => {
    const { path, entries } = listFolder(await services.vault(), sent, { ...options, signal });
    const files = entries.filter(({ type }) => type === "file").length;
    return { success: true, data: { path, files, folders: entries.length - files, entries } };
  },
});
