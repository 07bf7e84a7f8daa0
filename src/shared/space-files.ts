// The files of one space of a shared store, as rows: how they are asked for, in a
// transaction of its own or in that of the change that is being made, and the feed of what
// changed. Used by the journal of a space, and by what keeps an index of it.
import { AsyncLocalStorage } from "node:async_hooks";
import { comparable, type VaultPath } from "../files/files.ts";
import { Problem } from "../kernel/kernel.ts";
import { Standing } from "./standing.ts";
import type { Store } from "./store.ts";
import type { Row, TaggedQuery, Value } from "./tagged-query.ts";

/** The path of a file or folder, and which of them it is. */
export type StoredEntryName = readonly [path: VaultPath, kind: "file" | "folder"];

export interface ChangedFile {
  readonly file: number;
  readonly facts: FedFacts | undefined;
}

export interface FedFacts {
  readonly path: VaultPath;
  readonly size: number;
  readonly modified: number;
  readonly created: number;
  readonly hash: string;
}

export interface StoredContent extends Row {
  readonly bytes: Buffer | null;
}

type Question<T> = (sql: TaggedQuery, space: number) => Promise<T>;

export interface SharedSpace {
  readonly store: Store;
  readonly name: string;
  /** Names the space on this machine; nothing is at this path. */
  readonly folder: string;
  /** Asks with the space's number, within the change in progress if there is one. The question may be asked twice. */
  readonly ask: <T>(question: Question<T>) => Promise<T>;
  /** The same for what changes rows beside the files and their journal. */
  readonly write: <T>(question: Question<T>) => Promise<T>;
  /** Asked before every answer from an index of the space. */
  readonly standing: () => Promise<Standing>;
  /** The files that changed after a number of the feed; all that there are after 0. Undefined facts are of a file that is gone. */
  readonly changesAfter: (number: number) => Promise<readonly ChangedFile[]>;
  /** The bytes of these files, by path, in one statement; without those that are gone, or have more bytes than that. */
  readonly contentsOf: (paths: readonly VaultPath[], most: number) => Promise<ReadonlyMap<string, Buffer>>;
  /** Reads the rows of the files and folders with these keys, without their bytes. */
  readonly rowsAt: (keys: readonly string[]) => Promise<readonly Row[]>;
  /** The same with its bytes, which are null if there are more than `most`; undefined if nothing is there. */
  readonly contentAt: (key: string, most: number) => Promise<StoredContent | undefined>;
  /** Lists the entries below the folder with this key, or only those directly in it. */
  readonly entriesBelow: (key: string, isDirect: boolean) => Promise<readonly StoredEntryName[]>;
  /**
   * Runs `work` within this transaction: a plan sees the state that it will change, on one connection. The
   * transaction must have locked the space, and change nothing before its last question.
   */
  readonly within: <T>(sql: TaggedQuery, work: () => Promise<T>) => Promise<T>;
}

/** The state of a space while it is locked. */
interface Locked {
  readonly sql: TaggedQuery;
  id: number | undefined;
  questions: number;
  /** The number of questions from which on all rows are read at once. */
  enough: number | undefined;
  rows: ReadonlyMap<string, Row> | undefined;
}

/**
 * A plan that has asked about so many single rows asks how many there are, and reads all of them at once when it has
 * asked about one in a hundred, which takes as long: a move may ask about every note. An import read all rows of a
 * large space for each 200 files.
 */
const FEW_QUESTIONS = 50;
const ROWS_FOR_A_QUESTION = 100;
/** Files that come as texts in one value: parsing a longer one would hold up others. */
const MAX_TEXTS = 100;
const FACTS = "path, key, kind, file.id, size, version, file.created, modified, hash";

