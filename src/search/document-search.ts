// Finds the notes that a query means, best first. Used by note-index.ts; what
// the words of a query may stand for is read in readings.ts.
import type { SearchQuery } from "./query.ts";
import type { IndexDatabase, Row } from "../sqlite/sqlite.ts";
import { comparableName, nameOfDocument, SEARCHED_KINDS } from "./document.ts";
import { filterOf, type Filter, type Scope } from "./filters.ts";
import { namesLike } from "./names.ts";
import {
  anyOf,
  ENOUGH,
  readingsOf,
  type Asked,
  type Candidate,
  type Matches,
  type Named,
  type TextIndex,
} from "./readings.ts";
import { isTelling, mostWithoutStrong, type Statistics } from "./relevance.ts";
import { rounded, scoreOf } from "./scores.ts";
import { correctionsOf } from "./spelling.ts";
import { statisticsOf, typicalLengthIn, WordCounts } from "./text-statistics.ts";

export interface SearchOptions extends Scope {
  readonly limit: number;
  readonly offset?: number | undefined;
}

export interface Hit {
  readonly path: string;
  readonly kind: string;
  readonly score: number;
  readonly mtime: number;
  /** The first heading of level 1. */
  readonly title: string | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface Found {
  readonly hits: readonly Hit[];
  /** All hits, whatever the limit. */
  readonly total: number;
  /** The words as the index has them, with other forms and corrections: what to highlight. */
  readonly words: readonly string[];
}

type Document = Omit<Hit, "score">;

export function search(database: IndexDatabase, query: SearchQuery, options: SearchOptions): Found {
  const { offset = 0, limit } = options;
  if (query.isEmpty) return { hits: [], total: 0, words: [] };
  if (query.words.length === 0 && query.phrases.length === 0) return listing(database, query, options);
  const text = new NoteText(database, filterOf(query, options));
  const { found, total, words } = readingsOf(text, query, offset + limit);
  const page = found.slice(offset, offset + limit);
  const documents = documentsOf(
    database,
    page.map(({ id }) => id),
  );
  const hits = page.map(({ id, score }): Hit => ({ ...documents.get(id)!, score: rounded(score) }));
  return { hits, total, words: [...new Set(words)] };
}

/** A query of nothing but filters: the newest first. */
function listing(database: IndexDatabase, query: SearchQuery, options: SearchOptions): Found {
  const { condition, values } = filterOf(query, { ...options, kinds: options.kinds ?? SEARCHED_KINDS });
  const rows = database.all(
    `SELECT id FROM document WHERE ${condition} ORDER BY mtime DESC, path LIMIT ? OFFSET ?`,
    ...values,
    options.limit,
    options.offset ?? 0,
  );
  const ids = rows.map((row) => Number(row["id"]));
  const documents = documentsOf(database, ids);
  const count = database.get(`SELECT count(*) AS count FROM document WHERE ${condition}`, ...values);
  const score = scoreOf("allWords", 0);
  const hits = ids.map((id): Hit => ({ ...documents.get(id)!, score }));
  return { hits, total: Number(count!["count"]), words: [] };
}

/** What is shown of documents. Asked for those of a page alone: most of what is found is not shown. */
function documentsOf(database: IndexDatabase, ids: readonly number[]): Map<number, Document> {
  const rows = database.all(
    `SELECT id, path, kind, mtime, facts ->> 'title' AS title, facts -> 'properties' AS properties
     FROM document JOIN facts ON facts.document = document.id WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  return new Map(rows.map((row) => [Number(row["id"]), documentIn(row)]));
}

function documentIn(row: Row): Document {
  return {
    path: String(row["path"]),
    kind: String(row["kind"]),
    mtime: Number(row["mtime"]),
    title: row["title"] === null ? undefined : String(row["title"]),
    properties: JSON.parse(String(row["properties"])) as Document["properties"],
  };
}

/** Fewer hits are ranked as they are. Not less than what is enough for a reading to be the last. */
const MANY = 4 * ENOUGH;
/** Hits of several words are rarely so good that those with few of them can be told apart, unless there are very many. */
const MANY_OF_SEVERAL = 40 * ENOUGH;
/** In smaller indexes the hits of several words are too few for that. */
const LARGE = 20_000;

/** A word, as an expression, and how many documents have it. */
interface Telling {
  readonly word: string;
  readonly documents: number;
}

const COUNTS = new WeakMap<IndexDatabase, WordCounts>();

/** The full text of the notes that pass the query's filters. */
class NoteText implements TextIndex<undefined> {
  readonly #database: IndexDatabase;
  readonly #filter: Filter;
  readonly #statistics: Statistics;
  readonly #counts: WordCounts;

  constructor(database: IndexDatabase, filter: Filter) {
    this.#database = database;
    this.#filter = filter;
    this.#statistics = statisticsOf(database);
    this.#counts = COUNTS.get(database) ?? new WordCounts(database);
    COUNTS.set(database, this.#counts);
  }

  named(plain: string): Named<undefined>[] {
    const name = comparableName(plain);
    const rows = this.#database.all(
      `SELECT document.id, document.path, facts.facts ->> 'title' AS title FROM name
       JOIN document ON document.id = name.document JOIN facts ON facts.document = document.id
       WHERE name.folded = ? AND ${this.#filter.condition} ORDER BY document.mtime DESC, document.path`,
      name,
      ...this.#filter.values,
    );
    return rows.map((row) => ({ ...candidateIn(row), closeness: closenessOf(row, name) }));
  }

  match({ expression, limit, least }: Asked): Matches<undefined> {
    const words = wordsIn(expression);
    const isCountedFirst = words.length === 1 || (words.length > 1 && this.#statistics.documents >= LARGE);
    const total = isCountedFirst ? this.#count(expression) : undefined;
    const isMany = total !== undefined && total >= MANY;
    const telling = words.length > 1 || isMany ? this.#telling(words, total) : [];
    const strong = isMany ? this.#bestStrong(words, telling, least, total) : undefined;
    if (strong !== undefined) return { best: strong, total: total! };
    // Where this many are all, they need not be counted.
    const enough = Math.max(limit, MANY);
    const found = telling.length === 0 ? this.#best(expression, enough) : this.#bestOfAll(words, telling, enough);
    return {
      best: found.slice(0, limit).map(candidateIn),
      total: total ?? (found.length < enough ? found.length : this.#count(expression)),
    };
  }

  /** Those of some words that tell anything: not those that nearly every note has. */
  #telling(words: readonly string[], total: number | undefined): Telling[] {
    const isTotal = words.length === 1 && this.#filter.values.length === 0;
    const counts = isTotal ? [total!] : this.#counts.of(words);
    return words
      .map((word, i) => ({ word, documents: counts[i]! }))
      .filter(({ documents }) => isTelling(documents, this.#statistics));
  }

  /** Of hits that are as good as each other, the newest first. To look up when each was changed takes long, and few are. */
  #best(expression: string, limit: number, among: readonly Filter[] = []): Row[] {
    const conditions = among.map(({ condition }) => `AND ${condition}`).join(" ");
    const best = (order: string, most: number) =>
      this.#database.all(
        `SELECT text.rowid AS id, rank FROM ${this.#matching()} ${conditions} ORDER BY ${order} LIMIT ?`,
        expression,
        ...this.#filter.values,
        ...among.flatMap(({ values }) => values),
        most,
      );
    const found = best("rank, text.rowid", limit + 1);
    const hasTies = found.some(({ rank }, i) => rank === found[i - 1]?.["rank"]);
    return hasTies ? best(`rank, ${CHANGED} DESC, text.rowid`, limit) : found.slice(0, limit);
  }

  /** Of the notes that have all of the words: what tells nothing is left out of the ranking, where it would cost most and count next to nothing. */
  #bestOfAll(
    words: readonly string[],
    telling: readonly Telling[],
    limit: number,
    among: readonly Filter[] = [],
  ): Row[] {
    const all = {
      condition: "+text.rowid IN (SELECT rowid FROM text WHERE text MATCH ?)",
      values: [words.join(" AND ")],
    };
    const expression = telling.map(({ word }) => word).join(" AND ");
    return this.#best(expression, limit, telling.length < words.length ? [...among, all] : among);
  }

  /**
   * To rank a hit takes twenty times as long as to find it. Of many hits only
   * those are ranked that have a word in plenty; undefined where the last one
   * wanted is not above all that the others could be.
   */
  #bestStrong(
    words: readonly string[],
    telling: readonly Telling[],
    wanted: number,
    total: number,
  ): Candidate<undefined>[] | undefined {
    if (telling.length === 0 || (telling.length > 1 && total < MANY_OF_SEVERAL)) return undefined;
    const strong = anyOf(telling.map(({ word }) => word));
    const { count } = this.#database.get("SELECT count(*) AS count FROM strong WHERE strong MATCH ?", strong)!;
    // Words that everybody has in plenty spare nothing.
    if (Number(count) * 2 > total * telling.length) return undefined;
    const best = this.#bestOfAll(words, telling, wanted, [
      { condition: "+text.rowid IN (SELECT rowid FROM strong WHERE strong MATCH ?)", values: [strong] },
    ]).map(candidateIn);
    const last = best[wanted - 1];
    if (last === undefined) return undefined;
    const typicalLength = typicalLengthIn(this.#database);
    const others = telling.map(({ documents }) => mostWithoutStrong(documents, this.#statistics, typicalLength));
    return -last.rank > others.reduce((sum, most) => sum + most, 0) ? best : undefined;
  }

  #count(expression: string): number {
    const sql = `SELECT count(*) AS count FROM ${this.#matching()}`;
    return Number(this.#database.get(sql, expression, ...this.#filter.values)!["count"]);
  }

  /** CROSS JOIN: the full text leads, and the conditions are looked at for its hits alone. */
  #matching(): string {
    return this.#filter.values.length > 0
      ? `text CROSS JOIN document ON document.id = text.rowid WHERE text MATCH ? AND ${this.#filter.condition}`
      : "text WHERE text MATCH ?";
  }

  /** The plus keeps SQLite from asking for each of them anew. */
  having(expression: string, documents: readonly { readonly id: number }[]): Set<number> {
    const rows = this.#database.all(
      "SELECT rowid AS id FROM text WHERE text MATCH ? AND +rowid IN (SELECT value FROM json_each(?))",
      expression,
      JSON.stringify(documents.map(({ id }) => id)),
    );
    return new Set(rows.map((row) => Number(row["id"])));
  }

  documentsWith(expression: string): number {
    return Number(this.#database.get("SELECT count(*) AS count FROM text WHERE text MATCH ?", expression)!["count"]);
  }

  documents(): number {
    return Number(this.#database.get("SELECT value FROM state WHERE key = 'total'")?.["value"] ?? 0);
  }

  corrections(term: string): string[] {
    return correctionsOf(this.#database, term);
  }

  namedLike(terms: readonly string[]): (Candidate<undefined> & { readonly likeness: number })[] {
    const likeness = new Map(namesLike(this.#database, terms).map((match) => [match.id, match.likeness]));
    if (likeness.size === 0) return [];
    const rows = this.#database.all(
      `SELECT id FROM document
       WHERE id IN (SELECT value FROM json_each(?)) AND ${this.#filter.condition}`,
      JSON.stringify([...likeness.keys()]),
      ...this.#filter.values,
    );
    return rows.map(candidateIn).map((candidate) => ({ ...candidate, likeness: likeness.get(candidate.id)! }));
  }
}

/** When the note of a row was changed. */
const CHANGED = "(SELECT mtime FROM document WHERE document.id = text.rowid)";

/** How a note bears a name: as that of its file, as its title, or as an alias. */
function closenessOf({ path, title }: Row, name: string): number {
  if (comparableName(nameOfDocument(String(path))) === name) return 1;
  return title !== null && comparableName(String(title)) === name ? 0.5 : 0;
}

/** The words, as expressions, of one that asks for all of them and for nothing else; none of any other. */
function wordsIn(expression: string): string[] {
  return /^"[^" ]+"(?: AND "[^" ]+")*$/.test(expression) ? expression.split(" AND ") : [];
}

function candidateIn(row: Row): Candidate<undefined> {
  return { id: Number(row["id"]), rank: Number(row["rank"] ?? 0), document: undefined };
}
