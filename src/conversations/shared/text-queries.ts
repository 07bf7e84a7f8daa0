// What is asked of the full text in a shared store, one statement each. Used by
// shared-text.ts and shared-weighing.ts, within one transaction.
import { type Condition, type Row, select, type TaggedQuery, type Values } from "../../postgres/postgres.ts";
import { endOf, type Statistics, type TextQuery } from "../../search/search.ts";
import type { BestPage } from "../store/text-index.ts";
import { expressionOf } from "./search-expression.ts";

/** A text that a query finds. */
export interface TextHit {
  readonly conversation: number;
  readonly page: number;
  readonly part: number;
  readonly isTitle: boolean;
  /** In words. */
  readonly length: number;
  /** How often it has each of the expressions that were asked for. */
  readonly frequencies: readonly number[];
}

/** Where some words are in a text. */
export interface FoundPlaces {
  /** By its key. */
  readonly text: Row;
  readonly places: readonly { readonly term: string; readonly at: readonly number[] }[];
}

/** States what texts are compared with. */
export async function searchFor(sql: TaggedQuery, query: TextQuery): Promise<void> {
  // PostgreSQL takes a comparison of words for cheap: it would compare all texts of a few thousand, instead of asking the
  // index. And what it compiles for a large store takes longer than the search.
  await sql`
    SELECT set_config('commonplace.words', ${expressionOf(query)}, true), set_config('enable_seqscan', 'off', true),
      set_config('jit', 'off', true)`;
}

export class TextQueries {
  readonly #sql: TaggedQuery;
  readonly #condition: Condition;
  #statistics: Promise<Statistics> | undefined;

  /** @param condition of the conversations that may be found */
  constructor(sql: TaggedQuery, condition: Condition) {
    this.#sql = sql;
    this.#condition = condition;
  }

