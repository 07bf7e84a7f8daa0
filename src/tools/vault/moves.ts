// vaultManager_moveNote, _moveFolder and _editFolder: give a note or a folder
// another path, and rewrite the links to it.
import { MOST_TOKENS } from "../call/budget.ts";
import { ownLines } from "../call/result-lines.ts";
import { flag, list, object, optional, text, unlisted } from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { CHANGES } from "../definition/effects.ts";
import { CONTEXT, OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { UNLISTED_HASH, PATH, SHARED } from "./fields.ts";
import { refuseOtherVault } from "./other-vault.ts";

const NEW_PATH = text("", { missing: "Path is required" });

const OUTPUT = {
  success: flag(),
  path: text(),
  newPath: text(),
  recommendations: list(object({ type: text(), message: text() })),
};

const MOVE = {
  ...SHARED,
  effects: CHANGES,
  output: OUTPUT,
  timeLimit: 300_000,
} as const;

/** Else a preview without links to rewrite would look like a move. */
const NOTHING_MOVED = { type: "preview", message: "Nothing was moved: send it without preview to move it" };

export const moveNote = defineTool({
  ...MOVE,
  name: "vaultManager_moveNote",
  title: "Move or rename",
  description:
    "Move a note to another folder, archive it, or rename it: wrong name, new path. Also a whole folder (directory), put inside another. Links keep working.",
  byDefault: true,
  // A tool of a contract is cut only above the size that hosts accept.
  budget: MOST_TOKENS,
  input: {
    path: PATH,
    newPath: NEW_PATH,
    overwrite: optional(flag()),
    preview: unlisted(flag()),
    ...UNLISTED_HASH,
    ...CONTEXT,
  },
  touches: ({ path, newPath }, result) => [result?.path ?? path, result?.newPath ?? newPath],
  // Memory would say that the note was moved.
  trace: ({ preview }) => (preview === true ? false : {}),
  run: async ({ context: _, overwrite = false, ...move }, { services, author, progress: onProgress }) => {
    await refuseOtherVault(services, move.path, move.newPath);
    const { moveNote } = await import("../../vault/vault.ts");
    const moved = await moveNote(await services.vault(), { ...author, onProgress }, { ...move, overwrite });
    const recommendations = [...(move.preview === true ? [NOTHING_MOVED] : []), ...moved.recommendations];
    return { success: true, ...moved, recommendations };
  },
});

export const moveFolder = defineTool({
  ...MOVE,
  text: ownLines,
  name: "vaultManager_moveFolder",
  title: "Move a folder",
  description: "Move a folder with all in it to another path; links are rewritten.",
  byDefault: false,
  input: { path: PATH, newPath: NEW_PATH, ...OPTIONAL_CONTEXT },
  touches: ({ path, newPath }, result) => [result?.path ?? path, result?.newPath ?? newPath],
  run: async ({ path, newPath }, { services, author, progress: onProgress }) => {
    await refuseOtherVault(services, path, newPath);
    const { moveFolder } = await import("../../vault/vault.ts");
    return {
      success: true,
      ...(await moveFolder(await services.vault(), { ...author, onProgress }, { path, newPath })),
    };
  },
});

export const editFolder = defineTool({
  ...MOVE,
  text: ownLines,
  name: "vaultManager_editFolder",
  title: "Rename a folder",
  description: "Rename a folder in place; links are rewritten.",
  byDefault: false,
  input: {
    path: PATH,
    newName: text("New name, without a slash", { missing: "Name is required" }),
    ...OPTIONAL_CONTEXT,
  },
  touches: ({ path }, result) => [result?.path ?? path],
  run: async ({ path, newName }, { services, author, progress: onProgress }) => {
    const { moveFolder, renamedFolder } = await import("../../vault/vault.ts");
    const newPath = renamedFolder(path, newName);
    return {
      success: true,
      ...(await moveFolder(await services.vault(), { ...author, onProgress }, { path, newPath })),
    };
  },
});
