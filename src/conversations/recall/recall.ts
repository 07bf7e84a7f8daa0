// Finds the conversations that a question is about, best first. Asks the store
// as it is: conversations.ts sees to it that it is fresh.
import type { SQLInputValue } from "node:sqlite";
import { nameIn } from "../../kernel/kernel.ts";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import {
  anyOf,
  closenessOf,
  foldForSearch,
  ftsExpression,
  isStopWord,
  matchesIn,
  parseQuery,
  phrase,
  readingsOf,
  scoreOf as textScoreOf,
  type SearchQuery,
  snippetOf,
  termsOf,
} from "../../search/search.ts";
import { keywordsOf, tellingWords } from "./conversation-type.ts";
import type { ConversationType } from "./type-names.ts";
import { comparableFile, filesNamedIn } from "./file-references.ts";
import { scoreOf, scorePartsOf, type ScoreParts } from "./scoring.ts";
import type { ConversationSignals, SignalCache } from "./signals.ts";
import type { SourceName } from "../sources/source.ts";
import type { PageText, PageTextCache } from "../store/page-texts.ts";
import { foldersOfProject, foldersOfProjectNamed, type ProjectFolder } from "../store/projects.ts";
import type { ConversationSummary } from "../store/reader.ts";
import type { Filter } from "../store/filter-cache.ts";
import { CONVERSATIONS_WITH, ConversationText, type TextCaches } from "../store/text-index.ts";
import type { Redaction, SummaryCache } from "./summaries.ts";

export interface Question {
  readonly query?: string | undefined;
  /** Words of which a conversation must have one. */
  readonly tags?: readonly string[] | undefined;
  /** What the user is about to ask: its words and files raise the score. */
  readonly prompt?: string | undefined;
  readonly types?: readonly ConversationType[] | undefined;
  readonly sources?: readonly SourceName[] | undefined;
  /** Milliseconds: changed at this time or later, and before that one. */
  readonly since?: number | undefined;
  readonly before?: number | undefined;
  /** A part of the title. */
  readonly title?: string | undefined;
  /** The program's own id of the workspace. */
  readonly workspace?: string | undefined;
  /** The folder of the project that the question is asked from; its conversations count more. */
  readonly here?: string | undefined;
  /** Only those of the project with this folder or name. */
  readonly project?: string | undefined;
  /** Also what tools were asked and gave. */
  readonly includeTools?: boolean | undefined;
  readonly minScore?: number | undefined;
  /** By time instead of by score. */
  readonly newestFirst?: boolean | undefined;
  readonly limit: number;
}

export interface RecalledConversation extends ConversationSummary {
  readonly score: number;
  readonly parts: ScoreParts;
  /** How well the words match, from 0 to 1, as in every search; undefined where none were looked for. */
  readonly match: number | undefined;
  readonly snippet: string;
  /** The message that the snippet is from, where words were looked for. */
  readonly message: string | undefined;
}

export interface Recalled {
  readonly conversations: readonly RecalledConversation[];
  /** All that fit, whatever the limit. */
  readonly total: number;
  /** What would fit, but for its score. */
  readonly belowMinScore: number;
}

const DAY = 24 * 60 * 60 * 1000;
/** How many are scored: of a search the best matches, else the newest. */
const MOST_SCORED = 500;
const SNIPPET_LENGTH = 200;
/** Files that were touched within so many days are what is being worked on. */
const AT_HAND_DAYS = 7;
/** Of so many conversations at the most, and so many files of theirs. */
const MOST_AT_HAND = 50;
const MOST_FILES = 50;

interface Candidate {
  readonly match: number | undefined;
  /** The page that matches best. */
  readonly page: number | undefined;
}

/** What answers are made from. */
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
  const keywords = keywordsOf({ title: [], prompts: [tellingWords(question.prompt ?? "")], answer: [] });
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
      // A project of which there is no conversation tells nothing about any.
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
      return { ...summary, score, parts, match, ...(snippet ?? { snippet: summary.opening, message: undefined }) };
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

/** How many conversations of each source ended in each hour, whatever the limit; words are not looked at. */
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

