// Runs the readings of a query, from the strictest to the most lenient, and scores
// the hits: docs/internals/search.md has them as a table. Used by every full-text search of this
// program; each implements a TextIndex for its own texts.
//
// FTS5 is slow with long OR lists. So strict readings come first, and lenient ones
// only if those found few hits: the whole query as a name, its words in a name, as a
// phrase, all words; then other forms and corrections of the words; then some of the
// words; then similar names. Of a sentence no text needs to have all words: it is
// weighed at once. On encyclopaedia questions, the right note was first for 93 of 100
// that way, and for 77 where notes with all words came first.
import { isPaired } from "./words/terms.ts";
import { FORM, stemOf, type Spelling } from "./words/spellings.ts";
import { isStopWord, stemsOf } from "./words/word-forms.ts";
import type { SearchQuery } from "./query.ts";
import { allOf, anyOf, phrase, prefix, type TextQuery } from "./text-query.ts";
import { relevanceFrom, scoreOf, type MatchKind } from "./scores.ts";
import { type Grounds, groundsOf, type HowSure, surenessOf } from "./sureness.ts";
import type { Evidence, Weighed } from "./weighing.ts";
import type { SpelledWord } from "./documents/word-places.ts";

/** A hit. `rank` is FTS5's BM25; `document` is what the index knows about it. */
export interface Candidate<D> {
  readonly id: number;
  readonly rank: number;
  readonly document: D;
}

/** A document with the name that was searched for. */
export interface Named<D> extends Candidate<D> {
  /** From 0 to 1: a title counts less than the name of the file; undefined for an alias. */
  readonly closeness: number | undefined;
}

/** How well a document matches some of the words. */
export type WeighedCandidate<D> = Candidate<D> & Pick<Weighed, "relevance" | "mayBePhrase">;

export interface Matches<D> {
  readonly best: readonly Candidate<D>[];
  /** The number of all hits. */
  readonly total: number;
}

/** The texts that are searched, with the filters of the query applied. */
export interface TextIndex<D> {
  /** The documents with exactly this name, newest first. */
  readonly named: (plain: string) => readonly Named<D>[];
  /** The best documents with all of these words in their names or titles; of those with them as a phrase in a heading. */
  readonly titled: (terms: readonly string[], limit: number) => readonly Candidate<D>[];
  readonly headed: (terms: readonly string[], limit: number) => readonly Candidate<D>[];
  /** The best hits of a query, up to the limit. */
  readonly match: (query: TextQuery, limit: number) => Matches<D>;
  /** Returns which of these few documents a query finds. */
  readonly having: (query: TextQuery, documents: readonly { readonly id: number }[]) => ReadonlySet<number>;
  /** The best documents with some of the words, up to the limit, and how many have one. */
  readonly weigh: (
    words: readonly SpelledWord[],
    limit: number,
  ) => { readonly best: readonly WeighedCandidate<D>[]; readonly total: number; readonly evidence?: Evidence };
  /** The spellings of a word that occur. */
  readonly spellings: (term: string, isBegun: boolean) => readonly Spelling[];
  /** The longer words that have a word inside; none where looking for them would take too long. */
  readonly containing: (term: string) => readonly Spelling[];
  /** Words of the index that a mistyped word may be meant for; the likely ones only if it has to be quick. */
  readonly corrections: (term: string, isQuick: boolean) => readonly string[];
  /** Documents with a name like these words; the likeness is from 0 to 1. */
  readonly namedLike: (terms: readonly string[]) => readonly (Candidate<D> & { readonly likeness: number })[];
}

export type Scored<D> = Pick<Candidate<D>, "id" | "document"> & {
  readonly score: number;
  /** Of the best hits for a question. */
  readonly grounds?: Grounds | undefined;
};

export interface Readings<D> {
  /** Best first; at least as many as requested, if there are. */
  readonly found: readonly Scored<D>[];
  /** The number of all hits. */
  readonly total: number;
  /** The words that were searched for, with other forms and corrections; of a sentence without function words. */
  readonly words: readonly string[];
  /** By word, what was searched for instead of a mistyped one, the likeliest first. */
  readonly corrections: Corrections;
  /** Words that no text has in any form, as terms. */
  readonly unfound: readonly string[];
  /** Of a question: whether it is answered. */
  readonly known: HowSure | undefined;
}

