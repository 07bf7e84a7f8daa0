// The index of the conversations of a space: the tables of this machine's own store
// (store/tables.ts), fed from the shared store, newest first. It finds and ranks, and has no
// texts but titles and names: those of the hits come from the store, as the member who
// asks. Used by shared-recall.ts.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Log, nameIn, quickHash } from "../../kernel/kernel.ts";
import type { Standing, ChangedConversation, ConversationFeed, FedConversation } from "../../shared/shared.ts";
import { MARK, REDACTION } from "../../redaction/redaction.ts";
import { documentSets, indexText, placesCache, type SweepOptions } from "../../search/search.ts";
import {
  alone,
  IndexDatabase,
  keepLease,
  type Layout,
  readFed,
  readState,
  removeDatabaseFiles,
  type Row,
  takeLease,
  writeFed,
  writeState,
} from "../../sqlite/sqlite.ts";
import type { Searching } from "../recall/local-store.ts";
import { signalCache } from "../recall/signals.ts";
import { FilterCache } from "../store/filter-cache.ts";
import { indexedText, partsIn, withoutSecretsIn } from "../store/pages.ts";
import { CONVERSATIONS } from "../store/tables.ts";
import { textRowsCache } from "../store/text-rows.ts";
import { SPACE_KIND } from "./space-kind.ts";

/**
 * - fed: the conversations, the number of the last change of each that was indexed, and how it was redacted
 * - page.unit: the number of the page in the shared store
 */
const FED = "CREATE TABLE fed (conversation INTEGER PRIMARY KEY, number INTEGER NOT NULL, redaction INTEGER NOT NULL)";

/** The number is in the name of the file: see space-kind.ts. */
export const SPACE_VERSIONS = CONVERSATIONS.versions.length + 1;

const LAYOUT: Layout = {
  ...CONVERSATIONS,
  name: "the index of shared conversations",
  versions: [...CONVERSATIONS.versions, FED],
  prepare: (database) => {
    CONVERSATIONS.prepare!(database);
    // Free pages keep nothing that was taken back.
    database.exec("PRAGMA secure_delete = ON");
  },
  clear: removeDatabaseFiles,
};

export interface SpaceIndex extends Searching {
  readonly exists: () => boolean;
  readonly state: () => ReturnType<typeof readState>;
  readonly fed: () => ReturnType<typeof readFed>;
  /** Indexes what a feed has after that; of another feed, everything. Undefined while another process does it. */
  readonly follow: (feed: ConversationFeed, options: SweepOptions) => Promise<true | undefined>;
  /** While a feed is followed: conversations that were last updated then, or before, may be missing. */
  readonly missingUntil: () => number;
  readonly recover: (error: unknown) => boolean;
  readonly close: () => void;
}

/** One file for each space of a store. @param store its address, without a password */
export function spaceIndexPath(cache: string, store: string, { space }: Pick<Standing, "space">): string {
  return join(cache, `${beginningOf(store)}${space}.db`);
}

function beginningOf(store: string): string {
  return `${SPACE_KIND}-${quickHash(store)}-`;
}

/** Deletes the indexes of spaces that the member is not in any more. Only on the member's own machine. */
export function removeOtherSpaces(cache: string, store: string, standings: readonly Standing[]): void {
  const own = new Set(standings.map((one) => spaceIndexPath(cache, store, one)));
  for (const name of existsSync(cache) ? readdirSync(cache) : []) {
    const path = join(cache, name);
    if (name.startsWith(beginningOf(store)) && name.endsWith(".db") && !own.has(path)) removeDatabaseFiles(path);
  }
}

export function openSpaceIndex(file: string, log: Log): SpaceIndex {
  const database = new IndexDatabase(file, log, LAYOUT);
  return {
    database,
    rows: textRowsCache(database),
    places: placesCache(database, ["prose"]),
    frequent: documentSets(database),
    filters: new FilterCache(database),
    signals: signalCache(database),
    exists: () => database.isOpen || existsSync(file),
    state: () => {
      database.notice();
      return readState(database);
    },
    fed: () => {
      database.notice();
      return readFed(database);
    },
    follow: (feed, options) => alone(database, options.signal, (holder) => follow(database, holder, feed, options)),
    missingUntil: () => Number(database.get("SELECT value FROM state WHERE key = 'missing until'")?.["value"] ?? 0),
    recover: (error) => database.recover(error),
    close: () => database.close(),
  };
}

