// Notes in a space of a shared store against the same notes in a folder, in one
// process: reads, searches and writes, and whether both find the same. How it grows with
// their number is measured by bench/shared-growth.ts.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findPostgresql } from "../scripts/postgresql.mjs";
import type { VaultPath } from "../src/files/files.ts";
import { openFolderStore, openSharedStore, transferFiles } from "../src/journal/journal.ts";
import { createStore, ensureSpace, openStore } from "../src/shared/shared.ts";
import { append } from "../src/vault/edits/note-changes.ts";
import { editNote } from "../src/vault/edits/note-editor.ts";
import { openSharedVault, openVault, readNote, type Vault } from "../src/vault/vault.ts";
import { startCluster, SUPERUSER } from "../test/postgres/cluster.ts";
import { noteText } from "./data/notes.ts";
import { wordAt } from "./data/words.ts";
import { goal, inTurns, median, ms, table, timed, times, worked } from "./measurement/measure.ts";

const NOTES = 10_000;
const QUERIES = 200;
const ROUNDS = 200;
/** More of what takes a fraction of a millisecond: the median of 200 differed by a tenth from run to run. */
const SHORT_ROUNDS = 1_000;

export async function run(): Promise<void> {
  const programs = findPostgresql();
  if (programs === undefined) return console.log("PostgreSQL is missing: see CONTRIBUTING.md.");
  // With the memory that PostgreSQL has as it is installed; tests do with less.
  const cluster = await startCluster(programs, ["shared_buffers=128MB"]);
  const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  const address = `postgres://${SUPERUSER}:${encodeURIComponent(cluster.password)}@127.0.0.1:${cluster.port}/postgres`;
  const store = openStore({ address });
  try {
    await createStore(store);
    await ensureSpace(store, "notes");
    const folder = join(home, "Notes");
    for (let i = 0; i < NOTES; i++) {
      const file = join(folder, pathOf(i));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, noteText(i));
    }
    const place = { store, space: "notes", folder: join(home, "space") };
    const from = openFolderStore(folder, join(home, "journal"), { log: () => {} });
    const to = await openSharedStore(place, { log: () => {} });
    const importing = await timed(() => transferFiles({ from: from.root, to, message: "Import" }));
    const opening = (name: string) => ({ cache: join(home, name), log: () => {} });
    const onDisk = openVault({ ...opening("disk"), folder, isEmbedded: false, journals: join(home, "journal") });
    const shared = await openSharedVault(place, opening("shared"));
    try {
      const size = await store.asLogin((sql) => sql`SELECT pg_database_size(current_database()) AS size`);
      await compare(onDisk, shared, { importing, size: Number(size[0]!["size"]) });
    } finally {
      await onDisk.close();
      await shared.close();
    }
  } finally {
    await store.close();
    await cluster.remove();
    rmSync(home, { recursive: true, force: true });
  }
}

function pathOf(i: number): string {
  return `Folder ${i % 100}/${wordAt(i)} ${i}.md`;
}

interface Imported {
  /** Milliseconds. */
  readonly importing: number;
  /** Bytes of the database after it. */
  readonly size: number;
}

async function compare(onDisk: Vault, shared: Vault, { importing, size }: Imported): Promise<void> {
  const vaults = { folder: onDisk, store: shared };
  const index = await inTurns(1, {
    folder: () => worked(() => onDisk.index.refresh()),
    store: () => worked(() => shared.index.refresh()),
  });
  const measured = async (work: (vault: Vault, round: number) => Promise<unknown>, rounds = ROUNDS) => {
    let round = 0;
    const row = await inTurns(rounds, {
      folder: () => timed(() => work(vaults.folder, round)),
      store: () => timed(() => work(vaults.store, round++)),
    });
    return { folder: median(row.folder), store: median(row.store) };
  };
  const reads = await measured((vault, i) => readNote(vault, pathOf((i * 37) % NOTES)), SHORT_ROUNDS);
  const lists = await measured(
    async (vault, i) => [...(await vault.root.list(`Folder ${i % 100}` as VaultPath))].length,
    SHORT_ROUNDS,
  );
  const searched = { folder: 0, store: 0 };
  // In turns, and once before: both then have the same in their caches.
  for (let i = -QUERIES; i < QUERIES; i++)
    for (const [name, vault] of Object.entries(vaults) as [keyof typeof searched, Vault][]) {
      const taken = await worked(() => vault.index.search(queryOf(Math.abs(i)), { limit: 10 }));
      if (i >= 0) searched[name] += taken / QUERIES;
    }
  // Before the writes: FTS5 counts a note again whenever it is written, the store does not.
  let same = 0;
  for (let i = 0; i < QUERIES; i++) {
    const [one, other] = await Promise.all(
      [onDisk, shared].map(async (vault) => {
        const { hits } = await vault.index.search(queryOf(i), { limit: 10 });
        return JSON.stringify(hits.map(({ path }) => path));
      }),
    );
    if (one === other) same++;
  }
  const writes = await measured((vault, i) =>
    editNote(vault, { tool: "bench" }, { filePath: pathOf((i * 53) % NOTES), change: append("One more line.") }),
  );
  table(
    `${NOTES.toLocaleString("en")} notes in a space of a shared store, against a folder (one process, PostgreSQL on loopback)`,
    ["", "folder", "shared store", ""],
    [
      row("read a note", reads),
      row("list a folder", lists),
      row("search, mean, by the processor", searched),
      row("append a line", writes),
      row("first index, by the processor", { folder: median(index.folder), store: median(index.store) }),
      ["import of the folder", "", ms(importing), ""],
      ["database after it", "", `${Math.round(size / 1_000_000)} MB`, ""],
    ],
  );
  goal(reads.store <= 4 * reads.folder, `a read within 4 times that of a folder: ${times(reads.store / reads.folder)}`);
  const ofIndex = median(index.store) / median(index.folder);
  goal(ofIndex <= 1.5, `first index at most 1.5 times a folder's, by the processor: ${times(ofIndex)}`);
  const ofSearch = searched.store / searched.folder;
  goal(ofSearch <= 1.3, `a search at most 1.3 times a folder's, by the processor: ${times(ofSearch)}`);
  goal(same === QUERIES, `the same first ten notes for ${same} of ${QUERIES} queries`);
}

function queryOf(i: number): string {
  const words = [wordAt(i * 3 + 1), wordAt(i * 17 + 5), wordAt(i + 100)];
  return words.slice(0, 1 + (i % 3)).join(" ");
}

function row(name: string, { folder, store }: { readonly folder: number; readonly store: number }): string[] {
  return [name, ms(folder), ms(store), times(store / folder)];
}
