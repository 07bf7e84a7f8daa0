// Searches the index for notes, best first: runs the readings of a query
// (readings.ts) on FTS5. Used by the note index and by memory.
import type { SearchQuery } from "../query.ts";
import type { IndexDatabase, Row } from "../../sqlite/sqlite.ts";
import { comparableName, nameOfDocument, SEARCHED_KINDS } from "./document.ts";
import { filterOf, type Filter, type Scope } from "./filters.ts";
import { namesLike } from "./similar-names.ts";
import {
  ENOUGH,
  readingsOf,
  type Candidate,
  type Corrections,
  type Matches,
  type Named,
  type Scored,
  type TextIndex,
  type WeighedCandidate,
} from "../readings.ts";
import { isInformative, type Statistics, WEIGHTS } from "../relevance.ts";
import { rounded, scoreOf } from "../scores.ts";
import { correctionsOf } from "../words/spelling.ts";
import { isSoughtInside, spellingsCache, type SpellingsCache } from "../words/spellings.ts";
import { allOf, ftsExpression, phrase, type TextQuery } from "../text-query.ts";
import type { Grounds, HowSure } from "../sureness.ts";
import { weigh, type WeighedWord } from "../weighing.ts";
import {
  documentCounts,
  statisticsOf,
  textLengthsCache,
  type DocumentCounts,
  type TextLengthsCache,
} from "./text-statistics.ts";
import { documentSets, documentsWith, type DocumentSets } from "./document-sets.ts";
import { columnAt, placesCache, readWords, type PlacesCache, type SpelledWord } from "./word-places.ts";

export interface SearchOptions extends Scope {
  readonly limit: number;
  readonly offset?: number | undefined;
}

export interface Hit {
  readonly path: string;
  readonly kind: string;
  readonly score: number;
  readonly mtime: number;
  /** The heading of level 1 at the top. */
  readonly title: string | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Of the best hits for a question. */
  readonly grounds?: Grounds;
}

export interface Found {
  readonly hits: readonly Hit[];
  /** The number of all hits, regardless of the limit. */
  readonly total: number;
  /** The words to highlight, as in the index, with other forms and corrections. */
  readonly words: readonly string[];
  /** Of mistyped words; see readings.ts. */
  readonly corrections?: Corrections;
  /** Words that no document has in any form, as terms. Undefined if none were looked for. */
  readonly unfound?: readonly string[];
  /** Of a question: whether it is answered. */
  readonly known?: HowSure | undefined;
}

type Document = Omit<Hit, "score" | "grounds">;

export function search(database: IndexDatabase, query: SearchQuery, options: SearchOptions): Found {
  const { offset = 0, limit } = options;
  if (query.isEmpty && options.during === undefined) return { hits: [], total: 0, words: [] };
  if (query.words.length === 0 && query.phrases.length === 0) return listing(database, query, options);
  const text = new NoteText(database, filterOf(query, options));
  const { found, total, words, corrections, unfound, known } = readingsOf(text, query, offset + limit);
  const page = newestFirst(database, found).slice(offset, offset + limit);
  const documents = documentsOf(
    database,
    page.map(({ id }) => id),
  );
  const hits = page.map(({ id, score, grounds }): Hit => ({
    ...documents.get(id)!,
    score: rounded(score),
    ...(grounds && { grounds }),
  }));
  return { hits, total, words: [...new Set(words)], corrections, unfound, known };
}

/** Of hits with the same score the newest first, then by path. */
function newestFirst(database: IndexDatabase, found: readonly Scored<undefined>[]): readonly Scored<undefined>[] {
  const tied = found.filter(({ score }, i) => score === found[i - 1]?.score || score === found[i + 1]?.score);
  if (tied.length === 0) return found;
  const rows = database.all(
    "SELECT id, mtime, path FROM document WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(tied.map(({ id }) => id)),
  );
  const places = new Map(
    rows
      .map(({ id, mtime, path }) => ({ id: Number(id), mtime: Number(mtime), path: String(path) }))
      .sort((a, b) => b.mtime - a.mtime || (a.path < b.path ? -1 : 1))
      .map(({ id }, i) => [id, i]),
  );
  return found.toSorted((a, b) => b.score - a.score || places.get(a.id)! - places.get(b.id)!);
}

/** The documents for a query of filters only, or for a time, newest first. */
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

/** Reads the facts that results show. For one page only: most hits are never shown. */
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

/** This many hits are fetched, so that most queries need no separate count. */
const MANY = 4 * ENOUGH;

const COLUMNS = ["body", "name", "title", "headings", "tags", "properties"] as const;
/** In the order of these columns. */
const COLUMN_WEIGHTS = [WEIGHTS.at(-1)!, ...WEIGHTS.slice(0, -1)];
/** Up to this many documents it is faster to run a full-text query for each than for all. */
const FEW = 30;

