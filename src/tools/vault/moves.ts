// vaultManager_moveNote, _moveFolder and _editFolder: give a note or a folder
// another path, and rewrite the links to it.
import type { Moved } from "../../vault/vault.ts";
import { MAX_TOKENS } from "../call/budget.ts";
import { ownLines } from "../call/result-lines.ts";
import { flag, list, object, optional, text, unlisted } from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { CHANGES } from "../definition/effects.ts";
import { CONTEXT, OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { UNLISTED_HASH, PATH, SHARED } from "./fields.ts";
import { refuseOtherVault } from "./other-vault.ts";

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

const PREVIEW = { preview: unlisted(flag()) };

interface MayPreview {
  readonly preview?: boolean | undefined;
}

/** Memory would say that a previewed note or folder was moved. */
function unlessPreview({ preview }: MayPreview): false | object {
  return preview === true ? false : {};
}

/** Otherwise a preview without links to rewrite would look like a move. */
const NOTHING_MOVED = { type: "preview", message: "Nothing was moved: send it without preview to move it" };

/** The contract's fields of a move that failed; paths as they were sent. */
const failed = ({ path = "", newPath = "" }: { readonly path?: string; readonly newPath?: string }) => ({
  path,
  newPath,
  recommendations: [],
});

function resultOf({ preview }: MayPreview, moved: Moved) {
  const recommendations = [...(preview === true ? [NOTHING_MOVED] : []), ...moved.recommendations];
  return { success: true, ...moved, recommendations };
}

export const moveNote = defineTool({
  ...MOVE,
  name: "vaultManager_moveNote",
  title: "Move or rename",
  description:
    "Move a note to another folder, archive it, or rename it: wrong name, new path. Also a whole folder (directory), put inside another. Links keep working.",
  byDefault: true,
  // A tool of a contract is cut only above the size that hosts accept.
  budget: MAX_TOKENS,
  input: {
    path: PATH,
    newPath: PATH,
    overwrite: optional(flag()),
    ...PREVIEW,
    ...UNLISTED_HASH,
    ...CONTEXT,
  },
  touches: ({ path, newPath }, result) => [result?.path ?? path, result?.newPath ?? newPath],
  trace: unlessPreview,
  failed,
  run: async ({ context: _, overwrite = false, ...move }, { services, author, progress: onProgress }) => {
    await refuseOtherVault(services, move.path, move.newPath);
    const { moveNote } = await import("../../vault/vault.ts");
    return resultOf(move, await moveNote(await services.vault(), { ...author, onProgress }, { ...move, overwrite }));
  },
});

export const moveFolder = defineTool({
  ...MOVE,
  text: ownLines,
  name: "vaultManager_moveFolder",
  title: "Move a folder",
  description: "Move a folder with all in it to another path; links are rewritten.",
  byDefault: false,
  input: { path: PATH, newPath: PATH, ...PREVIEW, ...OPTIONAL_CONTEXT },
  touches: ({ path, newPath }, result) => [result?.path ?? path, result?.newPath ?? newPath],
  trace: unlessPreview,
  failed,
  run: async ({ context: _, ...move }, { services, author, progress: onProgress }) => {
    await refuseOtherVault(services, move.path, move.newPath);
    const { moveFolder } = await import("../../vault/vault.ts");
    return resultOf(move, await moveFolder(await services.vault(), { ...author, onProgress }, move));
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
    newName: text("New name, without a slash", { missing: "Name is required", notEmpty: true }),
    ...PREVIEW,
    ...OPTIONAL_CONTEXT,
  },
  touches: ({ path }, result) => [result?.path ?? path],
  trace: unlessPreview,
  run: async ({ path, newName, preview }, { services, author, progress: onProgress }) => {
    const { moveFolder, renamedFolder } = await import("../../vault/vault.ts");
    const move = { path, newPath: renamedFolder(path, newName), preview };
    return resultOf(move, await moveFolder(await services.vault(), { ...author, onProgress }, move));
  },
});
