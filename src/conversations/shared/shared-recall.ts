// Recall in a shared store: finds the conversations that may answer a question, with
// what their scores are computed from, and shows some of them. Used by
// shared-conversations.ts.
import { type Condition, type Row, select, type Store, type TaggedQuery } from "../../postgres/postgres.ts";
import {
  firstQuestionsOf,
  type Grounds,
  isStopWord,
  phrase,
  readingsFrom,
  scoreOf as textScoreOf,
} from "../../search/search.ts";
import { comparableFile, filesNamedIn } from "../recall/file-references.ts";
import { filesAmong } from "../recall/files-at-hand.ts";
import type { ConversationGroup, GroupBy } from "../recall/groups.ts";
import type { Order } from "../recall/orders.ts";
import { openingSnippet, snippetIn } from "../recall/page-snippet.ts";
import type { Question } from "../recall/question.ts";
import type { HourCount } from "../recall/recall.ts";
import {
  askedQuestion,
  type AskedQuestion,
  type Found,
  type FoundConversation,
  type RecallStore,
} from "../recall/recall-store.ts";
import { redactedSummary, type Redaction } from "../recall/summaries.ts";
import type { SourceName } from "../sources/source.ts";
import { pageTextOf } from "../store/page-texts.ts";
import { sharedFilterOf } from "./shared-filter.ts";
import type { PlaceAt } from "./shared-places.ts";
import { nameOf, sharedSummaryIn } from "./shared-summaries.ts";
import { SharedText } from "./shared-text.ts";

/** What recall has to know of the machine that asks. */
export interface ThisMachine {
  /** Which of these conversations (`source/id`) it has itself: each is shown once. */
  readonly has: (names: readonly string[]) => ReadonlySet<string>;
  readonly placeAt: PlaceAt;
}

interface Candidate {
  readonly match: number | undefined;
  readonly page: number | undefined;
  readonly grounds?: Grounds | undefined;
}

export function sharedRecallStore(store: Store, redact: Redaction, machine: ThisMachine): RecallStore {
  return {
    find: (asked) => store.reading((sql) => find(sql, asked, machine)),
    show: async (found, wanted) => {
      const { summaries, pages } = await store.reading((sql) => read(sql, found));
      return found.map(({ row, page }) => {
        const stored = summaries.get(row);
        // It was unshared just now.
        if (stored === undefined) return undefined;
        const summary = redactedSummary(sharedSummaryIn(stored), redact);
        const content = page === undefined ? undefined : pages.get(`${row} ${page}`);
        const snippet = content === undefined ? undefined : snippetIn(pageTextOf(content), wanted, redact);
        return { summary, ...(snippet ?? { snippet: openingSnippet(summary), message: undefined, kind: undefined }) };
      });
    },
    groups: (rows, by) => store.reading((sql) => groups(sql, rows, by, redact)),
  };
}

async function find(sql: TaggedQuery, asked: AskedQuestion, machine: ThisMachine): Promise<Found> {
  const { question, isSearch, most, keywords } = asked;
  // Rows are those of this machine's store.
  if (question.rows !== undefined) return { conversations: [], total: 0, words: [] };
  const { condition, projects } = await sharedFilterOf(sql, asked, machine.placeAt);
  const { candidates, total, words, unfound, known } = isSearch
    ? await searched(sql, asked, condition)
    : await listed(sql, condition, question.order, most);
  const ids = [...candidates.keys()];
  const files = filesNamedIn(`${question.query ?? ""}\n${question.prompt ?? ""}`).map((file) =>
    comparableFile(file, undefined),
  );
  const [shares, rows] = await Promise.all([
    keywordShares(new SharedText(sql, undefined), keywords, ids),
    ids.length === 0 ? [] : factsOf(sql, ids, files.length > 0),
  ]);
  const own = machine.has(rows.map(nameOf));
  const seen = new Set<string>(own);
  const conversations: FoundConversation[] = [];
  for (const row of rows) {
    // In several spaces, or here as well.
    if (seen.has(nameOf(row))) continue;
    seen.add(nameOf(row));
    const id = Number(row["id"]);
    const touched = (row["touched"] ?? []) as readonly (readonly [string, number])[];
    conversations.push({
      row: id,
      updated: Number(row["updated"]),
      messages: Number(row["messages"]),
      type: row["type"] as FoundConversation["type"],
      ...candidates.get(id)!,
      keywords: shares.get(id) ?? 0,
      isThisProject: projects.length === 0 ? undefined : projects.includes(String(row["project"])),
      filesInCommon: files.length === 0 ? 0 : filesAmong(files)(touched.map(([path]) => path)).size,
    });
  }
  return { conversations, total: total - (rows.length - conversations.length), words, unfound, known };
}

async function searched(sql: TaggedQuery, { question, query, most }: AskedQuestion, condition: Condition) {
  const text = new SharedText(sql, condition, firstQuestionsOf(query));
  const [{ documents }, { found, total, words, unfound: missing, known }] = await Promise.all([
    text.statistics(),
    readingsFrom(text, query, most),
  ]);
  if (documents === 0)
    return { candidates: new Map<number, Candidate>(), total: 0, words: [], unfound: undefined, known: undefined };
  const candidates = new Map(
    found
      .slice(0, most)
      .map(({ id, score, document, grounds }): [number, Candidate] => [
        id,
        { match: score, page: document.page, grounds },
      ]),
  );
  const terms = [...query.words.filter((word) => !isStopWord(word)), ...query.phrases.flat()];
  const inTools = question.includeTools && terms.length > 0 ? await text.matchTools(terms, most) : [];
  // Tool output ranks below all prose.
  for (const { id, document } of inTools)
    if (!candidates.has(id)) candidates.set(id, { match: textScoreOf("name", 0), page: document.page });
  const unfound: string[] = [];
  for (const term of missing)
    if (!question.includeTools || (await text.matchTools([term], 1)).length === 0) unfound.push(term);
  return { candidates, total: Math.max(total, candidates.size), words, unfound, known };
}

