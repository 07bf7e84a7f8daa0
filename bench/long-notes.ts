// What a search of 10,000 long notes of 70 MB takes over stdio, by keywords and by a
// question of ten words, and what notes that are near in meaning cost: in time (at 72,000
// passages), in the first index, on the disk and in memory. BENCH_LARGE=1 adds 100,000 notes, without
// meaning. The notes are paragraphs of the sample vault in another order, so that their
// words are those of a language.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LAUNCH_FLAGS } from "../bin/launch-flags.js";
import { isStopWord } from "../src/search/search.ts";
import { randomNumbers } from "./data/words.ts";
import { goal, inNewFolder, median, ms, quantile, report, table, timed, times } from "./measurement/measure.ts";
import { processorTimeOfEnded } from "./measurement/process-memory.ts";
import { startServer, untilQuiet } from "./measurement/warm-calls.ts";

const SAMPLE = join(import.meta.dirname, "..", "..", "shared", "data", "vaults", "thousand-notes");
const NOTES = 10_000;
const MANY_NOTES = 100_000;
const BYTES_A_NOTE = 7_000;
/** At so many passages a search may take 15 ms more for related notes. */
const PASSAGES = 72_000;
const ASKED = 30;
const ROUNDS = 5;

interface Took {
  readonly p50: number;
  readonly p95: number;
  /** Of the processor, which other programs disturb less. */
  readonly processor: number;
  readonly processorP95: number;
}

export async function run(): Promise<void> {
  if (!existsSync(SAMPLE)) {
    console.log("The sample vault is not here: long notes are not searched.");
    return;
  }
  const { took: small, passages } = await inNewFolder(measureMeaning);
  await inNewFolder((home) => measureRelated(home, Math.round((NOTES * PASSAGES) / passages)));
  if (process.env["BENCH_LARGE"]) {
    const large = await inNewFolder(async (home) => {
      const vault = writeLongNotes(home, MANY_NOTES);
      index(vault, home, ["--related", "off"]);
      return asked(vault, home, MANY_NOTES, ["--related", "off"]);
    });
    show("100,000 notes, without related ones", large.took);
    for (const [name, took] of Object.entries(large.took)) {
      const growth = took.processor / small[name]!.processor;
      goal(growth <= 3, `${name}: 100,000 notes at most 3 times 10,000, by the processor: ${times(growth)}`);
    }
  } else console.log("         (BENCH_LARGE=1 adds 100,000 notes)");
}

/** @returns what searches take without related notes, and how many passages there are */
async function measureMeaning(home: string) {
  const vault = writeLongNotes(home, NOTES);
  const [off, on] = [join(home, "off"), join(home, "on")];
  const indexing = { without: index(vault, off, ["--related", "off"]), with: index(vault, on, []) };
  const passages = passagesIn(join(on, "cache"));
  report(`${passages.toLocaleString("en")} passages`);
  const disk = (statSync(indexIn(join(on, "cache"))).size - statSync(indexIn(join(off, "cache"))).size) / 1e6;
  const without = await asked(vault, off, NOTES, ["--related", "off"]);
  const related = await asked(vault, on, NOTES, []);
  show("10,000 long notes, without related ones", without.took);
  show("With related ones", related.took);
  const { keywords, questions } = without.took;
  goal(keywords!.p50 < 5, `keywords: p50 below 5 ms: ${ms(keywords!.p50)}`);
  goal(questions!.p50 < 10, `questions: p50 below 10 ms: ${ms(questions!.p50)}`);
  goal(questions!.p95 < 40, `questions: p95 below 40 ms: ${ms(questions!.p95)}`);
  const ratio = indexing.with / indexing.without;
  goal(ratio <= 1.5, `first index at most 1.5 times as long, by the processor: ${times(ratio)}`);
  goal(disk <= 25, `at most 25 MB more on the disk: ${disk.toFixed(1)} MB`);
  report(`memory: ${without.memory.toFixed(0)} MB without, ${related.memory.toFixed(0)} MB with`);
  return { took: without.took, passages };
}

/** What a search takes longer for related notes, in a vault with so many notes. */
async function measureRelated(home: string, notes: number): Promise<void> {
  const vault = writeLongNotes(home, notes);
  index(vault, home, []);
  const without = await asked(vault, home, notes, ["--related", "off"]);
  const related = await asked(vault, home, notes, []);
  const more = related.took["questions"]!.processor - without.took["questions"]!.processor;
  const passages = passagesIn(join(home, "cache")).toLocaleString("en");
  goal(more <= 15, `related notes among ${passages} passages: at most 15 ms more, by the processor: ${ms(more)}`);
}

