// The files of a space in a shared store as StoredFiles: each is a row with its
// bytes, hash and version. There are no links, names are compared by case, and
// hidden folders are not listed, as on a disk. Opened by shared-store.ts.
import { join } from "node:path";
import {
  below,
  comparable,
  type Content,
  type EntryPath,
  FileTooLarge,
  type FileStats,
  InvalidPath,
  type ListedEntry,
  type ListOptions,
  type Located,
  MAX_FILE_BYTES,
  nameOf,
  parentOf,
  type PlannableFiles,
  type VaultPath,
} from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import type { Row, SharedSpace, StoredEntryName } from "../../shared/shared.ts";

/** Bytes of a path and of a name: what an index of the database, and every disk that files are exported to, can hold. */
const MAX_PATH_LENGTH = 2_000;
const MAX_NAME_LENGTH = 255;
/** More than any file of settings has. */
const MAX_SETTINGS_BYTES = 1024 * 1024;

/** Equal for two paths that mean the same entry. */
export function keyOf(path: string): string {
  return comparable(path, { ignoreCase: false });
}

export function sharedFiles(space: SharedSpace): PlannableFiles {
  const { folder, ask, contentAt, rowsAt, entriesBelow } = space;
  const absolute = (path: string) => (path === "" ? folder : join(folder, path));

  const entryIn = (row: Row) => {
    const path = String(row["path"]) as EntryPath;
    const kind = row["kind"] as "file" | "folder";
    return { path, absolute: absolute(path), kind, stats: statsOf(row), target: undefined };
  };

  const locate = async (path: EntryPath): Promise<Located> => {
    if (path === "") return { path, absolute: folder, kind: "folder", stats: undefined, target: undefined };
    checkLengths(path);
    const keys = [path, ...foldersAbove(path)].map(keyOf);
    const rows = await rowsAt(keys);
    const byKey = new Map(rows.map((row) => [String(row["key"]), row]));
    if (keys.slice(1).some((key) => byKey.get(key)?.["kind"] === "file")) throw new InvalidPath("invalid", path);
    const found = byKey.get(keys[0]!);
    if (found !== undefined) return entryIn(found);
    // Find the part of the path that exists, in its own spelling.
    const depth = keys.findIndex((key) => byKey.has(key));
    const existing = depth === -1 ? "" : String(byKey.get(keys[depth]!)!["path"]);
    const rest = path.split("/").slice(existing === "" ? 0 : existing.split("/").length);
    const at = rest.reduce<EntryPath>((parent, name) => below(parent, name), existing as EntryPath);
    return { path: at, absolute: absolute(at), kind: "absent", stats: undefined, target: undefined };
  };

  /** Reads the entry at a path with its bytes; a file takes one statement. */
  const readLocated = async (path: EntryPath, most = MAX_FILE_BYTES) => {
    checkLengths(path);
    const row = path === "" ? undefined : await contentAt(keyOf(path), safe(most));
    if (row?.["kind"] !== "file") return { located: await locate(path), content: undefined };
    if (row.bytes === null) throw new FileTooLarge(path, Number(row["size"]), most);
    const located = entryIn(row);
    const content = { bytes: row.bytes, hash: String(row["hash"]), stats: located.stats, isYoung: false };
    return { located, content };
  };

  const contentOf = async (path: EntryPath, most?: number): Promise<Content | undefined> => {
    const { located, content } = await readLocated(path, most);
    if (located.kind === "folder") throw new Problem("invalid", `Not a file: ${path}`);
    return content;
  };

  return {
    folder,
    key: keyOf,
    isHidden: () => false,
    // A space that is gone is noticed by the next question.
    check: () => {},
    locate,
    locateEntry: async (path) => {
      const { target: _, ...entry } = await locate(path);
      return entry;
    },
    read: contentOf,
    readLocated,
    open: async (path) => {
      const content = await contentOf(path, Number.MAX_SAFE_INTEGER);
      if (content === undefined) return undefined;
      const { bytes, stats } = content;
      return { stats, read: (at, length) => bytes.subarray(at, at + length), close: () => {} };
    },
    pieces: async (path) => {
      const content = await contentOf(path, Number.MAX_SAFE_INTEGER);
      return content && [content.bytes];
    },
    hash: async (path) => {
      const [row] = await rowsAt([keyOf(path)]);
      if (row?.["kind"] === "file") return String(row["hash"]);
      if ((await locate(path)).kind === "folder") throw new Problem("invalid", `Not a file: ${path}`);
      return undefined;
    },
    stats: async (path) => (await locate(path)).stats,
    list: async (from, options) => listed(await entriesBelow(keyOf(from), options?.depth === 1), from, options),
    namesIn: async (from) => {
      const rows = await ask(
        (sql, id) => sql`SELECT path FROM commonplace.file WHERE space = ${id} AND folder = ${keyOf(from)}`,
      );
      return rows.map((row) => nameOf(String(row["path"]) as EntryPath));
    },
    settingsText: async (path) => {
      const row = await contentAt(keyOf(`.obsidian/${path}`), MAX_SETTINGS_BYTES);
      return row?.bytes?.toString();
    },
    linkText: async (path) => {
      throw new InvalidPath("invalid", path);
    },
    checkWritable: async () => {},
  };
}

