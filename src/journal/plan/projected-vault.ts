// The vault as it will be once the actions planned so far are applied, while
// the disk still shows it as it is. The planner reads it before it adds an
// action. Also keeps content that was read, within a limit, and recognises moved
// entries; apply/action-state.ts uses that.
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import {
  below,
  type Content,
  type DiskEntry,
  type EntryKind,
  type EntryPath,
  listReal,
  parentOf,
  type VaultRoot,
} from "../../files/files.ts";
import { FOLDER, type Action } from "./action.ts";

/** An action that changes which entry is at which path, with its paths in comparable form. */
interface Rearranged {
  readonly action: Exclude<Action, { kind: "patch" }>;
  readonly key: string;
  readonly toKey: string | undefined;
}

/** Larger files are recognised by size and time: hashing a film takes seconds. */
const LARGEST_HASHED = 16 * 1024 * 1024;

/** How much content is kept from the plan to the writing, in bytes. */
const MOST_KEPT = 64 * 1024 * 1024;

export class ProjectedVault {
  readonly #root: VaultRoot;
  /** Newest last. */
  readonly #rearranged: Rearranged[] = [];
  /** The comparable paths where they create, move or remove something other than a new file. */
  readonly #disturbed = new Set<string>();
  /** Content that the plan writes, by the current path of its file. */
  readonly #written = new Map<string, Content>();
  /** Content that was read, by its path. */
  readonly #seen = new Map<string, Content>();
  /** Bytes of content that may be kept, and that are kept. */
  readonly #mostKept: number;
  #kept = 0;

  constructor(root: VaultRoot, mostKept = MOST_KEPT) {
    this.#root = root;
    this.#mostKept = mostKept;
  }

  /**
   * Whether content of this size may be kept until it is written. An operation on a whole vault would not fit into
   * memory: content beyond the limit is read or made again.
   */
  keeps(bytes: number): boolean {
    if (this.#kept > 0 && this.#kept + bytes > this.#mostKept) return false;
    this.#kept += bytes;
    return true;
  }

  /** The current content of a file. Read once if it can be kept: a later change is noticed before it is replaced. */
  read(path: EntryPath, most?: number): Content | undefined {
    const seen = this.#seen.get(path);
    if (seen !== undefined) return seen;
    const content = this.#root.read(path, most);
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

  /** Whether an action planned so far changes the content of this file. */
  isRewritten(path: EntryPath): boolean {
    return this.#written.has(this.#root.key(this.whereNow(path) ?? path));
  }

  rewrite(path: EntryPath, content: Content): void {
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

  /** What will be at the path; for a link, what it leads to. */
  kind(path: EntryPath): EntryKind {
    const planned = this.#planned(path);
    return typeof planned === "string" ? planned : this.#root.locate(planned.now).kind;
  }

  /** What will be at the path, without following a link. */
  entryKind(path: EntryPath): DiskEntry["kind"] {
    const planned = this.#planned(path);
    return typeof planned === "string" ? planned : this.#root.locateEntry(planned.now).kind;
  }

  /** What the actions create or remove at a path, else the current path of the entry that they leave there. */
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
  content(path: EntryPath): Content | undefined {
    const now = this.whereNow(path);
    if (now === undefined) return undefined;
    return this.#written.get(this.#root.key(now)) ?? this.read(now, Number.POSITIVE_INFINITY);
  }

  /** Identifies an entry, to check after a move that it is still the same. */
  fingerprint(path: EntryPath): string {
    const now = this.whereNow(path);
    if (now === undefined) return FOLDER;
    const { kind, stats, absolute } = this.#root.locateEntry(now);
    if (kind === "folder" || stats === undefined) return FOLDER;
    // A relative link leads elsewhere from its new place: only its text can be compared.
    if (kind === "link") return `link:${readlinkSync(absolute)}`;
    const isWritten = this.#written.has(this.#root.key(now));
    if (stats.size > LARGEST_HASHED && !isWritten) return `large:${stats.size}:${stats.mtimeMs}`;
    return this.content(path)?.hash ?? "";
  }

  matches(path: EntryPath, fingerprint: string): boolean {
    if (this.fingerprint(path) === fingerprint) return true;
    // A large file that was written in the same operation has its content as fingerprint.
    const isHash = !/^(?:folder$|link:|large:)/.test(fingerprint);
    return isHash && this.entryKind(path) === "file" && this.#hash(path) === fingerprint;
  }

  /** The hash of a file of any size. */
  #hash(path: EntryPath): string | undefined {
    const now = this.whereNow(path);
    if (now === undefined) return undefined;
    return this.#written.get(this.#root.key(now))?.hash ?? this.#root.hash(now);
  }

  isEmpty(folder: EntryPath): boolean {
    const now = this.whereNow(folder);
    if (now === undefined) return true;
    const { absolute, target } = this.#root.locate(now);
    const real = target === undefined ? absolute : join(this.#root.folder, target);
    const names = listReal(real, (path) => readdirSync(path));
    return names.every((name) => this.entryKind(below(folder, name)) === "absent");
  }

  /** The path as the disk spells it, if it exists already. */
  spelled(path: EntryPath): EntryPath {
    return this.whereNow(path) === path ? this.#root.locateEntry(path).path : path;
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

/** Whether a path is a folder or below it; both in comparable form. */
export function isWithin(key: string, folderKey: string | undefined): boolean {
  if (folderKey === undefined || !key.startsWith(folderKey)) return false;
  return key.length === folderKey.length || key[folderKey.length] === "/";
}
