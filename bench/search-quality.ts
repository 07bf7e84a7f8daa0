// How good the search is: questions with known answers over a real vault,
// against plain BM25.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { goal, table } from "./measurement/measure.ts";
import { serve } from "./measurement/search-client.ts";

const SAMPLE = join(import.meta.dirname, "..", "..", "shared", "data", "vaults", "thousand-notes");

interface Question {
  readonly kind: string;
  readonly query: string;
  readonly answer: string;
}

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
const nameOf = (path: string) => path.replace(/^.*\//, "").replace(/\.md$/, "");
const plainText = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ");

/** Questions whose answer is known, made from the notes themselves, the same each time. */
function questionsFor(notes: ReadonlyMap<string, string>): Question[] {
  const questions: Question[] = [];
  const add = (kind: string, query: string | undefined, answer: string) =>
    query && questions.push({ kind, query, answer });
  const paths = [...notes.keys()].toSorted();
  const counts = new Map<string, number>();
  for (const text of notes.values())
    for (const word of new Set(wordsOf(text))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const titles = new Map<string, number>();
  for (const path of paths) titles.set(nameOf(path).toLowerCase(), (titles.get(nameOf(path).toLowerCase()) ?? 0) + 1);
  const good = paths.filter(
    (path) =>
      titles.get(nameOf(path).toLowerCase()) === 1 &&
      notes.get(path)!.length > 600 &&
      /^[A-Za-z ]{7,}$/.test(nameOf(path)),
  );
  for (let i = 0; i < 20; i++) {
    const path = good[(i * 37) % good.length]!;
    const text = notes.get(path)!;
    const name = nameOf(path);
    add("exact title", name, path);
    add("mistyped title", `${name.slice(0, 2)}${name[3]}${name[2]}${name.slice(4)}`, path);
    const rare = [...new Set(wordsOf(text))].filter((word) => counts.get(word) === 1 && word.length >= 7);
    if (rare.length < 4) continue;
    add("part of a word", rare[0]!.slice(0, -2), path);
    add("other form of a word", rare[1]!.endsWith("s") ? rare[1]!.slice(0, -1) : `${rare[1]}s`, path);
    add("two rare words", `${rare[2]} ${rare[3]}`, path);
    const sentence = /(?<= )(?:[A-Za-z]+ ){6}[A-Za-z]+(?= )/.exec(text.slice(text.length / 2));
    const phrase = sentence?.[0];
    const holders = phrase && [...notes.values()].filter((other) => plainText(other).includes(plainText(phrase)));
    if (phrase && holders && holders.length === 1) add("exact phrase", `"${phrase}"`, path);
  }
  return questions;
}

export async function run(): Promise<void> {
  if (!existsSync(SAMPLE)) {
    console.log("The sample vault is not here: the quality of the results is not measured.");
    return;
  }
  const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  try {
    await evaluate(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function evaluate(home: string): Promise<void> {
  const vault = join(home, "sample");
  cpSync(SAMPLE, vault, { recursive: true });
  const notes = new Map(
    readdirSync(vault, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md"))
      .map((path) => [path, readFileSync(join(vault, path), "utf8")] as const),
  );
  const questions = questionsFor(notes);
  const ours = await serve(vault, join(home, "sample-home"));
  const plain = plainSearch(notes);
  const kinds = [...new Set(questions.map(({ kind }) => kind))];
  const rows = [];
  const all = { ours: [] as number[], plain: [] as number[] };
  for (const kind of kinds) {
    const ranks = { ours: [] as number[], plain: [] as number[] };
    for (const { query, answer } of questions.filter((question) => question.kind === kind)) {
      const rank = (await ours.search(query, 10)).indexOf(answer) + 1;
      ranks.ours.push(rank);
      if (rank !== 1 && kind.startsWith("exact")) console.log(`         missed: ${query} in ${answer}`);
      ranks.plain.push(plain(query).indexOf(answer) + 1);
    }
    all.ours.push(...ranks.ours);
    all.plain.push(...ranks.plain);
    rows.push([kind, String(ranks.ours.length), ...scoresOf(ranks.ours), ...scoresOf(ranks.plain)]);
    if (kind.startsWith("exact"))
      goal(
        ranks.ours.every((rank) => rank === 1),
        `every ${kind} is first`,
      );
  }
  rows.push(["all", String(all.ours.length), ...scoresOf(all.ours), ...scoresOf(all.plain)]);
  table(
    "Known answers over a vault of 1,000 notes",
    ["", "queries", "first", "in 5", "MRR", "BM25: first", "in 5", "MRR"],
    rows,
  );
  await ours.close();
}

function scoresOf(ranks: readonly number[]): string[] {
  const share = (count: number) => `${Math.round((100 * count) / ranks.length)} %`;
  const reciprocal = ranks.reduce((sum, rank) => sum + (rank === 0 ? 0 : 1 / rank), 0) / ranks.length;
  return [
    share(ranks.filter((rank) => rank === 1).length),
    share(ranks.filter((rank) => rank >= 1 && rank <= 5).length),
    reciprocal.toFixed(2),
  ];
}

/** FTS5 as it comes, over name and text. */
function plainSearch(notes: ReadonlyMap<string, string>): (query: string) => string[] {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE note USING fts5(path, text)");
  const insert = database.prepare("INSERT INTO note VALUES (?, ?)");
  for (const [path, text] of notes) insert.run(path, text);
  const select = database.prepare("SELECT path FROM note WHERE note MATCH ? ORDER BY bm25(note) LIMIT 10");
  return (query) => {
    const expression = query.startsWith('"')
      ? query
      : query
          .split(" ")
          .map((word) => `"${word.replaceAll('"', "")}"`)
          .join(" ");
    return select.all(expression).map((row) => String(row["path"]));
  };
}
