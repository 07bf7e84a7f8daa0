// Tools for folders: vaultManager_listDirectory, _createFolder and _deleteFolder.
import type { FolderContents, Listed } from "../../vault/vault.ts";
import { counted } from "../../kernel/kernel.ts";
import { ownLines } from "../call/result-lines.ts";
import { isoTime } from "../definition/dates.ts";
import { CONTEXT, OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { defineTool } from "../definition/define-tool.ts";
import { ADDS, CHANGES, READS } from "../definition/effects.ts";
import {
  confirmation,
  flag,
  integer,
  list,
  optional,
  text,
  unlisted,
  withDefault,
  resultObject,
} from "../definition/schema.ts";
import { dataOutput, PATH, pathTouched, SHARED } from "./fields.ts";

/** The name is the end of the path, and nobody asks when a file was first seen on this disk. */
function entryOf({ path, type, size, modified, files, folders }: Listed) {
  return type === "file"
    ? { path, type, size: size ?? 0, modified: isoTime(modified) }
    : { path, type, files: files ?? 0, folders: folders ?? 0, modified: isoTime(modified) };
}
type Entry = ReturnType<typeof entryOf>;

function lineOf({ path, modified, ...entry }: Entry): string {
  const what =
    entry.type === "file"
      ? `${entry.size} bytes`
      : `${counted(entry.files ?? 0, "file")}, ${counted(entry.folders ?? 0, "folder")}`;
  return `${path}${entry.type === "file" ? "" : "/"} | ${what} | ${modified}`;
}

export const listDirectory = defineTool({
  ...SHARED,
  name: "vaultManager_listDirectory",
  title: "List a folder",
  description: "List a folder of the vault (ls): everything in it, notes, files and folders, levels down.",
  byDefault: true,
  effects: READS,
  returnsForeignText: false,
  pages: "data.entries",
  input: {
    path: optional(text()),
    filter: optional(text("e.g. *.canvas")),
    depth: optional(integer("", { minimum: 1, maximum: 100, isUnlisted: true })),
    includeFiles: unlisted(flag()),
    includeFolders: unlisted(flag()),
    ...OPTIONAL_CONTEXT,
  },
  output: dataOutput({
    path: text(),
    files: integer(),
    folders: integer(),
    entries: list(resultObject<Entry>(), "What is there"),
  }),
  touches: pathTouched,
  text: ({ data: { path, files, folders, entries } }) => ({
    head: `${path || "The vault"}: ${counted(files, "file")}, ${counted(folders, "folder")}`,
    words: entries.map(lineOf).join("\n"),
  }),
  run: async (
    { path: sent = "/", includeFiles = true, includeFolders = true, depth = 1, context: _, ...options },
    { services, signal },
  ) => {
    const { listFolder } = await import("../../vault/vault.ts");
    const { path, items } = await listFolder(await services.vault(), sent, {
      ...options,
      includeFiles,
      includeFolders,
      depth,
      signal,
    });
    const entries = items.map(entryOf);
    const files = entries.filter(({ type }) => type === "file").length;
    return { success: true, data: { path, files, folders: entries.length - files, entries } };
  },
});

export const createFolder = defineTool({
  ...SHARED,
  name: "vaultManager_createFolder",
  title: "Create a folder",
  description: "Create (make, set up, mkdir) a new folder (directory).",
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
  text: ownLines,
  name: "vaultManager_deleteFolder",
  asksToConfirm: true,
  title: "Delete a folder",
  description:
    "Delete a folder with all in it: to .trash. Without confirmed it only shows what would go. Can be undone.",
  byDefault: false,
  effects: CHANGES,
  wantsPath: true,
  input: {
    path: PATH,
    recursive: withDefault(flag("With everything in it"), false),
    confirmed: withDefault(confirmation("Do it"), false),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    success: flag(),
    requiresConfirmation: optional(flag()),
    message: optional(text()),
    data: resultObject<FolderContents>(),
  },
  touches: pathTouched,
  run: async ({ path, recursive, confirmed }, { services, author }) => {
    const { deleteFolder, previewFolderDeletion } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    if (confirmed) return { success: true, data: await deleteFolder(vault, author, path, recursive) };
    const data = await previewFolderDeletion(vault, author, path);
    const message = `This will move '${data.path}' with ${data.files} files and ${data.folders} folders to the trash. Set confirmed=true to proceed.`;
    return { success: false, requiresConfirmation: true, message, data };
  },
});
