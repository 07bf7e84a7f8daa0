// A vault's folder on disk: finds the entry that a vault path means, in any
// spelling, and refuses links that lead out. Synchronous: used by the journal,
// which changes the folder, and by folder-files.ts, through which all others read it.
//
// Between a check here and the next system call, another program of the same
// user could swap a folder for a link. So what is read is checked again when it
// is open (real-path.ts), and changes go through folders that are held open
// (held-root.ts).
import { closeSync, readdirSync, statSync, type BigIntStats } from "node:fs";
import { dirname, join, sep } from "node:path";
import { operatingSystem, Problem } from "../../kernel/kernel.ts";
import { contentHash, contentHashOf } from "../disk/atomic.ts";
import { identityOf } from "../disk/file-identity.ts";
import { isNoFile, piecesOf, readPart } from "../disk/open-file.ts";
import { openReal, readReal, realPath } from "../disk/real-path.ts";
import { asProblem, codeOf, FailedCall, isSystemError, mayPass } from "../disk/system-errors.ts";
import { listBelow } from "./list.ts";
import { existingDepth, findEntry, probeCase, type Spelling } from "./spelling.ts";
import {
  InvalidPath,
  UnreachablePath,
  type Content,
  type ListedEntry,
  type ListOptions,
  type Located,
  type OpenedFile,
  type StoredEntry,
} from "./stored-files.ts";
import { below, comparable, nameOf, parentOf, TRASH, type EntryPath, type VaultPath } from "./vault-path.ts";

const LEADS_OUT = "A link (symlink or junction) leads out of the vault there, or nowhere: choose another path.";
const HIDDEN = /(?:^|\/)\./;

/** The folder on disk, with the members of StoredFiles, and what the journal needs besides. */
export interface VaultRoot {
  readonly folder: string;
  /** Throws if the folder is gone or its drive was unmounted. */
  readonly check: () => void;
  readonly key: (path: string) => string;
  readonly isHidden: (path: string) => boolean;
  readonly locate: (path: EntryPath) => Located;
  readonly read: (path: EntryPath, most?: number) => Content | undefined;
  readonly open: (path: EntryPath) => OpenedFile | undefined;
  readonly pieces: (path: EntryPath) => Iterable<Buffer> | undefined;
  readonly hash: (path: EntryPath) => string | undefined;
  readonly list: (folder: VaultPath, options?: ListOptions) => Iterable<ListedEntry>;
  /** True if the disk treats `Note.md` and `note.md` as one file. */
  readonly ignoresCase: boolean;
  /** Like `locate`, but a link is not followed: what is moved or removed is the link. */
  readonly locateEntry: (path: EntryPath) => StoredEntry;
  /** Throws if the entry's folder is no longer the one that was located. */
  readonly checkParent: (entry: Pick<Located, "absolute" | "path">) => void;
}

export interface RootOptions {
  /** Probed on the disk if it is left out. */
  readonly ignoresCase?: boolean;
  /** Throws if what is known to be in the folder is not there, as where a drive is not mounted. */
  readonly checkContent?: CheckContent | undefined;
}

/** @param identity of the folder: another one after a mount */
export type CheckContent = (folder: string, identity: string) => void;

