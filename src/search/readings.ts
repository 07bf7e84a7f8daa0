// What a query may mean, from its strictest reading to the most lenient one,
// and how good each hit is. Used by every full-text search of this program;
// where the texts are, is the business of a TextIndex.
//
// Long OR lists are FTS5's one weak case. So the strict readings of a query
// come first, and the lenient ones only where those found few: the whole of it
// as a name, as a phrase, all its words; then other forms of the words and
// corrected ones; then some of the words, the rarer ones; then similar names.
import { isPaired } from "./words/terms.ts";
import { isStopWord, stemsOf } from "./words/word-forms.ts";
import type { SearchQuery } from "./query.ts";
import { allOf, anyOf, phrase, prefix, type TextQuery } from "./text-query.ts";
import { placeOf, scoreOf, tellingOf, type Way } from "./scores.ts";

/** A hit, with BM25 as FTS5 gives it; `document` is whatever the index knows of it. */
export interface Candidate<D> {
  readonly id: number;
  readonly rank: number;
  readonly document: D;
}

/** What bears a name that is looked for. */
export interface Named<D> extends Candidate<D> {
  /** From 0 to 1: a name that was only added as another one is less than the name itself. */
  readonly closeness: number;
}

export interface Matches<D> {
  readonly best: readonly Candidate<D>[];
  /** All hits. */
  readonly total: number;
}

/** Texts that can be searched; filters are applied already. */
export interface TextIndex<D> {
  /** What has exactly this name, the newest first. */
  readonly named: (plain: string) => readonly Named<D>[];
  /** The best hits of a query, up to the limit. */
  readonly match: (query: TextQuery, limit: number) => Matches<D>;
  /** Which of some documents a query finds. */
  readonly having: (query: TextQuery, documents: readonly { readonly id: number }[]) => ReadonlySet<number>;
  /** How many texts a query finds before any filter, and how many texts there are. */
  readonly documentsWith: (query: TextQuery) => number;
  readonly documents: () => number;
  /** Known words that a mistyped one may mean. */
  readonly corrections: (term: string) => readonly string[];
  /** What has a name like these words, from 0 to 1. */
  readonly namedLike: (terms: readonly string[]) => readonly (Candidate<D> & { readonly likeness: number })[];
}

export type Scored<D> = Pick<Candidate<D>, "id" | "document"> & { readonly score: number };

export interface Readings<D> {
  /** Best first; at least as many as were wanted, where there are so many. */
  readonly found: readonly Scored<D>[];
  /** All hits. */
  readonly total: number;
  /** The words that were looked for, with other forms and corrections. */
  readonly words: readonly string[];
}

/** @param wanted hits up to the end of the page */
export function readingsOf<D>(index: TextIndex<D>, query: SearchQuery, wanted: number): Readings<D> {
  return new Reader(index, query, wanted).read();
}

/** Strict readings that find this many leave no need for lenient ones. */
export const ENOUGH = 50;
/** How many hits of some of the words are looked at closely. */
const WEIGHED = 200;
/** A word that every fifth document has does not make a hit by itself where others are rarer. */
const COMMON = 5;
const MOST_ALTERNATIVES = 6;

interface Word {
  /** How many documents have it in one of its spellings. */
  readonly documents: number;
  /** The word itself. */
  readonly exact: TextQuery;
  /** The word, its forms and what it may begin; or what it was corrected to. */
  readonly lenient: TextQuery;
  readonly isCorrected: boolean;
  readonly spellings: readonly string[];
}

class Reader<D> {
  readonly #index: TextIndex<D>;
  readonly #query: SearchQuery;
  /** As many, and enough to know whether another reading is needed. */
  readonly #wanted: number;
  /** A later reading never raises a hit. */
  readonly #found = new Map<number, Scored<D>>();
  /** All hits of the readings of which only the best were taken. */
  #counted = 0;

  constructor(index: TextIndex<D>, query: SearchQuery, wanted: number) {
    this.#index = index;
    this.#query = query;
    this.#wanted = Math.max(ENOUGH, wanted);
  }

  read(): Readings<D> {
    const words = this.#collect();
    // Hits that are as good as each other stay in one order on every page: that in which the index gives them.
    const found = [...this.#found.values()].sort((a, b) => b.score - a.score);
    return { found, total: Math.max(this.#counted, found.length), words };
  }

  /** All readings of the query, from the strictest on. @returns the words that were looked for */
  #collect(): string[] {
    const { words, phrases, lastIsPartial } = this.#query;
    const required = phrases.map(phrase);
    const telling = words.filter((word) => !isStopWord(word));
    const terms = [...new Set(telling.length > 0 || phrases.length > 0 ? telling : words)];
    const exact = [...terms, ...phrases.flat()];

    this.#addNamed();
    if (terms.length === 0) {
      this.#add("phrase", required);
      return exact;
    }
    if (words.length > 1) this.#add("phrase", [...required, phrase(words)]);
    this.#add("allWords", [...required, ...terms.map((term) => phrase([term]))]);
    if (this.#hasEnough()) return exact;

    // A single letter or digit begins so much that it tells nothing.
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

  #add(way: Way, queries: readonly TextQuery[]): void {
    for (const candidate of this.#match(allOf(queries), this.#wanted))
      this.#set(candidate, scoreOf(way, placeOf(candidate.rank)));
  }

  #set({ id, document }: Candidate<D>, score: number): void {
    if (!this.#found.has(id)) this.#found.set(id, { id, document, score });
  }

  #addSomeWords(required: readonly TextQuery[], words: readonly Word[]): void {
    const total = this.#index.documents();
    const byRarity = words.filter((word) => word.documents > 0).toSorted((a, b) => a.documents - b.documents);
    const rarer = byRarity.filter((word, i) => i === 0 || word.documents * COMMON <= total).slice(0, MOST_ALTERNATIVES);
    if (rarer.length === 0) return;
    const telling = new Map(words.map((word) => [word, tellingOf(word.documents, total)]));
    const all = words.reduce((sum, word) => sum + telling.get(word)!, 0);
    const some = allOf([...required, anyOf(rarer.map(({ lenient }) => lenient))]);
    const candidates = this.#match(some, Math.max(WEIGHED, this.#wanted));
    const told = new Map<number, number>();
    for (const word of byRarity) {
      // The word as it was typed is worth a little more than what it may stand for.
      const ways = [
        { query: word.lenient, part: 0.8 },
        { query: word.exact, part: 0.2 },
      ];
      for (const { query, part } of ways)
        for (const id of this.#index.having(query, candidates))
          told.set(id, (told.get(id) ?? 0) + part * telling.get(word)!);
    }
    for (const candidate of candidates) {
      const share = (told.get(candidate.id) ?? 0) / all;
      this.#set(candidate, scoreOf("someWords", 0.9 * share + 0.1 * placeOf(candidate.rank)));
    }
  }

  #addNames(terms: readonly string[]): void {
    for (const candidate of this.#index.namedLike(terms)) this.#set(candidate, scoreOf("name", candidate.likeness));
  }

  /** What a word may stand for. Only a word that is nowhere is corrected. */
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
  #match(query: TextQuery, wanted: number): readonly Candidate<D>[] {
    const { best, total } = this.#index.match(query, wanted + this.#found.size);
    this.#counted = Math.max(this.#counted, total);
    return best;
  }
}
