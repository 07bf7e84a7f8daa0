// The texts that have the words of a query, ranked as FTS5 would rank them.
// FTS5 looks up each hit's length in a table of its own, and joining and
// grouping the hits in SQL takes longer still. So only the rows with each word
// come from the full text, once for all readings of a query, and ranking is
// done here, in tables of numbers. Used by text-index.ts for queries without
// phrases.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { endOf, integersIn, rarityOf, relevanceOf, type TextQuery } from "../../search/search.ts";
import { TITLE_WEIGHT, type TextRows, type TextRowsCache } from "./text-rows.ts";

/** A word, or the beginning of words. */
export interface Word {
  readonly term: string;
  readonly isPrefix: boolean;
}

/** Alternatives: one of these words has to match. */
export type Choice = readonly Word[];

/** The best text of a conversation. */
export interface BestText {
  readonly conversation: number;
  /** Undefined where its title is the best. */
  readonly page: number | undefined;
  readonly relevance: number;
}

/** The rows with a word in ascending order, and its weighted frequency in each. */
interface Occurrences {
  readonly rows: Int32Array;
  readonly frequencies: Int32Array;
}

/**
 * The choices of a query that asks for one word of each; undefined if it has a
 * phrase of several words, or letters that the tokenizer of FTS5 might split or
 * fold in its own way.
 */
export function choicesIn(query: TextQuery): readonly Choice[] | undefined {
  const choices = (query.kind === "all" ? query.of : [query]).map(wordsIn);
  return choices.every((choice) => choice !== undefined) ? choices : undefined;
}

function wordsIn(query: TextQuery): Choice | undefined {
  if (query.kind === "all") return undefined;
  if (query.kind === "any") {
    const words = query.of.map(wordsIn);
    return words.every((choice) => choice !== undefined) ? words.flat() : undefined;
  }
  const [term, ...others] = query.terms;
  return others.length === 0 && WORD.test(term!) ? [{ term: term!, isPrefix: query.isPrefix }] : undefined;
}

/** Lower case of Latin, Greek and Cyrillic, kana, Han and Hangul. */
const WORD = /^[a-z\dα-ωа-я\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]+$/;

/** Serves one query, during which nothing is written. */
export class WordMatches {
  readonly #database: IndexDatabase;
  readonly #cache: TextRowsCache;
  readonly #occurrences = new Map<string, Occurrences>();
  #rows: TextRows | undefined;

  constructor(database: IndexDatabase, cache: TextRowsCache) {
    this.#database = database;
    this.#cache = cache;
  }

  /** By id, 1 for each conversation that has one of the words. */
  having(choice: Choice): Uint8Array {
    const all = choice.map((word) => this.#occurrencesOf(word));
    const { conversations, mostConversation } = this.#rows!;
    const having = new Uint8Array(mostConversation + 1);
    for (const { rows } of all) for (let i = 0; i < rows.length; i++) having[conversations[rows[i]!]!] = 1;
    return having;
  }

  /**
   * The conversations that have a word of each choice in one row, most relevant first, each with its best row; of
   * equally good rows the first.
   * @param passing by id, 1 for each conversation that may be returned
   * @returns up to `limit` conversations, and how many there are
   */
  best(choices: readonly Choice[], passing: Uint8Array, limit: number): { texts: BestText[]; total: number } {
    const occurrences = choices.map((choice) => choice.map((word) => this.#occurrencesOf(word)));
    const { conversations, lengths, weights, statistics, mostConversation } = this.#rows!;
    const relevances = new Float64Array(lengths.length);
    /** By row, how many of the choices so far it has. */
    const met = new Uint16Array(lengths.length);
    for (const [i, choice] of occurrences.entries())
      for (const { rows, frequencies } of choice) {
        const rarity = rarityOf(rows.length, statistics.documents);
        for (let at = 0; at < rows.length; at++) {
          const row = rows[at]!;
          if (met[row]! < i) continue;
          met[row] = i + 1;
          relevances[row]! += relevanceOf(rarity, frequencies[at]!, lengths[row]!, statistics.averageLength);
        }
      }
    /** By conversation, its best row plus one; 0 for none. */
    const best = new Int32Array(mostConversation + 1);
    const found: number[] = [];
    for (let row = 0; row < met.length; row++) {
      if (met[row] !== choices.length) continue;
      const conversation = conversations[row]!;
      if (passing[conversation] !== 1) continue;
      const before = best[conversation]!;
      if (before === 0) found.push(conversation);
      if (before === 0 || relevances[row]! > relevances[before - 1]!) best[conversation] = row + 1;
    }
    const relevanceIn = (conversation: number) => relevances[best[conversation]! - 1]!;
    const texts = mostRelevant(found, relevanceIn, limit).map((conversation) => ({
      conversation,
      page: weights[best[conversation]! - 1] === TITLE_WEIGHT ? undefined : best[conversation]! - 1,
      relevance: relevanceIn(conversation),
    }));
    return { texts, total: found.length };
  }

  #occurrencesOf({ term, isPrefix }: Word): Occurrences {
    const key = isPrefix ? `${term}*` : term;
    const cached = this.#occurrences.get(key);
    if (cached !== undefined) return cached;
    const { texts } = isPrefix
      ? this.#database.get(
          "SELECT group_concat(doc) AS texts FROM occurrence WHERE term >= ? AND term < ?",
          term,
          endOf(term),
        )!
      : this.#database.get("SELECT group_concat(doc) AS texts FROM occurrence WHERE term = ?", term)!;
    this.#rows ??= this.#cache.get("all")!;
    const found = integersIn(texts);
    // Several words may begin alike, each with rows of its own.
    if (isPrefix) found.sort();
    const occurrences = counted(found, this.#rows.weights);
    this.#occurrences.set(key, occurrences);
    return occurrences;
  }
}

/** The most relevant first. Finding the relevance of the last one first is faster than sorting all of them. */
function mostRelevant(
  conversations: readonly number[],
  relevanceIn: (conversation: number) => number,
  limit: number,
): number[] {
  const least = conversations.length > limit ? leastOf(conversations, relevanceIn, limit) : 0;
  return conversations
    .filter((conversation) => relevanceIn(conversation) >= least)
    .sort((a, b) => relevanceIn(b) - relevanceIn(a) || a - b)
    .slice(0, limit);
}

/** The relevance of the last one within the limit. */
function leastOf(
  conversations: readonly number[],
  relevanceIn: (conversation: number) => number,
  limit: number,
): number {
  const relevances = new Float64Array(conversations.length);
  for (let i = 0; i < conversations.length; i++) relevances[i] = relevanceIn(conversations[i]!);
  return relevances.sort()[conversations.length - limit]!;
}

/** @param hits rows in ascending order, one for each occurrence of the word */
function counted(hits: Int32Array, weights: Uint8Array): Occurrences {
  const rows = new Int32Array(hits.length);
  const frequencies = new Int32Array(hits.length);
  let count = 0;
  for (let i = 0; i < hits.length; i++) {
    const row = hits[i]!;
    if (count === 0 || rows[count - 1] !== row) rows[count++] = row;
    frequencies[count - 1]! += weights[row]!;
  }
  return { rows: rows.subarray(0, count), frequencies: frequencies.subarray(0, count) };
}