/** Opens an existing folder; creates nothing. */
export function openVaultRoot(configured: string, options: RootOptions = {}): VaultRoot {
  const folder = realFolder(configured);
  let device = statSync(folder, { bigint: true }).dev;
  const inside = folder.endsWith(sep) ? folder : folder + sep;
  const ignoresCase = options.ignoresCase ?? probeCase(folder);
  const key = (path: string) => comparable(path, { ignoreCase: ignoresCase });

  const spelling: Spelling = { key, ignoresCase, lists: options.ignoresCase === true };

  const check = () => {
    const stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
    if (stats?.isDirectory() !== true) throw missing();
    // A drive that is mounted again may have another number; one that is gone leaves an empty folder.
    if (stats.dev !== device && isEmptyFolder(folder)) throw missing();
    device = stats.dev;
    options.checkContent?.(folder, identityOf(stats));
  };

  /** The vault path of a real path. Throws if it is outside, or hidden without being requested as hidden. */
  const pathOf = (real: string, led: EntryPath): EntryPath => {
    if (real === folder) return "" as EntryPath;
    if (!real.startsWith(inside)) throw new InvalidPath("denied", led, LEADS_OUT);
    const path = real.slice(inside.length).split(sep).join("/") as EntryPath;
    const isTrash = [led, path].every((each) => each === TRASH || each.startsWith(`${TRASH}/`));
    if (HIDDEN.test(isTrash ? path.slice(TRASH.length + 1) : path))
      throw new UnreachablePath("denied", "Cannot access system folder");
    return path;
  };

  /** The real path of the existing part of a folder, and the names of the missing part. */
  const resolveFolder = (path: EntryPath, led: EntryPath): { real: string; missing: string[] } => {
    if (path === "") return { real: folder, missing: [] };
    try {
      return { real: realPath(join(folder, path)), missing: [] };
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw unreachable(error, led);
    }
    let real = folder;
    let rest = path.split("/");
    try {
      while (rest.length > 0) {
        const there = existingDepth(real, rest);
        if (there > 0) real = realPath(join(real, ...rest.slice(0, there)));
        const name = rest[there];
        rest = rest.slice(there);
        if (name === undefined) break;
        // Missing, or spelled differently: look it up in its folder, if that is in the vault.
        pathOf(real, led);
        const found = findEntry(real, name, spelling);
        if (found === undefined) break;
        real = realPath(join(real, found.name));
        rest = rest.slice(1);
      }
    } catch (error) {
      throw unreachable(error, led);
    }
    return { real, missing: rest };
  };

  const locateEntry = (path: EntryPath): StoredEntry => {
    if (path === "") return { path, absolute: folder, kind: "folder", stats: undefined };
    if (Buffer.byteLength(path) + inside.length > operatingSystem().longestPath) throw new InvalidPath("invalid", path);
    const above = resolveFolder(parentOf(path), path);
    const parent = pathOf(above.real, path);
    const absent = (rest: readonly string[]): StoredEntry => ({
      path: below(parent, rest.join("/")),
      absolute: join(above.real, ...rest),
      kind: "absent",
      stats: undefined,
    });
    const name = nameOf(path);
    if (above.missing.length > 0) return absent([...above.missing, name]);
    try {
      const found = findEntry(above.real, name, spelling);
      if (found === undefined) {
        check();
        return absent([name]);
      }
      const { stats } = found;
      const kind = kindOf(stats) ?? (stats.isSymbolicLink() ? "link" : "other");
      return { path: below(parent, found.name), absolute: join(above.real, found.name), kind, stats };
    } catch (error) {
      throw unreachable(error, path);
    }
  };

  const locate = (path: EntryPath): Located => {
    const { kind, ...entry } = locateEntry(path);
    if (kind === "other") throw new InvalidPath("denied", path);
    if (kind !== "link") return { ...entry, kind, target: undefined };
    try {
      const real = realPath(entry.absolute);
      const target = pathOf(real, path);
      const stats = statSync(real, { bigint: true });
      const behind = kindOf(stats);
      if (behind === undefined) throw new InvalidPath("denied", path, LEADS_OUT);
      return { ...entry, kind: behind, stats, target };
    } catch (error) {
      throw unreachable(error, path);
    }
  };

  /** Locates a file and reads it; undefined if it is absent. */
  const readLocated = <T>(path: EntryPath, readAt: (real: string) => T): T | undefined => {
    const { kind, absolute, target } = locate(path);
    if (kind === "absent") return undefined;
    if (kind === "folder") throw new Problem("invalid", `Not a file: ${path}`);
    try {
      return readAt(target === undefined ? absolute : join(folder, target));
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      if (error instanceof Problem) throw error;
      // Something else has replaced it since it was located.
      if (isNoFile(error)) throw new InvalidPath("denied", path);
      if (codeOf(error) === "EBUSY")
        throw new Problem("denied", `File cannot be read: another program has ${path} open.`, "Try again.");
      throw new Problem("denied", `File cannot be read: ${path} (${codeOf(error)})`);
    }
  };

  const root: VaultRoot = {
    folder,
    ignoresCase,
    check,
    locate,
    locateEntry,
    checkParent: ({ absolute, path }) => {
      const parent = dirname(absolute);
      let real: string | undefined;
      try {
        real = realPath(parent);
      } catch (error) {
        throw asProblem(error, parent);
      }
      if (real !== parent) throw new InvalidPath("denied", path);
    },
    read: (path, most) => {
      const atOnce = ignoresCase || HIDDEN.test(path) ? undefined : readAtOnce(join(folder, path), most);
      return atOnce ?? readLocated(path, (real) => contentOf(readReal(real, most)));
    },
    hash: (path) => readLocated(path, (real) => contentHashOf(piecesAt(openReal(real).file))),
    open: (path) => readLocated(path, (real) => opened(openReal(real))),
    pieces: (path) => readLocated(path, (real) => piecesAt(openReal(real).file)),
    list: (from, options) => listBelow(root, from, options),
    key,
    isHidden: () => false,
  };
  return root;
}

