// The changes of a journal entry, as texts before and after: for a person
// who wants to see it before it is undone. The journal stores only how to go back,
// so the content of that time is made from today's, by going back through every
// later entry of the same file; each step is checked against the hashes that the
// journal has. Reads only. Used by open-journal.ts.
import { contentHash, type EntryPath, type PlannableFiles, TRASH } from "../files/files.ts";
import { Problem } from "../kernel/kernel.ts";
import type { Entry, EntryReader } from "./entry.ts";
import { patchesSince } from "./patches-since.ts";
import type { Action, Patch } from "./plan/action.ts";
import { planInverse, type Place } from "./plan/plan.ts";
import { applyEdits, inverseEdits } from "./plan/splice.ts";
import { isShown, withoutHiddenNames } from "./visible-entries.ts";

export interface FileChange {
  readonly kind: "created" | "changed" | "moved" | "deleted" | "restored" | "folder created" | "folder removed";
  readonly path: string;
  /** The new path, if it was moved. */
  readonly to?: string;
  /** Undefined if it is not text, too long, or no longer known, since somebody else changed the file. */
  readonly before?: string;
  readonly after?: string;
}

export interface EntryChanges {
  readonly files: readonly FileChange[];
  /** How many more files there are. */
  readonly more: number;
  /** Why it cannot be undone (or redone, if it is undone) now. */
  readonly obstacle?: string;
  /** The later changes of the same files that are not undone, the newest first: without them it might be. */
  readonly later: readonly LaterChange[];
}

export interface LaterChange {
  readonly id: string;
  readonly message: string;
}

/** A move of a folder may change the links of thousands of notes. */
const MAX_FILES = 60;
/** Later changes that are listed: a file may be changed all day. */
const MAX_LATER = 20;
/** Bytes of a file beyond which its text is not shown. */
const MAX_LENGTH = 300_000;

export async function changesOf(
  { root, access }: Place,
  entries: EntryReader,
  entry: Entry,
  { idOf, signal }: { readonly idOf: (number: number) => string; readonly signal?: AbortSignal | undefined },
): Promise<EntryChanges> {
  const later = await entries.after(entry.number);
  const shown = entry.actions.flatMap((action, index) => {
    const isImplied = (action.kind === "make" || action.kind === "unmake") && action.implied;
    return isImplied || touchedBy(action).some(access.isHidden) ? [] : [{ action, index }];
  });
  const files: FileChange[] = [];
  for (const { action, index } of shown.slice(0, MAX_FILES))
    files.push(await changeOf(action, () => contentAfter(root, entries, entry, index, later)));
  const obstacle = await obstacleTo({ root, access }, entries, [entry], signal);
  const paths = new Set(entry.actions.flatMap((action) => touchedBy(action)));
  return {
    files,
    more: shown.length - files.length,
    ...(obstacle !== undefined && { obstacle }),
    later: later
      .filter((each) => isShown(each, access))
      .filter(({ origin, isUndone, actions }) => origin === undefined && !isUndone && actions.some(touches(paths)))
      .toReversed()
      .slice(0, MAX_LATER)
      .map(({ number, message }) => ({ id: idOf(number), message })),
  };
}

function touchedBy(action: Action): string[] {
  return action.kind === "move" ? [action.path, action.to] : [action.path];
}

const touches = (paths: ReadonlySet<string>) => (action: Action) => touchedBy(action).some((path) => paths.has(path));

async function changeOf(action: Action, after: () => Promise<Buffer | undefined>): Promise<FileChange> {
  const { path } = action;
  switch (action.kind) {
    case "put":
      return { kind: "created", path, ...textOf("after", await after()) };
    case "patch": {
      const content = await after();
      const before = content && applyEdits(content, inverseEdits(action.splices)).after;
      return { kind: "changed", path, ...textOf("before", before), ...textOf("after", content) };
    }
    case "move":
      if (isTrashed(action.to)) return { kind: "deleted", path };
      return isTrashed(path) ? { kind: "restored", path: action.to } : { kind: "moved", path, to: action.to };
    case "make":
      return { kind: "folder created", path };
    case "unmake":
      return { kind: "folder removed", path };
  }
}

function isTrashed(path: string): boolean {
  return path.startsWith(`${TRASH}/`);
}

function textOf(side: "before" | "after", bytes: Uint8Array | undefined): Pick<FileChange, "before" | "after"> {
  if (bytes === undefined || bytes.length > MAX_LENGTH) return {};
  try {
    return { [side]: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return {};
  }
}

/** The content right after an action; undefined if it cannot be made from what there is now. */
async function contentAfter(
  root: PlannableFiles,
  entries: EntryReader,
  entry: Entry,
  index: number,
  later: readonly Entry[],
): Promise<Buffer | undefined> {
  const action = entry.actions[index]!;
  if (action.kind !== "put" && action.kind !== "patch") return undefined;
  const { path, patches } = patchesSince(entry, index, later)!;
  let bytes = await readAt(root, path);
  for (const { number, index: at } of patches.toReversed()) {
    // Lists of entries are read without the removed bytes.
    const patch = (await entries.find(number))?.actions[at] as Patch | undefined;
    if (bytes === undefined || patch === undefined || contentHash(bytes) !== patch.after) return undefined;
    bytes = applyEdits(bytes, inverseEdits(patch.splices)).after;
  }
  return bytes !== undefined && contentHash(bytes) === action.after ? bytes : undefined;
}

async function readAt(root: PlannableFiles, path: EntryPath): Promise<Buffer | undefined> {
  try {
    const content = await root.read(path, MAX_LENGTH * 4);
    return content && Buffer.from(content.bytes);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** The result that undoing several operations, one after the other, would have. */
export interface UndoForecast {
  /** How many can be undone before the first that cannot. */
  readonly possible: number;
  /** The obstacle to undoing that one. */
  readonly obstacle?: string;
}

/** @param undone the newest first, which is the order in which they are undone */
export async function forecastUndo(
  place: Place,
  entries: EntryReader,
  undone: readonly Entry[],
  signal?: AbortSignal,
): Promise<UndoForecast> {
  const obstacleIn = (count: number) => obstacleTo(place, entries, undone.slice(0, count), signal);
  let obstacle = await obstacleIn(undone.length);
  if (obstacle === undefined) return { possible: undone.length };
  // An obstacle to some is an obstacle to more.
  let [possible, impossible] = [0, undone.length];
  while (impossible - possible > 1) {
    const middle = Math.floor((possible + impossible) / 2);
    const found = await obstacleIn(middle);
    if (found === undefined) possible = middle;
    else [impossible, obstacle] = [middle, found];
  }
  return { possible, obstacle };
}

/** Why these operations cannot be undone (or redone, if they are undone) now, in this order; undefined if they can. */
async function obstacleTo(
  place: Place,
  entries: EntryReader,
  undone: readonly Entry[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const latest: Entry[] = [];
  for (const entry of undone)
    latest.push((entry.latest === undefined ? undefined : await entries.find(entry.latest)) ?? entry);
  if (!latest.every(({ isReadable }) => isReadable)) return "Its record is damaged.";
  // To undo all of them is to undo one operation with the actions of all, the oldest first.
  const actions = latest.toReversed().flatMap((entry) => entry.actions);
  try {
    await planInverse(place, actions, signal);
    return undefined;
  } catch (error) {
    const shown = withoutHiddenNames(error, actions, place.access);
    if (!(shown instanceof Problem)) throw shown;
    return shown.message.replace(/^This no longer fits: | Nothing was changed\.$/g, "");
  }
}
