// Finds the conversations that match a question, best first, in the store as it
// is: conversation-library.ts, which uses this, refreshes it.
import type { SQLInputValue } from "node:sqlite";
import { nameIn } from "../../kernel/kernel.ts";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import {
  anyOf,
  closenessOf,
  foldForSearch,
  ftsExpression,
  isStopWord,
  parseQuery,
  phrase,
  readingsOf,
  scoreOf as textScoreOf,
  type SearchQuery,
  termsOf,
} from "../../search/search.ts";
import { keywordsOf, significantWords } from "./conversation-type.ts";
import type { ConversationType } from "./conversation-types.ts";
import { comparableFile, filesNamedIn } from "./file-references.ts";
import { snippetIn } from "./page-snippet.ts";
import { scoreOf, scorePartsOf, type ScoreParts } from "./scoring.ts";
import type { ConversationSignals, SignalCache } from "./signals.ts";
import type { MessageKind, SourceName } from "../sources/source.ts";
import type { PageTextCache } from "../store/page-texts.ts";
import { foldersOfProject, foldersOfProjectNamed, type ProjectFolder } from "../store/projects.ts";
import type { ConversationSummary } from "../store/conversation-reader.ts";
import type { Filter } from "../store/filter-cache.ts";
import { CONVERSATIONS_WITH, ConversationText, type TextCaches } from "../store/text-index.ts";
import type { Redaction, SummaryCache } from "./summaries.ts";
import { touchedFiles } from "./touched-files.ts";

export interface Question {
  readonly query?: string | undefined;
  /** A conversation must have at least one of these words. */
  readonly tags?: readonly string[] | undefined;
  /** What the user is about to ask: shared words and files raise the score. */
  readonly prompt?: string | undefined;
  readonly types?: readonly ConversationType[] | undefined;
  readonly sources?: readonly SourceName[] | undefined;
  /** Only these, by their rows in the store. */
  readonly rows?: readonly number[] | undefined;
  /** In milliseconds: updated at or after `since`, and before `before`. */
  readonly since?: number | undefined;
  readonly before?: number | undefined;
  /** A part of the title. */
  readonly title?: string | undefined;
  /** The program's own id of the workspace. */
  readonly workspace?: string | undefined;
  /** The folder of the project that the question comes from; its conversations score higher. */
  readonly here?: string | undefined;
  /** Only conversations of the project with this folder or name. */
  readonly project?: string | undefined;
  /** Also searches tool calls and their output. */
  readonly includeTools?: boolean | undefined;
  readonly minScore?: number | undefined;
  /** By time instead of by score. */
  readonly newestFirst?: boolean | undefined;
  readonly limit: number;
}

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
  /** Matches whose score is too low. */
  readonly belowMinScore: number;
}