function checkLengths(path: EntryPath): void {
  if (
    Buffer.byteLength(path) > MAX_PATH_LENGTH ||
    path.split("/").some((name) => Buffer.byteLength(name) > MAX_NAME_LENGTH)
  )
    throw new InvalidPath("invalid", path);
}

/** The folders that a path is in, the nearest first. */
function foldersAbove(path: EntryPath): EntryPath[] {
  const folders: EntryPath[] = [];
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) folders.push(folder);
  return folders;
}

/** Bounds a number by the largest whole number that the database takes. */
function safe(most: number): number {
  return Number.isFinite(most) ? most : Number.MAX_SAFE_INTEGER;
}

/** Folders before their content, sorted by name, without hidden entries. */
function listed(
  rows: readonly StoredEntryName[],
  from: VaultPath,
  { depth: most, signal, skip }: ListOptions = {},
): ListedEntry[] {
  signal?.throwIfAborted();
  const above = from === "" ? 0 : from.split("/").length;
  const entries = rows.flatMap(([path, kind]): (ListedEntry & { readonly names: readonly string[] })[] => {
    const names = path.split("/").slice(above);
    if (names.length > (most ?? Number.POSITIVE_INFINITY) || names.some((name) => name.startsWith("."))) return [];
    return [{ path, name: names.at(-1)!, kind, depth: names.length, names }];
  });
  const sorted = entries.toSorted((a, b) => compareNames(a.names, b.names));
  let skipped: string | undefined;
  return sorted.flatMap(({ names: _, ...entry }) => {
    if (skipped !== undefined && entry.path.startsWith(skipped)) return [];
    skipped = skip?.(entry.path) === true ? `${entry.path}/` : undefined;
    return skipped === undefined ? [entry] : [];
  });
}

function compareNames(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  return a.length - b.length;
}

function nanoseconds(time: number): bigint {
  // To the microsecond: a float has no more digits for times of today.
  return BigInt(Math.round(time * 1_000)) * 1_000n;
}

/** As a disk would have them; the number of a file changes with its content. */
export function statsOf(row: Row): FileStats {
  const [modified, created] = [Number(row["modified"]), Number(row["created"])];
  return {
    dev: 0n,
    ino: BigInt(String(row["id"])),
    size: BigInt(String(row["size"])),
    blocks: 1n,
    mtimeMs: BigInt(Math.floor(modified)),
    mtimeNs: nanoseconds(modified),
    ctimeMs: BigInt(String(row["version"])),
    ctimeNs: BigInt(String(row["version"])) * 1_000_000n,
    birthtimeMs: BigInt(Math.floor(created)),
    birthtimeNs: nanoseconds(created),
  };
}
