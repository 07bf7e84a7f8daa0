// PDF files in a vault: what indexing them costs, what hostile ones may cost, whether
// searches answer in the meantime, and how fast a page is read.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as sample from "../test/fixtures/pdf-files.ts";
import { noteText } from "./data/notes.ts";
import { randomNumbers, randomWord } from "./data/words.ts";
import { inNewFolder } from "./measurement/growth.ts";
import { goal, median, ms, quantile, report, table, timed } from "./measurement/measure.ts";
import { memoryOfChildren } from "./measurement/process-memory.ts";
import { startServer, type Taken, takenBy } from "./measurement/warm-calls.ts";

const NOTES = 1_000;
const PAPERS = 100;
const PAGES_OF_A_PAPER = 20;
const PAGES_OF_A_BOOK = 2_500;
const LINES_OF_A_PAGE = 40;
/** Milliseconds by the clock in which the hostile files must be given up, and all others read. */
const LIMIT = 10 * 60_000;

function pageOf(random: () => number): string[] {
  return Array.from({ length: LINES_OF_A_PAGE }, () => Array.from({ length: 10 }, () => randomWord(random)).join(" "));
}

function pagesOf(seed: number, count: number): string[][] {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, () => pageOf(random));
}

function writeVault(home: string): string {
  const vault = join(home, "vault");
  mkdirSync(join(vault, "Papers"), { recursive: true });
  for (let i = 0; i < NOTES; i++) writeFileSync(join(vault, `Note ${i}.md`), noteText(i));
  for (let i = 0; i < PAPERS; i++)
    writeFileSync(
      join(vault, "Papers", `Paper ${i}.pdf`),
      sample.pdf([...pagesOf(i, PAGES_OF_A_PAPER - 1), [`Conclusion heron${i}`]], { isCompressed: true }),
    );
  writeFileSync(join(vault, "Book.pdf"), sample.pdf(pagesOf(7777, PAGES_OF_A_BOOK), { isCompressed: true }));
  const hostile = {
    "bomb.pdf": sample.pdfBomb(2_000),
    "slow.pdf": sample.slowPdf(3_000_000),
    "circular.pdf": sample.circularPdf(),
    "locked.pdf": sample.encryptedPdf([["x"]], "secret"),
    "broken.pdf": Buffer.from("not a PDF"),
  };
  for (const [name, bytes] of Object.entries(hostile)) writeFileSync(join(vault, name), bytes);
  return vault;
}

interface Found {
  readonly waitingPdfs?: number;
  readonly results: readonly { readonly id: string; readonly page?: number }[];
}

export async function run(): Promise<void> {
  await inNewFolder(async (home) => {
    const vault = writeVault(home);
    const { client, call, processorTime } = await startServer(["--vault", vault, "--home", home]);
    const search = (query: string) => call<Found>("search", { query, kinds: ["note"], limit: 3 });
    let peak = 0;
    const searches: number[] = [];
    await call("list_tasks", { limit: 1 });
    const first = await timed(() => search("nothing like it"));
    const started = performance.now();
    let isWaiting = true;
    while (isWaiting && performance.now() - started < LIMIT) {
      const asked = performance.now();
      isWaiting = (await search("nothing like it")).waitingPdfs !== undefined;
      searches.push(performance.now() - asked);
      peak = Math.max(peak, memoryOfChildren(client.pid));
      await pause(100);
    }
    const indexing = performance.now() - started;
    const found = (await search("heron77")).results[0];
    const server = client.memory();

    const reads: Record<string, Taken> = {};
    const read = (filePath: string, page: number) => call("contentManager_readContent", { filePath, page });
    for (const [name, path, page] of [
      ["first pages of a paper", "Papers/Paper 3.pdf", 1],
      ["last page of a paper", "Papers/Paper 3.pdf", PAGES_OF_A_PAPER],
      ["first pages of a book", "Book.pdf", 1],
      ["page 2,400 of a book", "Book.pdf", 2400],
    ] as const)
      reads[name] = await takenBy(processorTime, () => read(path, page), 20);
    await client.close();

    const pages = PAPERS * PAGES_OF_A_PAPER + PAGES_OF_A_BOOK;
    report(`${PAPERS} papers of ${PAGES_OF_A_PAPER} pages, a book of ${PAGES_OF_A_BOOK}, five hostile files`);
    report(
      `all read after ${(indexing / 1000).toFixed(1)} s: ${ms(indexing / pages)} a page, the hostile files included`,
    );
    report(
      `memory: at most ${Math.round(peak)} MB of the process that reads them, ${Math.round(server)} MB of the server`,
    );
    report(
      `the first search of all: ${ms(first)}; searches while they are read: p50 ${ms(median(searches))}, p95 ${ms(quantile(searches, 0.95))}`,
    );
    table(
      "Reading over stdio",
      ["", "first", "p50", "p95"],
      Object.entries(reads).map(([name, taken]) => [name, ...[taken.first, taken.p50, taken.p95].map(ms)]),
    );
    goal(!isWaiting, "every file is read or given up within ten minutes");
    goal(found?.id === "Papers/Paper 77.pdf" && found.page === PAGES_OF_A_PAPER, "a word is found with its page");
    goal(peak < 800, `the process that reads has less than 800 MB: ${Math.round(peak)} MB`);
    goal(median(searches) < 50, `searches while they are read: p50 below 50 ms: ${ms(median(searches))}`);
    const page = reads["last page of a paper"]!.p50;
    goal(page < 100, `reading a page of a paper: p50 below 100 ms: ${ms(page)}`);
  });
}
