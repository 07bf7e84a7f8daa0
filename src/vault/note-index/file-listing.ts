// Lists the files of a vault with the version of each, and what could not be listed.
// Used by the sweep; the tools use `StoredFiles.list`, which skips that.
import { lstatSync, readdirSync, type BigIntStats } from "node:fs";
import { sep } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { codeOf, floatOfInode, listReal, millisecondsOf, type StoredFiles } from "../../files/files.ts";
import { hash32, mixed } from "../../kernel/kernel.ts";
import type { Version } from "../../search/search.ts";
import { isOnlyInCloud, placeholderFor } from "../../markdown/markdown.ts";

const IN_CLOUD = "only in the cloud";
/** The path of the vault itself. */
const WHOLE = "";
const UNKNOWN_VERSION: Version = { size: -1, mtime: 0, inode: 0 };

/** Milliseconds of work before giving way. */
const TURN = 10;
/** How many files between two checks of the time. */
const FILES_A_LOOK = 32;

export interface FoundFile {
  /** Relative to the vault. Ends in a slash for a folder that cannot be listed. */
  readonly path: string;
  readonly version: Version;
  /** Why it cannot be read: it is only in the cloud, or a folder that cannot be listed. */
  readonly unread: string | undefined;
  /** The hash of its content, where that is known without reading it. */
  readonly hash?: string | undefined;
}

export class Listing {
  readonly files: FoundFile[] = [];
  #isComplete = true;
  #low = 0;
  #high = 0;

  add(path: string, version: Version, unread?: string, hash?: string): void {
    this.files.push({ path, version, unread, hash });
    if (unread !== undefined) this.#isComplete = false;
    this.#mix(path, version);
  }

  /**
   * A number of 52 bits that changes with the version, name or folder of any file,
   * independent of the order. Undefined if not all files could be listed.
   */
  get digest(): number | undefined {
    return !this.#isComplete ? undefined : (this.#high >>> 12) * 2 ** 32 + (this.#low >>> 0);
  }

  #mix(path: string, { size, mtime, inode }: Version): void {
    let low = hash32(path, 0x85ebca6b);
    let high = hash32(path, 0xc2b2ae35);
    FLOATS[0] = size;
    FLOATS[1] = mtime;
    FLOATS[2] = inode;
    for (let i = 0; i < WORDS.length; i++) {
      low = mixed(low, WORDS[i]!);
      high = mixed(high, WORDS[i]!);
    }
    this.#low = (this.#low + low) | 0;
    this.#high = (this.#high + high) | 0;
  }
}

/** The bits of numbers. */
const FLOATS = new Float64Array(3);
const WORDS = new Int32Array(FLOATS.buffer);

/** @param within only what is at or below these paths */
export async function listFiles(
  { folder: root, isHidden }: Pick<StoredFiles, "folder" | "isHidden">,
  within: readonly string[] = [WHOLE],
  signal?: AbortSignal,
): Promise<Listing> {
  const listing = new Listing();
  const folders: string[] = [];
  const look = (path: string) => {
    if (isHidden(path)) return;
    const stats = statsOf(root, path);
    if (typeof stats === "object" && stats.isDirectory()) folders.push(path);
    else addFile(listing, path, stats);
  };
  for (const path of within) look(path);
  let turn = performance.now();
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const below = folder === WHOLE ? "" : `${folder}/`;
    for (const [i, name] of namesIn(listing, root, folder).entries()) {
      if (!name.startsWith(".")) look(below + name);
      else addPlaceholder(listing, below, name, isHidden);
      if (i % FILES_A_LOOK === 0 && performance.now() - turn > TURN) {
        await nextTurn();
        signal?.throwIfAborted();
        turn = performance.now();
      }
    }
  }
  signal?.throwIfAborted();
  return listing;
}

/** Without types, since the version of each file is read anyway. */
function namesIn(listing: Listing, root: string, folder: string): string[] {
  try {
    return listReal(placeOf(root, folder), (path) => readdirSync(path));
  } catch (error) {
    // A folder that vanished has no files. Files below a folder that cannot be listed count as present.
    if (!isGone(error)) listing.add(`${folder}/`, UNKNOWN_VERSION, codeOf(error));
    return [];
  }
}

/** Other hidden files are not notes. */
function addPlaceholder(listing: Listing, below: string, name: string, isHidden: (path: string) => boolean): void {
  const file = placeholderFor(name);
  if (file !== undefined && !file.startsWith(".") && !isHidden(below + file))
    listing.add(below + file, UNKNOWN_VERSION, IN_CLOUD);
}

function addFile(listing: Listing, path: string, stats: BigIntStats | string | undefined): void {
  if (typeof stats === "string") listing.add(path, UNKNOWN_VERSION, stats);
  else if (stats?.isFile())
    listing.add(
      path,
      {
        size: Number(stats.size),
        mtime: millisecondsOf(stats.mtimeNs),
        inode: floatOfInode(stats.ino),
        created: millisecondsOf(stats.birthtimeNs),
      },
      isOnlyInCloud(stats) ? IN_CLOUD : undefined,
    );
}

/** Undefined if nothing is there; an error code if that is unknown. */
export function statsOf(root: string, path: string): BigIntStats | string | undefined {
  try {
    return lstatSync(placeOf(root, path), { bigint: true });
  } catch (error) {
    return isGone(error) ? undefined : codeOf(error);
  }
}

/** Both parts are normalized already, so `join` would only cost time; Windows takes both slashes. */
function placeOf(root: string, path: string): string {
  return path === WHOLE ? root : root + sep + path;
}

function isGone(error: unknown): boolean {
  // ELOOP: the folder has become a link.
  return /^(?:ENOENT|ENOTDIR|ELOOP)$/.test(codeOf(error));
}