function show(title: string, took: Readonly<Record<string, Took>>): void {
  table(
    title,
    ["", "p50", "p95", "processor: p50", "p95"],
    Object.entries(took).map(([name, { p50, p95, processor, processorP95 }]) => [
      name,
      ...[p50, p95, processor, processorP95].map(ms),
    ]),
  );
}

/** Warm searches for words that one note has. */
async function asked(vault: string, home: string, notes: number, flags: readonly string[]) {
  const { client, call, processorTime } = await startServer(["--vault", vault, "--home", home, ...flags]);
  const search = (query: string) => call("search", { query, limit: 10, kinds: ["note"] });
  await search("warm");
  await untilQuiet(processorTime);
  const took: Record<string, Took> = {};
  for (const [name, queries] of Object.entries(queriesFor(vault, notes))) {
    const [clock, processor]: [number[], number[]] = [[], []];
    for (const query of queries) await search(query);
    for (let round = 0; round < ROUNDS; round++)
      for (const query of queries) {
        const before = processorTime();
        clock.push(await timed(() => search(query)));
        processor.push(processorTime() - before);
      }
    const [p50, p95] = [median(clock), quantile(clock, 0.95)];
    took[name] = { p50, p95, processor: median(processor), processorP95: quantile(processor, 0.95) };
  }
  const memory = client.memory();
  await client.close();
  return { took, memory };
}

function queriesFor(vault: string, notes: number): Readonly<Record<string, readonly string[]>> {
  const words = (i: number): [string, string, string, string] => {
    const text = readFileSync(pathOf(vault, i), "utf8").toLowerCase();
    const all = (text.match(/[a-z]{4,12}/g) ?? []).filter((word) => !isStopWord(word));
    const at = (k: number) => all[(k * 37 + i) % all.length]!;
    return [at(0), at(1), at(2), at(3)];
  };
  const each = Array.from({ length: ASKED }, (_, i) => words((i * 331) % Math.min(NOTES, notes)));
  return {
    keywords: each.map((some, i) => some.slice(0, 1 + (i % 3)).join(" ")),
    questions: each.map(([a, b, c, d]) => `What did I read about ${a} and the ${b} of ${c} or ${d}?`),
  };
}

function pathOf(vault: string, i: number): string {
  return join(vault, `Folder ${i % 200}`, `Note ${i}.md`);
}

/** Most notes are short, and a few are very long. */
function writeLongNotes(home: string, size: number): string {
  const paragraphs = readdirSync(SAMPLE, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .toSorted()
    .flatMap((path) => readFileSync(join(SAMPLE, path), "utf8").split(/\n\s*\n/))
    .filter((paragraph) => paragraph.length > 100);
  const vault = join(home, "vault");
  for (let i = 0; i < 200; i++) mkdirSync(join(vault, `Folder ${i}`), { recursive: true });
  for (let i = 0; i < size; i++) {
    const random = randomNumbers(i + 1);
    const length = -BYTES_A_NOTE * Math.log(1 - random());
    let text = "";
    while (text.length < length) text += `${paragraphs[Math.floor(random() * paragraphs.length)]!}\n\n`;
    writeFileSync(pathOf(vault, i), text);
  }
  return vault;
}

/** Indexes everything, with meaning if it is not turned off. @returns milliseconds of the processor */
function index(vault: string, home: string, flags: readonly string[]): number {
  const before = processorTimeOfEnded();
  const args = [...LAUNCH_FLAGS, "bin/commonplace.js", "index", "--vault", vault, "--home", home, ...flags];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return processorTimeOfEnded() - before;
}

function indexIn(folder: string): string {
  return join(
    folder,
    readdirSync(folder).find((name) => name.startsWith("notes-") && name.endsWith(".db"))!,
  );
}

/** Each has a hundred bytes, and eight for where it stands. */
function passagesIn(folder: string): number {
  const database = new DatabaseSync(indexIn(folder), { readOnly: true });
  const { bytes } = database.prepare("SELECT total(length(passages)) AS bytes FROM meaning").get()!;
  database.close();
  return Number(bytes) / 108;
}
