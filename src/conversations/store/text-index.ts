// The full text of the conversations that pass a filter, searched by
// search/readings.ts. Rows are pages and titles; hits are the conversations that
// have them. Used by local-store.ts.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import {
  allOf,
  type Candidate,
  comparableName,
  containingWords,
  correctionsOf,
  type DocumentSets,
  type Evidence,
  documentsWith,
  ftsExpression,
  isPaired,
  isSoughtInside,
  type Matches,
  type Named,
  phrase,
  type PlacesCache,
  prefix,
  readWords,
  type SpelledWord,
  spellingsOf,
  termsOf,
  type TextIndex,
  type TextQuery,
  weigh,
  type WeighedCandidate,
} from "../../search/search.ts";
import type { Filter, FilterCache } from "./filter-cache.ts";
import { TITLE_WEIGHT, type TextRowsCache } from "./text-rows.ts";
import { choicesIn, WordMatches, type Choice } from "./word-matches.ts";

/** Of each conversation several pages may be among the best. */
const PAGES_EACH = 2;

/** Caches from one question to the next. */
export interface TextCaches {
  readonly rows: TextRowsCache;
  readonly places: PlacesCache;
  readonly frequent: DocumentSets;
  readonly filters: FilterCache;
}

/** The page of a conversation that matches best; undefined if its title does. */
interface BestPage {
  readonly page: number | undefined;
}

/** The conversation of a row of the full text, which is a page or a title. */
const FOUND_IN = `LEFT JOIN page ON page.id = hit JOIN conversation ON conversation.id = coalesce(page.conversation, (
  SELECT titled.id FROM conversation AS titled WHERE titled.title_row = hit
))`;

/** The ids of the conversations that an FTS5 expression finds. */
export const CONVERSATIONS_WITH = `SELECT conversation.id FROM (SELECT rowid AS hit FROM text WHERE text MATCH ?) ${FOUND_IN}`;

export class ConversationText implements TextIndex<BestPage> {
  readonly #database: IndexDatabase;
  readonly #filter: Filter;
  readonly #words: WordMatches;
  readonly #rows: TextRowsCache;
  readonly #places: PlacesCache;
  readonly #frequent: DocumentSets;
  readonly #filters: FilterCache;

  constructor(database: IndexDatabase, { rows, places, frequent, filters }: TextCaches, filter: Filter) {
    this.#database = database;
    this.#filter = filter;
    this.#words = new WordMatches(database, rows);
    this.#rows = rows;
    this.#places = places;
    this.#frequent = frequent;
    this.#filters = filters;
  }

