// recall_conversations: finds past conversations with every assistant by their
// words, time and project.
import { isAbsolute } from "node:path";
import {
  type Answer,
  CONVERSATION_TYPES,
  type ConversationGroup,
  type Conversations,
  GROUPS,
  type GroupBy,
  type HostMemory,
  type HourCount,
  ORDERS,
  type Question,
  type Recalled,
} from "../../conversations/conversations.ts";
import { MAX_TOKENS } from "../call/budget.ts";
import { isAllTime, isoTime, startOf } from "../definition/dates.ts";
import {
  choice,
  flag,
  integer,
  list,
  number,
  optional,
  record,
  returnedBy,
  resultObject,
  text,
  unlisted,
  withDefault,
  withShownDefault,
} from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { READS } from "../definition/effects.ts";
import { LazyList } from "../definition/lazy-list.ts";
import { HOW_SURE, UNFOUND, unfoundOf } from "../definition/unfound-words.ts";
import { folderWorkedIn, memoriesAbout, resumeField, sourcesResult, TOOLS } from "./fields.ts";
import { recalledRow, ROW, withRoom } from "./recalled-rows.ts";

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

const USUAL_SCORE = 1;
const USUAL_DAYS = 30;

/** Groups that the page offers as filters with their counts, and draws as a map of days. */
const FACETS: readonly GroupBy[] = ["tool", "project", "model", "branch", "hour"];

/** Memories of hosts are short, and beside the point of most questions. */
const MAX_MEMORIES = 3;

/** The best ones are those that are gone back to; a command costs about 20 tokens. */
const ROWS_WITH_WAY_BACK = 5;

interface Summary {
  readonly total_conversations_found: number;
  readonly conversations_returned: number;
  /** Only conversations that were updated since; none if all were searched. */
  readonly searched_since?: string;
  /** How many match that were last updated before. */
  readonly older_conversations_found?: number;
  /** Conversations per hour and source, if they are grouped by hour, with details. */
  readonly hours?: readonly ReturnType<typeof hourResult>[];
  readonly note?: string;
  readonly below_min_score?: number;
  readonly hint?: string;
}

