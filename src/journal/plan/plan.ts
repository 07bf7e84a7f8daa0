// Plans the actions of an operation, or those that reverse an entry: checked
// against the disk, under the lock, before anything is written. Changes
// nothing. Used by the journal.
import {
  type AccessRules,
  below,
  type Content,
  contentHash,
  type EntryPath,
  nameOf,
  parentOf,
  type PlannableFiles,
  temporaryName,
  TRASH,
} from "../../files/files.ts";
import { Problem, Turns } from "../../kernel/kernel.ts";
import { AccessCheck } from "./access.ts";
import { type Action, FOLDER, type NewBytes, type Patch, type Planned } from "./action.ts";
import { absent, conflict, exists, inTheWay, withReplacedNamed } from "./conflicts.ts";
import { ProjectedVault, isWithin } from "./projected-vault.ts";
import { applyEdits, editBetween, inverseEdits, splicesOf, type Edit } from "./splice.ts";
import type { FileTimes, Made, Step } from "./step.ts";

const ORDER = ["replace", "remove", "folder", "rename", "create"] as const satisfies Step["kind"][];

/** The files a plan is made for, and the rules that apply to them. */
export interface Place {
  readonly root: PlannableFiles;
  readonly access: AccessRules;
  /** Checks new content. Undo and redo are not checked: they restore content that was there. */
  readonly checkContent?: ContentCheck | undefined;
}

/** Throws if a file with a format would become unreadable. @param before undefined for a new file */
export type ContentCheck = (path: EntryPath, after: () => Uint8Array, before: (() => Uint8Array) | undefined) => void;

/** In turns: an operation may have as many steps as the vault has notes. */
export async function planSteps(
  place: Place,
  steps: readonly Step[],
  projected: ProjectedVault,
  signal?: AbortSignal,
): Promise<Planned[]> {
  const plan = new Planner(place, projected);
  const turns = new Turns(signal);
  for (const kind of ORDER) {
    for (const step of steps) {
      if (step.kind !== kind) continue;
      await plan.add(step);
      if (turns.isOver()) await turns.next();
    }
  }
  return plan.finish();
}

/** The actions that reverse these. Throws if something was changed since. */
export async function planInverse(place: Place, actions: readonly Action[], signal?: AbortSignal): Promise<Planned[]> {
  const plan = new Planner(place, new ProjectedVault(place.root));
  const turns = new Turns(signal);
  for (const action of actions.toReversed()) {
    await plan.addInverse(action);
    if (turns.isOver()) await turns.next();
  }
  return plan.finish();
}

/** Filled in when all actions are known. */
const NO_TEMPORARY = "" as EntryPath;

class Planner {
  readonly #root: PlannableFiles;
  readonly #projected: ProjectedVault;
  readonly #access: AccessCheck;
  readonly #checkContent: ContentCheck | undefined;
  readonly #planned: Planned[] = [];

  constructor({ root, access, checkContent }: Place, projected: ProjectedVault) {
    this.#root = root;
    this.#checkContent = checkContent;
    this.#projected = projected;
    this.#access = new AccessCheck(root, access);
  }

  async finish(): Promise<Planned[]> {
    await this.#access.checkActions(this.#planned.map(({ action }) => action));
    return this.#planned.map((planned) => this.#withTemporary(planned));
  }