export type Corrections = ReadonlyMap<string, readonly string[]>;

/** @param count of hits up to the end of the page */
export function readingsOf<D>(index: TextIndex<D>, query: SearchQuery, count: number): Readings<D> {
  return new QueryReader<D>(index, query, count).read();
}

/** If strict readings find this many hits, lenient ones are not run. */
export const ENOUGH = 50;
/** How many hits for some of the words are scored. */
const WEIGHED = 200;
/** A name says more about what is asked for than another word that is as rare. */
const NAME_WEIGHT = 1.3;
/** Documents that may have the whole sentence, of which each is asked for it. */
const MAX_PHRASES = 20;
/** Words of quotes that nothing has: so many are looked up one by one. */
const MAX_LOOKED_UP = 16;

interface Word extends SpelledWord {
  /** The word, its forms and the words that begin with it; or its corrections. */
  readonly lenient: TextQuery;
  readonly isCorrected: boolean;
}

/** Without function words, unless there are no others. */
function termsSoughtBy({ words, phrases }: SearchQuery): readonly string[] {
  const informative = words.filter((word) => !isStopWord(word));
  return [...new Set(informative.length > 0 || phrases.length > 0 ? informative : words)];
}

/** Too many words begin with a given letter or digit. */
function begunWordOf({ orderedWords, lastIsPartial }: SearchQuery): string | undefined {
  return lastIsPartial && orderedWords.at(-1)!.length > 1 ? orderedWords.at(-1) : undefined;
}

/** @param symbols that a text needs as well, wherever they stand */
function wordsAsPhrase({ orderedWords, phrases }: SearchQuery, symbols: readonly string[]): readonly TextQuery[] {
  return [...phrases, orderedWords, ...symbols.map((symbol) => [symbol])].map((terms) => phrase(terms));
}

/** The readings of all words as typed: with signs such as € and → first, which count nothing otherwise. */
function typedPhrases(query: SearchQuery): readonly (readonly TextQuery[])[] {
  const { words, orderedWords } = query;
  if (orderedWords.length === 0) return [];
  const symbols = words.slice(orderedWords.length);
  const emoji = symbols.filter((symbol) => !isStopWord(symbol));
  return [
    ...(emoji.length < symbols.length ? [wordsAsPhrase(query, symbols)] : []),
    ...(orderedWords.length > 1 ? [wordsAsPhrase(query, emoji)] : []),
  ];
}

