// The properties, tags, links, tasks, sizes and times of all files of a vault, in
// memory, for queries and lists of tasks: reading 10,000 of them from SQLite takes 200
// ms, a query of what is in memory 10 ms. After a change only what changed is read
// again, and after some minutes without a query the memory is given back. Used by
// note-database.ts and by query/.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import type { Facts } from "../../search/search.ts";
import { once, Turns } from "../../kernel/kernel.ts";
import { NameTable, type NoteLink, type TargetRule, type Task } from "../../markdown/markdown.ts";
import type { FileFacts, FileLink, World } from "../bases/bases.ts";
import { targetRuleOf } from "./note-links.ts";

export interface IndexedFile extends FileFacts {
  readonly isNote: boolean;
  readonly links: readonly IndexedLink[];
  /** List items with a check box, in their order. */
  readonly tasks: readonly Task[];
}

interface IndexedLink extends FileLink {
  readonly rule: TargetRule;
}

/** All files at one moment. */
export class FileTable implements World {
  readonly files: readonly IndexedFile[];
  readonly #byPath: ReadonlyMap<string, IndexedFile>;
  readonly #names: () => NameTable;
  /** By folder, on which the meaning of a target may depend, then by target. */
  readonly #resolved = new Map<string, Map<string, string | undefined>>();
  readonly #linked = new Map<string, ReadonlySet<string>>();
  #backlinks: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(files: readonly IndexedFile[], names?: () => NameTable) {
    this.files = files;
    this.#byPath = new Map(files.map((file) => [file.path, file]));
    this.#names = names ?? once(() => NameTable.of(files.map(({ path }) => path)));
  }

  /** The next state: the table of names is only made again if a path changed. */
  with(files: readonly IndexedFile[]): FileTable {
    const isSame = files.length === this.files.length && files.every(({ path }) => this.#byPath.has(path));
    return new FileTable(files, isSame ? this.#names : undefined);
  }

  file(path: string): IndexedFile | undefined {
    return this.#byPath.get(path);
  }

  resolve(target: string, from: string, rule: TargetRule = "wiki"): string | undefined {
    const slash = from.lastIndexOf("/");
    const place = slash === -1 ? rule : rule + from.slice(0, slash);
    let known = this.#resolved.get(place);
    if (known === undefined) this.#resolved.set(place, (known = new Map()));
    if (!known.has(target)) known.set(target, this.#names().resolve(target, from, rule));
    return known.get(target);
  }

  linked({ path }: FileFacts): ReadonlySet<string> {
    let linked = this.#linked.get(path);
    if (linked === undefined) {
      const links = this.#byPath.get(path)?.links ?? [];
      linked = new Set(links.flatMap(({ target, rule }) => this.resolve(target, path, rule) ?? []));
      this.#linked.set(path, linked);
    }
    return linked;
  }

  backlinks(path: string): readonly string[] {
    this.#backlinks ??= this.#allBacklinks();
    return this.#backlinks.get(path) ?? [];
  }

  #allBacklinks(): ReadonlyMap<string, readonly string[]> {
    const linking = new Map<string, string[]>();
    for (const file of this.files)
      for (const path of this.linked(file)) {
        const others = linking.get(path);
        if (others === undefined) linking.set(path, [file.path]);
        else others.push(file.path);
      }
    return linking;
  }
}

interface Cached {
  readonly version: string;
  readonly table: FileTable;
  readonly files: ReadonlyMap<number, CachedFile>;
  /** The highest id. */
  readonly newest: number;
}

/** A file, and the columns that change whenever its facts do. */
interface CachedFile extends Pick<DocumentRow, (typeof STAMP)[number]> {
  readonly file: IndexedFile;
}

const STAMP = ["size", "mtime", "inode", "hash", "unread"] as const;

/** Milliseconds without a query after which the memory is given back. */
export const KEPT = 5 * 60_000;
const ROWS_A_STEP = 500;
/** Of the files that are known, as a share. */
const MANY_NEW = 0.01;

export class FileTableCache {
  readonly #database: IndexDatabase;
  #cached: Cached | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: IndexDatabase) {
    this.#database = database;
  }

  async read(signal?: AbortSignal): Promise<FileTable> {
    const version = this.#database.version();
    if (this.#cached?.version !== version) {
      const before = this.#cached;
      const files = await this.#readFiles(before, new Turns(signal));
      const sorted = inOrder(files, before);
      const table = before === undefined ? new FileTable(sorted) : before.table.with(sorted);
      // The version is older than what was read, if anything: then the next query looks again.
      let newest = 0;
      for (const id of files.keys()) newest = Math.max(newest, id);
      this.#cached = { version, table, files, newest };
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.drop(), KEPT).unref();
    return this.#cached!.table;
  }

  drop(): void {
    clearTimeout(this.#timer);
    this.#cached = undefined;
  }

  /**
   * New files are read by path, as queries go through them: what is read one after the other lies in memory one after
   * the other. In the order of the index a query of 100,000 files took two and a half times as long, waiting for
   * memory. If hardly any can be new, changes are looked for by id, in a third of the time.
   */
  async #readFiles(before: Cached | undefined, turns: Turns): Promise<Map<number, CachedFile>> {
    const files = new Map<number, CachedFile>();
    const key = before === undefined || this.#newSince(before) > before.files.size * MANY_NEW ? "path" : "id";
    for (let last: string | number = key === "path" ? "" : -1; ;) {
      const rows = this.#database.all(
        `SELECT id, path, kind, created, ${STAMP.join(", ")}
         FROM document WHERE ${key} > ? AND kind NOT IN ('folder', 'copy') ORDER BY ${key} LIMIT ${ROWS_A_STEP}`,
        last,
      ) as unknown as DocumentRow[];
      if (rows.length === 0) return files;
      const isSame = (row: DocumentRow, known: CachedFile | undefined) =>
        known !== undefined && STAMP.every((column) => known[column] === row[column]);
      const facts = this.#factsOf(rows.filter((row) => !isSame(row, before?.files.get(row.id))));
      for (const row of rows) {
        const known = before?.files.get(row.id);
        if (isSame(row, known) && known!.file.path === row.path) files.set(row.id, known!);
        else {
          const { size, mtime, inode, hash, unread } = row;
          const file = fileOf(row, facts.get(row.id) ?? known?.file);
          files.set(row.id, { file, size, mtime, inode, hash, unread });
        }
      }
      last = rows.at(-1)![key];
      if (turns.isOver()) await turns.next();
    }
  }

  /** At most so many files are new. */
  #newSince({ newest }: Cached): number {
    return Number(this.#database.get("SELECT max(id) AS newest FROM document")!["newest"] ?? 0) - newest;
  }

  #factsOf(rows: readonly DocumentRow[]): ReadonlyMap<number, Known> {
    if (rows.length === 0) return new Map();
    const found = this.#database.all(
      "SELECT document, facts FROM facts WHERE document IN (SELECT value FROM json_each(?))",
      JSON.stringify(rows.map(({ id }) => id)),
    );
    return new Map(found.map((row) => [Number(row["document"]), knownOf(JSON.parse(String(row["facts"])) as Facts)]));
  }
}

