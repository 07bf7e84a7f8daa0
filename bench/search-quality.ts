// How good the search is: questions with known answers over a real vault, and over rows
// and conversations made of it, in kinds, against plain BM25 and MiniSearch, with related
// notes and without. The questions of even number are there to tune on; those of odd
// number are only reported.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import MiniSearch from "minisearch";
import { goal, report, table } from "./measurement/measure.ts";
import { serve } from "./measurement/search-client.ts";
import { makeConversations, makeRows } from "./data/questions/other-texts.ts";
import {
  MAX_SHARED,
  nameOf,
  type Question,
  questionsAbout,
  questionsAboutNotes,
  sharedWords,
  type Texts,
  writtenQuestions,
} from "./data/questions/questions.ts";

const SAMPLE = join(import.meta.dirname, "..", "..", "shared", "data", "vaults", "thousand-notes");

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

/** What is searched in: texts of one kind, and the questions about them. */
interface Corpus {
  readonly name: string;
  readonly kind: "note" | "outline" | "conversation";
  readonly texts: Texts;
  readonly questions: readonly Question[];
}

interface Answered extends Question {
  /** Whether the answer is among the first five. */
  readonly results: boolean;
  /** Or among the related notes. */
  readonly either: boolean;
  /** Whether the results are the same without related notes. */
  readonly isSame: boolean;
  readonly plain: boolean;
  readonly miniSearch: boolean;
}

async function evaluate(home: string): Promise<void> {
  const vault = join(home, "sample");
  cpSync(SAMPLE, vault, { recursive: true });
  const notes = new Map(
    readdirSync(vault, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md"))
      .map((path) => [path.replaceAll("\\", "/"), readFileSync(join(vault, path), "utf8")] as const),
  );
  const written = writtenQuestions();
  const near = written.filter(
    ({ kind, query, answer }) => kind === "paraphrase" && sharedWords(query, notes.get(answer)!).length > MAX_SHARED,
  );
  if (near.length > 0) throw new Error(`These are no paraphrases: ${near.map(({ query }) => query).join("; ")}`);
  const used = new Set(written.map(({ answer }) => answer));
  const outline = join(home, "rows.opml");
  const rows = makeRows(notes, used, outline);
  const conversations = makeConversations(notes, used, home);
  const corpora: Corpus[] = [
    { name: "1,000 notes", kind: "note", texts: notes, questions: [...questionsAboutNotes(notes), ...written] },
    { name: `${rows.size} rows`, kind: "outline", texts: rows, questions: questionsAbout(rows) },
    {
      name: `${conversations.size} conversations`,
      kind: "conversation",
      texts: conversations,
      questions: questionsAbout(conversations),
    },
  ];
  const more = ["--outline", outline];
  const ours = await serve(vault, join(home, "with"), { more, user: home });
  const words = await serve(vault, join(home, "without"), { more: [...more, "--related", "off"], user: home });
  // Vectors are made in the background of the first searches.
  for (let i = 0; i < 20; i++) for (const server of [ours, words]) await server.ask(`warm up ${i}`, 10);
  for (const corpus of corpora) judge(corpus, await answersTo(corpus, ours, words));
  await ours.close();
  await words.close();
}

type Asked = Awaited<ReturnType<typeof serve>>;

async function answersTo({ kind, texts, questions }: Corpus, ours: Asked, words: Asked): Promise<Answered[]> {
  const plain = plainSearch(texts);
  const miniSearch = miniSearchOver(texts);
  const answered: Answered[] = [];
  for (const question of questions) {
    const { results, related } = await ours.ask(question.query, 10, [kind]);
    const { results: without } = await words.ask(question.query, 10, [kind]);
    const isIn = (found: readonly string[]) => found.slice(0, 5).some((id) => id.endsWith(question.answer));
    answered.push({
      ...question,
      results: isIn(results),
      either: isIn(results) || isIn(related),
      isSame: results.join("\n") === without.join("\n"),
      plain: isIn(plain(question.query)),
      miniSearch: isIn(miniSearch(question.query)),
    });
  }
  return answered;
}

function judge({ name, kind: of }: Corpus, answered: readonly Answered[]): void {
  const kinds = [...new Set(answered.map(({ kind }) => kind))];
  const halves = { "to tune on": 0, "only reported": 1 };
  for (const [half, rest] of Object.entries(halves)) {
    const rows = kinds.map((kind) => {
      const asked = answered.filter((question) => question.kind === kind).filter((_, i) => i % 2 === rest);
      const share = (by: "results" | "either" | "plain" | "miniSearch") =>
        withInterval(asked.filter((question) => question[by]).length, asked.length);
      return [kind, String(asked.length), share("results"), share("either"), share("plain"), share("miniSearch")];
    });
    table(
      `In the first five of ${name}, with 95 % intervals: the half that is ${half}`,
      ["", "questions", "results", "or related", "plain BM25", "MiniSearch"],
      rows,
    );
  }
  const count = (by: "results" | "either" | "plain", kind: string) =>
    answered.filter((question) => question.kind === kind && question[by]).length;
  for (const kind of kinds) {
    const [found, plain] = [count("results", kind), count("plain", kind)];
    goal(found >= plain, `${kind}: not worse than plain BM25: ${found} to ${plain}`);
  }
  const changed = answered.filter(({ isSame }) => !isSame).length;
  goal(changed === 0, `the results are those without related notes: ${changed} of ${answered.length} differ`);
  if (of !== "note") return;
  const [either, alone] = [count("either", "paraphrase"), count("results", "paraphrase")];
  goal(either >= 2 * alone, `paraphrases found in either list at least double: ${either} to ${alone} by words alone`);
  report(`         of these, plain BM25 finds ${count("plain", "paraphrase")}`);
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

/** FTS5 as it comes, over name and text: all words; if no text has them, any. */
function plainSearch(texts: Texts): (query: string) => string[] {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE note USING fts5(path, text)");
  const insert = database.prepare("INSERT INTO note VALUES (?, ?)");
  for (const [path, text] of texts) insert.run(path, text);
  const select = database.prepare("SELECT path FROM note WHERE note MATCH ? ORDER BY bm25(note) LIMIT 10");
  return (query) => {
    const words = (query.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`);
    const found = (joint: string) => select.all(words.join(joint)).map((row) => String(row["path"]));
    const all = found(" ");
    return all.length > 0 ? all : found(" OR ");
  };
}

function miniSearchOver(texts: Texts): (query: string) => string[] {
  const search = new MiniSearch({ idField: "path", fields: ["name", "text"], searchOptions: { boost: { name: 2 } } });
  for (const [path, text] of texts) search.add({ path, name: nameOf(path), text });
  return (query) => search.search(query, { prefix: true, fuzzy: 0.2 }).map(({ id }) => String(id));
}
