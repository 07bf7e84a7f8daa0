// Brings back what another program wrote into a file that a change had replaced:
// as the content of the note, with our changes made on it instead of on what was
// read, or, if these meet, in a note beside it. The history then says what would
// have happened had that program been a moment earlier, so that undo takes back our
// change and nothing of theirs. Used by open-journal.ts, under the lock.
import {
  below,
  type Content,
  contentHash,
  type EntryPath,
  nameOf,
  parentOf,
  type VaultPath,
} from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import type { Entries } from "../entries.ts";
import type { Entry } from "../entry.ts";
import type { Action, Patch } from "../plan/action.ts";
import { merge } from "../plan/merge.ts";
import { planSteps, type Place } from "../plan/plan.ts";
import { ProjectedVault } from "../plan/projected-vault.ts";
import { applyEdits, editBetween, inverseEdits } from "../plan/splice.ts";
import type { Step } from "../plan/step.ts";
import type { Commit } from "../apply/commit.ts";
import { patchesSince, type PatchPlace } from "../patches-since.ts";
import type { Replaced } from "./replaced-files.ts";

interface Bringing extends Place {
  readonly entries: Entries;
  readonly commit: (about: Parameters<Commit>[1], planned: Parameters<Commit>[2]) => Promise<number>;
}

/** The tool that the history names. */
const TOOL = "another program";

/** Describes the rescue in a sentence, for the log and for the next answer. */
export interface BroughtBack {
  readonly path: EntryPath;
  readonly sentence: string;
}

/** @returns undefined if the note has the text already, or there is none */
export async function bringBack(bringing: Bringing, replaced: Replaced): Promise<BroughtBack | undefined> {
  const theirs = replaced.read();
  if (theirs === undefined) throw new Problem("too_large", "it is too large to be read");
  const hash = contentHash(theirs);
  if (theirs.length === 0 || hash === replaced.base) return undefined;
  const { entries, root } = bringing;
  const entry = entries.find(replaced.number);
  const followed = entry && patchesSince(entry, replaced.index, entries.after(entry.number));
  const path = followed?.path ?? replaced.path ?? nameless(hash);
  const current = await readIfThere(() => root.read(path, Number.POSITIVE_INFINITY));
  if (current?.hash === hash) return void replaced.broughtBack(hash);
  const chain = entry && followed && [{ number: entry.number, index: replaced.index }, ...followed.patches];
  const merged = chain && current && mergedChain(bringing, replaced.base, chain, current, theirs);
  if (merged !== undefined && (await isMerged(bringing, path, current!, merged))) {
    replaced.broughtBack(hash);
    return { path, sentence: `${path} was saved by another program while it was changed here: both are in it.` };
  }
  // The change was rolled back.
  if (current !== undefined && current.hash === replaced.base) {
    const step: Step = { kind: "replace", path: path as VaultPath, before: current.hash, bytes: theirs };
    await commitStep(bringing, step, `Kept what another program saved in ${path}`);
    return void replaced.broughtBack(hash);
  }
  const beside = await freePath(bringing, path);
  await commitStep(
    bringing,
    { kind: "create", path: beside, bytes: theirs, isCopy: true },
    `Kept what another program saved in ${path}, as ${beside}`,
  );
  replaced.broughtBack(hash);
  return {
    path,
    sentence: `${path} was saved by another program while it was changed here, and the two do not fit together: what it saved is in ${beside}.`,
  };
}

/** For what an entry wrote that is no longer in the history. */
function nameless(hash: string): EntryPath {
  return `${hash.slice(0, 8)}.md` as EntryPath;
}

/** One of our changes of the note, as it is and as it would have been. */
interface Rebased extends PatchPlace {
  readonly entry: Entry;
  readonly patch: Patch;
  readonly content: Buffer;
}

interface Merged {
  readonly before: Buffer;
  readonly theirs: Buffer;
  readonly changes: readonly Rebased[];
}

