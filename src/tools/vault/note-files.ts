// Tools that treat a note as a file: vaultManager_deleteNote (to the trash) and
// _duplicateNote.
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { defineTool } from "../definition/define-tool.ts";
import { CHANGES } from "../definition/effects.ts";
import { flag, text, withDefault } from "../definition/schema.ts";
import { dataOutput, OVERWRITE, PATH, UNLISTED_HASH, WRITE, pathTouched, OWN } from "./fields.ts";
import { refuseOtherVault } from "./other-vault.ts";

export const deleteNote = defineTool({
  ...OWN,
  name: "vaultManager_deleteNote",
  title: "Delete a note",
  description: "Delete a note or file: remove it, get rid of the page. It goes to the trash (bin); undo restores it.",
  byDefault: true,
  effects: CHANGES,
  wantsPath: true,
  input: { path: PATH, ...UNLISTED_HASH, ...OPTIONAL_CONTEXT },
  output: dataOutput({ path: text() }),
  touches: pathTouched,
  run: async ({ path, expectedHash }, { services, author }) => {
    const { deleteNote } = await import("../../vault/vault.ts");
    return { success: true, data: await deleteNote(await services.vault(), author, path, expectedHash) };
  },
});

export const duplicateNote = defineTool({
  ...OWN,
  name: "vaultManager_duplicateNote",
  title: "Duplicate a note",
  description: "Duplicate (copy) a note or file, such as a template, to another path.",
  byDefault: false,
  effects: CHANGES,
  input: {
    sourcePath: text("Path of the note", { missing: "Path is required", notEmpty: true }),
    targetPath: text("Path of the copy", { missing: "Path is required", notEmpty: true }),
    overwrite: OVERWRITE,
    autoIncrement: withDefault(flag('Where it is taken, try "name copy", "name copy 2" …'), false),
    ...WRITE,
  },
  output: dataOutput({ sourcePath: text(), targetPath: text() }),
  touches: ({ sourcePath, targetPath }, result) => [
    result?.data.sourcePath ?? sourcePath,
    result?.data.targetPath ?? targetPath,
  ],
  run: async ({ context: _, ...sent }, { services, author }) => {
    await refuseOtherVault(services, sent.sourcePath, sent.targetPath);
    const { duplicateNote } = await import("../../vault/vault.ts");
    return { success: true, data: await duplicateNote(await services.vault(), author, sent) };
  },
});
