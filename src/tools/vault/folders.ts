// vaultManager_listDirectory, _createFolder and _deleteFolder.
import {
  contentsOf,
  createFolder as folderCreated,
  deleteFolder as folderDeleted,
  listFolder,
} from "../../vault/vault.ts";
import { CONTEXT, TAKEN_CONTEXT } from "../context-fields.ts";
import { defineTool } from "../define-tool.ts";
import { ADDS, CHANGES, READS } from "../effects.ts";
import { flag, integer, list, optional, record, text, withDefault } from "../schema.ts";
import { dataOutput, PATH } from "./fields.ts";

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

export const createFolder = defineTool({
  name: "vaultManager_createFolder",
  title: "Create a folder",
  description: "Create a folder, and missing ones above it.",
  toolset: "vault",
  byDefault: true,
  contract: "vault",
  effects: { ...ADDS, idempotent: true },
  input: { path: PATH, ...CONTEXT },
  output: dataOutput({ path: text(), existed: flag() }),
  run: async ({ path }, { services, signal }) => ({
    success: true,
    data: await folderCreated(await services.vault(), { tool: "vaultManager_createFolder", signal }, path),
  }),
});

export const deleteFolder = defineTool({
  name: "vaultManager_deleteFolder",
  title: "Delete a folder",
  description: "Move a folder to the vault's .trash. Without confirmed it only shows what would go. Can be undone.",
  toolset: "vault",
  byDefault: false,
  contract: "vault",
  effects: CHANGES,
  input: {
    path: PATH,
    recursive: withDefault(flag("With everything in it"), false),
    confirmed: withDefault(flag("Do it"), false),
    ...TAKEN_CONTEXT,
  },
  output: {
    success: flag(),
    requiresConfirmation: flag(),
    message: text(),
    data: record(),
  },
  run: async ({ path, recursive, confirmed }, { services, signal }) => {
    const vault = await services.vault();
    if (confirmed)
      return {
        success: true,
        data: await folderDeleted(vault, { tool: "vaultManager_deleteFolder", signal }, path, recursive),
      };
    const data = await contentsOf(vault, path, signal);
    const message = `This will move '${data.path}' with ${data.files} files and ${data.folders} folders to the trash. Set confirmed=true to proceed.`;
    return { success: false, requiresConfirmation: true, message, data };
  },
});