/** Messages of the conversations that are read at once: about 4 MB. */
const MAX_PORTION = 2_000;
const MAX_CONVERSATIONS = 100;
/** In milliseconds. */
const SLICE = 10;
const MERGED_PAGES = 300;

async function follow(
  database: IndexDatabase,
  holder: string,
  { to, isRestored, changesAfter, contents }: ConversationFeed,
  { signal, onProgress }: SweepOptions,
): Promise<true> {
  const began = Date.now();
  const { identity } = to;
  await database.write(() => {
    const known = readFed(database);
    if (known?.identity === identity && !(isRestored && known.number > to.number)) return;
    if (known !== undefined) removeEverything(database);
    takeLease(database, holder);
    writeFed(database, { identity, number: 0 });
  }, signal);
  const { number: after } = readFed(database)!;
  const { changed, gone } = await changesAfter(after);
  const known = new Map(
    database
      .all("SELECT conversation, number FROM fed")
      .map((row) => [Number(row["conversation"]), Number(row["number"])]),
  );
  // A feed that was begun before goes on where it was left.
  const due = changed.filter(({ id, number }) => known.get(id) !== number);
  const there = new Set(after === 0 ? changed.map(({ id }) => id) : []);
  const left = after === 0 ? [...known.keys()].filter((id) => !there.has(id)) : gone.filter((id) => known.has(id));
  let isTakenBack = left.length > 0;
  let done = 0;
  const saveState = () => {
    keepLease(database, holder);
    writeState(database, { done, total: due.length });
    database.runAside("INSERT OR REPLACE INTO state VALUES ('missing until', ?)", due[done]?.updated ?? 0);
  };
  const run = async (work: Iterator<Step>) => {
    const step = () => {
      const end = performance.now() + SLICE;
      let next = work.next();
      while (!next.done && performance.now() < end) next = work.next();
      return next.done ? false : next.value === "unfinished" ? next.value : true;
    };
    while (await database.writeInTurns(step, signal, saveState)) signal?.throwIfAborted();
  };
  await run(removing(database, left));
  let ahead = reading(contents, due, 0);
  while (done < due.length) {
    const { portion, found } = await ahead;
    ahead = reading(contents, due, done + portion.length);
    // Nobody waits for it if writing fails.
    ahead.catch(() => {});
    await run(
      (function* () {
        for (const { id, number } of portion) {
          const conversation = found.get(id);
          isTakenBack ||= isRedactedAgain(database, id, conversation);
          if (conversation !== undefined) yield* putting(database, number, conversation);
          done++;
          yield "whole";
        }
      })(),
    );
    onProgress?.(done, due.length);
  }
  await database.write(() => {
    saveState();
    writeState(database, { swept: began });
    writeFed(database, { identity, number: Math.max(after, to.number) });
  }, signal);
  // All segments into one have nothing of what is gone.
  for (const table of due.length > 0 || isTakenBack ? ["text", "tool_text"] : [])
    while (await database.write(() => database.merge(isTakenBack ? -MERGED_PAGES : MERGED_PAGES, table), signal))
      await nextTurn();
  if (isTakenBack) database.all("PRAGMA wal_checkpoint(TRUNCATE)");
  return true;
}

async function reading(contents: ConversationFeed["contents"], due: readonly ChangedConversation[], from: number) {
  let messages = 0;
  let until = from;
  while (until < due.length && until - from < MAX_CONVERSATIONS && messages < MAX_PORTION)
    messages += due[until++]!.messages;
  const portion = due.slice(from, until);
  return {
    portion,
    found: portion.length === 0 ? new Map<number, FedConversation>() : await contents(portion.map(({ id }) => id)),
  };
}

/** After "whole", a transaction may end. */
type Step = "unfinished" | "whole";

/** Words that are left out now must not be found, nor stay in the file. */
function isRedactedAgain(database: IndexDatabase, id: number, now: FedConversation | undefined): boolean {
  const before = database.get("SELECT redaction FROM fed WHERE conversation = ?", id);
  return before !== undefined && Number(before["redaction"]) !== Number(now?.facts["redaction"]);
}

function* removing(database: IndexDatabase, ids: readonly number[]): Generator<Step> {
  for (const id of ids) {
    remove(database, id);
    yield "whole";
  }
  if (ids.length > 0)
    database.run("DELETE FROM place WHERE folder NOT IN (SELECT folder FROM conversation WHERE folder IS NOT NULL)");
}

