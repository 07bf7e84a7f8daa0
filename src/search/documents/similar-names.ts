// Finds documents whose names are similar to a query, but do not contain its words:
// parts of words, words run together, typing errors. The last resort of a search.
import { foldForSearch } from "../words/folding.ts";
import { termsOf } from "../words/terms.ts";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { nameOfDocument } from "./document.ts";
import { editDistance, forgivenErrors } from "../../kernel/kernel.ts";

export interface NameMatch {
  readonly id: number;
  /** Up to 1, for a name that contains at least a part of every word. */
  readonly likeness: number;
}

/** The rarest trigrams of the query are used: common ones would find half of the vault. */
const MAX_TRIGRAMS = 12;
/** Names that are compared. */
const MAX_CANDIDATES = 300;
const MIN_LIKENESS = 0.6;

export function namesLike(database: IndexDatabase, words: readonly string[]): NameMatch[] {
  const count = (trigram: string) =>
    Number(database.get("SELECT doc FROM name_trigram WHERE term = ?", trigram)?.["doc"] ?? 0);
  const trigrams = rarestTrigrams(new Map(trigramsOf(words).map((trigram) => [trigram, count(trigram)])));
  if (trigrams.length === 0) return [];
  const rows = database.all(
    `SELECT document.id, path, facts ->> 'title' AS title, facts ->> 'aliases' AS aliases
     FROM (SELECT rowid AS id FROM name_part WHERE name_part MATCH ? ORDER BY rank LIMIT ${MAX_CANDIDATES}) AS alike
     JOIN document ON document.id = alike.id JOIN facts ON facts.document = alike.id`,
    trigrams.map((trigram) => `"${trigram}"`).join(" OR "),
  );
  return likeAmong(
    rows.map((row) => ({
      id: Number(row["id"]),
      names: [
        nameOfDocument(String(row["path"])),
        ...(row["title"] === null ? [] : [String(row["title"])]),
        ...(JSON.parse(String(row["aliases"])) as string[]),
      ],
    })),
    words,
  );
}

/** @param counts in how many names a trigram is */
function rarestTrigrams(counts: ReadonlyMap<string, number>): string[] {
  return [...counts]
    .filter(([, count]) => count > 0)
    .toSorted(([one, a], [other, b]) => a - b || (one < other ? -1 : 1))
    .slice(0, MAX_TRIGRAMS)
    .map(([trigram]) => trigram);
}

/** Those of the documents with a name that is like the words. */
function likeAmong(
  documents: readonly { readonly id: number; readonly names: readonly string[] }[],
  words: readonly string[],
): NameMatch[] {
  return documents.flatMap(({ id, names }) => {
    const likeness = Math.max(...names.map((name) => likenessOf(words, name)));
    return likeness < MIN_LIKENESS ? [] : [{ id, likeness }];
  });
}

/** A word contains no quotes, so its trigrams need no escapes in a query. */
function trigramsOf(words: readonly string[]): string[] {
  const trigrams = words.flatMap((word) => {
    const characters = [...word];
    return characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(""));
  });
  return [...new Set(trigrams)];
}

/** The share of the words that is in a name, weighted by length, and reduced a little for the rest of the name. */
function likenessOf(words: readonly string[], name: string): number {
  const parts = termsOf(name);
  const runTogether = foldForSearch(name).replace(/[^\p{L}\p{M}\p{N}]/gu, "");
  const total = words.reduce((sum, word) => sum + word.length, 0);
  const found = words.reduce((sum, word) => sum + word.length * wordInName(word, parts, runTogether), 0);
  const likeness = total === 0 ? 0 : found / total;
  const rest = Math.max(0, runTogether.length - total) / Math.max(1, runTogether.length);
  return likeness * (1 - 0.2 * rest);
}

function wordInName(word: string, parts: readonly string[], runTogether: string): number {
  const limit = forgivenErrors(word);
  let best = word.length >= 3 && runTogether.includes(word) ? 0.85 : 0;
  for (const part of parts) {
    if (part === word) return 1;
    if (part.startsWith(word)) best = Math.max(best, 0.95);
    const errors = editDistance(word, part, limit);
    if (errors <= limit) best = Math.max(best, 0.9 - errors / word.length);
  }
  return best;
}
