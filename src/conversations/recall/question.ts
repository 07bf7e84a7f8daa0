// Questions to the store, and their conditions in SQL. Used by recall.ts
// and its neighbours.
import type { SQLInputValue } from "node:sqlite";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { Problem } from "../../kernel/kernel.ts";
import {
  anyOf,
  foldForSearch,
  ftsExpression,
  MAX_FILTERS,
  phrase,
  type SearchQuery,
  termsOf,
} from "../../search/search.ts";
import type { SourceName } from "../sources/source.ts";
import type { Filter } from "../store/filter-cache.ts";
import { foldersOfProject, foldersOfProjectNamed, type PlaceAt, type ProjectFolder } from "../store/projects.ts";
import { CONVERSATIONS_WITH } from "../store/text-index.ts";
import type { ConversationType } from "./conversation-types.ts";
import type { GroupBy } from "./groups.ts";
import type { Order } from "./orders.ts";

export interface Question {
  readonly query?: string | undefined;
  /** A conversation must have at least one of these words. */
  readonly tags?: readonly string[] | undefined;
  /** The user's next prompt: shared words and files raise the score. */
  readonly prompt?: string | undefined;
  readonly types?: readonly ConversationType[] | undefined;
  readonly sources?: readonly SourceName[] | undefined;
  /** Only these, by their rows in the store, and in this order. */
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
  /** The model that answered last. */
  readonly model?: string | undefined;
  /** The branch of git that it was on. */
  readonly branch?: string | undefined;
  /** A part of the path of a file that it touched or named. */
  readonly touched?: string | undefined;
  /** Also searches tool calls and their output. */
  readonly includeTools?: boolean | undefined;
  readonly minScore?: number | undefined;
  /** By time instead of by score. */
  readonly newestFirst?: boolean | undefined;
  /** In this order instead of by score; of a listing only, not of a search. */
  readonly order?: Order | undefined;
  readonly groupBy?: GroupBy | readonly GroupBy[] | undefined;
  /** How many of the first are passed over. */
  readonly skip?: number | undefined;
  readonly limit: number;
}

/** The folders of the project that the question names, else of the one that it comes from. */
export function foldersAskedFor(
  database: IndexDatabase,
  { project, here }: Question,
  placeAt?: PlaceAt,
): ProjectFolder[] {
  if (project === undefined) return here === undefined ? [] : foldersOfProject(database, here, placeAt);
  return foldersOfProjectNamed(database, project, placeAt);
}

export function filterOf(
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
  if (question.model !== undefined) add("conversation.model = ?", question.model);
  if (question.branch !== undefined) add("conversation.branch = ?", question.branch);
  if (question.touched !== undefined)
    add(
      "conversation.id IN (SELECT conversation FROM file WHERE instr(lower(path), lower(?)) > 0)",
      question.touched.replaceAll("\\", "/"),
    );
  if (question.title !== undefined)
    add("conversation.id IN (SELECT value FROM json_each(?))", JSON.stringify(titledLike(database, question.title)));
  if (question.project !== undefined)
    among(
      "conversation.folder",
      here.map(({ folder }) => folder),
    );
  const tags = tagsOf(question, query);
  if (tags.length > 0) add(`conversation.id IN (${CONVERSATIONS_WITH})`, ftsExpression(anyOf(tags.map(phrase))));
  if (asksForNothing(question, query, tags.length)) add("FALSE");
  const without = [...query.withoutWords.map((word) => [word]), ...query.withoutPhrases];
  if (without.length > 0)
    add(`conversation.id NOT IN (${CONVERSATIONS_WITH})`, ftsExpression(anyOf(without.map(phrase))));
  return {
    condition: parts.map(({ condition }) => condition).join(" AND "),
    values: parts.flatMap(({ values }) => values),
  };
}

/** The terms of each tag that was asked for. */
function tagsOf({ tags: asked = [] }: Question, query: SearchQuery): string[][] {
  const tags = [...asked, ...query.tags].map(termsOf).filter((terms) => terms.length > 0);
  const count = tags.flat().length;
  if (count > MAX_FILTERS)
    throw new Problem(
      "invalid",
      `The tags are ${count} words; a search takes up to ${MAX_FILTERS}.`,
      "Leave some out, or search several times.",
    );
  return tags;
}

/** Signs alone, and what only notes have, match no conversation; without a query every one matches. */
function asksForNothing({ query: sent = "", tags: asked = [] }: Question, query: SearchQuery, tags: number): boolean {
  const parts = [query.words, query.phrases, query.withoutWords, query.withoutPhrases, query.tags];
  const isQuery = sent.trim() !== "" && parts.every((part) => part.length === 0);
  return isQuery || (asked.some((tag) => tag.trim() !== "") && tags === 0);
}

/** In JavaScript: SQLite folds the case of ASCII only. */
function titledLike(database: IndexDatabase, part: string): number[] {
  const wanted = foldForSearch(part);
  return database
    .all("SELECT id, title FROM conversation WHERE is_listed AND title IS NOT NULL")
    .filter(({ title }) => foldForSearch(String(title)).includes(wanted))
    .map(({ id }) => Number(id));
}
