// Questions with known answers: made from the texts by fixed rules, and written by hand
// for the sample vault. Used by the benchmark of the quality of the search.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isStopWord } from "../../../src/search/search.ts";

export interface Question {
  readonly kind: string;
  readonly query: string;
  /** The path of a note, or the name of another text. */
  readonly answer: string;
}

/** By path or name. */
export type Texts = ReadonlyMap<string, string>;

/** How many questions of each kind are made from the notes. */
const MADE = 64;

const lettersOf = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];
const wordsOf = (text: string) => text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
export const nameOf = (path: string) => path.replace(/^.*\//, "").replace(/\.md$/, "");

/** Titles and rare words as typed, in part, and mistyped. The same each time. */
export function questionsAboutNotes(notes: Texts): Question[] {
  const rareWords = rareWordsIn(notes);
  const titles = [...notes.keys()].map((path) => nameOf(path).toLowerCase());
  const good = [...notes.keys()].toSorted().filter((path) => {
    const isOnly = titles.filter((title) => title === nameOf(path).toLowerCase()).length === 1;
    return isOnly && notes.get(path)!.length > 600 && /^[A-Za-z ]{7,}$/.test(nameOf(path));
  });
  return Array.from({ length: MADE }, (_, i) => good[(i * 37) % good.length]!).flatMap((path, i) => {
    const name = nameOf(path);
    const [first = name, second = name] = rareWords(path);
    return [
      { kind: "exact", query: i % 2 === 0 ? name : `${first} ${second}`, answer: path },
      { kind: "partial", query: first.slice(0, -2), answer: path },
      { kind: "misspelt", query: mistyped(name), answer: path },
    ];
  });
}

/** Four questions in turn, about texts of another kind than notes. */
export function questionsAbout(texts: Texts): Question[] {
  const rareWords = rareWordsIn(texts);
  return [...texts.keys()].flatMap((name, i) => {
    const [first, second, third] = rareWords(name);
    if (first === undefined || second === undefined) return [];
    const made = [
      { kind: "exact", query: `${first} ${second}` },
      { kind: "partial", query: first.slice(0, -2) },
      { kind: "misspelt", query: mistyped(first) },
      { kind: "question", query: `What did it say about ${first}, and where was ${third ?? second} mentioned?` },
    ][i % 4]!;
    return [{ ...made, answer: name }];
  });
}

function mistyped(word: string): string {
  return `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`;
}

/** Words of at least seven letters that no other text has. */
function rareWordsIn(texts: Texts): (name: string) => string[] {
  const counts = new Map<string, number>();
  for (const text of texts.values())
    for (const word of new Set(wordsOf(text))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (name) => [...new Set(wordsOf(texts.get(name)!))].filter((word) => counts.get(word) === 1 && word.length >= 7);
}

/**
 * Written after reading the beginnings of the notes, before any search was tried with them: questions in the words of
 * the note; paraphrases, which share at most one of them (see `sharedWords`); and, reworded, what shares more.
 */
export function writtenQuestions(): Question[] {
  return readFileSync(join(import.meta.dirname, "encyclopaedia.tsv"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"))
    .map(([kind, answer, query]) => ({ kind: kind!, answer: answer!, query: query! }));
}

export const MAX_SHARED = 1;

/** The words of a query that mean something and are in a text, in any form: words with the same five letters are one. */
export function sharedWords(query: string, text: string): string[] {
  const words = new Set(lettersOf(text));
  const beginnings = new Set([...words].filter((word) => word.length >= 5).map((word) => word.slice(0, 5)));
  return [...new Set(lettersOf(query))].filter(
    (word) =>
      word.length > 2 &&
      !isStopWord(word) &&
      (words.has(word) || (word.length >= 5 && beginnings.has(word.slice(0, 5)))),
  );
}
