// Finds the documents that a query means, best first. Used by note-index.ts.
//
// Long OR lists are FTS5's one weak case. So the strict readings of a query
// come first, and the lenient ones only where those found few: the whole of it
// as a name, as a phrase, all its words; then other forms of the words and
// corrected ones; then some of the words, the rarer ones; then similar names.
import { isPaired, isStopWord, stemsOf } from "../text/search-text.ts";
import type { SearchQuery } from "../text/search-query.ts";
import type { IndexDatabase, Row } from "./database.ts";
import { comparableName } from "./document.ts";
import { anyOf, filterOf, phrase, type Filter, type Scope } from "./filters.ts";
import { namesLike } from "./fuzzy-names.ts";
import { placeOf, rounded, scoreOf, tellingOf, type Way } from "./scores.ts";
import { correctionsOf } from "./spelling.ts";

export interface SearchOptions extends Scope {
  readonly limit: number;
  readonly offset?: number | undefined;
}

export interface Hit {
  readonly path: string;
  readonly kind: string;
  readonly score: number;
  readonly mtime: number;
}

export interface Found {
  readonly hits: readonly Hit[];
  /** All hits, whatever the limit. */
  readonly total: number;
  /** The words as the index has them, with other forms and corrections: what to highlight. */
  readonly words: readonly string[];
}

/** Strict readings that find this many leave no need for lenient ones. */
const ENOUGH = 50;
/** How many hits of some of the words are looked at closely. */
const WEIGHED = 200;
/** A word that every fifth document has does not make a hit by itself where others are rarer. */
const COMMON = 5;
const MOST_ALTERNATIVES = 6;

interface Word {
  /** The word itself, as an expression. */
  readonly exact: string;
  /** The word, its forms and what it may begin; or what it was corrected to. */
  readonly lenient: string;
  readonly isCorrected: boolean;
  readonly spellings: readonly string[];
}

interface Candidate {
  readonly id: number;
  readonly rank: number;
  readonly document: Pick<Hit, "path" | "kind" | "mtime">;
}

type Scored = Pick<Candidate, "id" | "document"> & { readonly score: number };

export function search(database: IndexDatabase, query: SearchQuery, options: SearchOptions): Found {
  const { offset = 0, limit } = options;
  if (query.isEmpty) return { hits: [], total: 0, words: [] };
  if (query.words.length === 0 && query.phrases.length === 0) return listing(database, query, options);
  return new Search(database, query, filterOf(query, options), offset + limit).page(offset, limit);
}

/** A query of nothing but filters: the newest first. */
function listing(database: IndexDatabase, query: SearchQuery, options: SearchOptions): Found {
  const { condition, values } = filterOf(query, { ...options, kinds: options.kinds ?? ["note"] });
  const rows = database.all(
    `SELECT id, path, kind, mtime FROM document WHERE ${condition} ORDER BY mtime DESC, path LIMIT ? OFFSET ?`,
    ...values,
    options.limit,
    options.offset ?? 0,
  );
  const count = database.get(`SELECT count(*) AS count FROM document WHERE ${condition}`, ...values);
  const score = scoreOf("allWords", 0);
  const hits = rows.map((row): Hit => ({ ...candidateIn(row).document, score }));
  return { hits, total: Number(count!["count"]), words: [] };
}

class Search {
  readonly #database: IndexDatabase;
  readonly #query: SearchQuery;
  readonly #filter: Filter;
  /** Hits up to the end of the page, from each reading: none of the next can come before them. */
  readonly #wanted: number;
  /** A later reading never raises a hit. */
  readonly #found = new Map<number, Scored>();
  /** All hits of the readings of which only the best were taken. */
  #counted = 0;

  constructor(database: IndexDatabase, query: SearchQuery, filter: Filter, wanted: number) {
    this.#database = database;
    this.#query = query;
    this.#filter = filter;
    this.#wanted = Math.max(ENOUGH, wanted);
  }