export const recallConversations = defineTool({
  name: "recall_conversations",
  title: "Recall conversations",
  description:
    "What did we discuss, decide, talk about, solve or work on, when did we last touch a file? Past conversations (chats, discussions) with Claude, ChatGPT, Cursor and other AI assistants: recent chats, earlier ones.",
  toolset: "recall",
  byDefault: true,
  contract: "recall",
  effects: READS,
  inProject: true,
  pages: "conversations",
  pageSize: "limit",
  budget: MAX_TOKENS,
  timeLimit: 600_000,
  input: {
    fast_mode: withDefault(flag(), true),
    days_lookback: withShownDefault(integer("", { minimum: 1, maximum: 60, isStrict: true }), USUAL_DAYS),
    limit: withDefault(integer("", { minimum: 1, maximum: 100, isStrict: true }), 60),
    min_score: withDefault(number(), USUAL_SCORE),
    conversation_types: optional(list(choice(CONVERSATION_TYPES, ""))),
    tools: TOOLS,
    search_query: optional(text()),
    user_prompt: optional(text()),
    tags: optional(list(text())),
    since: optional(text("e.g. 2026-03, yesterday, 7d, all")),
    project: optional(text("Folder, name or all")),
    file: optional(text("path, path:line or row:id")),
    /** For the page. */
    group_by: unlisted(choice(GROUPS)),
    /** All of FACETS at once. For the page. */
    facets: unlisted(flag()),
    /** With `file`: all that ever wrote it, and what became of that. For the command. */
    holds: unlisted(flag()),
    /** For the page: of these, and in this order. */
    model: unlisted(text()),
    branch: unlisted(text()),
    touched: unlisted(text()),
    before: unlisted(text()),
    order: unlisted(choice(ORDERS)),
    /** By time instead of by score. For the page. */
    newest_first: unlisted(flag()),
    /** Searches what tools returned, too. */
    include_tools: unlisted(flag()),
    details: optional(flag()),
  },
  output: {
    conversations: list(returnedBy(recalledRow, ROW)),
    summary: resultObject<Summary>(),
    parameters: record(),
    processing_time: number(),
    sources: resultObject<ReturnType<typeof sourcesResult>>(),
    /** Memories of hosts about it, and rules that were written for them. */
    memories: unlisted(list(resultObject<ReturnType<typeof memoryResult>>())),
    groups: unlisted(list(resultObject<ReturnType<typeof counts>[number]>())),
    facets: unlisted(resultObject<Recalled["groups"]>()),
    ...HOW_SURE,
    ...UNFOUND,
    indexing: unlisted(resultObject<NonNullable<Answer<unknown>["indexing"]> & { readonly hint: string }>()),
  },
  afterCut: (page) => {
    const { total_conversations_found: total } = page.summary;
    const isLast = page.truncated === false && (page.total ?? 0) < total;
    return {
      ...page,
      ...(page.total !== undefined && { total }),
      summary: { ...page.summary, conversations_returned: page.conversations.length },
      ...(isLast && { hint: `Only the best ${page.total} can be listed: narrow the search.` }),
    };
  },
  run: async (input, call) => {
    const { services, signal, progress } = call;
    const { start } = call.page;
    const { details = false } = input;
    const started = performance.now();
    const conversations = await services.conversations();
    const project = input.project === "all" ? undefined : input.project;
    const file =
      input.file === undefined
        ? undefined
        : await (
            await import("./file-question.ts")
          ).authorsOfFile(input.file, { project, everyone: input.holds ?? false }, call);
    const isAll = isAllTime(input.since) || (file !== undefined && input.since === undefined);
    const since = isAll ? undefined : spanStart(input.since, input.days_lookback);
    const isSearch = (input.search_query ?? "").trim() !== "" || (input.tags ?? []).length > 0;
    /** Nothing is asked for in particular: the newest conversations are the answer. */
    const isListing = !isSearch && file === undefined && (input.user_prompt ?? "").trim() === "";
    const inSpan = {
      rows: file?.rows,
      query: input.search_query,
      tags: input.tags,
      prompt: input.user_prompt,
      types: input.conversation_types,
      sources: input.tools,
      since,
      here: input.project === undefined && file === undefined ? await folderWorkedIn(call) : undefined,
      project: file?.isInProject ? undefined : project,
      includeTools: input.include_tools,
      minScore: file === undefined ? input.min_score : 0,
      groupBy: input.facets ? FACETS : input.group_by,
      model: input.model || undefined,
      branch: input.branch || undefined,
      touched: input.touched || undefined,
      before: startOf("before", input.before),
      order: input.order,
      newestFirst: input.newest_first ?? isListing,
      skip: start,
      limit: input.limit,
    };
    const { symbolsOf, termsOf } = await import("../../search/search.ts");
    const asked = [input.search_query, ...(input.tags ?? [])].join(" ");
    const isWordless = isSearch && termsOf(asked).length + symbolsOf(asked).length === 0;
    const asking = { complete: !input.fast_mode, signal, onProgress: reportIndexing(progress) };
    const first = await conversations.recall(inSpan, asking);
    const olderMatches = since === undefined ? 0 : await countOlder(conversations, inSpan, since);
    const isUsualSpan = input.days_lookback === undefined && input.since === undefined;
    const isEmpty = first.answer.total + first.answer.belowMinScore === 0;
    const takesOlder = isListing && isUsualSpan && isEmpty && olderMatches > 0;
    const question = takesOlder ? { ...inSpan, since: undefined } : inSpan;
    const { answer, stale, indexing, sharedUnavailable, reading } = takesOlder
      ? await conversations.recall(question, asking)
      : first;
    const older = takesOlder ? 0 : olderMatches;
    const isWhole = indexing === undefined && sharedUnavailable === undefined && reading === undefined;
    const unfound = await unfoundOf(asked, isWhole ? answer.unfound : []);
    const { standingOfRows } = await import("./standing.ts");
    const standing = await standingOfRows(start === 0 && file === undefined ? answer.conversations : [], services);
    const all = answer.conversations.map((one, at) =>
      recalledRow(one, details, {
        ...file?.of(one.row),
        ...(standing.has(one.row) && { holds: standing.get(one.row)! }),
        ...((details || start + at < ROWS_WITH_WAY_BACK) && resumeField(conversations, one)),
      }),
    );
    const words = start === 0 && file === undefined ? (input.search_query ?? "") : "";
    const memories = await memoriesAbout(
      words,
      { services, most: MAX_MEMORIES },
      inSpan.here ?? (project !== undefined && isAbsolute(project) ? project : undefined),
    );
    const states = (await conversations.sources({ asItIs: true })).answer;
    const notes = [
      ...(file?.note === undefined ? [] : [file.note]),
      ...(takesOlder ? [`No conversation is of the last ${USUAL_DAYS} days: these are the newest older ones.`] : []),
      ...(stale && !indexing ? ["Changes of the last seconds may be missing."] : []),
      ...(reading === undefined ? [] : [noteOfReading(reading)]),
      ...(unfound.hint === undefined ? [] : [unfound.hint]),
    ];
    const beside = {
      ...(input.group_by !== undefined && { groups: counts(answer.groups[input.group_by]) }),
      ...(input.facets && { facets: answer.groups }),
      ...(memories.length > 0 && { memories: memories.map(memoryResult) }),
      summary: {
        total_conversations_found: answer.total,
        conversations_returned: all.length,
        ...(question.since !== undefined && { searched_since: isoTime(question.since) }),
        ...(older > 0 && { older_conversations_found: older }),
        ...(input.group_by === "hour" &&
          details && { hours: (await conversations.countPerHour(question)).map(hourResult) }),
        ...(notes.length > 0 && { note: notes.join(" ") }),
        ...withHint(
          await hintForLongQuery(input.search_query),
          (await hintForProject(conversations, project, answer.total + older)) ??
            hintForMore(answer, older, isWordless),
        ),
      },
      ...(isWhole && answer.known !== undefined && { known: answer.known }),
      ...unfound.fact,
      ...(indexing && {
        indexing: { ...indexing, hint: "Conversations are being indexed for the first time: ask again in a moment." },
      }),
      parameters: parametersOf({ ...input, days_lookback: input.days_lookback ?? USUAL_DAYS }),
      processing_time: Math.round(performance.now() - started) / 1000,
      sources: sourcesResult(states, details, sharedUnavailable),
    };
    const isLean = !details && call.isForModel;
    const rows = isLean ? withRoom(all, beside, await snippetCutter(input.search_query)) : all;
    return { conversations: new LazyList(answer.listed, (from) => rows.slice(from - start)), ...beside };
  },
});

