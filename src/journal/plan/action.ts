// What an entry of the journal consists of: single actions, in the order in
// which they are carried out, each with what it takes to recognise it on the
// disk and to take it back. A path is that of the moment of its action.
import { type EntryPath, parseEntryPath } from "../../files/files.ts";
import type { Splice } from "./splice.ts";

/** A file that was not there. */
export interface Put {
  readonly kind: "put";
  readonly path: EntryPath;
  readonly temporary: EntryPath;
  readonly after: string;
}

/** Other content for a file. */
export interface Patch {
  readonly kind: "patch";
  readonly path: EntryPath;
  readonly temporary: EntryPath;
  readonly before: string;
  readonly after: string;
  readonly splices: readonly Splice[];
}

/** Another place for a file or folder: a rename, to the trash, or back from it. */
export interface Move {
  readonly kind: "move";
  readonly path: EntryPath;
  readonly to: EntryPath;
  /** What moved, as `fingerprint` tells. */
  readonly fingerprint: string;
}

/** The fingerprint of every folder: whatever is in it goes along, also what came later. */
export const FOLDER = "folder";

/** A folder that was not there. An implied one was needed by another action, and goes back only if empty. */
export interface Make {
  readonly kind: "make";
  readonly path: EntryPath;
  readonly implied: boolean;
}

/** The end of an empty folder. */
export interface Unmake {
  readonly kind: "unmake";
  readonly path: EntryPath;
  readonly implied: boolean;
}

export type Action = Put | Patch | Move | Make | Unmake;

/**
 * The paths that a person would name: not our temporary files, the trash, or folders that came along. What was moved
 * comes before the notes whose links follow it.
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

/** A folder that is at another path, with everything below it. */
export interface MovedFolder {
  readonly from: string;
  readonly to: string;
}

/** The folders that got another path, of those that a person would name. */
export function foldersMovedBy(actions: readonly Action[]): MovedFolder[] {
  return actions.flatMap((action) => {
    const isFolder = action.kind === "move" && action.fingerprint === FOLDER;
    return isFolder && ![action.path, action.to].some(isHidden) ? [{ from: action.path, to: action.to }] : [];
  });
}

/** Without those that lie below another of them. */
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

/** Actions as text and bytes, for the table of entries. */
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

type Encoded = Exclude<Action, Patch> | (Omit<Patch, "splices"> & { splices: [number, number, number][] });

/** Throws where the text is damaged, or a path in it leads out of the vault. */
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
