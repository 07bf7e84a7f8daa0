// Outlines of 1,000 to 100,000 rows: opened, walked, searched and edited, saved
// each time, against a strict parser on the same text, against the plain way to
// edit, and over stdio; and how all of it grows.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseVaultPath } from "../src/files/vault/vault-path.ts";
import { folderFiles } from "../src/files/files.ts";
import { openVaultRoot } from "../src/files/vault/vault-root.ts";
import { openJournal } from "../src/journal/journal.ts";
import { openFileDocument } from "../src/outline/file/file-document.ts";
import { scanItems } from "../src/outline/formats/omnioutliner5/scan.ts";
import { scanRows } from "../src/outline/formats/opml/opml.ts";
import type { Edit } from "../src/outline/model.ts";
import { rowsBelow } from "../src/outline/rows.ts";
import { searchRows } from "../src/outline/search/row-search.ts";
import { LineClient } from "./measurement/line-client.ts";
import { goal, inTurns, median, ms, quantile, table, timed, times, report } from "./measurement/measure.ts";
import { fileOf, outlineText, compressed, parsed, parseOnly, plainEdit, type Kind } from "./data/outlines.ts";
import { wordAt } from "./data/words.ts";

const SIZES = [1_000, 10_000, 100_000];
const MEGABYTE = 1024 * 1024;
/** In about one row of sixty. */
const PHRASE = `${wordAt(0)} ${wordAt(1)}`;
const QUERY = { searchIn: "all", caseSensitive: false, maxResults: 50 } as const;

/** What a careful program does without a journal. */
function plainWrite(path: string, bytes: Uint8Array): void {
  const file = openSync(`${path}.tmp`, "w");
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.tmp`, path);
}

/** In one process, without the way over stdio. */
async function measureDocument(home: string, kind: Kind, rows: number): Promise<Record<string, number>> {
  const folder = join(home, `${kind}-${rows}`);
  mkdirSync(join(folder, "files"), { recursive: true });
  const text = outlineText(kind, rows);
  const bytes = Buffer.from(text);
  const file = (name: string) => join(folder, "files", `${name}.${kind}`);
  for (const name of ["ours", "plain", "parsed"]) writeFileSync(file(name), fileOf(kind, text));
  const root = openVaultRoot(join(folder, "files"));
  const journal = openJournal(join(folder, "journal"), root, { log: console.error });
  const options = {
    root: folderFiles(root),
    path: parseVaultPath(`ours.${kind}`),
    journal,
    idFolder: join(folder, "ids"),
    log: console.error,
  };
  const document = openFileDocument(options);
  const outline = await document.read();
  const ids = [...rowsBelow(outline, null)].map(({ id }) => id);
  let next = 0;
  const some = () => ids[(next += 7919) % ids.length]!;
  const change = (edit: Edit) => document.change({ tool: "bench" }, () => ({ edits: [edit], message: "Bench" }));

  const rounds = rows >= 100_000 ? 7 : 15;
  const candidates = {
    "the scanner alone": () => timed(() => (kind === "opml" ? scanRows(bytes) : scanItems(bytes))),
    "saxes, events alone": () => timed(() => parseOnly(text)),
    "saxes, into objects": () => timed(() => parsed(text)),
    open: () => timed(() => openFileDocument(options).read()),
    "structure, all rows": () => timed(async () => [...rowsBelow(await document.read(), null)].length),
    // There were edits since the search of the turn before, so it reads all texts.
    "search, the first after an edit": () =>
      timed(async () => searchRows(await document.read(), { ...QUERY, query: PHRASE })),
    "get a row": () => timed(async () => (await document.read()).row(some())),
    "add a row, saved": () =>
      timed(() => change({ kind: "add", rows: [{ topic: "New row" }], position: { parentId: some(), index: 0 } })),
    "move a row, saved": () =>
      timed(() => change({ kind: "move", id: some(), position: { parentId: null, index: 0 } })),
    "check a row, saved": () =>
      timed(() => change({ kind: "update", id: some(), state: next % 2 === 0 ? "checked" : "unchecked" })),
    "plain: compress, write, fsync": () => timed(async () => plainWrite(file("plain"), await compressed(bytes))),
    // What a format without compression could do with.
    "plain: write, fsync": () => timed(() => plainWrite(file("plain"), bytes)),
    "plain: read, parse, change, write": () =>
      timed(async () => plainWrite(file("parsed"), await plainEdit(kind, file("parsed")))),
  };
  await inTurns(2, candidates);
  const measured = await inTurns(rounds, candidates);
  await journal.close();
  const cost = Object.fromEntries(Object.entries(measured).map(([name, values]) => [name, median(values)]));
  const plain = cost["plain: compress, write, fsync"]!;
  const scan = cost["the scanner alone"]!;
  const parse = cost["plain: read, parse, change, write"]!;
  table(
    `${kind}, ${rows.toLocaleString("en")} rows, ${(bytes.length / MEGABYTE).toFixed(1)} MB of XML`,
    ["", "p50", "to the scanner", "to compress and write", "to the plain edit"],
    Object.entries(cost).map(([name, value]) => [
      name,
      ms(value),
      times(value / scan),
      times(value / plain),
      times(value / parse),
    ]),
  );
  return cost;
}

async function many(count: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const values: number[] = [];
  for (let index = 0; index < count; index++) values.push(await timed(() => work(index)));
  return values;
}

interface Server {
  /** Milliseconds. */
  readonly get: number;
  /** Megabytes: of the process with the document open, after the edits, and of the XML. */
  readonly opened: number;
  readonly after: number;
  readonly size: number;
}

async function measureServer(home: string, kind: Kind, rows: number): Promise<Server> {
  const folder = join(home, `server-${kind}-${rows}`);
  mkdirSync(folder);
  const text = outlineText(kind, rows);
  const file = join(folder, `bench.${kind}`);
  writeFileSync(file, fileOf(kind, text));
  const program = join(import.meta.dirname, "..", "bin", "commonplace.js");
  const client = new LineClient([program, "--outline", file, "--home", join(folder, "home")]);
  await client.initialize();
  const call = async (name: string, sent: object = {}) => {
    const { result } = (await client.request("tools/call", { name, arguments: sent })) as {
      result: { isError?: boolean; structuredContent: Record<string, unknown> };
    };
    if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.structuredContent)}`);
    return result.structuredContent;
  };
  await call("get_server_version");
  const first = await timed(() => call("get_current_document"));
  const { rows: page } = (await call("get_outline_structure", { maxDepth: 0, maxRows: 200 })) as {
    rows: { id: string }[];
  };
  const opened = client.memory();
  const id = (index: number) => page[index % page.length]!.id;
  await many(20, (index) => call("get_row", { rowId: id(index) }));
  const get = await many(300, (index) => call("get_row", { rowId: id(index) }));
  const structure = await many(10, () => call("get_outline_structure", { maxRows: 100 }));
  const search = await many(10, () => call("search_outline", { query: PHRASE }));
  const add = await many(7, (index) => call("add_row", { topic: "New row", parentId: id(index) }));
  const move = await many(7, (index) => call("move_row", { rowId: id(index + 1), position: "first" }));
  const after = client.memory();
  await client.close();
  const size = Buffer.byteLength(text) / MEGABYTE;
  table(
    `Over stdio: ${kind}, ${rows.toLocaleString("en")} rows`,
    ["", "p50", "p95"],
    Object.entries({
      "the first call": [first],
      get_row: get,
      "get_outline_structure, 100 rows": structure,
      search_outline: search,
      "add_row, saved": add,
      "move_row, saved": move,
    }).map(([name, values]) => [name, ms(median(values)), ms(quantile(values, 0.95))]),
  );
  return { get: median(get), opened, after, size };
}

