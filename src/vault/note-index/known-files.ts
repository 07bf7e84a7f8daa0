// What the index knows of a vault's files, for a sweep to compare with the disk.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { IndexDatabase, Row } from "../../sqlite/sqlite.ts";
import type { Version } from "../../search/search.ts";

export interface Known {
  readonly version: Version;
  /** Of the content, if the version alone may not reveal the next change. */
  readonly hash: string | undefined;
  /** Why the file could not be read. */
  readonly unread: string | undefined;
}

/** Rows at a time: few enough to be collected while they are young. */
const ROWS = 4000;
const COLUMNS = "SELECT id, path, size, mtime, inode, hash, unread FROM document";

/** A path, and the bounds between which every path below it lies. */
export function rangeOf(path: string): [path: string, first: string, end: string] {
  // "0" is the character after the slash.
  return [path, `${path}/`, `${path}0`];
}

interface MetFile extends Known {
  isMet: boolean;
}

export class KnownFiles {
  readonly #files = new Map<string, MetFile>();

  /** @param within only what is at or below these paths */
  static async read(database: IndexDatabase, within: readonly string[] | undefined): Promise<KnownFiles> {
    const files = new KnownFiles();
    for (const path of within ?? []) {
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

  get(path: string): Known | undefined {
    return this.#files.get(path);
  }

  /**
   * To be called for each file that exists.
   * @returns "again" for one that was met before; "same" if it has the version
   *   that was read, and was old enough then for the version to be reliable
   */
  meet(path: string, { size, mtime, inode }: Version): "unknown" | "same" | "perhaps other" | "again" {
    const known = this.#files.get(path);
    if (known === undefined) return "unknown";
    if (known.isMet) return "again";
    known.isMet = true;
    const { version } = known;
    const looksSame = version.size === size && version.mtime === mtime && version.inode === inode;
    return looksSame && known.hash === undefined && known.unread === undefined ? "same" : "perhaps other";
  }

  /** What is known and was not met. */
  missed(): string[] {
    const paths: string[] = [];
    for (const [path, { isMet }] of this.#files) if (!isMet) paths.push(path);
    return paths;
  }

  #add(row: Row): void {
    this.#files.set(String(row["path"]), {
      version: { size: Number(row["size"]), mtime: Number(row["mtime"]), inode: Number(row["inode"]) },
      hash: row["hash"] === null ? undefined : String(row["hash"]),
      unread: row["unread"] === null ? undefined : String(row["unread"]),
      isMet: false,
    });
  }
}
