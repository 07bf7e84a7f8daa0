// A process that uses an index that it shares with others: it updates the index,
// writes notes, and reports what its searches find.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { folderFiles } from "../../../src/files/files.ts";
import { openVaultRoot } from "../../../src/files/vault/vault-root.ts";
import { openSqliteNoteIndex } from "../../../src/vault/note-index/sqlite-note-index.ts";

export interface IndexOrders {
  readonly folder: string;
  readonly cache: string;
  /** Notes to write, each of which is searched for at once. */
  readonly writes?: Readonly<Record<string, string>>;
  /** What to look for in the end. */
  readonly queries?: readonly string[];
}

export interface IndexReport {
  /** Notes of its own that were not found right after they were written. */
  readonly missed: readonly string[];
  /** The paths that each query found, or the sentence of its problem. */
  readonly found: Readonly<Record<string, readonly string[] | string>>;
  readonly unread: readonly string[];
  readonly logged: readonly string[];
}

const orders = JSON.parse(process.argv[2] ?? "{}") as IndexOrders;
const logged: string[] = [];
const index = openSqliteNoteIndex(
  { root: folderFiles(openVaultRoot(orders.folder)) },
  { cache: orders.cache, log: (message) => logged.push(message) },
);
process.stdout.write("ready\n");
const missed: string[] = [];
for (const [path, word] of Object.entries(orders.writes ?? {})) {
  mkdirSync(dirname(join(orders.folder, path)), { recursive: true });
  writeFileSync(join(orders.folder, path), word);
  await index.noteWritten({ paths: [path], folders: [] });
  const { hits, indexing } = await index.search(word, { limit: 1 });
  if (hits[0]?.path !== path && indexing === undefined) missed.push(path);
}
const found: Record<string, readonly string[] | string> = {};
let unread: readonly string[] = [];
try {
  await index.refresh();
  for (const query of orders.queries ?? []) {
    const answer = await index.search(query, { limit: 100 });
    found[query] = answer.hits.map(({ path }) => path);
    unread = answer.unread.map(({ path }) => path);
  }
} catch (error) {
  found["error"] = (error as Error).message;
}
await index.close();
const report: IndexReport = { missed, found, unread, logged };
process.stdout.write(`${JSON.stringify(report)}\n`);