export async function run(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  try {
    for (const kind of ["ooutline", "opml"] as const) {
      const cost: Record<number, Record<string, number>> = {};
      for (const rows of SIZES) cost[rows] = await measureDocument(home, kind, rows);
      const [small, large] = [cost[SIZES[0]!]!, cost[SIZES.at(-1)!]!];
      table(
        `How it grows: ${kind}`,
        ["", ...SIZES.map((rows) => rows.toLocaleString("en")), "growth per row"],
        Object.keys(small).map((name) => [
          name,
          ...SIZES.map((rows) => ms(cost[rows]![name]!)),
          times(large[name]! / small[name]! / (SIZES.at(-1)! / SIZES[0]!)),
        ]),
      );
      // What a process takes with a small document is not the large one's.
      const base = await measureServer(home, kind, SIZES[0]!);
      const server = await measureServer(home, kind, SIZES.at(-1)!);
      const memory = (server.opened - base.opened) / server.size;
      report(
        `memory: ${base.opened.toFixed(0)} MB with ${SIZES[0]!.toLocaleString("en")} rows open, ${server.opened.toFixed(0)} MB with ${SIZES.at(-1)!.toLocaleString("en")}, ${server.after.toFixed(0)} MB after 14 edits, before their garbage is collected`,
      );
      const open = large["open"]! / large["the scanner alone"]!;
      const edit = Math.max(large["add a row, saved"]!, large["move a row, saved"]!);
      const saved = edit / large["plain: compress, write, fsync"]!;
      report("");
      goal(open <= 2, `${kind}: open at most 2 times the scanner alone: ${times(open)}`);
      const search = large["search, the first after an edit"]!;
      goal(search < 60, `${kind}: the first search after an edit below 60 ms: ${ms(search)}`);
      goal(server.get < 1, `${kind}: get_row over stdio below 1 ms: ${ms(server.get)}`);
      const plainly = large["add a row, saved"]! / large["plain: read, parse, change, write"]!;
      goal(saved <= 2, `${kind}: a saved edit at most 2 times compress, write and fsync: ${times(saved)}`);
      if (kind === "opml") {
        goal(edit < 250, `${kind}: a saved edit below 250 ms: ${ms(edit)}`);
        report(
          `         ${kind}: a saved edit, of a mere write and fsync: ${times(edit / large["plain: write, fsync"]!)}`,
        );
      }
      goal(
        plainly <= 1,
        `${kind}: a saved edit at most the plain way of read, parse, change, write: ${times(plainly)}`,
      );
      goal(memory < 6, `${kind}: memory below 6 times the XML: ${times(memory)}`);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
