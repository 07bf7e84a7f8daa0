// The texts that have the words of a query, ranked as FTS5 would rank them.
// FTS5 looks up each hit's length in a table of its own, and joining and
// grouping the hits in SQL takes longer still. So only the rows with each word
// come from the full text, once for all readings of a query, and ranking is
// done here, in tables of numbers. Used by text-index.ts for queries without
// phrases.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { endOf, rarityOf, relevanceOf, type TextQuery } from "../../search/search.ts";
import { integersIn, TITLE_WEIGHT, type TextRows, type TextRowsCache } from "./text-rows.ts";

/** A word, or what words begin with. */
export interface Word {
  readonly term: string;
  readonly isPrefix: boolean;
}

/** One of these words. */
export type Choice = readonly Word[];

/** The best text of a conversation. */
export interface BestText {
  readonly conversation: number;
  /** Undefined where its title is the best. */
  readonly page: number | undefined;
  readonly relevance: number;
}

/** The texts with a word, by their places and in order, and how much it counts in each. */
interface Occurrences {
  readonly places: Int32Array;
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

/** Of one query: nothing is written while it is answered. */
export class WordMatches {
  readonly #database: IndexDatabase;
  readonly #cache: TextRowsCache;
  readonly #known = new Map<string, Occurrences>();
  #rows: TextRows | undefined;

  constructor(database: IndexDatabase, cache: TextRowsCache) {
    this.#database = database;
    this.#cache = cache;
  }

  /** How many texts have one of the words. */
  count(choice: Choice): number {
    const all = choice.map((word) => this.#occurrencesOf(word));
    const isCounted = new Uint8Array(this.#rows!.lengths.length);
    let count = 0;
    for (const { places } of all)
      for (let i = 0; i < places.length; i++) {
        count += 1 - isCounted[places[i]!]!;
        isCounted[places[i]!] = 1;
      }
    return count;
  }

  /** By its id, 1 for each conversation that has one of the words. */
  having(choice: Choice): Uint8Array {
    const all = choice.map((word) => this.#occurrencesOf(word));
    const { conversations, mostConversation } = this.#rows!;
    const having = new Uint8Array(mostConversation + 1);
    for (const { places } of all) for (let i = 0; i < places.length; i++) having[conversations[places[i]!]!] = 1;
    return having;
  }

  /**
   * The conversations that have one of each choice in one text, the most relevant first, each with the best of its
   * texts; of equal ones the first.
   * @param passing by its id, 1 for each conversation that is looked for
   * @returns as many as are wanted, and how many there are
   */
  best(choices: readonly Choice[], passing: Uint8Array, limit: number): { texts: BestText[]; total: number } {
    const occurrences = choices.map((choice) => choice.map((word) => this.#occurrencesOf(word)));
    const { conversations, lengths, weights, statistics, mostConversation } = this.#rows!;
    const relevances = new Float64Array(lengths.length);
    /** How many of the choices a text has, of those that were looked at so far. */
    const met = new Uint16Array(lengths.length);
    for (const [i, choice] of occurrences.entries())
      for (const { places, frequencies } of choice) {
        const rarity = rarityOf(places.length, statistics.documents);
        for (let at = 0; at < places.length; at++) {
          const place = places[at]!;
          if (met[place]! < i) continue;
          met[place] = i + 1;
          relevances[place]! += relevanceOf(rarity, frequencies[at]!, lengths[place]!, statistics.averageLength);
        }
      }
    /** By conversation, the place of its best text, plus one. */
    const best = new Int32Array(mostConversation + 1);
    const found: number[] = [];
    for (let place = 0; place < met.length; place++) {
      if (met[place] !== choices.length) continue;
      const conversation = conversations[place]!;
      if (passing[conversation] !== 1) continue;
      const before = best[conversation]!;
      if (before === 0) found.push(conversation);
      if (before === 0 || relevances[place]! > relevances[before - 1]!) best[conversation] = place + 1;
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
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { texts } = isPrefix
      ? this.#database.get(
          "SELECT group_concat(doc) AS texts FROM occurrence WHERE term >= ? AND term < ?",
          term,
          endOf(term),
        )!
      : this.#database.get("SELECT group_concat(doc) AS texts FROM occurrence WHERE term = ?", term)!;
    this.#rows ??= this.#cache.get("all")!;
    const found = integersIn(texts);
    // Where several words begin alike, each comes with texts of its own.
    if (isPrefix) found.sort();
    const occurrences = counted(found, this.#rows.weights);
    this.#known.set(key, occurrences);
    return occurrences;
  }
}

/** The most relevant first. To find out how good the last one wanted is takes less than to sort them all. */
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

/** The relevance of the last one wanted. */
function leastOf(
  conversations: readonly number[],
  relevanceIn: (conversation: number) => number,
  limit: number,
): number {
  const relevances = new Float64Array(conversations.length);
  for (let i = 0; i < conversations.length; i++) relevances[i] = relevanceIn(conversations[i]!);
  return relevances.sort()[conversations.length - limit]!;
}

/** @param texts in order, one for each time that the word stands there */
function counted(texts: Int32Array, weights: Uint8Array): Occurrences {
  const places = new Int32Array(texts.length);
  const frequencies = new Int32Array(texts.length);
  let count = 0;
  for (let i = 0; i < texts.length; i++) {
    const place = texts[i]!;
    if (count === 0 || places[count - 1] !== place) places[count++] = place;
    frequencies[count - 1]! += weights[place]!;
  }
  return { places: places.subarray(0, count), frequencies: frequencies.subarray(0, count) };
}