interface Caches {
  readonly counts: DocumentCounts;
  readonly lengths: TextLengthsCache;
  readonly places: PlacesCache;
  readonly spellings: SpellingsCache;
  readonly frequent: DocumentSets;
}

const CACHES = new WeakMap<IndexDatabase, Caches>();

function cachesOf(database: IndexDatabase): Caches {
  const known = CACHES.get(database);
  if (known !== undefined) return known;
  const caches = {
    counts: documentCounts(database),
    lengths: textLengthsCache(database),
    places: placesCache(database, COLUMNS),
    spellings: spellingsCache(database),
    frequent: documentSets(database),
  };
  CACHES.set(database, caches);
  return caches;
}

/** The full text of the notes that pass the query's filters. */
class NoteText implements TextIndex<undefined> {
  readonly #database: IndexDatabase;
  readonly #filter: Filter;
  readonly #statistics: Statistics;
  readonly #caches: Caches;

  constructor(database: IndexDatabase, filter: Filter) {
    this.#database = database;
    this.#filter = filter;
    this.#statistics = statisticsOf(database);
    this.#caches = cachesOf(database);
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
    return rows.map((row) => ({ ...candidateIn(row), closeness: closenessOfName(row, name) }));
  }

  titled(terms: readonly string[], limit: number): Candidate<undefined>[] {
    return this.#inColumns("name title", allOf(terms.map((term) => phrase([term]))), limit);
  }

  headed(terms: readonly string[], limit: number): Candidate<undefined>[] {
    return this.#inColumns("headings", phrase(terms), limit);
  }