function remove(database: IndexDatabase, id: number): void {
  database.run("DELETE FROM text WHERE rowid IN (SELECT id FROM page WHERE conversation = ? AND NOT is_rest)", id);
  database.run("DELETE FROM text WHERE rowid IN (SELECT title_row FROM conversation WHERE id = ?)", id);
  database.run("DELETE FROM tool_text WHERE rowid IN (SELECT id FROM page WHERE conversation = ? AND is_rest)", id);
  for (const table of ["page", "file", "fed"]) database.run(`DELETE FROM ${table} WHERE conversation = ?`, id);
  database.run("DELETE FROM conversation WHERE id = ?", id);
}

function removeEverything(database: IndexDatabase): void {
  for (const table of ["text", "tool_text"]) database.run(`INSERT INTO ${table}(${table}) VALUES ('delete-all')`);
  for (const table of ["page", "file", "fed", "conversation", "place", "state"]) database.run(`DELETE FROM ${table}`);
}

function* putting(database: IndexDatabase, number: number, { facts, pages }: FedConversation): Generator<Step> {
  const id = Number(facts["id"]);
  const redaction = Number(facts["redaction"]);
  remove(database, id);
  // One of that name which is gone, and whose removal the feed has yet to say.
  const { id: earlier } =
    database.get(
      "SELECT id FROM conversation WHERE source = ? AND key = ?",
      String(facts["source"]),
      String(facts["key"]),
    ) ?? {};
  if (earlier !== undefined) remove(database, Number(earlier));
  const { last } = database.get(
    "SELECT max(coalesce((SELECT max(id) FROM page), 0), coalesce((SELECT max(title_row) FROM conversation), 0)) AS last",
  )!;
  let row = Number(last);
  const shown = redaction === REDACTION ? (text: string) => text.replace(MARK, " ") : withoutSecretsIn;
  const text = (name: string) => (typeof facts[name] === "string" ? facts[name] : null);
  database.run(
    "INSERT INTO text (rowid, title, prose) VALUES (?, ?, '')",
    ++row,
    indexText(shown(text("title") ?? "")),
  );
  database.run(
    `INSERT INTO conversation (id, source, key, title, title_row, folder, workspace, branch, model, created, created_known,
       updated, updated_known, messages, is_listed, type)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)`,
    id,
    text("source"),
    text("key"),
    text("title"),
    row,
    placeOf(database, facts),
    text("workspace"),
    text("branch"),
    text("model"),
    Number(facts["created"]),
    text("time_known"),
    Number(facts["updated"]),
    text("time_known"),
    Number(facts["messages"]),
    text("type"),
  );
  database.run(
    "INSERT OR REPLACE INTO file SELECT ?, value ->> 0, value ->> 1 FROM json_each(?)",
    id,
    JSON.stringify(facts["touched"]),
  );
  for (const { page, kind, first, last: end, parts } of pages) {
    yield "unfinished";
    const isTools = kind === "tools";
    database.run(
      "INSERT INTO page (id, conversation, unit, first, last, size, is_rest) VALUES (?, ?, ?, ?, ?, 0, ?)",
      ++row,
      id,
      Number(page),
      Number(first),
      Number(end),
      Number(isTools),
    );
    const said = indexedText(partsIn(parts).map((part) => shown(part.text)));
    if (isTools) database.run("INSERT INTO tool_text (rowid, body) VALUES (?, ?)", row, said);
    else database.run("INSERT INTO text (rowid, title, prose) VALUES (?, '', ?)", row, said);
  }
  database.run("INSERT INTO fed VALUES (?, ?, ?)", id, number, redaction);
}

/**
 * The folder that stands for the project of a conversation: a path on the machine of who pushed it. Two projects may have
 * the same path on two machines.
 */
function placeOf(
  database: IndexDatabase,
  { folder, project, root, project_name }: Row | FedConversation["facts"],
): string | null {
  if (typeof project !== "string") return typeof folder === "string" ? nameIn(folder.replaceAll("\\", "/")) : null;
  const path = String(folder ?? root);
  const known = database.get("SELECT project FROM place WHERE folder = ?", path);
  const key = known === undefined || known["project"] === project ? path : `${path}\0${project}`;
  database.run(
    "INSERT OR REPLACE INTO place (folder, project, root, name) VALUES (?, ?, ?, ?)",
    key,
    project,
    String(root),
    String(project_name ?? nameIn(path)),
  );
  return key;
}