  named(plain: string): Named<BestPage>[] {
    const terms = termsOf(plain);
    if (terms.length === 0) return [];
    const name = comparableName(plain);
    const rows = this.#database.all(
      `SELECT conversation.id, title FROM (SELECT rowid AS hit FROM text WHERE text MATCH ? ORDER BY rowid DESC LIMIT 200) ${FOUND_IN}
       WHERE ${this.#filter.condition} ORDER BY updated DESC`,
      `{title} : ${ftsExpression(phrase(terms))}`,
      ...this.#filter.values,
    );
    return rows
      .filter(({ title }) => comparableName(String(title)) === name)
      .map(({ id }) => ({ id: Number(id), rank: 0, document: { page: undefined }, closeness: 1 }));
  }

  /** Most titles are the first prompt, which may mention anything. */
  titled(): [] {
    return [];
  }

  headed(): [] {
    return [];
  }

  match(query: TextQuery, limit: number): Matches<BestPage> {
    const choices = choicesIn(query);
    return choices === undefined ? this.#matchPhrases(ftsExpression(query), limit) : this.#matchWords(choices, limit);
  }

  #matchWords(choices: readonly Choice[], limit: number): Matches<BestPage> {
    const { texts, total } = this.#words.best(choices, this.#filters.passing(this.#filter), limit);
    const best = texts.map(({ conversation, page, relevance }) => ({
      id: conversation,
      rank: -relevance,
      document: { page },
    }));
    return { best, total };
  }

  #matchPhrases(expression: string, limit: number): Matches<BestPage> {
    // SQLite takes bare columns beside min() from the row that has the minimum.
    const rows = this.#database.all(
      `SELECT conversation.id, min(rank) AS rank, page.id AS page FROM (SELECT rowid AS hit, rank FROM text WHERE text MATCH ?) ${FOUND_IN}
       WHERE ${this.#filter.condition} GROUP BY conversation.id ORDER BY rank, conversation.id LIMIT ?`,
      expression,
      ...this.#filter.values,
      limit,
    );
    const best = rows.map(({ id, rank, page }) => ({
      id: Number(id),
      rank: Number(rank),
      document: { page: page === null ? undefined : Number(page) },
    }));
    return { best, total: best.length < limit ? best.length : this.#count(expression) };
  }

  #count(expression: string): number {
    const row = this.#database.get(
      `SELECT count(DISTINCT conversation.id) AS count FROM (SELECT rowid AS hit FROM text WHERE text MATCH ?) ${FOUND_IN}
       WHERE ${this.#filter.condition}`,
      expression,
      ...this.#filter.values,
    );
    return Number(row!["count"]);
  }

  having(query: TextQuery, conversations: readonly { readonly id: number }[]): Set<number> {
    const choice = onlyChoiceIn(query);
    if (choice !== undefined) {
      const having = this.#words.having(choice);
      return new Set(conversations.map(({ id }) => id).filter((id) => having[id] === 1));
    }
    const rows = this.#database.all(
      `SELECT DISTINCT id FROM (${CONVERSATIONS_WITH}) WHERE id IN (SELECT value FROM json_each(?))`,
      ftsExpression(query),
      JSON.stringify(conversations.map(({ id }) => id)),
    );
    return new Set(rows.map(({ id }) => Number(id)));
  }

  /** Weighs pages and titles: a conversation counts by its best one. */
  weigh(words: readonly SpelledWord[], limit: number) {
    const rowsWith = (terms: readonly string[]) => documentsWith(this.#frequent, terms);
    const read = readWords(
      { places: (terms) => this.#places.of(terms), texts: (terms) => rowsWith(terms).documents() },
      words,
    );
    const { conversations, lengths, weights, count, statistics } = this.#rows.get("all")!;
    const passing = this.#filters.passing(this.#filter);
    const texts = { lengths, averageLength: statistics.averageLength, count };
    const spellings = new Map(words.map((word) => [word.term, word.spellings.map((spelling) => spelling.term)]));
    const {
      best: pages,
      hits,
      evidence,
    } = weigh(read, { ...texts, weightAt: (row) => weights[row]! }, PAGES_EACH * limit, {
      having: ({ term }, among) => {
        const having = rowsWith(spellings.get(term)!);
        return new Set(among.filter((row) => having.has(row)));
      },
      allowed: (found) => found.filter((row) => passing[conversations[row]!] === 1),
    });
    const found = new Map<number, WeighedCandidate<BestPage>>();
    for (const { text: row, relevance, mayBePhrase } of pages) {
      const id = conversations[row]!;
      const page = weights[row] === TITLE_WEIGHT ? undefined : row;
      const known = found.get(id);
      if (known === undefined) found.set(id, { id, rank: 0, document: { page }, relevance, mayBePhrase });
      else if (mayBePhrase && !known.mayBePhrase) found.set(id, { ...known, mayBePhrase });
    }
    const total = new Set(hits.map((row) => conversations[row]!)).size;
    const best = [...found.values()].slice(0, limit);
    return { best, total, evidence: ofOwners(evidence, (row) => conversations[row]!) };
  }

  spellings(term: string, isBegun: boolean) {
    return spellingsOf(this.#database, term, isBegun);
  }

  containing(term: string) {
    return isSoughtInside(term, this.#rows.get("all")!.count) ? containingWords(this.#database, term) : [];
  }

  corrections(term: string, isQuick: boolean): string[] {
    return correctionsOf(this.#database, term, isQuick);
  }

  namedLike(): [] {
    return [];
  }

  /** Pages of tool calls and output with all of the words, or longer words that begin with them; newest first. No phrases: see tables.ts. */
  matchTools(words: readonly string[], limit: number): Candidate<BestPage>[] {
    const rows = this.#database.all(
      `SELECT conversation.id, max(hit) AS hit FROM (SELECT rowid AS hit FROM tool_text WHERE tool_text MATCH ?) ${FOUND_IN}
       WHERE ${this.#filter.condition} GROUP BY conversation.id ORDER BY hit DESC LIMIT ?`,
      ftsExpression(allOf([...new Set(words)].map((word) => (mayContinue(word) ? prefix([word]) : phrase([word]))))),
      ...this.#filter.values,
      limit,
    );
    return rows.map(({ id, hit }) => ({ id: Number(id), rank: 0, document: { page: Number(hit) } }));
  }
}

/** Evidence by conversation instead of by row: that of its best row. */
function ofOwners(evidence: Evidence, ownerOf: (row: number) => number): Evidence {
  const owners = evidence.texts.map((text) => ({ ...text, text: ownerOf(text.text) }));
  return { ...evidence, texts: owners.filter(({ text }, i) => owners.findIndex((one) => one.text === text) === i) };
}

/** Returns whether a word may be the beginning of a longer one, as in prose: too many words begin with a shorter one. */
function mayContinue(word: string): boolean {
  return word.length >= 4 && !isPaired(word);
}

/** Undefined if a query asks for several, or for a phrase. */
function onlyChoiceIn(query: TextQuery): Choice | undefined {
  const [choice, ...others] = choicesIn(query) ?? [];
  return others.length === 0 ? choice : undefined;
}
