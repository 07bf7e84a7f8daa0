// Recall in the store of this machine, and in the index of a space of a shared store, as
// they are: conversation-library.ts and shared/shared-recall.ts, which use this, refresh them.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import {
  type Grounds,
  isStopWord,
  phrase,
  readingsOf,
  scoreOf as textScoreOf,
  type SearchQuery,
} from "../../search/search.ts";
import { filesAtHand, filesInCommon } from "./files-at-hand.ts";
import { groupsOf } from "./groups.ts";
import type { Order } from "./orders.ts";
import { filterOf, foldersAskedFor } from "./question.ts";
import { openingSnippet, snippetIn } from "./page-snippet.ts";
import type { AskedQuestion, Found, FoundConversation, RecallStore } from "./recall-store.ts";
import type { SignalCache } from "./signals.ts";
import type { PlaceAt } from "../store/projects.ts";
import type { PageTextCache } from "../store/page-texts.ts";
import type { Filter } from "../store/filter-cache.ts";
import { ConversationText, type TextCaches } from "../store/text-index.ts";
import type { Redaction, SummaryCache } from "./summaries.ts";

/** A store or an index, and what is cached of it. */
export interface Searching extends TextCaches {
  readonly database: IndexDatabase;
  readonly signals: SignalCache;
}

export interface Recalling extends Searching {
  readonly pages: PageTextCache;
  readonly summaries: SummaryCache;
  readonly redact: Redaction;
}

interface Candidate {
  readonly match: number | undefined;
  /** The page that matches best. */
  readonly page: number | undefined;
  readonly grounds?: Grounds | undefined;
}

export function localStore(recalling: Recalling): RecallStore {
  const { pages, summaries, redact } = recalling;
  return {
    find: (asked) => find(recalling, asked),
    show: (found, wanted) => {
      const shown = summaries.of(found.map(({ row }) => row));
      const texts = pages.of(found.flatMap(({ page }) => page ?? []));
      return found.map(({ row, page }) => {
        const summary = shown.get(row);
        if (summary === undefined) return undefined;
        const text = page === undefined ? undefined : texts.get(page);
        const snippet = text === undefined ? undefined : snippetIn(text, wanted, redact);
        return { summary, ...(snippet ?? { snippet: openingSnippet(summary), message: undefined, kind: undefined }) };
      });
    },
    groups: (rows, by) => groupsOf(recalling, rows, by),
  };
}

/** Finds what a question asks for, and what scores are computed from. */
export function find(
  recalling: Searching,
  { question, query, isSearch, most, keywords, now }: AskedQuestion,
  placeAt?: PlaceAt,
): Found {
  const { database } = recalling;
  const here = foldersAskedFor(database, question, placeAt);
  const filter = filterOf(database, question, query, here);
  const { candidates, total, words, unfound, known } = !isSearch
    ? listed(database, filter, question.order, most)
    : searched(database, new ConversationText(database, recalling, filter), query, {
        includeTools: question.includeTools === true,
        most,
      });
  const withKeywords = keywordShares(
    new ConversationText(database, recalling, { condition: "TRUE", values: [] }),
    keywords,
    candidates,
  );
  const inCommon = filesInCommon(database, filesAtHand(database, question, here, now), candidates);
  const folders = new Set(here.map(({ folder }) => folder));
  const ids = [...candidates.keys()].sort((a, b) => a - b);
  const conversations = [...recalling.signals.of(ids).values()].map(
    ({ id, name, updated, messages, folder, type }): FoundConversation => ({
      row: id,
      name,
      updated,
      messages,
      type,
      ...candidates.get(id)!,
      keywords: withKeywords.get(id) ?? 0,
      // A project without conversations says nothing about any of them.
      isThisProject: folders.size === 0 ? undefined : folders.has(folder),
      filesInCommon: inCommon.get(id) ?? 0,
    }),
  );
  return { conversations, total, words, unfound, known };
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
  return { candidates, total: Number(count!["count"]), words: [], unfound: undefined, known: undefined };
}

function searched(
  database: IndexDatabase,
  text: ConversationText,
  query: SearchQuery,
  { includeTools, most }: { readonly includeTools: boolean; readonly most: number },
) {
  // An empty store needs no parsing of words.
  if (database.get("SELECT id FROM conversation LIMIT 1") === undefined)
    return { candidates: new Map<number, Candidate>(), total: 0, words: [], unfound: undefined, known: undefined };
  const { found, total, words, unfound: missing, known } = readingsOf(text, query, most);
  const candidates = new Map(
    found
      .slice(0, most)
      .map(({ id, score, document, grounds }): [number, Candidate] => [
        id,
        { match: score, page: document.page, grounds },
      ]),
  );
  const terms = [...query.words.filter((word) => !isStopWord(word)), ...query.phrases.flat()];
  const inTools = includeTools && terms.length > 0 ? text.matchTools(terms, most) : [];
  // Tool output ranks below all prose.
  for (const { id, document } of inTools)
    if (!candidates.has(id)) candidates.set(id, { match: textScoreOf("name", 0), page: document.page });
  const unfound = includeTools ? missing.filter((term) => text.matchTools([term], 1).length === 0) : missing;
  return { candidates, total: Math.max(total, candidates.size), words, unfound, known };
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