/** By their paths. While no path changes, the order stays: sorting 100,000 paths takes longer than all the rest. */
function inOrder(files: ReadonlyMap<number, CachedFile>, before: Cached | undefined): readonly IndexedFile[] {
  const replaced = new Map<IndexedFile, IndexedFile>();
  let hasSamePaths = before?.files.size === files.size;
  for (const [id, { file }] of files) {
    const known = before?.files.get(id)?.file;
    hasSamePaths &&= known?.path === file.path;
    if (!hasSamePaths) break;
    if (known !== file) replaced.set(known!, file);
  }
  if (hasSamePaths) return before!.table.files.map((file) => replaced.get(file) ?? file);
  return Array.from(files.values(), ({ file }) => file).sort((a, b) => (a.path < b.path ? -1 : 1));
}

interface DocumentRow {
  readonly id: number;
  readonly path: string;
  readonly kind: string;
  readonly size: number;
  readonly mtime: number;
  readonly created: number;
  readonly inode: number;
  readonly hash: string | null;
  readonly unread: string | null;
}

export type Known = Pick<IndexedFile, "tags" | "properties" | "links" | "tasks">;

/** Most files have none of these: one empty list serves all. */
const NOTHING: Known = { tags: [], properties: {}, links: [], tasks: [] };

export function knownOf({ tags, properties, links, tasks }: Facts): Known {
  return {
    tags: tags.length === 0 ? NOTHING.tags : tags,
    properties,
    links: links.length === 0 ? NOTHING.links : links.filter(({ form }) => form !== "folder").map(linkOf),
    tasks: tasks.length === 0 ? NOTHING.tasks : tasks,
  };
}

function linkOf(link: NoteLink): IndexedLink {
  const { target, subpath, isEmbed } = link;
  return { target, subpath, isEmbed, rule: targetRuleOf(link) };
}

export function fileOf(
  row: Pick<DocumentRow, "path" | "kind" | "size" | "mtime" | "created">,
  { tags, properties, links, tasks }: Known = NOTHING,
): IndexedFile {
  const { path, kind, size, mtime, created } = row;
  return {
    path,
    isNote: kind === "note",
    size: Math.max(size, 0),
    mtime: Math.round(mtime),
    ctime: Math.round(created),
    tags,
    properties,
    // For Obsidian, what the formulas of a base name are no links of it.
    links: kind === "base" ? NOTHING.links : links,
    tasks,
  };
}
