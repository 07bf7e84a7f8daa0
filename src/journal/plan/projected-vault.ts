// The vault as it will be once the actions planned so far are applied, while
// the disk still shows it as it is. The planner reads it before it adds an
// action. Also keeps content that was read, within a limit, and recognises moved
// entries; apply/action-state.ts uses that.
import {
  below,
  type Content,
  type EntryKind,
  type EntryPath,
  type FileStats,
  parentOf,
  type PlannableFiles,
  type StoredEntry,
} from "../../files/files.ts";
import { FOLDER, type Action, type NewBytes } from "./action.ts";

/** An action that changes which entry is at which path, with its paths in comparable form. */
interface Rearranged {
  readonly action: Exclude<Action, { kind: "patch" }>;
  readonly key: string;
  readonly toKey: string | undefined;
}

/** Content that the plan writes. */
interface NewContent {
  readonly bytes: NewBytes;
  readonly hash: string;
  /** Those of the file that it replaces. */
  readonly stats: FileStats;
}

/** Larger files are recognised by size and time: hashing a film takes seconds. */
const MAX_HASHED_SIZE = 16 * 1024 * 1024;

/** How much content is kept from the plan to the writing, in bytes. */
const MAX_KEPT = 64 * 1024 * 1024;

export class ProjectedVault {
  readonly #root: PlannableFiles;
  /** Newest last. */
  readonly #rearranged: Rearranged[] = [];
  /** The comparable paths where they create, move or remove something other than a new file. */
  readonly #disturbed = new Set<string>();
  /** Content that the plan writes, by the current path of its file. */
  readonly #written = new Map<string, NewContent>();
  /** Content that was read, by its path. */
  readonly #seen = new Map<string, Content>();
  /** Bytes of content that may be kept, and that are kept. */
  readonly #mostKept: number;
  #kept = 0;

  constructor(root: PlannableFiles, mostKept = MAX_KEPT) {
    this.#root = root;
    this.#mostKept = mostKept;
  }

