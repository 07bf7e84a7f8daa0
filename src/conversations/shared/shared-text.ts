// The full text of the conversations in a shared store, searched by
// search/readings.ts as that of this machine is (store/text-index.ts): the same
// terms, and the same ranking, computed here from what the database counts. Used by
// shared-recall.ts, within one transaction.
import { type Condition, select, type TaggedQuery } from "../../postgres/postgres.ts";
import {
  allOf,
  type Candidate,
  comparableName,
  containing,
  endOf,
  type FirstQuestions,
  isPaired,
  isSoughtInside,
  lookupsFor,
  type Matches,
  MAX_CONTAINING,
  type Named,
  nearestAmong,
  phrase,
  prefix,
  rarityOf,
  relevanceOf,
  type RemoteTextIndex,
  type SpelledWord,
  spellingsAmong,
  type Statistics,
  termsOf,
  termsToLookUp,
  type TextQuery,
} from "../../search/search.ts";
import { TITLE_WEIGHT } from "../store/text-rows.ts";
import type { BestPage } from "../store/text-index.ts";
import { leavesOf } from "./search-expression.ts";
import { weighShared } from "./shared-weighing.ts";
import { pageOf, type TextHit, TextQueries } from "./text-queries.ts";

export class SharedText implements RemoteTextIndex<BestPage> {
  readonly #sql: TaggedQuery;
  readonly #condition: Condition;
  readonly #queries: TextQueries;
  readonly #expected: FirstQuestions;
  #matches: Map<string, ReturnType<SharedText["counted"]>> | undefined;
  #spellings: Map<string, ReturnType<SharedText["spelled"]>> | undefined;

  /**
   * @param condition of the conversations that may be found
   * @param expected what will be asked for: it is looked up together
   */
  constructor(sql: TaggedQuery, condition: Condition, expected: FirstQuestions = { matches: [], spellings: [] }) {
    this.#expected = expected;
    this.#sql = sql;
    this.#condition = condition;
    this.#queries = new TextQueries(sql, condition);
  }

  /** How many texts there are, and their length. */
  statistics(): Promise<Statistics> {
    return this.#queries.statistics();
  }

  async named(plain: string): Promise<Named<BestPage>[]> {
    const terms = termsOf(plain);
    if (terms.length === 0) return [];
    const name = comparableName(plain);
    const asking = this.#queries.titled(phrase(terms));
    // The first question of every query: what comes next need not wait for its answer.
    this.#lookUpMatches();
    if (this.#expected.matches.length === 0) this.#lookUpSpellings();
    return (await asking)
      .filter(({ title }) => comparableName(title) === name)
      .map(({ id }) => ({ id, rank: 0, document: { page: undefined }, closeness: 1 }));
  }

  /** As in text-index.ts. */
  async titled(): Promise<[]> {
    return [];
  }

  async headed(): Promise<[]> {
    return [];
  }

  async namedLike(): Promise<[]> {
    return [];
  }

  #lookUpMatches() {
    this.#matches ??= new Map(this.#expected.matches.map((one) => [JSON.stringify(one), unheard(this.counted(one))]));
    return this.#matches;
  }

