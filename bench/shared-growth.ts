// Notes in a space of a shared store, from 10,000 to 200,000 of them: how reads,
// searches, writes, the first index and the room on the disk grow. bench/shared-notes.ts
// compares a space with a folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findPostgresql } from "../scripts/postgresql.mjs";
import type { VaultPath } from "../src/files/files.ts";
import { openFolderStore, openSharedStore, transferFiles } from "../src/journal/journal.ts";
import { createStore, ensureSpace, openStore, type Store } from "../src/shared/shared.ts";
import { append } from "../src/vault/edits/note-changes.ts";
import { editNote } from "../src/vault/edits/note-editor.ts";
import { openSharedVault, readNote, type Vault } from "../src/vault/vault.ts";
import { startCluster, SUPERUSER } from "../test/postgres/cluster.ts";
import { noteText } from "./data/notes.ts";
import { queryAt, wordAt } from "./data/words.ts";
import { goal, median, ms, quantile, repeated, table, timed, times } from "./measurement/measure.ts";

const SIZES = [10_000, 50_000, 200_000];
const ROUNDS = 100;
const IN_FOLDER = 100;
/** The default of the tests, 32 MB, is for databases that fit into it. */
const SETTINGS = ["shared_buffers=512MB", "max_wal_size=4GB"];

/** Milliseconds, or bytes. */
type Figures = Readonly<Record<(typeof ROWS)[number][0], number>>;

const ROWS = [
  ["read", "read a note", ms],
  ["list", `list a folder of ${IN_FOLDER} notes`, ms],
  ["search", "search, p50", ms],
  ["slowSearch", "search, p95", ms],
  ["append", "append a line", ms],
  ["found", "append a line, and find it", ms],
  ["importing", "import, for 10,000 notes", ms],
  ["index", "first index, for 10,000 notes", ms],
  ["files", "the notes, as texts", megabytes],
  ["fileRows", "the notes in the database, with their history", megabytes],
] as const;

export async function run(): Promise<void> {
  const programs = findPostgresql();
  if (programs === undefined) return console.log("PostgreSQL is missing: see CONTRIBUTING.md.");
  const cluster = await startCluster(programs, SETTINGS);
  const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  const address = `postgres://${SUPERUSER}:${encodeURIComponent(cluster.password)}@127.0.0.1:${cluster.port}/postgres`;
  const store = openStore({ address });
  const place = { store, space: "notes", folder: join(home, "space") };
  try {
    await createStore(store);
    await ensureSpace(store, "notes");
    const vault = await openSharedVault(place, { cache: join(home, "shared"), log: () => {} });
    const figures: Figures[] = [];
    let [known, files] = [0, 0];
    for (const size of SIZES) {
      const folder = join(home, `Notes ${size}`);
      for (let i = known; i < size; i++) files += writeNote(folder, i);
      const from = openFolderStore(folder, join(home, "journal"), { log: () => {} });
      const to = await openSharedStore(place, { log: () => {} });
      const importing = await timed(() => transferFiles({ from: from.root, to, message: "Import" }));
      const index = await timed(() => vault.index.refresh());
      rmSync(folder, { recursive: true });
      const added = (size - known) / 10_000;
      known = size;
      const rest = { importing: importing / added, index: index / added, files };
      figures.push({ ...(await measured(vault, size)), ...(await bytesOf(store)), ...rest });
      console.log(`${size} notes: ${JSON.stringify(figures.at(-1))}`);
    }
    await vault.close();
    show(figures);
  } finally {
    await store.close();
    await cluster.remove();
    rmSync(home, { recursive: true, force: true });
  }
}

function pathOf(i: number): string {
  return `Folder ${Math.floor(i / IN_FOLDER)}/${wordAt(i)} ${i}.md`;
}

/** @returns its bytes */
function writeNote(folder: string, i: number): number {
  const file = join(folder, pathOf(i));
  mkdirSync(dirname(file), { recursive: true });
  const text = noteText(i);
  writeFileSync(file, text);
  return Buffer.byteLength(text);
}

async function measured(vault: Vault, size: number) {
  /** Notes from everywhere in the space. */
  const noteAt = (round: number) => pathOf((round * 7_919) % size);
  const search = async (query: string) => (await vault.index.search(query, { limit: 10 })).hits;
  const add = (round: number, line: string) =>
    editNote(vault, { tool: "bench" }, { filePath: noteAt(round), change: append(line) });
  const read = await rounds((round) => readNote(vault, noteAt(round)));
  const list = await rounds(async (round) => [...(await vault.root.list(dirname(noteAt(round)) as VaultPath))]);
  const searches = await rounds((round) => search(queryAt(round)));
  const appended = await rounds((round) => add(round, "One more line."));
  await vault.index.refresh();
  const found = await rounds(async (round) => {
    const word = `added${size}at${round}`;
    await add(round + ROUNDS, `A line with ${word}.`);
    if ((await search(word)).length !== 1) throw new Error(`${word} was not found once.`);
  });
  return {
    read: median(read),
    list: median(list),
    search: median(searches),
    slowSearch: quantile(searches, 0.95),
    append: median(appended),
    found: median(found),
  };
}

function rounds(work: (round: number) => Promise<unknown>): Promise<number[]> {
  return repeated(ROUNDS, (round) => timed(() => work(round)));
}

async function bytesOf(store: Store) {
  const [row] = await store.asLogin(
    (sql) => sql`
      SELECT sum(pg_total_relation_size(oid)) FILTER (WHERE relname LIKE 'file%') AS files FROM pg_class WHERE relnamespace = 'commonplace'::regnamespace AND relkind = 'r'`,
  );
  return { fileRows: Number(row!["files"]) };
}

function show(figures: readonly Figures[]): void {
  table(
    "notes in a space of a shared store (one process, PostgreSQL on loopback with 512 MB of buffers)",
    ["", ...SIZES.map((size) => size.toLocaleString("en"))],
    ROWS.map(([key, name, shown]) => [name, ...figures.map((each) => shown(each[key]))]),
  );
  const growth = SIZES.at(-1)! / SIZES[0]!;
  const grown = (key: keyof Figures) => figures.at(-1)![key] / figures[0]![key];
  for (const key of ["read", "list", "append"] as const)
    goal(
      grown(key) <= 2,
      `${ROWS.find(([name]) => name === key)![1]}: at most twice as long with ${growth} times the notes: ${times(grown(key))}`,
    );
  goal(
    grown("search") <= growth,
    `search: at most ${growth} times as long with ${growth} times the notes: ${times(grown("search"))}`,
  );
  goal(grown("index") <= 1.5, `first index: a note takes about as long: ${times(grown("index"))}`);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}