  #inColumns(columns: string, query: TextQuery, limit: number): Candidate<undefined>[] {
    return this.#best(`{${columns}} : (${ftsExpression(query)})`, limit).best;
  }

  match(query: TextQuery, limit: number): Matches<undefined> {
    const words = wordsIn(query);
    const informative = words.length > 1 ? this.#informative(words) : [];
    const { best, total } =
      informative.length === 0 ? this.#best(ftsExpression(query), limit) : this.#bestOfAll(words, informative, limit);
    return { best, total: total ?? this.#count(query) };
  }

  /** The words that fewer than half of the notes contain: bm25 gives the others almost no weight. */
  #informative(words: readonly TextQuery[]): TextQuery[] {
    const counts = this.#caches.counts.of(words.map(ftsExpression));
    return words.filter((word) => isInformative(counts.get(ftsExpression(word))!, this.#statistics));
  }

  /** The best hits; of equally good ones, the newest first. The total is undefined if there are more than were fetched. */
  #best(
    expression: string,
    limit: number,
    among?: Filter,
  ): { best: Candidate<undefined>[]; total: number | undefined } {
    const ranked = (order: string, most: number) =>
      this.#database
        .all(
          `SELECT text.rowid AS id, rank FROM ${this.#matching()} ${among ? `AND ${among.condition}` : ""} ORDER BY ${order} LIMIT ?`,
          expression,
          ...this.#filter.values,
          ...(among?.values ?? []),
          most,
        )
        .map(candidateIn);
    const fetched = Math.max(limit + 1, MANY);
    const found = ranked("rank, text.rowid", fetched);
    const total = found.length < fetched ? found.length : undefined;
    // Ranking takes most of the time, so ties are sorted here, unless some hits of the last rank were not fetched.
    const lastRank = found[limit - 1]?.rank;
    const isCut = total === undefined && found.at(-1)!.rank === lastRank;
    const best = isCut ? ranked(`rank, ${CHANGED} DESC, text.rowid`, limit) : this.#newestFirst(found).slice(0, limit);
    return { best, total };
  }

  /** Sorts candidates of the same rank by modification time, then by id. */
  #newestFirst(ranked: readonly Candidate<undefined>[]): readonly Candidate<undefined>[] {
    if (ranked.every(({ rank }, i) => rank !== ranked[i - 1]?.rank)) return ranked;
    const rows = this.#database.all(
      "SELECT id, mtime FROM document WHERE id IN (SELECT value FROM json_each(?))",
      JSON.stringify(ranked.map(({ id }) => id)),
    );
    const times = new Map(rows.map(({ id, mtime }) => [Number(id), Number(mtime)]));
    return ranked.toSorted((a, b) => a.rank - b.rank || times.get(b.id)! - times.get(a.id)! || a.id - b.id);
  }

  /** The best notes with all words, ranked by the informative ones: the others cost most and change almost nothing. */
  #bestOfAll(words: readonly TextQuery[], informative: readonly TextQuery[], limit: number) {
    const query = ftsExpression(allOf(informative));
    if (informative.length === words.length) return this.#best(query, limit);
    return this.#best(query, limit, {
      condition: "+text.rowid IN (SELECT rowid FROM text WHERE text MATCH ?)",
      values: [ftsExpression(allOf(words))],
    });
  }

  #count(query: TextQuery): number {
    const sql = `SELECT count(*) AS count FROM ${this.#matching()}`;
    return Number(this.#database.get(sql, ftsExpression(query), ...this.#filter.values)!["count"]);
  }

  /** CROSS JOIN makes SQLite search the full text first, and check the conditions for its hits only. */
  #matching(): string {
    return this.#filter.values.length > 0
      ? `text CROSS JOIN document ON document.id = text.rowid WHERE text MATCH ? AND ${this.#filter.condition}`
      : "text WHERE text MATCH ?";
  }

  /** The plus keeps SQLite from running the full-text query once per id. */
  having(query: TextQuery, documents: readonly { readonly id: number }[]): Set<number> {
    const rows = this.#database.all(
      `SELECT rowid AS id FROM text WHERE text MATCH ? AND ${documents.length > FEW ? "+" : ""}rowid IN (SELECT value FROM json_each(?))`,
      ftsExpression(query),
      JSON.stringify(documents.map(({ id }) => id)),
    );
    return new Set(rows.map((row) => Number(row["id"])));
  }

  weigh(words: readonly SpelledWord[], limit: number) {
    const { places, frequent } = this.#caches;
    const read = readWords(
      { places: (terms) => places.of(terms), texts: (terms) => documentsWith(frequent, terms).documents() },
      words,
    );
    const { lengths, averageLength, count } = this.#caches.lengths.get("all")!;
    const texts = {
      lengths,
      averageLength,
      count,
      weightAt: (_: number, place: number) => COLUMN_WEIGHTS[columnAt(place)]!,
    };
    const spellings = new Map(words.map((word) => [word.term, word.spellings.map((spelling) => spelling.term)]));
    const having = ({ term }: WeighedWord, among: readonly number[]) => {
      const documents = documentsWith(frequent, spellings.get(term)!);
      return new Set(among.filter((id) => documents.has(id)));
    };
    const { best, hits, evidence } = weigh(read, texts, limit, { having, allowed: (ids) => this.#allowed(ids) });
    const candidates = best.map(({ text: id, relevance, mayBePhrase }): WeighedCandidate<undefined> => ({
      id,
      rank: 0,
      document: undefined,
      relevance,
      mayBePhrase,
    }));
    return { best: candidates, total: hits.length, evidence };
  }

  #allowed(ids: readonly number[]): readonly number[] {
    if (this.#filter.values.length === 0) return ids;
    const rows = this.#database.all(
      `SELECT id FROM document WHERE id IN (SELECT value FROM json_each(?)) AND ${this.#filter.condition}`,
      JSON.stringify(ids),
      ...this.#filter.values,
    );
    return rows.map((row) => Number(row["id"]));
  }

  spellings(term: string, isBegun: boolean) {
    return this.#caches.spellings.of(term, isBegun);
  }

  containing(term: string) {
    return isSoughtInside(term, this.#statistics.documents) ? this.#caches.spellings.containing(term) : [];
  }

  corrections(term: string, isQuick: boolean): string[] {
    return correctionsOf(this.#database, term, isQuick);
  }

  namedLike(terms: readonly string[]): (Candidate<undefined> & { readonly likeness: number })[] {
    const likeness = new Map(namesLike(this.#database, terms).map((match) => [match.id, match.likeness]));
    return this.#allowed([...likeness.keys()]).map((id) => ({
      id,
      rank: 0,
      document: undefined,
      likeness: likeness.get(id)!,
    }));
  }
}

/** The modification time of the note of a row. */
const CHANGED = "(SELECT mtime FROM document WHERE document.id = text.rowid)";

/** 1 for the name of the file, 0.5 for the title, undefined for an alias. */
function closenessOfName({ path, title }: Readonly<Record<string, unknown>>, name: string): number | undefined {
  if (comparableName(nameOfDocument(String(path))) === name) return 1;
  return title !== null && comparableName(String(title)) === name ? 0.5 : undefined;
}

/** The words of a query for all of several words; none for any other query. */
export function wordsIn(query: TextQuery): readonly TextQuery[] {
  return query.kind === "all" && query.of.every(isWord) ? query.of : [];
}

function isWord(query: TextQuery): boolean {
  return query.kind === "terms" && query.terms.length === 1 && !query.isPrefix;
}

function candidateIn(row: Row): Candidate<undefined> {
  return { id: Number(row["id"]), rank: Number(row["rank"] ?? 0), document: undefined };
}