  async add(step: Step): Promise<void> {
    if (step.kind === "replace" && step.keepsLinks) this.#access.allowRewrite(step.path);
    this.#access.checkNamed(step.path, step.kind === "replace");
    if (step.kind === "rename") this.#access.checkNamed(step.to);
    if (step.kind !== "replace") await this.#access.checkReached(step.kind === "rename" ? step.to : step.path);
    if (step.kind === "replace") return withReplacedNamed(step.path, () => this.#replace(step));
    if (step.kind === "rename") return withReplacedNamed(step.path, () => this.#rename(step));
    const kind = await this.#projected.kind(step.path);
    switch (step.kind) {
      case "remove":
        if (kind === "absent") throw absent(step.path);
        return this.#trash(step.path);
      case "folder":
        if (kind === "file") throw exists(step.path);
        return kind === "folder" ? undefined : this.#make(step.path, false);
      case "create":
        if (kind !== "absent") throw exists(step.path);
        if (!step.isCopy) this.#checkContent?.(step.path, () => step.bytes, undefined);
        return this.#put(step.path, step.bytes, step.times);
    }
  }

  async addInverse(action: Action): Promise<void> {
    // The journal refuses entries that are about hidden files in any other way.
    if (action.kind === "patch") this.#access.allowRewrite(action.path);
    this.#access.checkNamed(action.path, action.kind === "patch");
    if (action.kind === "move") this.#access.checkNamed(action.to);
    const kind = await this.#projected.entryKind(action.path);
    switch (action.kind) {
      case "put":
        if (kind === "absent") throw inTheWay(`${action.path} is gone`);
        if (!(await this.#projected.matches(action.path, action.after)))
          throw inTheWay(`${action.path} was changed since`);
        return this.#trash(action.path);
      case "patch": {
        if (kind !== "file") throw inTheWay(`${action.path} is gone`);
        // Another program's content may be too large to read.
        const isOurs = await this.#projected.matches(action.path, action.after);
        const content = isOurs ? await this.#projected.content(action.path) : undefined;
        if (content?.hash !== action.after) throw inTheWay(`${action.path} was changed since`);
        return this.#patch(action.path, content, inverseEdits(action.splices));
      }
      case "move":
        if ((await this.#projected.entryKind(action.to)) === "absent") throw inTheWay(`${action.to} is gone`);
        if (!(await this.#projected.matches(action.to, action.fingerprint)))
          throw inTheWay(`${action.to} was changed since`);
        // In the trash any name will do, and the old one may be taken by now.
        if (action.path.startsWith(`${TRASH}/`)) return this.#trash(action.to);
        return this.#move(action.to, action.path, inTheWay(`there is something else at ${action.path} now`));
      case "make":
        if (kind !== "folder") return undefined;
        if (!action.implied && !(await this.#projected.isEmpty(action.path)))
          throw inTheWay(`the folder ${action.path} is not empty`);
        return this.#push({ action: { kind: "unmake", path: action.path, implied: action.implied } });
      case "unmake":
        return kind === "absent" ? this.#make(action.path, action.implied) : undefined;
    }
  }

  async #rename({ path, to }: Extract<Step, { kind: "rename" }>): Promise<void> {
    if ((await this.#projected.kind(path)) === "absent") throw absent(path);
    if ((await this.#projected.entryKind(path)) === "link")
      throw new Problem("invalid", `${path} is a link: move its target instead. Nothing was changed.`);
    await this.#move(path, to, new Problem("exists", "Cannot overwrite existing file"));
  }

  async #replace(step: Extract<Step, { kind: "replace" }>): Promise<void> {
    const content = await this.#projected.content(step.path);
    if (content === undefined) throw absent(step.path);
    if (content.hash !== step.before) throw conflict(step.path, content.hash);
    const edits = "edits" in step ? step.edits : [editBetween(content.bytes, step.bytes)];
    const after = () => ("edits" in step ? applyEdits(content.bytes, edits).after : step.bytes);
    this.#checkContent?.(step.path, after, () => content.bytes);
    await this.#patch(step.path, content, edits, "edits" in step ? step.made : undefined);
  }

  async #patch(path: EntryPath, content: Content, edits: readonly Edit[], made?: Made): Promise<void> {
    const { after, splices } =
      made === undefined
        ? applyEdits(content.bytes, edits)
        : { after: made.bytes, splices: splicesOf(content.bytes, edits) };
    const hash = made?.hash ?? contentHash(after);
    if (hash === content.hash) return;
    const now = this.#projected.whereNow(path) ?? path;
    const isKept = this.#projected.keeps(after.length);
    const bytes = isKept ? () => after : this.#remaking(path, now, content, edits);
    const located = await this.#root.locate(now);
    // A link stays, and its target is written.
    const real = located.target ?? (now === path ? located.path : path);
    await this.#root.checkWritable(located.target ?? located.path);
    const patch: Patch = {
      kind: "patch",
      path: real,
      temporary: NO_TEMPORARY,
      before: content.hash,
      after: hash,
      // A slice of the old content would keep all of it in memory.
      splices: isKept ? splices : splices.map((splice) => ({ ...splice, removed: splice.removed.slice() })),
    };
    const { stats, isYoung } = content;
    this.#planned.push({ action: patch, bytes, replaces: { stats, isYoung } });
    this.#projected.rewrite(path, { bytes, hash, stats });
  }

  /** A function that makes the content of a patch again, from the content before it. */
  #remaking(path: EntryPath, now: EntryPath, before: Content, edits: readonly Edit[]): NewBytes {
    const own = edits.map((edit) => ({ ...edit, bytes: edit.bytes.slice() }));
    const { hash } = before;
    // Content written by an earlier action of the same operation is not on the disk yet.
    const earlier = this.#projected.rewritten(path);
    return async () => {
      if (earlier !== undefined) return applyEdits(await earlier.bytes(), own).after;
      const content = await withReplacedNamed(now, () => this.#root.read(now, Number.POSITIVE_INFINITY));
      if (content?.hash !== hash) throw conflict(path, content?.hash ?? "that of no file");
      return applyEdits(content.bytes, own).after;
    };
  }

  async #put(path: EntryPath, bytes: Uint8Array, times: FileTimes | undefined): Promise<void> {
    await this.#makeParents(path);
    const real = await this.#projected.spelled(path);
    const put = { kind: "put", path: real, temporary: NO_TEMPORARY, after: contentHash(bytes) } as const;
    this.#push({ action: put, bytes: () => bytes, times });
  }

  /** As in Obsidian: by its name without folders, with a number if that is taken. */
  async #trash(path: EntryPath): Promise<void> {
    if ((await this.#projected.kind(TRASH)) === "absent") await this.#make(TRASH, true);
    const isFolder = (await this.#projected.entryKind(path)) === "folder";
    let name = nameOf(path);
    for (let count = 2; (await this.#projected.entryKind(below(TRASH, name))) !== "absent"; count++)
      name = numbered(nameOf(path), count, isFolder);
    await this.#move(path, below(TRASH, name), exists(path));
  }

  async #move(from: EntryPath, to: EntryPath, taken: Problem): Promise<void> {
    const path = await this.#projected.spelled(from);
    if (path === to) return;
    const [key, toKey] = [this.#root.key(path), this.#root.key(to)];
    const isRespelling = key === toKey;
    if (!isRespelling && (await this.#projected.entryKind(to)) !== "absent") throw taken;
    if (!isRespelling && isWithin(toKey, key)) throw new Problem("invalid", `Cannot move ${from} into itself`);
    await this.#makeParents(to);
    const target = isRespelling ? below(parentOf(path), nameOf(to)) : await this.#projected.spelled(to);
    const fingerprint = await this.#projected.fingerprint(from);
    const now = this.#projected.whereNow(path);
    if (fingerprint === FOLDER && now !== undefined) await this.#access.checkFolder(now, path, target);
    this.#push({ action: { kind: "move", path, to: target, fingerprint } });
  }

  async #make(path: EntryPath, implied: boolean): Promise<void> {
    await this.#makeParents(path);
    this.#push({ action: { kind: "make", path: await this.#projected.spelled(path), implied } });
  }

  async #makeParents(path: EntryPath): Promise<void> {
    const missing: EntryPath[] = [];
    for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
      const kind = await this.#projected.kind(folder);
      if (kind === "file") throw new Problem("invalid", `Not a folder: ${folder}`);
      if (kind === "folder") break;
      missing.push(folder);
    }
    const top = missing.pop();
    if (top === undefined) return;
    let made = await this.#projected.spelled(top);
    this.#push({ action: { kind: "make", path: made, implied: true } });
    // Nothing in a new folder has another spelling yet.
    for (const folder of missing.toReversed()) {
      made = below(made, nameOf(folder));
      this.#push({ action: { kind: "make", path: made, implied: true } });
    }
  }

  #push(planned: Planned & { readonly action: Exclude<Action, Patch> }): void {
    this.#planned.push(planned);
    this.#projected.rearrange(planned.action);
  }

  /** A temporary file is beside the file, or in the nearest folder above it that the plan does not move. */
  #withTemporary(planned: Planned): Planned {
    const { action } = planned;
    if (action.kind !== "put" && action.kind !== "patch") return planned;
    return {
      ...planned,
      action: { ...action, temporary: below(this.#projected.stableFolder(action.path), temporaryName()) },
    };
  }
}

const MAX_NAME_LENGTH = 255;

/** "note 2.md"; a name of full length is shortened for the number. A folder has no extension, and a very long one does not count. */
function numbered(name: string, count: number, isFolder: boolean): string {
  const extension = (isFolder ? undefined : /(?<=.)\.[^.]{0,32}$/s.exec(name)?.[0]) ?? "";
  const stem = Array.from(name.slice(0, name.length - extension.length));
  let room = MAX_NAME_LENGTH - Buffer.byteLength(` ${count}${extension}`);
  const end = stem.findIndex((character) => (room -= Buffer.byteLength(character)) < 0);
  return `${stem.slice(0, end === -1 ? stem.length : end).join("")} ${count}${extension}`;
}