const DAY = 24 * 60 * 60 * 1000;
/** How many are scored: the best matches of a query, else the newest. */
const MOST_SCORED = 500;
/** Files touched within so many days count as being worked on. */
const AT_HAND_DAYS = 7;
/** At most so many conversations, and so many of their files, are looked at. */
const MOST_AT_HAND = 50;
const MOST_FILES = 50;

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
  const { candidates, total, words } =
    query.words.length === 0 && query.phrases.length === 0
      ? listed(database, filter)
      : searched(database, new ConversationText(database, recalling, filter), query, question.includeTools === true);
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
  const scored = [...recalling.signals.of(ids).values()]
    .map((signals) => ({
      signals,
      score: scoreOf(partsOf(signals)),
      closeness: closenessOf(candidates.get(signals.id)!.match ?? 0),
    }))
    .filter(({ score }) => score >= (question.minScore ?? 0))
    .sort(
      (a, b) =>
        (question.newestFirst ? 0 : b.closeness - a.closeness || b.score - a.score) ||
        b.signals.updated - a.signals.updated,
    );
  const isCut = candidates.size < total && scored.length === candidates.size;
  const wanted = { phrases: query.phrases, words: [...query.words, ...words, ...keywords], hasForms: true };
  const page = scored.slice(0, question.limit);
  const shown = page.map(({ signals }) => signals.id);
  const summaries = recalling.summaries.of(shown);
  const texts = pages.of(shown.flatMap((id) => candidates.get(id)!.page ?? []));
  return {
    total: isCut ? total : scored.length,
    belowMinScore: candidates.size - scored.length,
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
        ...(snippet ?? { snippet: summary.opening, message: undefined, kind: undefined }),
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

/** The folders of the project that the question names, else of the one that it comes from. */
function foldersAskedFor(database: IndexDatabase, { project, here }: Question): ProjectFolder[] {
  if (project === undefined) return here === undefined ? [] : foldersOfProject(database, here);
  return foldersOfProjectNamed(database, project);
}

function listed(database: IndexDatabase, { condition, values }: Filter) {
  const rows = database.all(
    `SELECT id FROM conversation WHERE ${condition} ORDER BY updated DESC LIMIT ?`,
    ...values,
    MOST_SCORED,
  );
  const count = database.get(`SELECT count(*) AS count FROM conversation WHERE ${condition}`, ...values);
  const candidates = new Map(
    rows.map(({ id }): [number, Candidate] => [Number(id), { match: undefined, page: undefined }]),
  );
  return { candidates, total: Number(count!["count"]), words: [] };
}

function searched(database: IndexDatabase, text: ConversationText, query: SearchQuery, includeTools: boolean) {
  // An empty store needs no parsing of words.
  if (database.get("SELECT id FROM conversation LIMIT 1") === undefined)
    return { candidates: new Map<number, Candidate>(), total: 0, words: [] };
  const { found, total, words } = readingsOf(text, query, MOST_SCORED);
  const candidates = new Map(
    found
      .slice(0, MOST_SCORED)
      .map(({ id, score, document }): [number, Candidate] => [id, { match: score, page: document.page }]),
  );
  const terms = [...query.words.filter((word) => !isStopWord(word)), ...query.phrases.flat()];
  const inTools = includeTools && terms.length > 0 ? text.matchTools(terms, MOST_SCORED) : [];
  // Tool output ranks below all prose.
  for (const { id, document } of inTools)
    if (!candidates.has(id)) candidates.set(id, { match: textScoreOf("name", 0), page: document.page });
  return { candidates, total: Math.max(total, candidates.size), words };
}

function filterOf(
  database: IndexDatabase,
  question: Question,
  query: SearchQuery,
  here: readonly ProjectFolder[],
): Filter {
  const parts: Filter[] = [{ condition: "conversation.is_listed", values: [] }];
  const add = (condition: string, ...values: SQLInputValue[]) => parts.push({ condition, values });
  const among = (column: string, values: readonly string[]) =>
    add(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values));
  if (question.rows !== undefined)
    add("conversation.id IN (SELECT value FROM json_each(?))", JSON.stringify(question.rows));
  if (question.since !== undefined) add("conversation.updated >= ?", question.since);
  if (question.before !== undefined) add("conversation.updated < ?", question.before);
  if (question.types !== undefined && question.types.length > 0) among("conversation.type", question.types);
  if (question.sources !== undefined && question.sources.length > 0) among("conversation.source", question.sources);
  if (question.workspace !== undefined) add("conversation.workspace = ?", question.workspace);
  if (question.title !== undefined)
    add("conversation.id IN (SELECT value FROM json_each(?))", JSON.stringify(titledLike(database, question.title)));
  if (question.project !== undefined)
    among(
      "conversation.folder",
      here.map(({ folder }) => folder),
    );
  const tags = [...(question.tags ?? []).map(termsOf), ...query.tags.map(termsOf)].filter((terms) => terms.length > 0);
  if (tags.length > 0) add(`conversation.id IN (${CONVERSATIONS_WITH})`, ftsExpression(anyOf(tags.map(phrase))));
  const without = [...query.withoutWords.map((word) => [word]), ...query.withoutPhrases];
  if (without.length > 0)
    add(`conversation.id NOT IN (${CONVERSATIONS_WITH})`, ftsExpression(anyOf(without.map(phrase))));
  return {
    condition: parts.map(({ condition }) => condition).join(" AND "),
    values: parts.flatMap(({ values }) => values),
  };
}

/** In JavaScript: SQLite folds the case of ASCII only. */
function titledLike(database: IndexDatabase, part: string): number[] {
  const wanted = foldForSearch(part);
  return database
    .all("SELECT id, title FROM conversation WHERE is_listed AND title IS NOT NULL")
    .filter(({ title }) => foldForSearch(String(title)).includes(wanted))
    .map(({ id }) => Number(id));
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

/** Files that the question names, else those that the project's conversations touched last. */
function filesAtHand(
  database: IndexDatabase,
  { query, prompt }: Question,
  here: readonly ProjectFolder[],
  now: number,
): string[] {
  const named = filesNamedIn(`${query ?? ""}\n${prompt ?? ""}`).map((file) =>
    here.reduce((path, { folder }) => comparableFile(path, folder), comparableFile(file, undefined)),
  );
  return named.length > 0
    ? named
    : [...touchedFiles(database, here, now - AT_HAND_DAYS * DAY, now, MOST_AT_HAND).keys()].slice(0, MOST_FILES);
}

/** By candidate, how many of the files it has, compared by path or by the end of the path. */
function filesInCommon(database: IndexDatabase, files: readonly string[], candidates: ReadonlyMap<number, Candidate>) {
  const counts = new Map<number, number>();
  if (files.length === 0 || candidates.size === 0) return counts;
  // By name first: comparing each path with each file would take seconds.
  const named = Map.groupBy(new Set(files.map((file) => file.toLowerCase())), nameIn);
  const rows = database.all(
    "SELECT conversation, group_concat(path, char(10)) AS paths FROM file WHERE conversation IN (SELECT value FROM json_each(?)) GROUP BY conversation",
    JSON.stringify([...candidates.keys()]),
  );
  for (const { conversation, paths } of rows) {
    const common = new Set<string>();
    for (const path of String(paths).toLowerCase().split("\n"))
      for (const file of named.get(nameIn(path)) ?? [])
        if (path === file || path.endsWith(`/${file}`)) common.add(file);
    if (common.size > 0) counts.set(Number(conversation), common.size);
  }
  return counts;
}