/** Those of the project that is asked for, else of the one that is asked from. */
function foldersAskedFor(database: IndexDatabase, { project, here }: Question): ProjectFolder[] {
  if (project === undefined) return here === undefined ? [] : foldersOfProject(database, here);
  const named = foldersOfProjectNamed(database, project);
  return named.length > 0 ? named : foldersOfProject(database, project);
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
  // Where nothing is kept, the question is answered before its words are read.
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
  // What a tool gave is no one's word: it ranks below all that was said.
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

/** SQLite knows the cases of ASCII only. */
function titledLike(database: IndexDatabase, part: string): number[] {
  const wanted = foldForSearch(part);
  return database
    .all("SELECT id, title FROM conversation WHERE is_listed AND title IS NOT NULL")
    .filter(({ title }) => foldForSearch(String(title)).includes(wanted))
    .map(({ id }) => Number(id));
}

/** Of each candidate, the share of the keywords that it has. */
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

/** Files that the question names, else those that this project's conversations touched last. */
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

/** How many of some files each candidate has, by path or by the end of it. */
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

const HALF_LIFE = 14 * DAY;
const MOST_TOUCHED = 500;
/** The newest conversations that are asked for their files: what is older weighs little, and there may be thousands. */
const MOST_ASKED = 200;

/** Files that conversations in these folders touched or named since a time, with a weight: how often, and how long ago. */
export function touchedFiles(
  database: IndexDatabase,
  folders: readonly ProjectFolder[],
  since: number,
  now: number,
  most = MOST_ASKED,
): Map<string, number> {
  const weights = new Map<string, number>();
  if (folders.length === 0) return weights;
  const prefixes = new Map(folders.map(({ folder, prefix }) => [folder, prefix]));
  const rows = database.all(
    `SELECT folder, path, count, updated FROM (
       SELECT id, folder, updated FROM conversation
       WHERE is_listed AND folder IN (SELECT value FROM json_each(?)) AND updated >= ? ORDER BY updated DESC LIMIT ?
     ) AS newest JOIN file ON file.conversation = newest.id`,
    JSON.stringify([...prefixes.keys()]),
    since,
    most,
  );
  for (const { folder, path, count, updated } of rows) {
    const file = String(path);
    // What lies outside of the folder belongs to no project of it.
    if (/^(?:[/~]|[a-z]:|\.\.\/)/i.test(file)) continue;
    const within = prefixes.get(String(folder)) + file;
    const weight = Number(count) * 0.5 ** (Math.max(0, now - Number(updated)) / HALF_LIFE);
    weights.set(within, (weights.get(within) ?? 0) + weight);
  }
  return new Map([...weights].toSorted(([, a], [, b]) => b - a).slice(0, MOST_TOUCHED));
}

type Wanted = Parameters<typeof snippetOf>[1];

/** The passage that matches; where there is none, how the conversation begins is shown. */
function snippetIn({ text, folded, messages }: PageText, wanted: Wanted, redact: Redaction) {
  const { text: snippet, start, end, highlights } = snippetOf(text, wanted, SNIPPET_LENGTH, folded);
  if (highlights.length === 0) return undefined;
  const message = bestMessage(text, messages, { start, end }, wanted);
  const surroundings = around(text, start, end);
  const shown = redact(surroundings);
  const safe = shown === surroundings ? snippet : snippetOf(shown, wanted, SNIPPET_LENGTH).text;
  return { snippet: safe, message: message || undefined };
}

/** Of the messages that a passage goes over, the one with the most of the words; the first of several. */
function bestMessage(
  text: string,
  messages: PageText["messages"],
  { start, end }: { readonly start: number; readonly end: number },
  wanted: Wanted,
): string | undefined {
  let best: { readonly id: string; readonly words: number } | undefined;
  for (const [i, { id, end: next }] of messages.entries()) {
    const begin = messages[i - 1]?.end ?? 0;
    if (next <= start || begin >= end) continue;
    const said = text.slice(begin, next);
    const words = new Set(matchesIn(said, wanted).map((span) => foldForSearch(said.slice(...span)))).size;
    if (words > (best?.words ?? 0)) best = { id, words };
  }
  return best?.id;
}

/** What says that something is a secret may be a heading lines above it. */
const BEFORE = 2_000;
const AFTER = 500;

/**
 * A secret that a passage would cut in two has to be seen whole to be known for
 * one: few hold a space, but private keys have many lines, and the values of a
 * Kubernetes secret say nothing by themselves.
 */
function around(text: string, start: number, end: number): string {
  if (/PRIVATE KEY|\bSecret\b/.test(text)) return text;
  let word = Math.max(0, start - BEFORE);
  while (word > 0 && !" \n\t".includes(text.charAt(word - 1))) word--;
  const after = /\s|$/.exec(text.slice(end + AFTER))!.index;
  return text.slice(word, end + AFTER + after);
}
