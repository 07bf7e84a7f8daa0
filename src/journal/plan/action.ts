// The content of a journal entry: actions in the order in which they
// are applied, each with the facts that recognise it on the disk and roll
// it back. A path is the one at the moment of its action. Used by all of this
// room.
import { type Content, type EntryPath, isInTrash, parseEntryPath } from "../../files/files.ts";
import type { Splice } from "./splice.ts";
import type { FileTimes } from "./step.ts";

/** Creates a file. */
export interface Put {
  readonly kind: "put";
  readonly path: EntryPath;
  readonly temporary: EntryPath;
  readonly after: string;
}

/** Replaces the content of a file. */
export interface Patch {
  readonly kind: "patch";
  readonly path: EntryPath;
  readonly temporary: EntryPath;
  readonly before: string;
  readonly after: string;
  readonly splices: readonly Splice[];
}

/** Moves a file or folder: a rename, to the trash, or back from it. */
export interface Move {
  readonly kind: "move";
  readonly path: EntryPath;
  readonly to: EntryPath;
  /** Identifies the content that moved, as `ProjectedVault.fingerprint` returns it. */
  readonly fingerprint: string;
}

/** The fingerprint of every folder: its content moves along, including what was added later. */
export const FOLDER = "folder";

/** Creates a folder. An implied one was needed by another action, and is removed by undo only if it is empty. */
export interface Make {
  readonly kind: "make";
  readonly path: EntryPath;
  readonly implied: boolean;
}

/** Removes an empty folder. */
export interface Unmake {
  readonly kind: "unmake";
  readonly path: EntryPath;
  readonly implied: boolean;
}

export type Action = Put | Patch | Move | Make | Unmake;

/**
 * The paths that a person would name: not our temporary files, the trash, or implied folders. What was moved comes
 * before the notes whose links were updated.
 */
export function pathsOf(actions: readonly Action[]): string[] {
  const moved = actions.flatMap((action) => (action.kind === "move" ? [action.path, action.to] : []));
  const others = actions.flatMap((action) => {
    const isImplied = (action.kind === "make" || action.kind === "unmake") && action.implied;
    return action.kind === "move" || isImplied ? [] : [action.path];
  });
  const paths = [...moved, ...others];
  return [...new Set(paths.filter((path) => !isHidden(path)))];
}

/** Returns the paths in the trash that the actions move files to. */
export function trashedBy(actions: readonly Action[]): string[] {
  return actions.flatMap((action) =>
    action.kind === "move" && isInTrash(action.to) && !isInTrash(action.path) ? [action.to] : [],
  );
}

/** Returns the moves from one place of the vault to another; the trash is not one. */
export function movesIn(actions: readonly Action[]): MovedFolder[] {
  return actions.flatMap((action) =>
    action.kind === "move" && !isInTrash(action.to) && !isInTrash(action.path)
      ? [{ from: action.path, to: action.to }]
      : [],
  );
}

/** A folder that was moved with everything below it. */
export interface MovedFolder {
  readonly from: string;
  readonly to: string;
}

/** The moved folders that a person would name. */
export function foldersMovedBy(actions: readonly Action[]): MovedFolder[] {
  return actions.flatMap((action) => {
    const isFolder = action.kind === "move" && action.fingerprint === FOLDER;
    return isFolder && ![action.path, action.to].some(isHidden) ? [{ from: action.path, to: action.to }] : [];
  });
}

/** The paths without those below another of them. */
export function outermost(paths: readonly string[]): string[] {
  const all = new Set(paths);
  return [...all].filter((path) => {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
      if (all.has(path.slice(0, end))) return false;
    return true;
  });
}

function isHidden(path: string): boolean {
  return path.startsWith(".");
}

/** Actions as text and bytes, as the table of entries stores them. */
export function encode(actions: readonly Action[]): { text: string; removed: Uint8Array } {
  const removed: Uint8Array[] = [];
  const plain = actions.map((action) => {
    if (action.kind !== "patch") return action;
    removed.push(...action.splices.map((splice) => splice.removed));
    return {
      ...action,
      splices: action.splices.map(({ offset, length, removed }) => [offset, length, removed.length]),
    };
  });
  return { text: JSON.stringify(plain), removed: Buffer.concat(removed) };
}

/** Of these texts an encoded entry has at least one if it names a path, the note of that name, or anything below it. */
export function namesInEncoded(path: string): string[] {
  const forms = [...new Set([path, path.normalize("NFC"), path.normalize("NFD")])];
  const begun = forms.flatMap((form) =>
    ["path", "to"].map((field) => `"${field}":${JSON.stringify(form).slice(0, -1)}`),
  );
  return begun.flatMap((text) => [`${text}"`, `${text}.md"`, `${text}/`]);
}

type Encoded = Exclude<Action, Patch> | (Omit<Patch, "splices"> & { splices: [number, number, number][] });

/** Throws if the text is damaged, or if a path in it leads out of the vault. */
export function decode(text: string, removed: Uint8Array): Action[] {
  let read = 0;
  return (JSON.parse(text) as Encoded[]).map((action) => {
    for (const path of [action.path, "to" in action ? action.to : "", "temporary" in action ? action.temporary : ""])
      parseEntryPath(path);
    if (action.kind !== "patch") return action;
    const splices = action.splices.map(([offset, length, cut]) => {
      read += cut;
      return { offset, length, removed: removed.subarray(read - cut, read) };
    });
    return Object.assign(action, { splices });
  });
}

/** Content to write; made again from the file if it is not kept in memory. */
export type NewBytes = () => Uint8Array | Promise<Uint8Array>;

/** An action, and what is needed to apply it that the journal does not store. */
export interface Planned {
  readonly action: Action;
  /** The content to write, for `put` and `patch`. */
  readonly bytes?: NewBytes;
  /** When the content of a new file was made, if that was elsewhere. */
  readonly times?: FileTimes | undefined;
  /** The file that a patch replaces, as it was when its content was read. */
  readonly replaces?: Pick<Content, "stats" | "isYoung">;
}
