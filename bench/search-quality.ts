// How good the search is: questions with known answers over a real vault, in five kinds,
// against plain BM25 and MiniSearch. The questions of even number are there to tune on;
// those of odd number are only reported. (The weights of related notes were chosen on all
// paraphrases, before they were split; the ranking by words on other sets alone.)
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import MiniSearch from "minisearch";
import { goal, table } from "./measurement/measure.ts";
import { serve } from "./measurement/search-client.ts";

const SAMPLE = join(import.meta.dirname, "..", "..", "shared", "data", "vaults", "thousand-notes");
const WRITTEN = join(import.meta.dirname, "data", "questions", "encyclopaedia.tsv");

interface Question {
  readonly kind: string;
  readonly query: string;
  readonly answer: string;
}

/** How many questions of each kind are made from the notes. */
const MADE = 64;

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
const nameOf = (path: string) => path.replace(/^.*\//, "").replace(/\.md$/, "");

/** The same each time. Titles and rare words as typed, in part, and mistyped. */
function madeQuestions(notes: ReadonlyMap<string, string>): Question[] {
  const counts = new Map<string, number>();
  for (const text of notes.values())
    for (const word of new Set(wordsOf(text))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const titles = [...notes.keys()].map((path) => nameOf(path).toLowerCase());
  const good = [...notes.keys()].toSorted().filter((path) => {
    const isOnly = titles.filter((title) => title === nameOf(path).toLowerCase()).length === 1;
    return isOnly && notes.get(path)!.length > 600 && /^[A-Za-z ]{7,}$/.test(nameOf(path));
  });
  return Array.from({ length: MADE }, (_, i) => good[(i * 37) % good.length]!).flatMap((path, i) => {
    const name = nameOf(path);
    const rare = [...new Set(wordsOf(notes.get(path)!))].filter((word) => counts.get(word) === 1 && word.length >= 7);
    const [first = name, second = name] = rare;
    return [
      { kind: "exact", query: i % 2 === 0 ? name : `${first} ${second}`, answer: path },
      { kind: "partial", query: first.slice(0, -2), answer: path },
      { kind: "misspelt", query: `${name.slice(0, 2)}${name[3]}${name[2]}${name.slice(4)}`, answer: path },
    ];
  });
}

/** Written by hand, after reading the notes: questions in their words, and paraphrases in others. */
function writtenQuestions(): Question[] {
  return readFileSync(WRITTEN, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"))
    .map(([kind, answer, query]) => ({ kind: kind!, answer: answer!, query: query! }));
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

interface Answered extends Question {
  /** Whether the answer is among the first five. */
  readonly results: boolean;
  /** Or among the related notes. */
  readonly either: boolean;
  readonly plain: boolean;
  readonly miniSearch: boolean;
}

async function evaluate(home: string): Promise<void> {
  const vault = join(home, "sample");
  cpSync(SAMPLE, vault, { recursive: true });
  const notes = new Map(
    readdirSync(vault, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md"))
      .map((path) => [path, readFileSync(join(vault, path), "utf8")] as const),
  );
  const questions = [...madeQuestions(notes), ...writtenQuestions()];
  const ours = await serve(vault, join(home, "sample-home"));
  // Vectors are made in the background of the first searches.
  for (let i = 0; i < 20; i++) await ours.ask(`warm up ${i}`, 10);
  const plain = plainSearch(notes);
  const miniSearch = miniSearchOver(notes);
  const answered: Answered[] = [];
  for (const question of questions) {
    const { results, related } = await ours.ask(question.query, 10);
    const isIn = (paths: readonly string[]) => paths.slice(0, 5).includes(question.answer);
    answered.push({
      ...question,
      results: isIn(results),
      either: isIn(results) || isIn(related),
      plain: isIn(plain(question.query)),
      miniSearch: isIn(miniSearch(question.query)),
    });
  }
  await ours.close();
  const kinds = [...new Set(questions.map(({ kind }) => kind))];
  const halves = { "to tune on": 0, "only reported": 1 };
  for (const [half, rest] of Object.entries(halves)) {
    const rows = kinds.map((kind) => {
      const asked = answered.filter((question) => question.kind === kind).filter((_, i) => i % 2 === rest);
      const share = (by: "results" | "either" | "plain" | "miniSearch") =>
        withInterval(asked.filter((question) => question[by]).length, asked.length);
      return [kind, String(asked.length), share("results"), share("either"), share("plain"), share("miniSearch")];
    });
    table(
      `In the first five of 1,000 notes, with 95 % intervals: the half that is ${half}`,
      ["", "questions", "results", "or related", "plain BM25", "MiniSearch"],
      rows,
    );
  }
  for (const kind of kinds) {
    const asked = answered.filter((question) => question.kind === kind);
    const count = (by: "results" | "either" | "plain") => asked.filter((question) => question[by]).length;
    goal(
      count("results") >= count("plain"),
      `${kind}: not worse than plain BM25: ${count("results")} to ${count("plain")}`,
    );
    if (kind === "paraphrase")
      goal(
        count("either") >= 2 * count("plain"),
        `paraphrases at least twice as many: ${count("either")} to ${count("plain")}`,
      );
  }
}

/** Wilson's interval. */
function withInterval(found: number, asked: number): string {
  const z = 1.96;
  const share = found / asked;
  const middle = (share + (z * z) / (2 * asked)) / (1 + (z * z) / asked);
  const width = (z * Math.sqrt((share * (1 - share)) / asked + (z * z) / (4 * asked * asked))) / (1 + (z * z) / asked);
  const [whole, least, most] = [share, middle - width, middle + width].map((value) => Math.round(100 * value));
  return `${whole} % (${least} to ${most})`;
}

/** FTS5 as it comes, over name and text: all words; if no note has them, any. */
function plainSearch(notes: ReadonlyMap<string, string>): (query: string) => string[] {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE note USING fts5(path, text)");
  const insert = database.prepare("INSERT INTO note VALUES (?, ?)");
  for (const [path, text] of notes) insert.run(path, text);
  const select = database.prepare("SELECT path FROM note WHERE note MATCH ? ORDER BY bm25(note) LIMIT 10");
  return (query) => {
    const words = (query.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`);
    const found = (joint: string) => select.all(words.join(joint)).map((row) => String(row["path"]));
    const all = found(" ");
    return all.length > 0 ? all : found(" OR ");
  };
}

function miniSearchOver(notes: ReadonlyMap<string, string>): (query: string) => string[] {
  const search = new MiniSearch({ idField: "path", fields: ["name", "text"], searchOptions: { boost: { name: 2 } } });
  for (const [path, text] of notes) search.add({ path, name: nameOf(path), text });
  return (query) => search.search(query, { prefix: true, fuzzy: 0.2 }).map(({ id }) => String(id));
}
