// Runs the readings of a query, from the strictest to the most lenient, and scores
// the hits. Used by every full-text search of this program; each implements a
// TextIndex for its own texts.
//
// FTS5 is slow with long OR lists. So strict readings come first, and lenient ones
// only if those found few hits: the whole query as a name, as a phrase, all words;
// then other forms and corrections of the words; then some of the words, the rarer
// ones; then similar names.
import { isPaired } from "./words/terms.ts";
import { isStopWord, stemsOf } from "./words/word-forms.ts";
import type { SearchQuery } from "./query.ts";
import { allOf, anyOf, phrase, prefix, type TextQuery } from "./text-query.ts";
import { informationOf, relevanceFrom, scoreOf, type MatchKind } from "./scores.ts";

/** A hit. `rank` is FTS5's BM25; `document` is what the index knows about it. */
export interface Candidate<D> {
  readonly id: number;
  readonly rank: number;
  readonly document: D;
}

/** A document with the name that was searched for. */
export interface Named<D> extends Candidate<D> {
  /** From 0 to 1: an alias counts less than the name itself. */
  readonly closeness: number;
}

export interface Matches<D> {
  readonly best: readonly Candidate<D>[];
  /** The number of all hits. */
  readonly total: number;
}

/** The texts that are searched, with the filters of the query applied. */
export interface TextIndex<D> {
  /** The documents with exactly this name, newest first. */
  readonly named: (plain: string) => readonly Named<D>[];
  /** The best hits of a query, up to the limit. */
  readonly match: (query: TextQuery, limit: number) => Matches<D>;
  /** Which of these documents a query finds. */
  readonly having: (query: TextQuery, documents: readonly { readonly id: number }[]) => ReadonlySet<number>;
  /** How many documents a query finds without the filters, and how many there are. */
  readonly documentsWith: (query: TextQuery) => number;
  readonly documents: () => number;
  /** Words of the index that a mistyped word may be meant for. */
  readonly corrections: (term: string) => readonly string[];
  /** Documents with a name like these words; the likeness is from 0 to 1. */
  readonly namedLike: (terms: readonly string[]) => readonly (Candidate<D> & { readonly likeness: number })[];
}

export type Scored<D> = Pick<Candidate<D>, "id" | "document"> & { readonly score: number };

export interface Readings<D> {
  /** Best first; at least as many as requested, if there are. */
  readonly found: readonly Scored<D>[];
  /** The number of all hits. */
  readonly total: number;
  /** The words that were searched for, with other forms and corrections. */
  readonly words: readonly string[];
}

/** @param count of hits up to the end of the page */
export function readingsOf<D>(index: TextIndex<D>, query: SearchQuery, count: number): Readings<D> {
  return new QueryReader(index, query, count).read();
}

/** If strict readings find this many hits, lenient ones are not run. */
export const ENOUGH = 50;
/** How many hits for some of the words are scored word by word. */
const WEIGHED = 200;
/** A word that is in every fifth document does not make a hit on its own if others are rarer. */
const COMMON = 5;
const MOST_ALTERNATIVES = 6;

interface Word {
  /** How many documents contain one of its spellings. */
  readonly documents: number;
  /** The word itself. */
  readonly exact: TextQuery;
  /** The word, its forms and the words that begin with it; or its corrections. */
  readonly lenient: TextQuery;
  readonly isCorrected: boolean;
  readonly spellings: readonly string[];
}

class QueryReader<D> {
  readonly #index: TextIndex<D>;
  readonly #query: SearchQuery;
  /** The requested number of hits, and at least enough to know whether another reading is needed. */
  readonly #limit: number;
  /** A later reading never changes the score of a hit. */
  readonly #found = new Map<number, Scored<D>>();
  /** The most hits that any reading counted; only the best of them were fetched. */
  #counted = 0;

  constructor(index: TextIndex<D>, query: SearchQuery, count: number) {
    this.#index = index;
    this.#query = query;
    this.#limit = Math.max(ENOUGH, count);
  }