function allWords(query: SearchQuery): readonly TextQuery[] {
  return [...query.phrases, ...termsSoughtBy(query).map((term) => [term])].map((terms) => phrase(terms));
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
  readonly #corrections = new Map<string, readonly string[]>();
  readonly #unfound = new Set<string>();
  #evidence: Evidence | undefined;

  constructor(index: TextIndex<D>, query: SearchQuery, count: number) {
    this.#index = index;
    this.#query = query;
    this.#limit = Math.max(ENOUGH, count);
  }

  read(): Readings<D> {
    const words = this.#collect();
    if (this.#found.size === 0) this.#lookUpQuoted();
    // A stable sort: equal hits keep the order of the index, on every page.
    const found = [...this.#found.values()].sort((a, b) => b.score - a.score);
    const sureness = this.#evidence && surenessOf(this.#evidence, this.#query.plain);
    const hasWhole = found[0] !== undefined && found[0].score >= scoreOf("phrase", 0);
    return {
      found:
        sureness === undefined
          ? found
          : found.map((hit) => ({ ...hit, grounds: groundsOf(hit.id, hit.score, sureness.grounds) })),
      total: Math.max(this.#counted, found.length),
      words,
      corrections: this.#corrections,
      unfound: [...this.#unfound],
      known: sureness && hasWhole ? "yes" : sureness?.known,
    };
  }

  /** Runs the readings, strictest first. @returns the words that were searched for */
  #collect(): string[] {
    const { orderedWords, phrases } = this.#query;
    const required = phrases.map(phrase);
    const terms = termsSoughtBy(this.#query);
    const exact = [...terms, ...phrases.flat()];

    this.#addNamed(this.#query.plain);
    if (terms.length === 0) {
      this.#add("phrase", required);
      return exact;
    }
    if (phrases.length === 0) this.#addTitled(terms);
    const last = begunWordOf(this.#query);
    if (this.#query.isSentence && phrases.length === 0) {
      const sentence = this.#words(terms, last);
      this.#addSentence(sentence);
      if (!this.#hasEnough()) this.#addNames(terms);
      return spellingsIn(sentence);
    }
    for (const typed of typedPhrases(this.#query)) this.#add("phrase", typed);
    this.#add("allWords", allWords(this.#query));
    if (this.#hasEnough()) return exact;

    if (orderedWords.length > 1 && last !== undefined) this.#add("begunPhrase", [...required, prefix(orderedWords)]);
    const lenient = this.#words(terms, last);
    const isCorrected = lenient.some((word) => word.isCorrected);
    this.#add(isCorrected ? "allCorrected" : "allForms", [...required, ...lenient.map((word) => word.lenient)]);
    if (!this.#hasEnough() && lenient.length > 1) this.#addSomeWords(required, lenient, "someWords");
    if (!this.#hasEnough() && !this.#query.requiresPhrases) this.#addWithoutPhrases(lenient);
    const inner = this.#hasEnough() ? [] : this.#addInside(required, lenient);
    if (!this.#hasEnough() && phrases.length === 0) this.#addNames(terms);
    return [...spellingsIn(lenient), ...inner, ...phrases.flat()];
  }

  #lookUpQuoted(): void {
    const quoted = new Set(this.#query.phrases.flat().filter((term) => !isStopWord(term)));
    for (const term of [...quoted].slice(0, MAX_LOOKED_UP))
      if (this.#index.spellings(term, false).length === 0) this.#unfound.add(term);
  }

  #addNamed(plain: string): void {
    for (const candidate of this.#index.named(plain)) {
      const { closeness } = candidate;
      this.#set(candidate, closeness === undefined ? scoreOf("alias", 0) : scoreOf("title", closeness));
    }
  }

  /** Documents that are about the words: one mentions them in passing if it has them in its text only. */
  #addTitled(terms: readonly string[]): void {
    const { orderedWords, isSentence } = this.#query;
    if (isSentence) this.#addNamed(terms.join(" "));
    const add = (kind: MatchKind, candidates: readonly Candidate<D>[]) => {
      for (const candidate of candidates) this.#set(candidate, scoreOf(kind, relevanceFrom(candidate.rank)));
    };
    add("titled", this.#index.titled(terms, this.#limit));
    if (!isSentence && orderedWords.length > 0) add("heading", this.#index.headed(orderedWords, this.#limit));
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

  /** Those that have all words in order first. */
  #addSentence(words: readonly Word[]): void {
    const { best, total, evidence } = this.#index.weigh(words, Math.max(WEIGHED, this.#limit));
    this.#evidence = evidence;
    this.#counted = Math.max(this.#counted, total);
    const perhaps = best.filter(({ mayBePhrase }) => mayBePhrase).slice(0, MAX_PHRASES);
    const whole = perhaps.length === 0 ? undefined : this.#index.having(phrase(this.#query.orderedWords), perhaps);
    for (const candidate of best) {
      const kind = whole?.has(candidate.id) ? "phrase" : "sentence";
      this.#set(candidate, scoreOf(kind, candidate.relevance));
    }
  }

  /** Of a sentence, what has its words and not what it quotes, after what has both. */
  #addWithoutPhrases(words: readonly Word[]): void {
    const known = new Set(words.map(({ term }) => term));
    const quoted = new Set(this.#query.phrases.flat().filter((term) => !isStopWord(term) && !known.has(term)));
    const others = this.#words([...quoted], undefined);
    const least = Math.min(...[...this.#found.values()].map(({ score }) => score));
    if (least === Number.POSITIVE_INFINITY) this.#addSomeWords([], [...words, ...others], "sentence");
    else this.#addSomeWords([], [...words, ...others], "someWords", least / scoreOf("someWords", 1));
  }

  #addSomeWords(required: readonly TextQuery[], words: readonly Word[], kind: MatchKind, share = 1): void {
    const { best, total, evidence } = this.#index.weigh(words, Math.max(WEIGHED, this.#limit));
    if (this.#query.isSentence) this.#evidence ??= evidence;
    const allowed = required.length === 0 ? undefined : this.#index.having(allOf(required), best);
    const found = best.filter(({ id }) => allowed?.has(id) ?? true);
    this.#counted = Math.max(this.#counted, allowed === undefined ? total : found.length);
    for (const candidate of found) this.#set(candidate, share * scoreOf(kind, candidate.relevance));
  }

  /** Adds texts that have all words, some of them inside longer ones. @returns these longer words */
  #addInside(required: readonly TextQuery[], words: readonly Word[]): string[] {
    const found: string[] = [];
    const queries: TextQuery[] = [];
    for (const { term, lenient } of words) {
      const longer = this.#index.containing(term).map((spelling) => spelling.term);
      found.push(...longer);
      queries.push(anyOf([lenient, ...longer.map((other) => phrase([other]))]));
    }
    if (found.length > 0) this.#add("inside", [...required, ...queries]);
    return found;
  }

  #addNames(terms: readonly string[]): void {
    for (const candidate of this.#index.namedLike(terms)) this.#set(candidate, scoreOf("name", candidate.likeness));
  }

  #words(terms: readonly string[], begun: string | undefined): Word[] {
    return terms.map((term) => this.#word(term, term === begun));
  }

  /** The other forms of a word. It is corrected only if no document contains it. */
  #word(term: string, isBegun: boolean): Word {
    const exact = phrase([term]);
    const isOpen = !isPaired(term) && (isBegun || term.length >= 4);
    const forms = stemsOf(term).filter((form) => !isOpen || !form.startsWith(term));
    const lenient = anyOf([isOpen ? prefix([term]) : exact, ...forms.map((form) => phrase([form]))]);
    const offset = this.#query.words.indexOf(term);
    const weight = this.#query.names.includes(term) ? NAME_WEIGHT : 1;
    const spellings = this.#index.spellings(term, isBegun);
    const inner = spellings.length > 0 ? [] : this.#index.containing(term);
    if (spellings.length + inner.length === 0) this.#unfound.add(term);
    const isKnown = spellings.some(({ term: found, share }) => found.startsWith(term) || share >= FORM);
    if (isKnown || (this.#query.isSentence && spellings.length > 0))
      return { term, offset, weight, spellings, lenient, isCorrected: false };
    const corrected = this.#index.corrections(term, this.#query.isSentence);
    if (corrected.length === 0) {
      // Only with another ending, if at all.
      const others = spellings.map((spelling) => phrase([spelling.term]));
      return {
        term,
        offset,
        weight,
        // Among keywords, what has them within others comes last.
        spellings: this.#query.isSentence ? [...spellings, ...inner] : spellings,
        lenient: anyOf([lenient, ...others]),
        isCorrected: false,
      };
    }
    this.#corrections.set(term, corrected);
    const known: Spelling[] = [];
    for (const word of corrected)
      known.push(...this.#index.spellings(word, false).filter(({ term: found }) => found === word));
    return {
      term,
      offset,
      weight,
      spellings: known,
      lenient: anyOf(corrected.map((word) => phrase([word]))),
      isCorrected: true,
    };
  }

  /** The best hits of a query, in addition to those that were found before. */
  #match(query: TextQuery, limit: number): readonly Candidate<D>[] {
    const { best, total } = this.#index.match(query, limit + this.#found.size);
    this.#counted = Math.max(this.#counted, total);
    return best;
  }
}

/** Returns the spellings to highlight: words that begin with these match as well, so most need not be named. */
function spellingsIn(words: readonly Word[]): string[] {
  return words.flatMap(({ term, spellings }) => {
    const others = spellings.map((spelling) => spelling.term).filter((other) => !other.startsWith(term));
    const ending = others.filter((other) => other.startsWith(stemOf(term)));
    return [term, ...(ending.length > 0 ? [stemOf(term)] : []), ...others.filter((other) => !ending.includes(other))];
  });
}
