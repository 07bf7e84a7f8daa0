// A vault's folder on the disk: finds the entry that a vault path means there,
// whatever its spelling, and refuses what links lead out. The journal and
// everything that reads a vault locates its files here.
//
// Between a check here and the system call that follows it, another program of
// the same user could swap a folder for a link. So what is read is checked again
// when it is open (real-path.ts), and what is changed is changed through folders
// that are held open (held-root.ts).
import { closeSync, existsSync, lstatSync, opendirSync, readdirSync, statSync, type BigIntStats } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { Problem } from "../../kernel/kernel.ts";
import { contentHash, contentHashOf } from "../disk/atomic.ts";
import { asProblem, codeOf } from "../disk/system-errors.ts";
import { isSameFile } from "../disk/file-identity.ts";
import { isNoFile, piecesOf } from "../disk/open-file.ts";
import { openReal, readReal, realPath } from "../disk/real-path.ts";
import { FailedCall, isSystemError, mayPass } from "../disk/system-errors.ts";
import { below, comparable, nameOf, parentOf, TRASH, type EntryPath } from "./vault-path.ts";

interface Spelling {
  readonly key: (path: string) => string;
  readonly ignoresCase: boolean;
  /** Whether names must be looked for in a listing, because the disk itself heeds their case. */
  readonly lists: boolean;
}

interface Found {
  /** As the folder has it. */
  readonly name: string;
  readonly stats: BigIntStats;
}

export type EntryKind = "absent" | "file" | "folder";

export interface Located {
  /** The path as the disk spells it, with links among its folders resolved. */
  readonly path: EntryPath;
  /** The entry itself: for a link, the link. */
  readonly absolute: string;
  readonly kind: EntryKind;
  /** Of what is there: for a link, of what it leads to. */
  readonly stats: BigIntStats | undefined;
  /** Where a link leads (inside the vault always); undefined for anything else. */
  readonly target: EntryPath | undefined;
}

/** An entry by itself: a link is a link here, wherever it leads. */
export interface Entry extends Pick<Located, "path" | "absolute" | "stats"> {
  readonly kind: EntryKind | "link" | "other";
}

/** A path that leads where nothing may be read or written, or to nothing at all: another try would not help. */
export class UnreachablePath extends Problem {}

/** Such a path, named as it was asked for. */
export class InvalidPath extends UnreachablePath {
  readonly path: string;

  constructor(code: "invalid" | "denied", path: string) {
    super(code, `Invalid path: ${path}`);
    this.path = path;
  }
}

/** Of a whole path, in bytes, without the last zero: more, no system call takes. */
const LONGEST_PATH = process.platform === "win32" ? 32_766 : process.platform === "darwin" ? 1023 : 4095;

const HIDDEN = /(?:^|\/)\./;

export interface Content {
  readonly bytes: Buffer;
  readonly hash: string;
  /** Of the file just before it was read: a later write shows in them. */
  readonly stats: BigIntStats;
  /** Whether it was written so recently that another write need not show in the stats. */
  readonly isYoung: boolean;
}

export interface VaultRoot {
  /** The real path of the folder. */
  readonly folder: string;
  /** Whether the disk takes `Note.md` and `note.md` for one. */
  readonly ignoresCase: boolean;
  /** Refuses where the folder is gone or its disk was taken away. */
  readonly check: () => void;
  readonly locate: (path: EntryPath) => Located;
  /** As `locate`, but what is moved, or gone from its place, is the link and not what it leads to. */
  readonly locateEntry: (path: EntryPath) => Entry;
  /** Refuses where the entry's folder is no longer the one that was located. */
  readonly checkParent: (entry: Pick<Located, "absolute" | "path">) => void;
  /** Undefined where there is no such file. Throws FileTooLarge, before it reads, where it has more than so many bytes. */
  readonly read: (path: EntryPath, most?: number) => Content | undefined;
  /** The hash of a file of any size; undefined where there is none. */
  readonly hash: (path: EntryPath) => string | undefined;
  /** A file of any size, to read parts of. The caller closes it. */
  readonly open: (path: EntryPath) => { readonly file: number; readonly stats: BigIntStats } | undefined;
  /** Equal for two paths that mean the same entry. */
  readonly key: (path: string) => string;
}