  read(): Readings<D> {
    const words = this.#collect();
    // A stable sort: equal hits keep the order of the index, on every page.
    const found = [...this.#found.values()].sort((a, b) => b.score - a.score);
    return { found, total: Math.max(this.#counted, found.length), words };
  }

  /** Runs the readings, strictest first. @returns the words that were searched for */
  #collect(): string[] {
    const { words, phrases, lastIsPartial } = this.#query;
    const required = phrases.map(phrase);
    const informative = words.filter((word) => !isStopWord(word));
    const terms = [...new Set(informative.length > 0 || phrases.length > 0 ? informative : words)];
    const exact = [...terms, ...phrases.flat()];

    this.#addNamed();
    if (terms.length === 0) {
      this.#add("phrase", required);
      return exact;
    }
    if (words.length > 1) this.#add("phrase", [...required, phrase(words)]);
    this.#add("allWords", [...required, ...terms.map((term) => phrase([term]))]);
    if (this.#hasEnough()) return exact;

    // Too many words begin with a given letter or digit.
    const last = lastIsPartial && words.at(-1)!.length > 1 ? words.at(-1) : undefined;
    if (words.length > 1 && last !== undefined) this.#add("begunPhrase", [...required, prefix(words)]);
    const known = terms.map((term) => this.#word(term, term === last));
    const isCorrected = known.some((word) => word.isCorrected);
    this.#add(isCorrected ? "allCorrected" : "allForms", [...required, ...known.map(({ lenient }) => lenient)]);
    if (!this.#hasEnough() && known.length > 1) this.#addSomeWords(required, known);
    if (!this.#hasEnough() && phrases.length === 0) this.#addNames(terms);
    return [...known.flatMap(({ spellings }) => spellings), ...phrases.flat()];
  }

  #addNamed(): void {
    for (const candidate of this.#index.named(this.#query.plain))
      this.#set(candidate, scoreOf("title", candidate.closeness));
  }

  #hasEnough(): boolean {
    return Math.max(this.#found.size, this.#counted) >= ENOUGH;
  }

  #add(kind: MatchKind, queries: readonly TextQuery[]): void {
    for (const candidate of this.#match(allOf(queries), this.#limit))
      this.#set(candidate, scoreOf(kind, relevanceFrom(candidate.rank)));
  }

  #set({ id, document }: Candidate<D>, score: number): void {
    if (!this.#found.has(id)) this.#found.set(id, { id, document, score });
  }

  #addSomeWords(required: readonly TextQuery[], words: readonly Word[]): void {
    const total = this.#index.documents();
    const byRarity = words.filter((word) => word.documents > 0).toSorted((a, b) => a.documents - b.documents);
    const rarer = byRarity.filter((word, i) => i === 0 || word.documents * COMMON <= total).slice(0, MOST_ALTERNATIVES);
    if (rarer.length === 0) return;
    const weights = new Map(words.map((word) => [word, informationOf(word.documents, total)]));
    const all = words.reduce((sum, word) => sum + weights.get(word)!, 0);
    const some = allOf([...required, anyOf(rarer.map(({ lenient }) => lenient))]);
    const candidates = this.#match(some, Math.max(WEIGHED, this.#limit));
    const sums = new Map<number, number>();
    for (const word of byRarity) {
      // The word as typed counts a little more than its other forms.
      const queries = [
        { query: word.lenient, part: 0.8 },
        { query: word.exact, part: 0.2 },
      ];
      for (const { query, part } of queries)
        for (const id of this.#index.having(query, candidates))
          sums.set(id, (sums.get(id) ?? 0) + part * weights.get(word)!);
    }
    for (const candidate of candidates) {
      const share = (sums.get(candidate.id) ?? 0) / all;
      this.#set(candidate, scoreOf("someWords", 0.9 * share + 0.1 * relevanceFrom(candidate.rank)));
    }
  }

  #addNames(terms: readonly string[]): void {
    for (const candidate of this.#index.namedLike(terms)) this.#set(candidate, scoreOf("name", candidate.likeness));
  }

  /** The other forms of a word. It is corrected only if no document contains it. */
  #word(term: string, isBegun: boolean): Word {
    const exact = phrase([term]);
    const forms = stemsOf(term);
    const isOpen = !isPaired(term) && (isBegun || term.length >= 4);
    const others = forms.filter((form) => !isOpen || !form.startsWith(term)).map((form) => phrase([form]));
    const lenient = anyOf([isOpen ? prefix([term]) : exact, ...others]);
    const documents = this.#index.documentsWith(lenient);
    if (documents > 0) return { documents, exact, lenient, isCorrected: false, spellings: [term, ...forms] };
    const corrections = this.#index.corrections(term);
    if (corrections.length === 0) return { documents, exact, lenient, isCorrected: false, spellings: [term] };
    const corrected = anyOf(corrections.map((word) => phrase([word])));
    return {
      documents: this.#index.documentsWith(corrected),
      exact,
      lenient: corrected,
      isCorrected: true,
      spellings: [term, ...corrections],
    };
  }

  /** The best hits of a query, in addition to those that were found before. */
  #match(query: TextQuery, limit: number): readonly Candidate<D>[] {
    const { best, total } = this.#index.match(query, limit + this.#found.size);
    this.#counted = Math.max(this.#counted, total);
    return best;
  }
}
