// Carries out planned actions on the disk, tells which of them are there, and
// takes them back. The journal uses it for a change under way, and recovery
// for one that a killed process left.
import { lstatSync, renameSync, rmdirSync, type BigIntStats } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  AT_ONCE,
  contentHash,
  discard,
  type Entry,
  type EntryPath,
  type HeldRoot,
  isSameFile,
  type Located,
  makeFolder,
  nameOf,
  parentOf,
  publish,
  putInPlace,
  readBytes,
  removeEmptyFolder,
  removeFile,
  replaceFile,
  syncFolders,
  UnreachablePath,
  type VaultRoot,
  writeTemporary,
} from "../../files/files.ts";
import { Problem, Turns } from "../../kernel/kernel.ts";
import type { Action, Move, Patch, Put } from "../plan/action.ts";
import { Foresight } from "../plan/projected-vault.ts";
import { conflict, stampOf, type Planned } from "../plan/plan.ts";
import { applyEdits, inverseEdits } from "../plan/splice.ts";

type Place = Pick<Located, "absolute" | "path">;

export interface Writing {
  /** Nothing is changed yet: it may still be given up. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((written: number, of: number) => void) | undefined;
}

/** Writes all new content beside its place, so that nothing but renames is left to do. */
export async function writeContents(
  root: HeldRoot,
  planned: readonly Planned[],
  { signal, onProgress }: Writing = {},
): Promise<void> {
  const written = planned.filter(({ bytes }) => bytes !== undefined);
  const turns = new Turns(signal);
  for (let start = 0; start < written.length; start += AT_ONCE) {
    const batch = written.slice(start, start + AT_ONCE).map(async ({ action, bytes, replaces }) => {
      const temporary = temporaryOf(root, action)!;
      const at = root.at(temporary);
      const isOne = written.length === 1;
      await writeTemporary(at, bytes!(), { path: action.path, like: replaces?.stats, isOne });
      checkMade(root, temporary, () => discard(at));
    });
    const failed = (await Promise.allSettled(batch)).find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    if (!turns.isOver()) continue;
    onProgress?.(Math.min(start + AT_ONCE, written.length), written.length);
    await turns.next();
  }
}

/** Where a folder was swapped in the moment of the change, what went elsewhere is taken away again. */
function checkMade(root: HeldRoot, entry: Place, takeAway: () => void): void {
  try {
    root.checkAfter(entry);
  } catch (error) {
    takeAway();
    throw error;
  }
}

/** Removes temporary files, wherever their folder is by now. It never fails: what is left is hidden, and says nothing new. */
export async function discardContents(root: HeldRoot, actions: readonly Action[]): Promise<void> {
  const turns = new Turns();
  for (const action of actions) {
    if (action.kind !== "put" && action.kind !== "patch") continue;
    root.leftAt(join(root.folder, action.temporary)).forEach(discard);
    if (turns.isOver()) await turns.next();
  }
}

/** Carries them out in order, and tells of each; where one fails, it was not carried out at all. The caller syncs. */
export async function carryOut(
  root: HeldRoot,
  planned: readonly Planned[],
  carriedOut: (action: Action) => void,
): Promise<void> {
  const turns = new Turns();
  for (const one of planned) {
    await carryOutOne(root, one);
    carriedOut(one.action);
    if (turns.isOver()) await turns.next();
  }
}

async function carryOutOne(root: HeldRoot, { action, replaces }: Planned): Promise<void> {
  const entry = root.locateEntry(action.path);
  const at = root.at(entry);
  switch (action.kind) {
    case "put":
      await publish(root.at(temporaryOf(root, action)), at);
      return checkMade(root, entry, () => discard(at));
    case "patch": {
      // Found first: between the look at the file and the rename nothing else is done.
      const temporary = root.at(temporaryOf(root, action));
      if (!isAsRead(at, action, replaces)) throw conflict(action.path, root.hash(action.path) ?? "that of no file");
      return putInPlace(temporary, at);
    }
    case "move": {
      const target = { ...entry, absolute: targetOf(root, action, entry) };
      const to = root.at(target);
      await publish(at, to);
      return checkMade(root, target, () => renameSync(to, at));
    }
    case "make":
      if (await makeFolder(at)) checkMade(root, entry, () => rmdirSync(at));
      return undefined;
    case "unmake":
      if (entry.kind === "absent" || (await removeEmptyFolder(at)) || action.implied) return undefined;
      throw new Problem("conflict", `The folder ${action.path} is not empty.`);
  }
}

/**
 * Whether a file still holds what the change was planned on: a program that
 * knows nothing of our lock may have written since. Its times may have been put
 * back; the time of the last change of anything about it cannot be, but it has
 * a grain, so that the content of a file that was young is compared too.
 */
function isAsRead(at: string, { before }: Patch, replaces: Planned["replaces"]): boolean {
  if (replaces === undefined) return false;
  const look = () => lstatSync(at, { bigint: true });
  try {
    let now = look();
    if (!replaces.isYoung && stampOf(now) === stampOf(replaces.stats)) return true;
    for (let attempt = 0; attempt < MOST_READINGS; attempt++) {
      if (now.size !== replaces.stats.size) return false;
      if (contentHash(readBytes(at, {}, Number.POSITIVE_INFINITY)) !== before) return false;
      // Written while it was read: once more.
      const then = look();
      if (stampOf(then) === stampOf(now)) return true;
      now = then;
    }
    return false;
  } catch {
    return false;
  }
}

const MOST_READINGS = 3;

/** The new place of an entry; where only its spelling changes, the old one must not be taken for it. */
function targetOf(root: VaultRoot, { path, to }: Move, entry: Entry): string {
  if (root.key(path) === root.key(to)) return join(dirname(entry.absolute), nameOf(to));
  return root.locateEntry(to).absolute;
}

/** Whether an action was carried out, as far as the disk can tell; undefined where it cannot. */
export function isCarriedOut(root: VaultRoot, action: Action): boolean | undefined {
  const temporary = temporaryOf(root, action);
  if (temporary !== undefined && lstatSync(temporary.absolute, { throwIfNoEntry: false }) !== undefined) return false;
  switch (action.kind) {
    case "put":
      if (!isThere(root, action.path)) return false;
      return hashAt(root, action.path) === action.after ? true : undefined;
    case "patch": {
      const hash = isThere(root, action.path) ? hashAt(root, action.path) : undefined;
      return hash === action.after ? true : hash === action.before ? false : undefined;
    }
    case "move": {
      const [from, to] = [isThere(root, action.path), isThere(root, action.to)];
      if (from && to) return isHalfDone(root, action) || isHalfTakenBack(root, action) ? false : undefined;
      return from ? false : to ? true : undefined;
    }
    case "make":
      return isThere(root, action.path);
    case "unmake":
      // One that was only implied stays where it is not empty.
      return action.implied ? undefined : !isThere(root, action.path);
  }
}

/** Removes the folders that an operation leaves empty, where it was stopped just before that: nothing else shows it. */
export async function removeEmptied(root: HeldRoot, actions: readonly Action[]): Promise<void> {
  for (const action of actions) {
    if (action.kind !== "unmake" || !action.implied) continue;
    try {
      const entry = root.locateEntry(action.path);
      if (entry.kind === "folder") await removeEmptyFolder(root.at(entry));
    } catch (error) {
      if (!(error instanceof UnreachablePath)) throw error;
    }
  }
}

/**
 * Takes back, from the last, what was carried out and is still as it was left.
 * `failed` may pass over an action that cannot be taken back.
 */
export async function takeBack(
  root: HeldRoot,
  actions: readonly Action[],
  failed: (action: Action, error: unknown) => void = rethrow,
): Promise<void> {
  const turns = new Turns();
  for (const action of actions.toReversed()) {
    try {
      await takeBackOne(root, action);
    } catch (error) {
      failed(action, error);
    }
    if (turns.isOver()) await turns.next();
  }
  await syncAll(root, actions);
}

function rethrow(_action: Action, error: unknown): never {
  throw error;
}

async function takeBackOne(root: HeldRoot, action: Action): Promise<void> {
  const entry = root.locateEntry(action.path);
  switch (action.kind) {
    case "put": {
      const isOurs = isHalfDone(root, action) || hashAt(root, action.path) === action.after;
      if (isOurs) await removeFile(root.at(entry));
      return discardContents(root, [action]);
    }
    case "patch": {
      await discardContents(root, [action]);
      // By its hash first: what another program put there may be too large to be read.
      if (entry.kind !== "file" || root.hash(action.path) !== action.after) return undefined;
      const content = root.read(action.path, Number.POSITIVE_INFINITY);
      if (content?.hash !== action.after) return undefined;
      const { after: before } = applyEdits(content.bytes, inverseEdits(action.splices));
      return replaceFile(root.at(entry), before, root.at(temporaryOf(root, action)));
    }
    case "move": {
      const [from, to] = [isThere(root, action.path), isThere(root, action.to)];
      const moved = root.locateEntry(action.to);
      if (from && to && isHalfDone(root, action)) return removeFile(root.at(moved));
      if (from && to && isHalfTakenBack(root, action)) await removeFile(root.at(entry));
      else if (from || !to) return undefined;
      // In this direction the old name is the new one.
      const back = targetOf(root, { ...action, path: action.to, to: action.path }, moved);
      return publish(root.at(moved), root.at({ path: action.path, absolute: back }));
    }
    case "make":
      if (entry.kind === "folder") await removeEmptyFolder(root.at(entry));
      return undefined;
    case "unmake":
      if (entry.kind === "absent") await makeFolder(root.at(entry));
      return undefined;
  }
}

/** Makes the names that the actions changed durable. */
export async function syncAll(root: VaultRoot, actions: readonly Action[]): Promise<void> {
  const changed = actions.flatMap((action) => {
    if (action.kind === "move") return [action.path, action.to];
    return "temporary" in action ? [action.path, action.temporary] : [action.path];
  });
  // Where a folder is another by now, its names are not ours; to sync them does no harm.
  await syncFolders(changed.map((path) => join(root.folder, parentOf(path))));
}

/** Exactly this name, be it a link to nothing: on a disk that ignores case, a name of another case is another state. */
function isThere(root: VaultRoot, path: EntryPath): boolean {
  const located = root.locateEntry(path);
  return located.kind !== "absent" && basename(located.absolute) === nameOf(path);
}

function hashAt(root: VaultRoot, path: EntryPath): string | undefined {
  return root.locate(path).kind === "file" ? root.hash(path) : undefined;
}

/**
 * Whether a publication stopped half-way: a second name for the same file, or an
 * empty file that claims the name. The name was free when it was planned.
 */
function isHalfDone(root: VaultRoot, action: Put | Move): boolean {
  const [source, target] = endsOf(root, action);
  return isSecondName(source, target) || (source?.isFile() === true && target?.isFile() === true && target.size === 0n);
}

/** Whether taking a move back stopped half-way: an empty file claims the old name, and what moved is still at the new one. */
function isHalfTakenBack(root: VaultRoot, action: Move): boolean {
  const [source, target] = endsOf(root, action);
  const isClaimed = source?.isFile() === true && source.size === 0n && target?.isFile() === true && target.size > 0n;
  return isClaimed && new Foresight(root).matches(action.to, action.fingerprint);
}

function isSecondName(source: BigIntStats | undefined, target: BigIntStats | undefined): boolean {
  return source?.isFile() === true && target !== undefined && isSameFile(source, target);
}

/** What is at the two names of a publication. */
function endsOf(root: VaultRoot, action: Put | Move): (BigIntStats | undefined)[] {
  const from = action.kind === "move" ? root.locateEntry(action.path) : temporaryOf(root, action);
  const to = root.locateEntry(action.kind === "move" ? action.to : action.path);
  return [from, to].map(({ absolute }) => lstatSync(absolute, { bigint: true, throwIfNoEntry: false }));
}

/** Takes the second name away that an action gave a file before it failed. An empty file may be somebody else's. */
export async function takeBackSecondName(root: HeldRoot, action: Action): Promise<void> {
  if (action.kind !== "put" && action.kind !== "move") return;
  const [source, target] = endsOf(root, action);
  const to = root.locateEntry(action.kind === "move" ? action.to : action.path);
  if (isSecondName(source, target)) await removeFile(root.at(to));
}

function temporaryOf(root: VaultRoot, action: Put | Patch): Place;
function temporaryOf(root: VaultRoot, action: Action): Place | undefined;
function temporaryOf(root: VaultRoot, action: Action): Place | undefined {
  if (action.kind !== "put" && action.kind !== "patch") return undefined;
  const folder = root.locate(parentOf(action.temporary));
  if (folder.kind === "file") throw new UnreachablePath("invalid", `Not a folder: ${folder.path}`);
  return { path: action.temporary, absolute: join(folder.absolute, nameOf(action.temporary)) };
}