function memoryResult({ host, path, updated, snippet }: HostMemory) {
  return { kind: "memory", host, path, updated_at: isoTime(updated), snippet };
}

function noteOfReading({ done, total, missingUntil }: NonNullable<Answer<unknown>["reading"]>): string {
  return `Conversations of others are being read, the newest first: ${done} of ${total}. Those last updated up to ${isoTime(missingUntil)} may be missing: ask again in a moment.`;
}

/** Cuts what is shown of a conversation around the words that were asked for. */
async function snippetCutter(query = ""): Promise<(shown: string, length: number) => string> {
  const { parseQuery, snippetOf } = await import("../../search/search.ts");
  const wanted = parseQuery(query);
  // An ellipsis at either end.
  return (shown, length) => (shown.length <= length ? shown : snippetOf(shown, wanted, length - 2).text);
}

/** How many would be found before the time that was searched, whatever their score. */
async function countOlder(conversations: Conversations, question: Question, before: number): Promise<number> {
  const older = { ...question, since: undefined, before, minScore: 0, limit: 0 };
  return (await conversations.recall(older, { asItIs: true })).answer.total;
}

async function hintForLongQuery(query = ""): Promise<string | undefined> {
  const { hintForCut, parseQuery } = await import("../../search/search.ts");
  return hintForCut(parseQuery(query));
}

function withHint<T extends { readonly hint?: string }>(first: string | undefined, facts: T | false) {
  const { hint, ...others } = facts || {};
  const hints = [first, hint].filter((one) => one !== undefined);
  return { ...others, ...(hints.length > 0 && { hint: hints.join(" ") }) };
}

/** If nothing is found because no project has the name. */
async function hintForProject(conversations: Conversations, project: string | undefined, found: number) {
  if (project === undefined || found > 0) return undefined;
  const { folders, similar } = await conversations.project(project, { asItIs: true });
  if (folders.length > 0) return undefined;
  const { unknownProject } = await import("./file-question.ts");
  return { hint: unknownProject(project, similar).join(" ") };
}

/** Words the hint about conversations below the minimum score; after a search without results, about arguments that would find some. */
function hintForMore({ total, belowMinScore }: Recalled, older: number, isWordless: boolean) {
  if (belowMinScore > 0)
    return {
      below_min_score: belowMinScore,
      ...(total === 0 && { hint: "Search for words, or send a lower min_score." }),
    };
  if (total > 0) return {};
  if (isWordless) return { hint: "search_query and tags need words: punctuation is not searched for." };
  return older > 0 && { hint: 'Send since: "all".' };
}

/** Without the sums of messages, which only the page shows. */
function counts(groups: readonly ConversationGroup[] = []) {
  return groups.map(({ key, count, tokens }) => ({ key, count, ...(tokens !== undefined && { tokens }) }));
}

function hourResult({ hour, source, count }: HourCount) {
  return { hour: isoTime(hour), source_tool: source, count };
}

/** Longer arguments are not repeated in full. */
const MAX_ARGUMENT_LENGTH = 200;

/** The arguments of the call with the contract's defaults, without one that another overrides. */
function parametersOf({
  cursor: _,
  details: __,
  ...input
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isOverridden = (name: string) => name === "days_lookback" && input["since"] !== undefined;
  const sent = Object.entries(input).filter(([name, value]) => value !== undefined && !isOverridden(name));
  return Object.fromEntries(
    sent.map(([name, value]) => [
      name,
      typeof value === "string" && value.length > MAX_ARGUMENT_LENGTH
        ? `${value.slice(0, MAX_ARGUMENT_LENGTH).toWellFormed()}…`
        : value,
    ]),
  );
}

/** A lookback is rounded, so that successive calls share the cached filter of the store. */
function spanStart(since: string | undefined, daysLookback = USUAL_DAYS): number {
  const lookback = Date.now() - daysLookback * DAY;
  return startOf("since", since) ?? lookback - (lookback % MINUTE);
}

function reportIndexing(progress: (done: number, total?: number, message?: string) => void) {
  return (done: number, total: number) => progress(done, total, `Indexing conversations: ${done} of ${total} files`);
}