/** The fast path for a plain file without links. Undefined for anything else, which has to be located. */
function readAtOnce(absolute: string, most: number | undefined): Content | undefined {
  try {
    return contentOf(readReal(absolute, most));
  } catch {
    return undefined;
  }
}

function opened({ file, stats }: { readonly file: number; readonly stats: BigIntStats }): OpenedFile {
  return { stats, read: (at, length) => readPart(file, at, length), close: () => closeSync(file) };
}

/** Closes the file when the last piece was read, or the reader stops. */
function* piecesAt(file: number): Generator<Buffer> {
  try {
    yield* piecesOf(file);
  } finally {
    closeSync(file);
  }
}

/** Hashed on first use: a snippet needs no hash. */
function contentOf({ bytes, stats, isYoung }: Omit<Content, "hash">): Content {
  let hash: string | undefined;
  return {
    bytes,
    stats,
    isYoung,
    get hash() {
      return (hash ??= contentHash(bytes));
    },
  };
}

/** Undefined for a link, a pipe or a device. */
function kindOf(stats: BigIntStats): "file" | "folder" | undefined {
  return stats.isFile() ? "file" : stats.isDirectory() ? "folder" : undefined;
}

function realFolder(configured: string): string {
  try {
    const folder = realPath(configured);
    if (statSync(folder).isDirectory()) return folder;
  } catch (error) {
    if (!/^(?:ENOENT|ENOTDIR)$/.test(codeOf(error)))
      throw new Problem("denied", `The vault folder cannot be opened (${codeOf(error)}).`, "Check its permissions.");
  }
  throw missing();
}

function isEmptyFolder(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return false;
  }
}

function missing(): Problem {
  return new Problem(
    "not_found",
    "The vault folder is missing: nothing was changed.",
    "It may have been renamed, or its drive may not be mounted. Check the setting `vault`.",
  );
}

function unreachable(error: unknown, path: EntryPath): unknown {
  if (error instanceof Problem) return error;
  // A broken or circular link: its target cannot be checked.
  if (/^(?:ENOENT|ELOOP)$/.test(codeOf(error))) return new InvalidPath("denied", path, LEADS_OUT);
  if (/^(?:ENOTDIR|ENAMETOOLONG)$/.test(codeOf(error))) return new InvalidPath("invalid", path);
  if (/^(?:EACCES|EPERM)$/.test(codeOf(error))) return new Problem("denied", `No permission to read: ${path}`);
  if (!isSystemError(error)) return error;
  const sentence = `File cannot be read: ${path} (${codeOf(error)})`;
  return mayPass(error) ? new Problem("denied", sentence) : new FailedCall(sentence);
}