  /**
   * Asks about the texts that a query finds: by a setting, with which the database compares them until the next search
   * (see schema/version-2.ts). Both are sent at once, so that searches may be, too.
   */
  async searched(query: TextQuery, statement: (values: Values) => string): Promise<readonly Row[]> {
    const [, rows] = await Promise.all([searchFor(this.#sql, query), select(this.#sql, statement)]);
    return rows;
  }

  /** Whether every conversation may be found. */
  get isWhole(): boolean {
    return this.#condition === undefined;
  }

  statistics(): Promise<Statistics> {
    return (this.#statistics ??= this.#countedTexts());
  }

  async #countedTexts(): Promise<Statistics> {
    const [row] =
      await this.#sql`SELECT coalesce(sum(texts), 0) AS texts, coalesce(sum(words), 0) AS words FROM commonplace.conversation_total`;
    const documents = Number(row!["texts"]);
    return { documents, averageLength: Number(row!["words"]) / documents };
  }

  /** The texts that a query finds, and how often each has some expressions. */
  async hits(query: TextQuery, counted: readonly TextQuery[]): Promise<TextHit[]> {
    // One result row for each text would take longer than finding them.
    const [row] = await this.searched(
      query,
      (
        values,
      ) => `SELECT string_agg(concat_ws(',', text.conversation, text.page, text.part, (text.kind = 'title')::int, text.length
          ${counted.map((one) => `, ${frequencyOf(values.add(expressionOf(one), "text"))}`).join("")}), ',' ORDER BY text.conversation, text.page, text.part) AS hits
        FROM commonplace.conversation_text AS text WHERE text.kind <> 'tools'${this.#ofConversations(values)}`,
    );
    return hitsIn(row?.["hits"], counted.length);
  }

  /** Where words are in some of the texts that a query finds. @param termsIn those that the text may have: fewer are quicker */
  async places(
    query: TextQuery,
    texts: readonly TextHit[],
    termsIn: (text: TextHit) => readonly string[],
  ): Promise<FoundPlaces[]> {
    // All other words are filtered out by their weight: with `unnest`, which makes a row of each, it took ten times as long.
    const rows = await this.searched(
      query,
      (values) => `SELECT text.conversation, text.page, text.part,
          ts_filter(setweight(text.tokens, 'A', string_to_array(terms, ' ')), '{a}')::text AS places
        FROM unnest(${keysOf(values, texts)}, ${values.add(
          texts.map((text) => termsIn(text).join(" ")),
          "text[]",
        )}) AS wanted (conversation, page, part, terms)
        JOIN commonplace.conversation_text AS text USING (conversation, page, part) WHERE text.kind <> 'tools'`,
    );
    return rows.map((row) => ({ text: row, places: placesIn(String(row["places"])) }));
  }

  /** Which of these texts a query finds. */
  async among(query: TextQuery, texts: readonly TextHit[]): Promise<readonly Row[]> {
    return this.searched(
      query,
      (values) => `SELECT text.conversation, text.page, text.part
        FROM unnest(${keysOf(values, texts)}) AS wanted (conversation, page, part)
        JOIN commonplace.conversation_text AS text USING (conversation, page, part) WHERE text.kind <> 'tools'`,
    );
  }

  #ofConversations(values: Values): string {
    return this.#condition === undefined
      ? ""
      : ` AND text.conversation IN (SELECT id FROM commonplace.conversation WHERE ${this.#condition(values)})`;
  }

  /** How many texts of the whole store have one of several words. */
  async countTexts(query: TextQuery): Promise<number> {
    const [row] = await this.searched(
      query,
      () => "SELECT count(*) AS count FROM commonplace.conversation_text WHERE kind <> 'tools'",
    );
    return Number(row!["count"]);
  }

  /** Words of the store, in their order: these, and those that begin so. */
  async words(terms: readonly string[], beginnings: readonly string[]) {
    const rows = await select(
      this.#sql,
      (values) => `SELECT term, sum(texts) AS texts, sum(occurrences) AS occurrences FROM commonplace.conversation_word
        WHERE term = ANY(${values.add(terms, "text[]")})
          ${beginnings.map((one) => `OR (term >= ${values.add(one)} AND term < ${values.add(endOf(one))})`).join(" ")}
        GROUP BY term ORDER BY term`,
    );
    return new Map(
      rows.map((row) => [
        String(row["term"]),
        { term: String(row["term"]), texts: Number(row["texts"]), occurrences: Number(row["occurrences"]) },
      ]),
    );
  }
}

/** How often a text has an expression: each occurrence is a cover of its own, which counts 1. */
function frequencyOf(expression: string): string {
  return `ts_rank_cd('{1,1,1,1}', text.tokens, ${expression}::tsquery)::int`;
}

function keysOf(values: Values, texts: readonly TextHit[]): string {
  return [
    values.add(
      texts.map(({ conversation }) => conversation),
      "bigint[]",
    ),
    values.add(
      texts.map(({ page }) => page),
      "int[]",
    ),
    values.add(
      texts.map(({ part }) => part),
      "int[]",
    ),
  ].join(", ");
}

export function pageOf({ page, isTitle }: Pick<TextHit, "page" | "isTitle">): BestPage {
  return { page: isTitle ? undefined : page };
}

/** @param tokens a tsvector as text, whose places all have the weight A: 'word':1A,5A 'other':3A */
function placesIn(tokens: string): FoundPlaces["places"] {
  return [...tokens.matchAll(/'([^']*)':([\dA,]+)/g)].map(([, term, at]) => ({
    term: term!,
    at: at!.split(",").map((place) => Number.parseInt(place, 10)),
  }));
}

function hitsIn(list: unknown, counted: number): TextHit[] {
  if (typeof list !== "string") return [];
  const numbers = list.split(",").map(Number);
  const hits: TextHit[] = [];
  for (let at = 0; at < numbers.length; at += 5 + counted)
    hits.push({
      conversation: numbers[at]!,
      page: numbers[at + 1]!,
      part: numbers[at + 2]!,
      isTitle: numbers[at + 3] === 1,
      length: numbers[at + 4]!,
      frequencies: numbers.slice(at + 5, at + 5 + counted),
    });
  return hits;
}
