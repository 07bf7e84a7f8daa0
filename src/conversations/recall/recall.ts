// Finds the conversations that match a question, best first: in the store of this
// machine, in one that is shared, or in both as if they were one. Used by
// conversation-library.ts.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { closenessOf, type Grounds, type HowSure, parseQuery, surest, unfoundInAll } from "../../search/search.ts";
import type { Tokens } from "../sources/source.ts";
import type { ConversationGroup, GroupBy } from "./groups.ts";
import { filterOf, foldersAskedFor, type Question } from "./question.ts";
import {
  askedQuestion,
  type AskedQuestion,
  type Found,
  type FoundConversation,
  type RecallStore,
  type ShownConversation,
  type Wanted,
} from "./recall-store.ts";
import { scoreOf, scorePartsOf, type ScoreParts } from "./scoring.ts";
import type { MessageKind, SourceName } from "../sources/source.ts";
import type { ConversationSummary } from "../store/conversation-reader.ts";

export interface RecalledConversation extends ConversationSummary {
  readonly score: number;
  readonly parts: ScoreParts;
  /** How well the words match, from 0 to 1, as in every search; undefined without a query. */
  readonly match: number | undefined;
  /** Of the best matches of a question. */
  readonly grounds: Grounds | undefined;
  readonly snippet: string;
  /** The message that the snippet is from, if it matches the query, and its page. */
  readonly message: string | undefined;
  readonly page: number | undefined;
  /** The kind of message that the snippet is from, if it matches the query. */
  readonly kind: MessageKind | undefined;
}

export interface Recalled {
  readonly conversations: readonly RecalledConversation[];
  /** All matches, regardless of the limit. */
  readonly total: number;
  /** How many of them can be listed: of more, only the best of a query, or the newest, are scored. */
  readonly listed: number;
  /** Words that no conversation has in any form, as terms. Undefined if none were looked for. */
  readonly unfound: readonly string[] | undefined;
  /** Of a question: whether it is answered. */
  readonly known: HowSure | undefined;
  /** Matches whose score is too low. */
  readonly belowMinScore: number;
  /** All of them, for each `groupBy` of the question. */
  readonly groups: Readonly<Partial<Record<GroupBy, readonly ConversationGroup[]>>>;
}

const DAY = 24 * 60 * 60 * 1000;

/** Searches several stores as if they were one. No conversation may be in two of them. */
export async function recall(stores: readonly RecallStore[], question: Question, now: number): Promise<Recalled> {
  const asked = askedQuestion(question, now);
  const parts = stores.map((store) => {
    const found = store.find(asked);
    return { store, found, ranked: rank(asked, found) };
  });
  const owners = new Map(parts.flatMap((part) => part.ranked.map((one) => [one, part] as const)));
  const page = pageOf(asked, sorted(asked, [...owners.keys()]));
  const shown = new Map<Ranked, ShownConversation>();
  const groups = groupings(asked).map((by): [GroupBy, ConversationGroup[]] => {
    const lists = parts.flatMap(({ store, ranked }) =>
      store.groups(
        ranked.map((one) => one.found.row),
        by,
      ),
    );
    return [by, parts.length === 1 ? lists : joinedGroups(lists, by)];
  });
  await Promise.all(
    parts.map(async (part) => {
      const own = page.filter((one) => owners.get(one) === part);
      if (own.length === 0) return;
      const results = await part.store.show(
        own.map((one) => one.found),
        wantedOf(asked, part.found),
      );
      for (const [i, one] of own.entries()) if (results[i] !== undefined) shown.set(one, results[i]);
    }),
  );
  return {
    ...countsOf(parts),
    groups: Object.fromEntries(groups),
    conversations: page.flatMap((one) => (shown.get(one) === undefined ? [] : [recalled(one, shown.get(one)!)])),
  };
}

interface Ranked {
  readonly found: FoundConversation;
  readonly parts: ScoreParts;
  readonly score: number;
  readonly closeness: number;
}