/** All our changes of the note since then, made on what the other program saved; undefined if they meet its own. */
function mergedChain(
  { entries }: Bringing,
  base: string,
  chain: readonly PatchPlace[],
  current: Content,
  theirs: Buffer,
): Merged | undefined {
  const found = new Map<number, Entry>();
  const known: { place: PatchPlace; entry: Entry; patch: Patch }[] = [];
  for (const place of chain) {
    // Lists of entries are read without the removed bytes.
    const entry = found.get(place.number) ?? entries.find(place.number);
    const patch = entry?.actions[place.index];
    if (entry === undefined || patch?.kind !== "patch") return undefined;
    found.set(place.number, entry);
    known.push({ place, entry, patch });
  }
  const contents: Buffer[] = [current.bytes];
  for (const { patch } of known.toReversed()) {
    const after = contents[0]!;
    // Somebody else changed it since.
    if (contentHash(after) !== patch.after) return undefined;
    contents.unshift(applyEdits(after, inverseEdits(patch.splices)).after);
  }
  // The entry has grown by an earlier one since the file was replaced: what is common to both is not known.
  if (known[0]?.patch.before !== base) return undefined;
  let content = theirs;
  const changes: Rebased[] = [];
  for (const [i, { place, entry, patch }] of known.entries()) {
    const next = merge(contents[i]!, contents[i + 1]!, content);
    if (next === undefined) return undefined;
    const rebased = { ...patch, ...patchBetween(content, next) };
    changes.push({ ...place, entry, patch: rebased, content: next });
    content = next;
  }
  return { before: contents[0]!, theirs, changes };
}

function patchBetween(before: Buffer, after: Buffer): Pick<Patch, "before" | "after" | "splices"> {
  const { splices } = applyEdits(before, [editBetween(before, after)]);
  return { before: contentHash(before), after: contentHash(after), splices };
}

/** Writes the merged content, and the history as if the other program had been first. @returns false if it is refused */
async function isMerged(bringing: Bringing, path: EntryPath, current: Content, merged: Merged): Promise<boolean> {
  const { before, theirs, changes } = merged;
  const last = changes.at(-1)!.content;
  const step: Step = { kind: "replace", path: path as VaultPath, before: current.hash, bytes: last };
  const message = `Kept what another program saved in ${path}`;
  let number: number | undefined;
  try {
    number = await commitStep(bringing, step, message);
  } catch (error) {
    // A format that cannot be merged, or what the settings protect. Nothing else may lose the text.
    if (!(error instanceof Problem) || /^(?:denied|timeout|conflict)$/.test(error.code)) throw error;
    return false;
  }
  const amended = new Map<number, Action[]>();
  for (const { entry, index, patch } of changes) {
    const actions = amended.get(entry.number) ?? [...entry.actions];
    actions[index] = patch;
    amended.set(entry.number, actions);
  }
  // The earlier content is a beginning of what the other program was writing, or a text that it replaced.
  const isBeginning = theirs.subarray(0, before.length).equals(before);
  const { entry, patch } = changes[0]!;
  const saved = isBeginning
    ? undefined
    : {
        tool: TOOL,
        message: `Saved by another program: ${path}`,
        origin: undefined,
        actions: [{ ...patch, ...patchBetween(before, theirs) }],
      };
  bringing.entries.rebase({ amended, saved, savedBefore: entry, merging: number });
  return true;
}

/** @returns the number of the entry; undefined if nothing would change */
async function commitStep(bringing: Bringing, step: Step, message: string): Promise<number | undefined> {
  const planned = await planSteps(bringing, [step], new ProjectedVault(bringing.root));
  if (planned.length === 0) return undefined;
  return bringing.commit({ tool: TOOL, message, origin: undefined }, planned);
}

/** "note (saved by another program).md", with a number if that is taken. A file that was deleted since is kept where it was. */
async function freePath({ root }: Bringing, path: EntryPath): Promise<VaultPath> {
  const name = nameOf(path);
  const extension = /(?<=.)\.[^.]{1,16}$/s.exec(name)?.[0] ?? "";
  // Room for what is added, within the 255 bytes of a name.
  let stem = name.slice(0, name.length - extension.length);
  while (Buffer.byteLength(stem) > 200) stem = stem.slice(0, -1).toWellFormed();
  const folder = path.startsWith(".") ? ("" as EntryPath) : parentOf(path);
  for (let count = 1; ; count++) {
    const free = below(folder, `${stem} (saved by another program${count === 1 ? "" : ` ${count}`})${extension}`);
    if ((await root.locateEntry(free)).kind === "absent") return free as VaultPath;
  }
}

async function readIfThere<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
