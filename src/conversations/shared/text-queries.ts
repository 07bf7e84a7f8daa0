// What is asked of the full text in a shared store, one statement each: functions of
// the schema, whose plans are kept (postgres/schema/version-9.ts), unless a filter is
// part of the question. Used by shared-text.ts and shared-weighing.ts.
import {
  type Condition,
  MAX_COUNTED,
  type Row,
  select,
  type TaggedQuery,
  type Values,
} from "../../postgres/postgres.ts";
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

/** More conversations than have the same title. */
const MAX_TITLES = 200;

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
   * (see schema/version-2.ts). Both are sent at once, and so are one transaction.
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
    const [row] = await this.#sql`SELECT texts, words FROM commonplace.text_totals()`;
    const documents = Number(row!["texts"]);
    return { documents, averageLength: Number(row!["words"]) / documents };
  }

  /** The texts that a query finds, in the order of their keys, and how often each has some expressions. */
  async hits(query: TextQuery, counted: readonly TextQuery[]): Promise<TextHit[]> {
    const expressions = counted.map(expressionOf);
    const [row] =
      this.isWhole && counted.length <= MAX_COUNTED
        ? await this.#sql`SELECT commonplace.text_hits(${expressionOf(query)}, ${expressions}) AS hits`
        : await this.searched(
            query,
            // One result row for each text would take longer than finding them.
            (
              values,
            ) => `SELECT string_agg(concat_ws(',', text.conversation, text.page, text.part, (text.kind = 'title')::int,
              text.length ${expressions.map((one) => `, ${frequencyOf(values.add(one, "text"))}`).join("")}), ',') AS hits
            FROM commonplace.conversation_text AS text WHERE text.kind <> 'tools'${this.#ofConversations(values)}`,
          );
    return hitsIn(row?.["hits"], counted.length);
  }

  #ofConversations(values: Values): string {
    return this.#condition === undefined
      ? ""
      : ` AND text.conversation IN (SELECT id FROM commonplace.conversation WHERE ${this.#condition(values)})`;
  }

  /** Where words are in some of the texts that a query finds. @param termsIn those that the text may have: fewer are quicker */
  async places(
    query: TextQuery,
    texts: readonly TextHit[],
    termsIn: (text: TextHit) => readonly string[],
  ): Promise<FoundPlaces[]> {
    if (texts.length === 0) return [];
    const terms = texts.map((text) => termsIn(text).join(" "));
    const rows = await this.#sql.run(
      "SELECT conversation, page, part, places FROM commonplace.text_places($1, $2, $3, $4, $5)",
      [expressionOf(query), ...keysOf(texts), terms],
    );
    return rows.map((row) => ({ text: row, places: placesIn(String(row["places"])) }));
  }

  /** Which of these texts a query finds. */
  async among(query: TextQuery, texts: readonly TextHit[]): Promise<readonly Row[]> {
    return this.#sql.run("SELECT conversation, page, part FROM commonplace.text_among($1, $2, $3, $4)", [
      expressionOf(query),
      ...keysOf(texts),
    ]);
  }

  /** The newest conversations with these words in their titles. */
  async titled(query: TextQuery): Promise<readonly { readonly id: number; readonly title: string }[]> {
    const condition = this.#condition;
    if (condition === undefined) {
      const [row] = await this.#sql`SELECT commonplace.text_titles(${expressionOf(query)}, ${MAX_TITLES}) AS titles`;
      return (row!["titles"] as readonly (readonly [number, string])[]).map(([id, title]) => ({ id, title }));
    }
    const rows = await this.searched(
      query,
      (values) => `SELECT conversation.id, title FROM commonplace.conversation_text AS text
        JOIN commonplace.conversation ON conversation.id = text.conversation
        WHERE text.kind = 'title' AND ${condition(values)} ORDER BY updated DESC LIMIT ${MAX_TITLES}`,
    );
    return rows.map(({ id, title }) => ({ id: Number(id), title: String(title) }));
  }

  /** How many texts of the whole store have one of several words. */
  async countTexts(query: TextQuery): Promise<number> {
    const [row] = await this.#sql`SELECT commonplace.text_count(${expressionOf(query)}) AS count`;
    return Number(row!["count"]);
  }

  /** Words of the store, in their order: these, and those that begin so. */
  async words(terms: readonly string[], beginning: string | undefined) {
    const [from, until] = beginning === undefined ? [null, null] : [beginning, endOf(beginning)];
    const [row] = await this.#sql`SELECT commonplace.text_words(${terms}, ${from}, ${until}) AS words`;
    const words = row!["words"] as readonly (readonly [string, number, number])[];
    return new Map(words.map(([term, texts, occurrences]) => [term, { term, texts, occurrences }]));
  }
}

/** How often a text has an expression: each occurrence is a cover of its own, which counts 1. */
function frequencyOf(expression: string): string {
  return `ts_rank_cd('{1,1,1,1}', text.tokens, ${expression}::tsquery)::int`;
}

function keysOf(texts: readonly TextHit[]): [number[], number[], number[]] {
  return [texts.map(({ conversation }) => conversation), texts.map(({ page }) => page), texts.map(({ part }) => part)];
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
  // They come nearly in this order.
  return hits.sort((a, b) => a.conversation - b.conversation || a.page - b.page || a.part - b.part);
}
