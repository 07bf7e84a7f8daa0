// The files that the index knows, for a sweep to compare with the disk. Used by
// sweep.ts.
import { setImmediate as nextTurn } from "node:timers/promises";
import { Turns } from "../../kernel/kernel.ts";
import type { IndexDatabase, Row } from "../../sqlite/sqlite.ts";
import type { Version } from "../../search/search.ts";

export interface KnownFile {
  readonly version: Version;
  /** The hash of the content, if it was listed, or the next change may not show in the version. */
  readonly hash: string | undefined;
  /** Why the file could not be read. */
  readonly unread: string | undefined;
}

/** Rows per read: few enough to be garbage-collected early. */
const ROWS = 4000;
const COLUMNS = "SELECT id, path, size, mtime, inode, hash, unread FROM document";

/** A path, and the bounds of all paths below it. */
export function rangeOf(path: string): [path: string, first: string, end: string] {
  // "0" is the character after the slash.
  return [path, `${path}/`, `${path}0`];
}

interface ComparedFile extends KnownFile {
  isOnDisk: boolean;
}

export class KnownFiles {
  readonly #files = new Map<string, ComparedFile>();

  /** @param within only what is at or below these paths */
  static async read(database: IndexDatabase, within: readonly string[] | undefined): Promise<KnownFiles> {
    const files = new KnownFiles();
    const turns = new Turns();
    for (const path of within ?? []) {
      if (turns.isOver()) await turns.next();
      for (const row of database.all(`${COLUMNS} WHERE path = ?`, path)) files.#add(row);
      const [, first, end] = rangeOf(path);
      for (let last = first, isMore = true; isMore;) {
        const rows = database.all(`${COLUMNS} WHERE path > ? AND path < ? ORDER BY path LIMIT ${ROWS}`, last, end);
        for (const row of rows) files.#add(row);
        isMore = rows.length === ROWS;
        last = String(rows.at(-1)?.["path"] ?? "");
        if (isMore) await nextTurn();
      }
    }
    for (let last = 0, isMore = within === undefined; isMore;) {
      const rows = database.all(`${COLUMNS} WHERE id > ? ORDER BY id LIMIT ${ROWS}`, last);
      for (const row of rows) files.#add(row);
      isMore = rows.length === ROWS;
      last = Number(rows.at(-1)?.["id"] ?? 0);
      await nextTurn();
    }
    return files;
  }

  get(path: string): KnownFile | undefined {
    return this.#files.get(path);
  }

  /**
   * Must be called for each file that exists.
   * @param hash that of its content, if it is listed
   * @returns "repeated" for a second call; "same" if the file has the version that was
   *   read, and was old enough then for the version to be reliable
   */
  compare(
    path: string,
    { size, mtime, inode }: Version,
    hash?: string,
  ): "unknown" | "same" | "may differ" | "repeated" {
    const known = this.#files.get(path);
    if (known === undefined) return "unknown";
    if (known.isOnDisk) return "repeated";
    known.isOnDisk = true;
    const { version } = known;
    const looksSame = version.size === size && version.mtime === mtime && version.inode === inode;
    return looksSame && known.hash === hash && known.unread === undefined ? "same" : "may differ";
  }

  /** The known files for which `compare` was not called. */
  missing(): string[] {
    const paths: string[] = [];
    for (const [path, { isOnDisk }] of this.#files) if (!isOnDisk) paths.push(path);
    return paths;
  }

  #add(row: Row): void {
    this.#files.set(String(row["path"]), {
      version: { size: Number(row["size"]), mtime: Number(row["mtime"]), inode: Number(row["inode"]) },
      hash: row["hash"] === null ? undefined : String(row["hash"]),
      unread: row["unread"] === null ? undefined : String(row["unread"]),
      isOnDisk: false,
    });
  }
}