const ORDER_TERMS: Readonly<Record<Order, string>> = {
  oldest: "updated",
  longest: "messages DESC, updated DESC",
  shortest: "messages, updated DESC",
};

async function listed(sql: TaggedQuery, condition: Condition, order: Order | undefined, most: number) {
  const rows = await select(
    sql,
    (values) => `SELECT id FROM commonplace.conversation WHERE ${condition?.(values) ?? "true"}
      ORDER BY ${order === undefined ? "updated DESC" : ORDER_TERMS[order]} LIMIT ${values.add(most, "int")}`,
  );
  const candidates = new Map(
    rows.map(({ id }): [number, Candidate] => [Number(id), { match: undefined, page: undefined }]),
  );
  if (rows.length < most) return { candidates, total: rows.length, words: [], unfound: undefined, known: undefined };
  const [row] = await select(
    sql,
    (values) => `SELECT count(*) AS count FROM commonplace.conversation WHERE ${condition?.(values) ?? "true"}`,
  );
  return { candidates, total: Number(row!["count"]), words: [], unfound: undefined, known: undefined };
}

/** What scores are computed from, in the order of ids. */
async function factsOf(sql: TaggedQuery, ids: readonly number[], withTouched: boolean): Promise<readonly Row[]> {
  const [row] = await sql`SELECT commonplace.found_facts(${ids}, ${withTouched}) AS facts`;
  return row!["facts"] as readonly Row[];
}

/** By conversation, the share of the keywords that it has. */
async function keywordShares(text: SharedText, keywords: readonly string[], ids: readonly number[]) {
  const shares = new Map<number, number>();
  const conversations = ids.map((id) => ({ id }));
  const having = await Promise.all(keywords.map((keyword) => text.having(phrase([keyword]), conversations)));
  for (const id of having.flatMap((some) => [...some])) shares.set(id, (shares.get(id) ?? 0) + 1 / keywords.length);
  return shares;
}

async function read(sql: TaggedQuery, found: readonly FoundConversation[]) {
  const wanted = found.filter(({ page }) => page !== undefined);
  const ids = found.map(({ row }) => row);
  const keys = [wanted.map(({ row }) => row), wanted.map(({ page }) => page!)];
  const [summaries, pages] = await Promise.all([
    sql`SELECT commonplace.found_summaries(${ids}) AS summaries`,
    wanted.length === 0 ? [] : sql.run("SELECT conversation, page, parts FROM commonplace.found_pages($1, $2)", keys),
  ]);
  return {
    summaries: new Map((summaries[0]!["summaries"] as readonly Row[]).map((row) => [Number(row["id"]), row])),
    pages: new Map(pages.map((row) => [`${String(row["conversation"])} ${String(row["page"])}`, row["parts"]])),
  };
}

/** As in groups.ts. */
const KEYS: Readonly<Record<GroupBy, string>> = {
  project: String.raw`coalesce(project_name, regexp_replace(folder, '^.*[/\\]', ''), '')`,
  tool: "source",
  type: "type",
  model: "coalesce(model, '')",
  branch: "coalesce(branch, '')",
  day: "to_char(to_timestamp(updated / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
  hour: `to_char(to_timestamp(updated / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24')`,
};

async function groups(
  sql: TaggedQuery,
  rows: readonly number[],
  by: GroupBy,
  redact: Redaction,
): Promise<ConversationGroup[]> {
  const found = await select(
    sql,
    (values) => `SELECT ${KEYS[by]} AS label, count(*) AS count, sum(messages) AS messages FROM commonplace.conversation
      WHERE id = ANY(${values.add(rows, "bigint[]")}) GROUP BY label`,
  );
  return found.map((row) => ({
    key: redact(String(row["label"])),
    count: Number(row["count"]),
    messages: Number(row["messages"]),
  }));
}

const HOUR = 60 * 60 * 1000;

function hourOf(row: Row): number {
  return Math.floor(Number(row["updated"]) / HOUR) * HOUR;
}

/** How many conversations of each source were last updated in each hour, without those of this machine. */
export async function countSharedPerHour(store: Store, question: Question, machine: ThisMachine): Promise<HourCount[]> {
  const rows = await store.reading(async (sql) => {
    const { condition } = await sharedFilterOf(sql, askedQuestion(question, 0), machine.placeAt);
    return select(
      sql,
      (values) => `SELECT source, key, min(updated) AS updated FROM commonplace.conversation
        WHERE ${condition?.(values) ?? "true"} GROUP BY source, key`,
    );
  });
  const own = machine.has(rows.map(nameOf));
  const others = rows.filter((row) => !own.has(nameOf(row)));
  return [...Map.groupBy(others, (row) => `${hourOf(row)} ${String(row["source"])}`).values()].map((same) => ({
    hour: hourOf(same[0]!),
    source: same[0]!["source"] as SourceName,
    count: same.length,
  }));
}
