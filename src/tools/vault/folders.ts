// Tools for folders: vaultManager_listDirectory, _createFolder and _deleteFolder.
import type { FolderContents, Listed } from "../../vault/vault.ts";
import { CONTEXT, OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { defineTool } from "../definition/define-tool.ts";
import { ADDS, CHANGES, READS } from "../definition/effects.ts";
import { flag, integer, list, optional, text, withDefault, resultObject } from "../definition/schema.ts";
import { dataOutput, PATH, pathTouched, SHARED } from "./fields.ts";

export const listDirectory = defineTool({
  ...SHARED,
  name: "vaultManager_listDirectory",
  title: "List a folder",
  description: "List notes, attachments and folders, with sizes, times and counts.",
  byDefault: true,
  effects: READS,
  returnsForeignText: false,
  pages: "data.entries",
  input: {
    path: text("/ for the whole vault", { missing: "Path is required" }),
    filter: optional(text("Part of a name, or *.canvas")),
    depth: withDefault(integer("", { minimum: 1, maximum: 100 }), 1),
    includeFiles: withDefault(flag(), true),
    includeFolders: withDefault(flag(), true),
    ...OPTIONAL_CONTEXT,
  },
  output: dataOutput({
    path: text(),
    files: integer(),
    folders: integer(),
    entries: list(resultObject<Listed>(), "What is there"),
  }),
  touches: pathTouched,
  run: async ({ path: sent, context: _, ...options }, { services, signal }) => {
    const { listFolder } = await import("../../vault/vault.ts");
    const { path, items: entries } = listFolder(await services.vault(), sent, { ...options, signal });
    const files = entries.filter(({ type }) => type === "file").length;
    return { success: true, data: { path, files, folders: entries.length - files, entries } };
  },
});

export const createFolder = defineTool({
  ...SHARED,
  name: "vaultManager_createFolder",
  title: "Create a folder",
  description: "Create a folder, and missing ones above it.",
  byDefault: true,
  effects: { ...ADDS, idempotent: true },
  input: { path: PATH, ...CONTEXT },
  output: dataOutput({ path: text(), existed: flag() }),
  touches: pathTouched,
  run: async ({ path }, { services, author }) => {
    const { createFolder } = await import("../../vault/vault.ts");
    return { success: true, data: await createFolder(await services.vault(), author, path) };
  },
});

export const deleteFolder = defineTool({
  ...SHARED,
  name: "vaultManager_deleteFolder",
  title: "Delete a folder",
  description: "Move a folder to the vault's .trash. Without confirmed it only shows what would go. Can be undone.",
  byDefault: false,
  effects: CHANGES,
  input: {
    path: PATH,
    recursive: withDefault(flag("With everything in it"), false),
    confirmed: withDefault(flag("Do it"), false),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    success: flag(),
    requiresConfirmation: optional(flag()),
    message: optional(text()),
    data: resultObject<FolderContents>(),
  },
  touches: pathTouched,
  run: async ({ path, recursive, confirmed }, { services, author, signal }) => {
    const { contentsOf, deleteFolder } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    if (confirmed) return { success: true, data: await deleteFolder(vault, author, path, recursive) };
    const data = await contentsOf(vault, path, signal);
    const message = `This will move '${data.path}' with ${data.files} files and ${data.folders} folders to the trash. Set confirmed=true to proceed.`;
    return { success: false, requiresConfirmation: true, message, data };
  },
});
