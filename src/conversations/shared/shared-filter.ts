// The conversations of a shared store that a question may be about, as a condition:
// what recall/question.ts is for the store of this machine. Used by
// shared-recall.ts.
import type { Condition, TaggedQuery, Values } from "../../postgres/postgres.ts";
import { anyOf, foldForSearch, phrase, type TextQuery } from "../../search/search.ts";
import { asksForNothing, tagsOf } from "../recall/question.ts";
import type { AskedQuestion } from "../recall/recall-store.ts";
import { type PlaceAt, projectsAt, projectsNamed } from "./shared-places.ts";
import { searchFor } from "./text-queries.ts";

export interface SharedFilter {
  readonly condition: Condition;
  /** The identities of the project that the question names, else of the one that it comes from. */
  readonly projects: readonly string[];
}

export async function sharedFilterOf(
  sql: TaggedQuery,
  { question, query }: AskedQuestion,
  placeAt: PlaceAt,
): Promise<SharedFilter> {
  const parts: NonNullable<Condition>[] = [];
  const equal = (column: string, value: string | undefined) => {
    if (value !== undefined) parts.push((values) => `conversation.${column} = ${values.add(value)}`);
  };
  const among = (column: string, wanted: readonly string[], type = "text[]") =>
    parts.push((values) => `conversation.${column} = ANY(${values.add(wanted, type)})`);
  const { since, before, types = [], sources = [], touched, title, project, here } = question;
  if (since !== undefined) parts.push((values) => `conversation.updated >= ${values.add(since, "float8")}`);
  if (before !== undefined) parts.push((values) => `conversation.updated < ${values.add(before, "float8")}`);
  if (types.length > 0) among("type", types);
  if (sources.length > 0) among("source", sources);
  equal("workspace", question.workspace);
  equal("model", question.model);
  equal("branch", question.branch);
  if (touched !== undefined)
    parts.push(
      (values) => `EXISTS (SELECT 1 FROM json_array_elements(conversation.touched) AS file
      WHERE strpos(lower(file ->> 0), lower(${values.add(touched.replaceAll("\\", "/"))})) > 0)`,
    );
  if (title !== undefined) among("id", await titledLike(sql, title), "bigint[]");
  const projects =
    project !== undefined
      ? await projectsNamed(sql, project, placeAt)
      : here === undefined
        ? []
        : await projectsAt(sql, here, placeAt);
  if (project !== undefined) among("project", projects);
  const tags = tagsOf(question, query);
  if (tags.length > 0) among("id", await conversationsWith(sql, anyOf(tags.map(phrase))), "bigint[]");
  if (asksForNothing(question, query, tags.length)) parts.push(() => "false");
  const without = [...query.withoutWords.map((word) => [word]), ...query.withoutPhrases];
  if (without.length > 0) {
    const ids = await conversationsWith(sql, anyOf(without.map(phrase)));
    parts.push((values) => `conversation.id <> ALL(${values.add(ids, "bigint[]")})`);
  }
  const condition = (values: Values) => parts.map((part) => part(values)).join(" AND ");
  return { condition: parts.length === 0 ? undefined : condition, projects };
}

async function conversationsWith(sql: TaggedQuery, query: TextQuery): Promise<string[]> {
  const [, rows] = await Promise.all([
    searchFor(sql, query),
    sql`SELECT DISTINCT conversation FROM commonplace.conversation_text WHERE kind <> 'tools'`,
  ]);
  return rows.map((row) => String(row["conversation"]));
}

/** As in question.ts. */
async function titledLike(sql: TaggedQuery, part: string): Promise<string[]> {
  const wanted = foldForSearch(part);
  const rows = await sql`SELECT id, title FROM commonplace.conversation`;
  return rows.filter(({ title }) => foldForSearch(String(title)).includes(wanted)).map(({ id }) => String(id));
}
