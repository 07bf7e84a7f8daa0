// Tools that treat a note as a file: vaultManager_deleteNote (to the trash) and
// _duplicateNote.
import { deleteNote as noteDeleted, duplicateNote as noteDuplicated } from "../../vault/vault.ts";
import { defineTool } from "../define-tool.ts";
import { CHANGES } from "../effects.ts";
import { flag, text, withDefault } from "../schema.ts";
import { dataOutput, OVERWRITE, PATH, WRITE } from "./fields.ts";

export const deleteNote = defineTool({
  name: "vaultManager_deleteNote",
  title: "Delete a note",
  description: "Move a note or an attachment to .trash. Can be undone.",
  toolset: "vault",
  byDefault: true,
  contract: "vault",
  effects: CHANGES,
  input: { path: PATH, ...WRITE },
  output: dataOutput({ path: text() }),
  run: async ({ path, expectedHash }, { services, signal }) => ({
    success: true,
    data: await noteDeleted(await services.vault(), { tool: "vaultManager_deleteNote", signal }, path, expectedHash),
  }),
});

export const duplicateNote = defineTool({
  name: "vaultManager_duplicateNote",
  title: "Duplicate a note",
  description: "Copy a note or an attachment to another path.",
  toolset: "vault",
  byDefault: false,
  contract: "vault",
  effects: CHANGES,
  input: {
    sourcePath: text("Path of the note", { missing: "Path is required" }),
    targetPath: text("Path of the copy", { missing: "Path is required" }),
    overwrite: OVERWRITE,
    autoIncrement: withDefault(flag('Where it is taken, try "name copy", "name copy 2" …'), false),
    ...WRITE,
  },
  output: dataOutput({ sourcePath: text(), targetPath: text() }),
  run: async ({ context: _, ...sent }, { services, signal }) => ({
    success: true,
    data: await noteDuplicated(await services.vault(), { tool: "vaultManager_duplicateNote", signal }, sent),
  }),
});