  /**
   * Returns whether content of this size may be kept until it is written. An operation on a whole vault would not fit into
   * memory: content beyond the limit is read or made again.
   */
  keeps(bytes: number): boolean {
    if (this.#kept > 0 && this.#kept + bytes > this.#mostKept) return false;
    this.#kept += bytes;
    return true;
  }

  /** The current content of a file. Read once if it can be kept: a later change is noticed before it is replaced. */
  async read(path: EntryPath, most?: number): Promise<Content | undefined> {
    const seen = this.#seen.get(path);
    if (seen !== undefined) return seen;
    const content = await this.#root.read(path, most);
    if (content !== undefined && this.keeps(content.bytes.length)) this.#seen.set(path, content);
    return content;
  }

  rearrange(action: Rearranged["action"]): void {
    const toKey = action.kind === "move" ? this.#root.key(action.to) : undefined;
    const key = this.#root.key(action.path);
    this.#rearranged.push({ action, key, toKey });
    if (action.kind !== "put") this.#disturbed.add(key);
    if (toKey !== undefined) this.#disturbed.add(toKey);
  }

  /** The content that an action planned so far writes to this file; undefined if there is none. */
  rewritten(path: EntryPath): NewContent | undefined {
    return this.#written.get(this.#root.key(this.whereNow(path) ?? path));
  }

  rewrite(path: EntryPath, content: NewContent): void {
    this.#written.set(this.#root.key(this.whereNow(path) ?? path), content);
  }

  /** The current path of the entry that will end up at `path` once the plan is applied, or undefined if it does not exist yet. */
  whereNow(path: EntryPath): EntryPath | undefined {
    let found = path;
    let foundKey = this.#root.key(found);
    for (const { action, key, toKey } of this.#rearranged.toReversed()) {
      if (action.kind === "move" && isWithin(foundKey, toKey)) {
        const rest = found.split("/").slice(action.to.split("/").length);
        found = rest.reduce<EntryPath>((folder, name) => below(folder, name), action.path);
        foundKey = this.#root.key(found);
      } else if (action.kind === "move" || action.kind === "unmake") {
        if (isWithin(foundKey, key)) return undefined;
      } else if (foundKey === key) return undefined;
    }
    return found;
  }

  /** Returns the kind of entry that will be at the path; for a link, that of its target. */
  async kind(path: EntryPath): Promise<EntryKind> {
    const planned = this.#planned(path);
    return typeof planned === "string" ? planned : (await this.#root.locate(planned.now)).kind;
  }

  /** Returns the kind of entry that will be at the path, without following a link. */
  async entryKind(path: EntryPath): Promise<StoredEntry["kind"]> {
    const planned = this.#planned(path);
    return typeof planned === "string" ? planned : (await this.#root.locateEntry(planned.now)).kind;
  }

  /** Returns the entry that the actions create or remove at a path, else the current path of the one they leave there. */
  #planned(path: EntryPath): EntryKind | { readonly now: EntryPath } {
    const pathKey = this.#root.key(path);
    for (const { action, key, toKey } of this.#rearranged.toReversed()) {
      if (action.kind === "make" && pathKey === key) return "folder";
      if (action.kind === "put" && pathKey === key) return "file";
      if (action.kind === "move" && isWithin(pathKey, toKey)) break;
      if ((action.kind === "move" || action.kind === "unmake") && isWithin(pathKey, key)) return "absent";
    }
    const now = this.whereNow(path);
    return now === undefined ? "absent" : { now };
  }

  /** The content that will be at the path, of any size: the caller has read it before, or knows its hash. */
  async content(path: EntryPath): Promise<Content | undefined> {
    const now = this.whereNow(path);
    if (now === undefined) return undefined;
    const written = this.#written.get(this.#root.key(now));
    if (written === undefined) return this.read(now, Number.POSITIVE_INFINITY);
    const { hash, stats } = written;
    const made = await written.bytes();
    // It will be a new file by then: only its content shows whether it was changed since.
    return { bytes: Buffer.from(made.buffer, made.byteOffset, made.byteLength), hash, stats, isYoung: true };
  }

  /** Identifies an entry, to check after a move that it is still the same. */
  async fingerprint(path: EntryPath): Promise<string> {
    const now = this.whereNow(path);
    if (now === undefined) return FOLDER;
    const { kind, stats } = await this.#root.locateEntry(now);
    if (kind === "folder" || stats === undefined) return FOLDER;
    // A relative link leads elsewhere from its new place: only its text can be compared.
    if (kind === "link") return `link:${await this.#root.linkText(now)}`;
    const written = this.#written.get(this.#root.key(now));
    if (written !== undefined) return written.hash;
    if (stats.size > MAX_HASHED_SIZE) return `large:${stats.size}:${stats.mtimeMs}`;
    return (await this.content(path))?.hash ?? "";
  }

  async matches(path: EntryPath, fingerprint: string): Promise<boolean> {
    if ((await this.fingerprint(path)) === fingerprint) return true;
    // A large file that was written in the same operation has its content as fingerprint.
    const isHash = !/^(?:folder$|link:|large:)/.test(fingerprint);
    return isHash && (await this.entryKind(path)) === "file" && (await this.#hash(path)) === fingerprint;
  }

  /** The hash of a file of any size. */
  async #hash(path: EntryPath): Promise<string | undefined> {
    const now = this.whereNow(path);
    if (now === undefined) return undefined;
    return this.#written.get(this.#root.key(now))?.hash ?? this.#root.hash(now);
  }

  async isEmpty(folder: EntryPath): Promise<boolean> {
    const now = this.whereNow(folder);
    if (now === undefined) return true;
    for (const name of await this.#root.namesIn(now))
      if ((await this.entryKind(below(folder, name))) !== "absent") return false;
    return true;
  }

  /** The path as the disk spells it, if it exists already. */
  async spelled(path: EntryPath): Promise<EntryPath> {
    return this.whereNow(path) === path ? (await this.#root.locateEntry(path)).path : path;
  }

  /** The nearest folder above a path that exists and stays: the plan neither creates nor moves it. */
  stableFolder(path: EntryPath): EntryPath {
    const names = parentOf(path).split("/");
    const keys = this.#root.key(parentOf(path)).split("/");
    let [stable, key] = [0, ""];
    for (; stable < names.length; stable++) {
      key = stable === 0 ? keys[0]! : `${key}/${keys[stable]}`;
      if (this.#disturbed.has(key)) break;
    }
    return names.slice(0, stable).join("/") as EntryPath;
  }
}

/** Returns whether a path is a folder or below it; both in comparable form. */
export function isWithin(key: string, folderKey: string | undefined): boolean {
  if (folderKey === undefined || !key.startsWith(folderKey)) return false;
  return key.length === folderKey.length || key[folderKey.length] === "/";
}