  #lookUpSpellings() {
    this.#spellings ??= new Map(
      this.#expected.spellings.map((one) => [JSON.stringify(one), unheard(this.spelled(one.term, one.isBegun))]),
    );
    return this.#spellings;
  }

  /** The texts that a query finds, and how often the store has its words. */
  counted(query: TextQuery) {
    const leaves = leavesOf(query);
    return Promise.all([this.#queries.hits(query, leaves), this.#queries.statistics(), this.#documentsWith(leaves)]);
  }

  async match(query: TextQuery, limit: number): Promise<Matches<BestPage>> {
    const expected = this.#lookUpMatches().get(JSON.stringify(query));
    // The stricter ones have found too little: other spellings come next.
    if (expected === undefined) this.#lookUpSpellings();
    const [hits, { documents, averageLength }, counts] = await (expected ?? this.counted(query));
    if (hits.length === 0) return { best: [], total: 0 };
    // Of a phrase, those that were found count.
    const rarities = counts.map((count, i) =>
      rarityOf(Math.min(count ?? hits.filter(({ frequencies }) => frequencies[i]! > 0).length, documents), documents),
    );
    const best = new Map<number, { readonly relevance: number; readonly hit: TextHit }>();
    for (const hit of hits) {
      let relevance = 0;
      for (const [i, frequency] of hit.frequencies.entries())
        if (frequency > 0)
          relevance += relevanceOf(
            rarities[i]!,
            hit.isTitle ? TITLE_WEIGHT * frequency : frequency,
            hit.length,
            averageLength,
          );
      const before = best.get(hit.conversation);
      if (before === undefined || relevance > before.relevance) best.set(hit.conversation, { relevance, hit });
    }
    const sorted = [...best.values()].sort((a, b) => b.relevance - a.relevance);
    return {
      best: sorted.slice(0, limit).map(({ relevance, hit }) => ({
        id: hit.conversation,
        rank: -relevance,
        document: pageOf(hit),
      })),
      total: sorted.length,
    };
  }

  async having(query: TextQuery, conversations: readonly { readonly id: number }[]): Promise<Set<number>> {
    if (conversations.length === 0) return new Set();
    const rows = await this.#queries.searched(
      query,
      (values) => `SELECT DISTINCT conversation FROM commonplace.conversation_text AS text
        WHERE text.kind <> 'tools' AND conversation = ANY(${values.add(
          conversations.map(({ id }) => id),
          "bigint[]",
        )})`,
    );
    return new Set(rows.map((row) => Number(row["conversation"])));
  }

  weigh(words: readonly SpelledWord[], limit: number) {
    return weighShared(this.#queries, words, limit);
  }

  async spellings(term: string, isBegun: boolean) {
    return this.#lookUpSpellings().get(JSON.stringify({ term, isBegun })) ?? this.spelled(term, isBegun);
  }

  /** @param isBegun whether it may be the beginning of a word */
  async spelled(term: string, isBegun: boolean) {
    const { terms, stem } = termsToLookUp(term, isBegun);
    const found = await this.#queries.words(terms, stem);
    return spellingsAmong(
      [...found.values()].map(({ term: spelling, texts, occurrences }) => ({
        term: spelling,
        documents: texts,
        count: occurrences,
      })),
      term,
    );
  }

  async containing(term: string) {
    // The words are a table of their own, whatever the number of texts.
    if (!isSoughtInside(term, 0)) return [];
    const rows = await select(
      this.#sql,
      (values) => `SELECT term, sum(texts) AS texts, sum(occurrences) AS occurrences FROM commonplace.conversation_word
        WHERE position(${values.add(term)} IN term) > 1 GROUP BY term ORDER BY texts DESC, term LIMIT ${values.add(MAX_CONTAINING, "int")}`,
    );
    return rows.map((row) =>
      containing({
        term: String(row["term"]),
        documents: Number(row["texts"]),
        count: Number(row["occurrences"]),
      }),
    );
  }

  async corrections(term: string, isQuick: boolean): Promise<string[]> {
    for (const { beginnings, shortest, longest } of lookupsFor(term, isQuick)) {
      const rows = await select(
        this.#sql,
        (values) => `SELECT term, sum(texts) AS texts FROM commonplace.conversation_word
          WHERE (${beginnings.map((one) => `term >= ${values.add(one)} AND term < ${values.add(endOf(one))}`).join(" OR ")})
            AND length(term) BETWEEN ${values.add(shortest, "int")} AND ${values.add(longest, "int")} GROUP BY term`,
      );
      const near = nearestAmong(
        rows.map((row) => ({ term: String(row["term"]), documents: Number(row["texts"]) })),
        term,
      );
      if (near.length > 0) return near;
    }
    return [];
  }

  /** What tools did, with all of the words, or longer words that begin with them; newest first. */
  async matchTools(words: readonly string[], limit: number): Promise<Candidate<BestPage>[]> {
    const wanted = [...new Set(words)].map((word) =>
      word.length >= 4 && !isPaired(word) ? prefix([word]) : phrase([word]),
    );
    const rows = await this.#queries.searched(
      allOf(wanted),
      (values) => `SELECT conversation.id, max(text.page) AS page FROM commonplace.conversation_text AS text
        JOIN commonplace.conversation ON conversation.id = text.conversation
        WHERE text.kind = 'tools' AND ${this.#condition?.(values) ?? "true"}
        GROUP BY conversation.id ORDER BY conversation.updated DESC LIMIT ${values.add(limit, "int")}`,
    );
    return rows.map(({ id, page }) => ({ id: Number(id), rank: 0, document: { page: Number(page) } }));
  }

  /** How many texts of the store have each word; undefined for phrases. */
  async #documentsWith(leaves: ReturnType<typeof leavesOf>): Promise<(number | undefined)[]> {
    const whole = leaves.filter(({ terms, isPrefix }) => terms.length === 1 && !isPrefix).map(({ terms }) => terms[0]!);
    const words = whole.length === 0 ? undefined : this.#queries.words(whole, undefined);
    return Promise.all(
      leaves.map(async ({ terms, isPrefix }) => {
        if (terms.length > 1) return undefined;
        return isPrefix ? this.#queries.countTexts(prefix(terms)) : ((await words)!.get(terms[0]!)?.texts ?? 0);
      }),
    );
  }
}

/** Something that is asked for in advance: if it fails, who needs the answer learns it, if anybody does. */
function unheard<T>(asked: Promise<T>): Promise<T> {
  asked.catch(() => {});
  return asked;
}
