// Finds the conversations that match a question, best first, in the store as it
// is: conversation-library.ts, which uses this, refreshes it.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import {
  closenessOf,
  isStopWord,
  parseQuery,
  phrase,
  readingsOf,
  scoreOf as textScoreOf,
  type SearchQuery,
} from "../../search/search.ts";
import { keywordsOf, significantWords } from "./conversation-type.ts";
import { filesAtHand, filesInCommon } from "./files-at-hand.ts";
import { groupsOf, type ConversationGroup, type GroupBy } from "./groups.ts";
import type { Order } from "./orders.ts";
import { filterOf, foldersAskedFor, type Question } from "./question.ts";
import { openingSnippet, snippetIn } from "./page-snippet.ts";
import { scoreOf, scorePartsOf, type ScoreParts } from "./scoring.ts";
import type { ConversationSignals, SignalCache } from "./signals.ts";
import type { MessageKind, SourceName } from "../sources/source.ts";
import type { PageTextCache } from "../store/page-texts.ts";
import type { ConversationSummary } from "../store/conversation-reader.ts";
import type { Filter } from "../store/filter-cache.ts";
import { ConversationText, type TextCaches } from "../store/text-index.ts";
import type { Redaction, SummaryCache } from "./summaries.ts";

export interface RecalledConversation extends ConversationSummary {
  readonly score: number;
  readonly parts: ScoreParts;
  /** How well the words match, from 0 to 1, as in every search; undefined without a query. */
  readonly match: number | undefined;
  readonly snippet: string;
  /** The message that the snippet is from, if it matches the query. */
  readonly message: string | undefined;
  /** What the snippet is, if it matches the query. */
  readonly kind: MessageKind | undefined;
}

export interface Recalled {
  readonly conversations: readonly RecalledConversation[];
  /** All matches, regardless of the limit. */
  readonly total: number;
  /** How many of them can be listed: of more, only the best of a query, or the newest, are scored. */
  readonly listed: number;
  /** Matches whose score is too low. */
  readonly belowMinScore: number;
  /** All of them, for each `groupBy` of the question. */
  readonly groups: Readonly<Partial<Record<GroupBy, readonly ConversationGroup[]>>>;
}

const DAY = 24 * 60 * 60 * 1000;
/** How many are scored: the best matches of a query, else the newest, of which those of this project may be few. */
const MOST_MATCHED = 500;
const MOST_LISTED = 5_000;
/** All, as far as people have them, if they are to be counted in groups. */
const MOST_GROUPED = 50_000;

interface Candidate {
  readonly match: number | undefined;
  /** The page that matches best. */
  readonly page: number | undefined;
}

/** The store, and what is cached of it. */
export interface Recalling extends TextCaches {
  readonly database: IndexDatabase;
  readonly signals: SignalCache;
  readonly pages: PageTextCache;
  readonly summaries: SummaryCache;
  readonly redact: Redaction;
}

export function recall(recalling: Recalling, question: Question, now: number): Recalled {
  const { database, pages, redact } = recalling;
  const query = parseQuery(question.query ?? "");
  const here = foldersAskedFor(database, question);
  const filter = filterOf(database, question, query, here);
  const isSearch = query.words.length + query.phrases.length > 0;
  const enough = isSearch ? MOST_MATCHED : MOST_LISTED;
  const most = Math.max(question.groupBy === undefined ? enough : MOST_GROUPED, question.limit);
  const { candidates, total, words } = !isSearch
    ? listed(database, filter, question.order, most)
    : searched(database, new ConversationText(database, recalling, filter), query, {
        includeTools: question.includeTools === true,
        most,
      });
  const keywords = keywordsOf({ title: [], prompts: [significantWords(question.prompt ?? "")], answer: [] });
  const withKeywords = keywordShares(
    new ConversationText(database, recalling, { condition: "TRUE", values: [] }),
    keywords,
    candidates,
  );
  const inCommon = filesInCommon(database, filesAtHand(database, question, here, now), candidates);
  const folders = new Set(here.map(({ folder }) => folder));
  const partsOf = ({ id, updated, folder, type }: ConversationSignals): ScoreParts =>
    scorePartsOf({
      match: candidates.get(id)!.match,
      keywords: withKeywords.get(id) ?? 0,
      age: (now - updated) / DAY,
      // A project without conversations says nothing about any of them.
      isThisProject: folders.size === 0 ? undefined : folders.has(folder),
      filesInCommon: inCommon.get(id) ?? 0,
      type,
    });
  const ids = [...candidates.keys()].sort((a, b) => a - b);
  const places = new Map(
    (question.rows ?? (question.order === undefined ? [] : [...candidates.keys()])).map((row, i) => [row, i]),
  );
  const scored = [...recalling.signals.of(ids).values()]
    .map((signals) => ({
      signals,
      score: scoreOf(partsOf(signals)),
      closeness: closenessOf(candidates.get(signals.id)!.match ?? 0, query.isSentence),
    }))
    .filter(({ score }) => score >= (question.minScore ?? 0))
    .sort(
      (a, b) =>
        (places.get(a.signals.id) ?? 0) - (places.get(b.signals.id) ?? 0) ||
        (question.newestFirst ? 0 : b.closeness - a.closeness || b.score - a.score) ||
        b.signals.updated - a.signals.updated,
    );
  const isCut = candidates.size < total && scored.length === candidates.size;
  const wanted = { phrases: query.phrases, words: [...query.words, ...words, ...keywords], hasForms: true };
  const { skip = 0, limit, groupBy } = question;
  const page = scored.slice(skip, skip + limit);
  const shown = page.map(({ signals }) => signals.id);
  const summaries = recalling.summaries.of(shown);
  const texts = pages.of(shown.flatMap((id) => candidates.get(id)!.page ?? []));
  return {
    total: isCut ? total : scored.length,
    listed: scored.length,
    belowMinScore: candidates.size - scored.length,
    groups: Object.fromEntries(
      [groupBy ?? []].flat().map((by) => [
        by,
        groupsOf(
          recalling,
          scored.map(({ signals }) => signals.id),
          by,
        ),
      ]),
    ),
    conversations: page.map(({ signals, score }) => {
      const summary = summaries.get(signals.id)!;
      const { match, page: found } = candidates.get(signals.id)!;
      const parts = partsOf(signals);
      const text = found === undefined ? undefined : texts.get(found);
      const snippet = text === undefined ? undefined : snippetIn(text, wanted, redact);
      return {
        ...summary,
        score,
        parts,
        match,
        ...(snippet ?? { snippet: openingSnippet(summary), message: undefined, kind: undefined }),
      };
    }),
  };
}