/** Opens a folder that is there; nothing is made. The disk is asked about case, unless the caller decides it. */
export function openVaultRoot(configured: string, options: { ignoresCase?: boolean } = {}): VaultRoot {
  const folder = realFolder(configured);
  const device = statSync(folder, { bigint: true }).dev;
  const inside = folder.endsWith(sep) ? folder : folder + sep;
  const ignoresCase = options.ignoresCase ?? probeCase(folder);
  const key = (path: string) => comparable(path, { ignoreCase: ignoresCase });

  const spelling: Spelling = { key, ignoresCase, lists: options.ignoresCase === true };

  const check = () => {
    // A disk that was taken away leaves an empty folder where it was mounted.
    if (statSync(folder, { bigint: true, throwIfNoEntry: false })?.dev !== device) throw missing();
  };

  /** The vault path of a real path; refuses what is outside, and what is hidden unless a hidden path led there. */
  const pathOf = (real: string, led: EntryPath): EntryPath => {
    if (real === folder) return "" as EntryPath;
    if (!real.startsWith(inside)) throw new InvalidPath("denied", led);
    const path = real.slice(inside.length).split(sep).join("/") as EntryPath;
    const isTrash = [led, path].every((each) => each === TRASH || each.startsWith(`${TRASH}/`));
    if (HIDDEN.test(isTrash ? path.slice(TRASH.length + 1) : path))
      throw new UnreachablePath("denied", "Cannot access system folder");
    return path;
  };

  /** The real folder that a path's folder is, and what of it is missing. */
  const walk = (path: EntryPath, led: EntryPath): { real: string; missing: string[] } => {
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
        const there = lengthThere(real, rest);
        if (there > 0) real = realPath(join(real, ...rest.slice(0, there)));
        const name = rest[there];
        rest = rest.slice(there);
        if (name === undefined) break;
        // Missing, or spelled otherwise: its folder tells, if it is one of the vault.
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

  const locateEntry = (path: EntryPath): Entry => {
    if (path === "") return { path, absolute: folder, kind: "folder", stats: undefined };
    if (Buffer.byteLength(path) + inside.length > LONGEST_PATH) throw new InvalidPath("invalid", path);
    const above = walk(parentOf(path), path);
    const parent = pathOf(above.real, path);
    const absent = (rest: readonly string[]): Entry => ({
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
      if (behind === undefined) throw new InvalidPath("denied", path);
      return { ...entry, kind: behind, stats, target };
    } catch (error) {
      throw unreachable(error, path);
    }
  };

  /** What a file is read for, once it has been located; undefined where it is absent. */
  const readLocated = <T>(path: EntryPath, readAt: (real: string) => T): T | undefined => {
    const { kind, absolute, target } = locate(path);
    if (kind === "absent") return undefined;
    if (kind === "folder") throw new Problem("invalid", `Not a file: ${path}`);
    try {
      return readAt(target === undefined ? absolute : join(folder, target));
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      if (error instanceof Problem) throw error;
      // Something else has taken its place since it was located.
      if (isNoFile(error)) throw new InvalidPath("denied", path);
      if (codeOf(error) === "EBUSY")
        throw new Problem("denied", `File cannot be read: another program has ${path} open.`, "Try again.");
      throw new Problem("denied", `File cannot be read: ${path} (${codeOf(error)})`);
    }
  };

  return {
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
    hash: (path) => readLocated(path, hashOf),
    open: (path) => readLocated(path, openReal),
    key,
  };
}

/** What most files are: a plain one in its own place. Undefined for anything else: then it has to be located. */
function readAtOnce(absolute: string, most: number | undefined): Content | undefined {
  try {
    return contentOf(readReal(absolute, most));
  } catch {
    return undefined;
  }
}

function hashOf(real: string): string {
  const { file } = openReal(real);
  try {
    return contentHashOf(piecesOf(file));
  } finally {
    closeSync(file);
  }
}

/** Whoever only shows a passage pays for no hash. */
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

/** Undefined for a link, and for what is not for notes: a pipe, a device. */
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

function missing(): Problem {
  return new Problem(
    "not_found",
    "The vault folder is missing: nothing was changed.",
    "It may be renamed, or its disk not be mounted. Check the setting `vault`.",
  );
}

function unreachable(error: unknown, path: EntryPath): unknown {
  if (error instanceof Problem) return error;
  // A link to nothing, or to itself: what it would lead to cannot be checked.
  if (/^(?:ENOENT|ELOOP)$/.test(codeOf(error))) return new InvalidPath("denied", path);
  if (/^(?:ENOTDIR|ENAMETOOLONG)$/.test(codeOf(error))) return new InvalidPath("invalid", path);
  if (/^(?:EACCES|EPERM)$/.test(codeOf(error))) return new Problem("denied", `No permission to read: ${path}`);
  if (!isSystemError(error)) return error;
  const sentence = `File cannot be read: ${path} (${codeOf(error)})`;
  return mayPass(error) ? new Problem("denied", sentence) : new FailedCall(sentence);
}

/** How many of these names, one below the other, are there as they are spelled. */
function lengthThere(folder: string, names: readonly string[]): number {
  // Where one is there, so are those before it. Most often all are, or all but a few of many are missing.
  let [there, missing] = [0, names.length + 1];
  for (let asked = names.length; there + 1 < missing; asked = (there + missing) >> 1) {
    if (existsSync(join(folder, ...names.slice(0, asked)))) there = asked;
    else missing = asked;
  }
  return there;
}

/** The entry of a folder that a name means; undefined where there is none. */
function findEntry(folder: string, name: string, { key, ignoresCase, lists }: Spelling): Found | undefined {
  const absolute = join(folder, name);
  const stats = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  const listed = () => readdirSync(folder).find((entry) => key(entry) === key(name));
  if (stats !== undefined) {
    if (!ignoresCase) return { name, stats };
    // The disk knows the name under which the entry was made; of a link, only the listing does.
    return { name: stats.isSymbolicLink() ? (listed() ?? name) : basename(realPath(absolute)), stats };
  }
  // A name that is not there, and can be composed in one way only, has no other spelling. This keeps a
  // new note in a folder of 10,000 from costing a listing.
  const other = lists || name.normalize("NFC") !== name.normalize("NFD") ? listed() : undefined;
  return other === undefined ? undefined : { name: other, stats: lstatSync(join(folder, other), { bigint: true }) };
}

/** Asks for entries under another case; only where none tells is the system's custom assumed. */
function probeCase(folder: string): boolean {
  try {
    for (const name of firstNames(folder)) {
      const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
      if (other === name) continue;
      const [twin, own] = [other, name].map((each) =>
        lstatSync(join(folder, each), { bigint: true, throwIfNoEntry: false }),
      );
      // Both names could be there, as two entries of a disk that heeds case.
      return twin !== undefined && own !== undefined && isSameFile(twin, own);
    }
  } catch {
    // The root of an empty drive cannot be read step by step (EINVAL), and what cannot be asked does not tell.
  }
  return process.platform === "darwin" || process.platform === "win32";
}

/** Not all names: there may be 100,000. */
function* firstNames(folder: string): Generator<string> {
  const entries = opendirSync(folder);
  try {
    for (let seen = 0; seen < 50; seen++) {
      const entry = entries.readSync();
      if (entry === null) return;
      yield entry.name;
    }
  } finally {
    entries.closeSync();
  }
}