/** Those whose score is enough, in any order. */
function rank({ question, query, keywords, now }: AskedQuestion, { conversations }: Found): Ranked[] {
  return conversations
    .map((found) => {
      // A question without words is matched by every conversation.
      const match = found.match ?? (keywords.length === 0 ? 0 : undefined);
      const parts = scorePartsOf({ ...found, match, age: (now - found.updated) / DAY });
      return { found, parts, score: scoreOf(parts), closeness: closenessOf(found.match ?? 0, query.isSentence) };
    })
    .filter(({ score }) => score >= (question.minScore ?? 0));
}

function sorted({ question, isSearch }: AskedQuestion, ranked: Ranked[]): Ranked[] {
  const { rows, order, newestFirst } = question;
  const places = new Map(rows?.map((row, i) => [row, i]));
  const byPlace = (a: FoundConversation, b: FoundConversation): number => {
    if (rows !== undefined) return (places.get(a.row) ?? 0) - (places.get(b.row) ?? 0);
    if (order === undefined) return 0;
    if (isSearch) return (b.match ?? 0) - (a.match ?? 0);
    if (order === "oldest") return a.updated - b.updated;
    return order === "longest" ? b.messages - a.messages : a.messages - b.messages;
  };
  return ranked.sort(
    (a, b) =>
      byPlace(a.found, b.found) ||
      (newestFirst ? 0 : b.closeness - a.closeness || b.score - a.score) ||
      b.found.updated - a.found.updated,
  );
}

function pageOf({ question: { skip = 0, limit } }: AskedQuestion, ranked: readonly Ranked[]): readonly Ranked[] {
  return ranked.slice(skip, skip + limit);
}

function wantedOf({ query, keywords }: AskedQuestion, { words }: Found): Wanted {
  return { phrases: query.phrases, words: [...query.words, ...words, ...keywords], hasForms: true };
}

function groupings({ question: { groupBy } }: AskedQuestion): readonly GroupBy[] {
  return [groupBy ?? []].flat();
}

function countsOf(parts: readonly { readonly found: Found; readonly ranked: readonly Ranked[] }[]) {
  const sum = (count: (part: (typeof parts)[number]) => number) =>
    parts.reduce((before, part) => before + count(part), 0);
  return {
    total: sum(({ found: { conversations, total }, ranked }) => {
      const isCut = conversations.length < total && ranked.length === conversations.length;
      return isCut ? total : ranked.length;
    }),
    listed: sum(({ ranked }) => ranked.length),
    unfound: unfoundInAll(parts.map(({ found }) => found.unfound)),
    known: surest(parts.map(({ found }) => found.known)),
    belowMinScore: sum(({ found, ranked }) => found.conversations.length - ranked.length),
  };
}

/** Times in their order, everything else the largest first. */
function joinedGroups(groups: readonly ConversationGroup[], by: GroupBy): ConversationGroup[] {
  const isTime = by === "day" || by === "hour" || by === "use";
  return [...Map.groupBy(groups, ({ key }) => key)]
    .map(([key, same]) => ({
      key,
      count: same.reduce((sum, { count }) => sum + count, 0),
      messages: same.reduce((sum, { messages }) => sum + messages, 0),
      ...withTokens(same.flatMap(({ tokens }) => tokens ?? [])),
    }))
    .toSorted((a, b) => (isTime ? 0 : b.count - a.count) || (a.key < b.key ? -1 : 1));
}

function withTokens(all: readonly Tokens[]): { readonly tokens?: Tokens } {
  if (all.length === 0) return {};
  const sum = (of: keyof Tokens) => all.reduce((before, tokens) => before + tokens[of], 0);
  return { tokens: { input: sum("input"), output: sum("output"), cached: sum("cached") } };
}

function recalled(
  { found: { match, page, grounds }, score, parts }: Ranked,
  shown: ShownConversation,
): RecalledConversation {
  const { summary, snippet, message, kind } = shown;
  return { ...summary, score, parts, match, grounds, snippet, message, page, kind };
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