export interface HourCount {
  /** The first millisecond of the hour. */
  readonly hour: number;
  readonly source: SourceName;
  readonly count: number;
}

const HOUR = 60 * 60 * 1000;

/** How many conversations of each source were last updated in each hour, regardless of the limit and of words. */
export function countPerHour(database: IndexDatabase, question: Question): HourCount[] {
  const { condition, values } = filterOf(
    database,
    question,
    parseQuery(question.query ?? ""),
    foldersAskedFor(database, question),
  );
  return database
    .all(
      `SELECT source, CAST(updated / ${HOUR} AS INTEGER) AS hour, count(*) AS count
       FROM conversation WHERE ${condition} GROUP BY source, hour ORDER BY hour`,
      ...values,
    )
    .map((row) => ({
      hour: Number(row["hour"]) * HOUR,
      source: row["source"] as SourceName,
      count: Number(row["count"]),
    }));
}

const ORDER_TERMS: Readonly<Record<Order, string>> = {
  oldest: "updated",
  longest: "messages DESC, updated DESC",
  shortest: "messages, updated DESC",
};

function listed(database: IndexDatabase, { condition, values }: Filter, order: Order | undefined, most: number) {
  const rows = database.all(
    `SELECT id FROM conversation WHERE ${condition} ORDER BY ${order === undefined ? "updated DESC" : ORDER_TERMS[order]} LIMIT ?`,
    ...values,
    most,
  );
  const count = database.get(`SELECT count(*) AS count FROM conversation WHERE ${condition}`, ...values);
  const candidates = new Map(
    rows.map(({ id }): [number, Candidate] => [Number(id), { match: undefined, page: undefined }]),
  );
  return { candidates, total: Number(count!["count"]), words: [] };
}

function searched(
  database: IndexDatabase,
  text: ConversationText,
  query: SearchQuery,
  { includeTools, most }: { readonly includeTools: boolean; readonly most: number },
) {
  // An empty store needs no parsing of words.
  if (database.get("SELECT id FROM conversation LIMIT 1") === undefined)
    return { candidates: new Map<number, Candidate>(), total: 0, words: [] };
  const { found, total, words } = readingsOf(text, query, most);
  const candidates = new Map(
    found
      .slice(0, most)
      .map(({ id, score, document }): [number, Candidate] => [id, { match: score, page: document.page }]),
  );
  const terms = [...query.words.filter((word) => !isStopWord(word)), ...query.phrases.flat()];
  const inTools = includeTools && terms.length > 0 ? text.matchTools(terms, most) : [];
  // Tool output ranks below all prose.
  for (const { id, document } of inTools)
    if (!candidates.has(id)) candidates.set(id, { match: textScoreOf("name", 0), page: document.page });
  return { candidates, total: Math.max(total, candidates.size), words };
}

/** By candidate, the share of the keywords that it has. */
function keywordShares(
  text: ConversationText,
  keywords: readonly string[],
  candidates: ReadonlyMap<number, Candidate>,
) {
  const shares = new Map<number, number>();
  const ids = [...candidates.keys()].map((id) => ({ id }));
  for (const keyword of keywords)
    for (const id of text.having(phrase([keyword]), ids)) shares.set(id, (shares.get(id) ?? 0) + 1 / keywords.length);
  return shares;
}