export function sharedSpace(store: Store, name: string, folder: string): SharedSpace {
  const current = new AsyncLocalStorage<Locked>();
  /** The number that the space had when it was last asked for. */
  let last: number | undefined;
  const within = async <T>(locked: Locked, question: Question<T>): Promise<T> =>
    question(locked.sql, (locked.id ??= await numberOf(locked.sql, name)));
  const ask: SharedSpace["ask"] = async (question) => {
    const locked = current.getStore();
    if (locked !== undefined) return within(locked, question);
    return store.reading(async (sql) => {
      // At once: the number is nearly always the one that it was, and whether one is in the space is asked as well.
      const expected = last;
      const [number, answer] = await Promise.allSettled([
        numberOf(sql, name),
        expected === undefined ? undefined : question(sql, expected),
      ]);
      if (number.status === "rejected") throw number.reason;
      last = number.value;
      if (last !== expected) return question(sql, last);
      if (answer.status === "rejected") throw answer.reason;
      return answer.value as Awaited<ReturnType<typeof question>>;
    });
  };
  const write: SharedSpace["write"] = async (question) => {
    const locked = current.getStore();
    if (locked !== undefined) return within(locked, question);
    return store.transaction(async (sql) => question(sql, await numberOf(sql, name)));
  };
  const reading = <T>(question: (sql: TaggedQuery) => Promise<T>): Promise<T> => {
    const locked = current.getStore();
    return locked === undefined ? store.reading(question) : question(locked.sql);
  };
  const call = (named: string, values: readonly Value[]): Promise<unknown> => {
    const locked = current.getStore();
    return locked === undefined ? store.call(named, values) : locked.sql.call(named, values);
  };
  /** In one question: most calls ask for one or two rows. */
  const rowsOf = async (statement: string, values: readonly Value[]) => {
    const rows = await reading((sql) => sql.run(statement, values));
    if (rows.length === 0) throw noAccess(name);
    return rows.filter((row) => row["key"] !== null);
  };
  return {
    store,
    name,
    folder,
    ask,
    write,
    standing: async () => {
      const standing = await Standing.ofFiles(call, name);
      if (standing === undefined) throw noAccess(name);
      if (current.getStore() === undefined) last = standing.space;
      return standing;
    },
    changesAfter: (number) =>
      ask(async (sql, id) => {
        const facts = "path, size, modified, created, hash";
        const rows =
          number === 0
            ? await sql.run(`SELECT id AS file, ${facts} FROM commonplace.file WHERE space = $1 AND kind = 'file'`, [
                id,
              ])
            : await sql.run(
                `SELECT feed.file, ${facts} FROM commonplace.file_feed AS feed
                 LEFT JOIN commonplace.file ON file.space = feed.space AND file.id = feed.file
                 WHERE feed.space = $1 AND feed.number > $2`,
                [id, number],
              );
        return rows.map(changedFileIn);
      }),
    contentsOf: async (paths, most) => {
      const ofKey = new Map(paths.map((path) => [comparable(path, { ignoreCase: false }), path]));
      if (last !== undefined && current.getStore() === undefined && paths.length <= MAX_TEXTS) {
        const texts = (await call("read_texts", [last, [...ofKey.keys()], most])) as Record<string, string> | null;
        if (texts !== null)
          return new Map(Object.entries(texts).map(([key, text]) => [ofKey.get(key)!, Buffer.from(text)]));
      }
      const rows = await ask(
        (sql, id) => sql`
          SELECT key, bytes FROM commonplace.file
          WHERE space = ${id} AND key = ANY(${[...ofKey.keys()]}) AND kind = 'file' AND size <= ${most}`,
      );
      return new Map(rows.map((row) => [ofKey.get(String(row["key"]))!, row["bytes"] as Buffer]));
    },
    rowsAt: async (keys) => {
      const locked = current.getStore();
      if (locked !== undefined && locked.rows === undefined && ++locked.questions > FEW_QUESTIONS) {
        locked.enough ??= await ask(async (sql, id) => {
          const [row] = await sql`SELECT count(*) FROM commonplace.file WHERE space = ${id}`;
          return Number(row!["count"]) / ROWS_FOR_A_QUESTION;
        });
        if (locked.questions > locked.enough)
          locked.rows = await ask(async (sql, id) => {
            const rows = await sql.run(`SELECT ${FACTS} FROM commonplace.file WHERE space = $1`, [id]);
            return new Map<string, Row>(rows.map((row) => [String(row["key"]), row]));
          });
      }
      const known = locked?.rows;
      if (known !== undefined) return keys.map((key) => known.get(key)).filter((row) => row !== undefined);
      return rowsOf(
        `SELECT ${FACTS} FROM commonplace.space
         LEFT JOIN commonplace.file ON file.space = space.id AND key = ANY($2) WHERE space.name = $1`,
        [name, keys],
      );
    },
    contentAt: async (key, most) => {
      const locked = current.getStore();
      const known = locked === undefined ? last : locked.id;
      const answer = await call("read_file", [name, known ?? null, key, most]);
      if (answer === null) throw noAccess(name);
      const { space, row } = contentIn(String(answer), most);
      if (locked === undefined) last = space;
      else locked.id = space;
      return row;
    },
    entriesBelow: async (key, isDirect) => {
      const entries = (await call("files_below", [name, key, isDirect])) as
        | readonly [files: VaultPath[] | null, folders: VaultPath[] | null]
        | null;
      if (entries === null) throw noAccess(name);
      const [files, folders] = entries;
      return [
        ...(folders ?? []).map((path): StoredEntryName => [path, "folder"]),
        ...(files ?? []).map((path): StoredEntryName => [path, "file"]),
      ];
    },
    within: (sql, work) => current.run({ sql, id: undefined, questions: 0, enough: undefined, rows: undefined }, work),
  };
}

function changedFileIn({ file, path, size, modified, created, hash }: Row): ChangedFile {
  if (path === null) return { file: Number(file), facts: undefined };
  const times = { modified: Number(modified), created: Number(created) };
  return { file: Number(file), facts: { path: path as VaultPath, size: Number(size), ...times, hash: String(hash) } };
}

type ContentFacts = [
  space: number,
  isText: boolean,
  path: string,
  kind: string,
  id: number,
  size: number,
  version: number,
  created: number,
  modified: number,
  hash: string | null,
];

/** Parses the answer of read_file (shared/schema/files.ts). */
function contentIn(answer: string, most: number): { readonly space: number; readonly row: StoredContent | undefined } {
  const end = answer.indexOf("\n");
  if (end === -1) return { space: (JSON.parse(answer) as [number])[0], row: undefined };
  const [space, isText, path, kind, id, size, version, created, modified, hash] = JSON.parse(
    answer.slice(0, end),
  ) as ContentFacts;
  const isWhole = kind === "file" && size <= most;
  const bytes = isWhole ? Buffer.from(answer.slice(end + 1), isText ? "utf8" : "hex") : null;
  return { space, row: { path, kind, id, size, version, created, modified, hash, bytes } };
}

/** Asked each time: who was removed from the space must not take it for an empty one. */
async function numberOf(sql: TaggedQuery, name: string): Promise<number> {
  const [row] = await sql`SELECT id FROM commonplace.space WHERE name = ${name}`;
  if (row !== undefined) return Number(row["id"]);
  throw noAccess(name);
}

function noAccess(name: string): Problem {
  return new Problem(
    "denied",
    `You have no access to the space ${name} of the shared store.`,
    "'commonplace store status' shows your spaces; an owner lets you into another with 'commonplace store add'.",
  );
}