  page(offset: number, limit: number): Found {
    const words = this.#collect();
    // Hits that are as good as each other stay in one order on every page: that of the index.
    const sorted = [...this.#found.values()].sort((a, b) => b.score - a.score || a.id - b.id);
    const page = sorted.slice(offset, offset + limit);
    const hits = page.map(({ document, score }): Hit => ({ ...document, score: rounded(score) }));
    return { hits, total: Math.max(this.#counted, sorted.length), words };
  }

  /** All readings of the query, from the strictest on. @returns the spellings that were looked for */
  #collect(): string[] {
    const { words, phrases, lastIsPartial } = this.#query;
    const required = phrases.map(phrase);
    const telling = words.filter((word) => !isStopWord(word));
    const terms = [...new Set(telling.length > 0 || phrases.length > 0 ? telling : words)];
    const exact = [...new Set([...terms, ...phrases.flat()])];

    this.#addTitles();
    if (terms.length === 0) {
      this.#add("phrase", required);
      return exact;
    }
    if (words.length > 1) this.#add("phrase", [...required, phrase(words)]);
    this.#add("allWords", [...required, ...terms.map((term) => phrase([term]))]);
    if (this.#found.size >= ENOUGH) return exact;

    // A single letter or digit begins so much that it tells nothing.
    const last = lastIsPartial && words.at(-1)!.length > 1 ? words.at(-1) : undefined;
    if (words.length > 1 && last !== undefined) this.#add("begunPhrase", [...required, `${phrase(words)} *`]);
    const known = terms.map((term) => this.#word(term, term === last));
    const isCorrected = known.some((word) => word.isCorrected);
    this.#add(isCorrected ? "allCorrected" : "allForms", [...required, ...known.map(({ lenient }) => lenient)]);
    if (this.#found.size < ENOUGH && known.length > 1) this.#addSomeWords(required, known);
    if (this.#found.size < ENOUGH && phrases.length === 0) this.#addNames(terms);
    return [...new Set([...known.flatMap(({ spellings }) => spellings), ...phrases.flat()])];
  }

  #addTitles(): void {
    const rows = this.#database.all(
      `SELECT document.id, path, kind, mtime FROM name JOIN document ON document.id = name.document
       WHERE name.folded = ? AND ${this.#filter.condition}`,
      comparableName(this.#query.plain),
      ...this.#filter.values,
    );
    for (const row of rows) this.#set(candidateIn(row), scoreOf("title", 0));
  }

  #add(way: Way, expressions: readonly string[]): void {
    const expression = expressions.join(" AND ");
    for (const candidate of this.#match(expression, this.#wanted))
      this.#set(candidate, scoreOf(way, placeOf(candidate.rank)));
  }

  #set({ id, document }: Candidate, score: number): void {
    if (!this.#found.has(id)) this.#found.set(id, { id, document, score });
  }

  #addSomeWords(required: readonly string[], words: readonly Word[]): void {
    const documents = this.#database.get("SELECT value FROM state WHERE key = 'total'")?.["value"];
    const total = Number(documents ?? 0);
    const counted = words.map((word) => {
      const holders = this.#documentsWith(word.lenient);
      return { ...word, holders, telling: tellingOf(holders, total) };
    });
    const byRarity = counted.filter(({ holders }) => holders > 0).toSorted((a, b) => a.holders - b.holders);
    const rarer = byRarity.filter(({ holders }, i) => i === 0 || holders * COMMON <= total).slice(0, MOST_ALTERNATIVES);
    if (rarer.length === 0) return;
    const all = counted.reduce((sum, { telling }) => sum + telling, 0);
    const expression = [...required, anyOf(rarer.map(({ lenient }) => lenient))].join(" AND ");
    const candidates = this.#match(expression, Math.max(WEIGHED, this.#wanted));
    const told = new Map<number, number>();
    for (const word of byRarity) {
      // The word as it was typed is worth a little more than what it may stand for.
      const ways = [
        { expression: word.lenient, part: 0.8 },
        { expression: word.exact, part: 0.2 },
      ];
      for (const { expression, part } of ways)
        for (const id of this.#having(expression, candidates)) told.set(id, (told.get(id) ?? 0) + part * word.telling);
    }
    for (const candidate of candidates) {
      const share = (told.get(candidate.id) ?? 0) / all;
      this.#set(candidate, scoreOf("someWords", 0.9 * share + 0.1 * placeOf(candidate.rank)));
    }
  }

  #addNames(terms: readonly string[]): void {
    const likeness = new Map(namesLike(this.#database, terms).map((match) => [match.id, match.likeness]));
    if (likeness.size === 0) return;
    const rows = this.#database.all(
      `SELECT id, path, kind, mtime FROM document
       WHERE id IN (SELECT value FROM json_each(?)) AND ${this.#filter.condition}`,
      JSON.stringify([...likeness.keys()]),
      ...this.#filter.values,
    );
    for (const candidate of rows.map(candidateIn)) this.#set(candidate, scoreOf("name", likeness.get(candidate.id)!));
  }

  /** What a word may stand for. Only a word that is nowhere is corrected. */
  #word(term: string, isBegun: boolean): Word {
    const exact = phrase([term]);
    const forms = stemsOf(term);
    const isOpen = !isPaired(term) && (isBegun || term.length >= 4);
    const others = forms.filter((form) => !isOpen || !form.startsWith(term)).map((form) => phrase([form]));
    const lenient = anyOf([isOpen ? `${exact} *` : exact, ...others]);
    const isKnown = this.#database.get("SELECT 1 FROM text WHERE text MATCH ? LIMIT 1", lenient) !== undefined;
    if (isKnown) return { exact, lenient, isCorrected: false, spellings: [term, ...forms] };
    const corrections = correctionsOf(this.#database, term);
    const corrected = corrections.length > 0 ? anyOf(corrections.map((word) => phrase([word]))) : lenient;
    return { exact, lenient: corrected, isCorrected: corrections.length > 0, spellings: [term, ...corrections] };
  }

  #documentsWith(expression: string): number {
    return Number(this.#database.get("SELECT count(*) AS count FROM text WHERE text MATCH ?", expression)!["count"]);
  }

  /** The best hits of an expression, those that were found before besides. */
  #match(expression: string, wanted: number): Candidate[] {
    const limit = wanted + this.#found.size;
    const { condition, values } = this.#filter;
    const isFiltered = values.length > 0;
    // CROSS JOIN: the full text leads, and the conditions are looked at for its hits alone.
    const from = isFiltered
      ? `text CROSS JOIN document ON document.id = text.rowid WHERE text MATCH ? AND ${condition}`
      : "text WHERE text MATCH ?";
    const rows = this.#database.all(
      `SELECT id, path, kind, mtime, best.rank
       FROM (SELECT text.rowid AS hit, rank FROM ${from} ORDER BY rank, text.rowid LIMIT ?) AS best JOIN document ON id = hit`,
      expression,
      ...values,
      limit,
    );
    if (rows.length === limit) {
      const count = this.#database.get(`SELECT count(*) AS count FROM ${from}`, expression, ...values);
      this.#counted = Math.max(this.#counted, Number(count!["count"]));
    }
    return rows.map(candidateIn);
  }

  /** Which of some documents an expression finds. The plus keeps SQLite from asking for each of them anew. */
  #having(expression: string, documents: readonly { readonly id: number }[]): Set<number> {
    const rows = this.#database.all(
      "SELECT rowid AS id FROM text WHERE text MATCH ? AND +rowid IN (SELECT value FROM json_each(?))",
      expression,
      JSON.stringify(documents.map(({ id }) => id)),
    );
    return new Set(rows.map((row) => Number(row["id"])));
  }
}

function candidateIn(row: Row): Candidate {
  const document = { path: String(row["path"]), kind: String(row["kind"]), mtime: Number(row["mtime"]) };
  return { id: Number(row["id"]), rank: Number(row["rank"] ?? 0), document };
}
