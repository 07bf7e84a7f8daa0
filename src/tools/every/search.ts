// search: one ranked list of notes, outline rows and conversations.
import {
  choice,
  flag,
  integer,
  list,
  optional,
  requested,
  text,
  result,
  resultObject,
  unlisted,
} from "../definition/schema.ts";
import { Problem } from "../../kernel/kernel.ts";
import type { HowSure, SearchQuery } from "../../search/search.ts";
import { offeredText, type Offers } from "../call/offered-tools.ts";
import { asLines } from "../call/result-lines.ts";
import { spanBetween } from "../definition/dates.ts";
import { defineTool, type Services } from "../definition/define-tool.ts";
import { READS } from "../definition/effects.ts";
import { InvalidArgument } from "../definition/field.ts";
import { listWithPage } from "../definition/lazy-list.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { HOW_SURE, unfoundOf } from "../definition/unfound-words.ts";
import { askEveryVault, type InVault } from "../vault/every-vault.ts";
import {
  hintsOf,
  MAX_RELATED,
  NO_QUERY,
  nothingFound,
  QUERY_SYNTAX,
  RELATED,
  relatedOf,
  shortScore,
  withoutListed,
} from "../vault/note-search.ts";
import { answersTo } from "./phrasings.ts";
import {
  FACTS,
  HIT,
  isOfNotesAlone,
  KINDS,
  type Facts,
  type Found,
  type Kind,
  type Question,
  type Ranked,
  type SearchHit,
} from "./searchers.ts";

/** How to read each kind. */
const READERS = {
  note: "contentManager_readContent {filePath: id}",
  canvas: "contentManager_readContent {filePath: id}",
  pdf: "contentManager_readContent {filePath: id, page}",
  outline: "get_row {rowId: id}",
  conversation: "read_conversation {id, around: message}",
  memory: "the file at id",
} as const satisfies Record<SearchHit["kind"], string>;

const MAX_PHRASINGS = 8;

export const search = defineTool({
  name: "search",
  title: "Search everything",
  description:
    "Search everything: look anywhere, find every mention across notes, outlines and past conversations (chats). What do I know about it, where did I see or write it? Start here.",
  toolset: "every",
  byDefault: true,
  contract: "vault",
  effects: READS,
  inVault: true,
  pages: "results",
  pageSize: "limit",
  usualPageSize: 8,
  input: {
    query: requested(text(QUERY_SYNTAX, { missing: NO_QUERY }), ["queries"]),
    queries: optional(list(text(), "", MAX_PHRASINGS)),
    kinds: optional(list(choice(KINDS))),
    since: optional(text("e.g. 2026-03, yesterday, 7d")),
    until: optional(text()),
    path: optional(text()),
    limit: optional(
      integer("", {
        minimum: 1,
        maximum: 100,
        invalid: "Invalid search limit: must be between 1 and 100",
      }),
    ),
    /** Also what tools returned and assistants thought. For the command; hosts have recall_conversations. */
    includeTools: unlisted(flag("")),
    /** Shows how well each hit matches. For the command. */
    scores: unlisted(flag("")),
    /** Also counts the hits of the kinds that were not asked for. For the page. */
    counts: unlisted(flag("")),
    /** Without notes near in meaning. For the page, which does not show them. */
    hitsOnly: unlisted(flag("")),
    /** Also finds this many headings of notes. For the page. */
    headings: unlisted(integer()),
    /** Also finds this many notes, and as many bases and canvases, by their names. For the page. */
    files: unlisted(integer()),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    results: list(HIT),
    related: RELATED,
    totalResults: integer(),
    ...HOW_SURE,
    /** How many of the first results are sure to be about the question, if not all of them. */
    sureResults: unlisted(integer()),
    counts: unlisted(resultObject<Readonly<Record<Kind, number>>>()),
    /** The days that the query named, if only what is of that time is listed; if not of all phrasings, also of which. */
    during: unlisted(text()),
    headings: unlisted(list(resultObject<{ readonly path: string; readonly heading: string } & InVault>())),
    files: unlisted(list(resultObject<{ readonly path: string } & InVault>())),
    message: optional(text()),
    readWith: optional(result<Readonly<Record<string, string>>>({ type: "object" })),
    ...FACTS,
  },
  touches: ({ path }) => [path],
  about: ({ query, queries }) => query?.trim() || queries?.[0],
  text: ({
    results,
    related = [],
    totalResults,
    counts: _,
    headings: __,
    files: ___,
    hint: ____,
    not_found: _____,
    unreadable = [],
    readWith = {},
    message,
    ...facts
  }) => ({
    head: [
      message ??
        `${results.length} of ${totalResults} results, best first: kind, id, title, place if it has one, time, snippet`,
      ...Object.entries(readWith).map(
        ([kind, call]) => `Read ${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind} with ${call}`,
      ),
      asLines(facts),
    ]
      .filter((line) => line !== "")
      .join("\n"),
    words: [...results.map(lineOf), ...related.map(relatedLine), ...unreadable.map(unreadableLine)].join("\n"),
  }),
  run: async (
    {
      query: first,
      queries = [],
      kinds = KINDS,
      since,
      until,
      path,
      includeTools,
      scores = false,
      counts = false,
      hitsOnly = false,
      headings = 0,
      files = 0,
      limit,
    },
    { services, signal, isForModel, offers, progress: onProgress, page: { start, size } },
  ) => {
    const phrasings = [...new Set([first ?? "", ...queries].map((query) => query.trim()))].filter(Boolean);
    const [query] = phrasings;
    if (query === undefined) throw new InvalidArgument("query", new Problem("invalid", NO_QUERY));
    const during = spanBetween({ name: "since", sent: since }, { name: "until", sent: until });
    const question = {
      query,
      path,
      signal,
      onProgress,
      // Whole pages, also after one that was cut short: see fused.
      limit: Math.ceil((start + size) / size) * size,
      includeTools,
      related: start === 0 && !hitsOnly ? MAX_RELATED : 0,
      withMemories: start === 0 && !hitsOnly,
      during,
    };
    const [{ answers, unfound, known: surest, during: daysSearched, hint: hintForTimes }, others, inHeadings, inFiles] =
      await Promise.all([
        answersTo(phrasings, kinds, question, services, size),
        counts ? countOthers(phrasings, kinds, question, services) : [],
        headings > 0 ? askEveryVault(services, ({ index }) => index.headings(query, headings)) : undefined,
        files > 0 ? askEveryVault(services, ({ index }) => index.filesNamed(query, files)) : undefined,
      ]);
    const ranked = inPages(
      answers.map(({ found }) => found),
      { size, end: start + size },
    );
    const { hintForCut, hintForUnfound, parseQuery, unfoundWords } = await import("../../search/search.ts");
    const queriesRead = phrasings.map(parseQuery);
    const facts = answers.reduce<Facts>((all, answer) => Object.assign(all, answer.facts), {});
    const isPartial = Boolean(facts.indexing ?? facts.indexingConversations ?? facts.waitingPdfs ?? facts.unavailable);
    // Texts that are not indexed yet may have the answer.
    const known = isPartial && surest === "no" ? undefined : surest;
    const page = ranked.slice(start);
    const sure = known === undefined || start > 0 ? page.length : surePart(page, known);
    const isCutThere = isForModel && limit === undefined;
    const hits = page
      .slice(0, isCutThere ? Math.max(sure, Math.min(NEAREST, page.length)) : page.length)
      .map(({ score, grounds, ...hit }) => {
        const lacks = unfoundWords(query, grounds?.lacks ?? []).slice(0, MAX_LACKS);
        return { ...hit, ...(scores && { score: shortScore(score) }), ...(lacks.length > 0 && { lacks }) };
      });
    const shown = isForModel ? await shortened(hits, queriesRead) : hits;
    const related = withoutListed(
      answers.flatMap((answer) => answer.related ?? []),
      hits.map(({ id, vault }) => ({ path: id, ...(vault !== undefined && { vault }) })),
    );
    const missing = await Promise.all(unfound.map((each) => unfoundOf(each.query, each.terms)));
    const missingWords = [...new Set(missing.flatMap(({ fact }) => fact.not_found ?? []))];
    const totalResults = answers.reduce((sum, { total }) => sum + total, 0);
    return {
      results: listWithPage(totalResults, { start, size }, shown),
      ...relatedOf({ related: related.slice(0, MAX_RELATED) }),
      totalResults,
      ...(known !== undefined && { known }),
      ...(sure < hits.length && { sureResults: sure }),
      ...(counts && {
        counts: Object.fromEntries([
          ...kinds.map((kind, i) => [kind, answers[i]!.total] as const),
          ...others,
        ]) as Record<Kind, number>,
      }),
      ...(daysSearched !== undefined && { during: daysSearched }),
      ...(inHeadings && {
        headings: inHeadings.answers.flatMap((each) => each.answer.answer.map((found) => ({ ...found, ...each.in }))),
      }),
      ...(inFiles && {
        files: inFiles.answers.flatMap((each) => each.answer.answer.map((path) => ({ path, ...each.in }))),
      }),
      ...(totalResults === 0 && { message: nothingFound(query) }),
      ...readersOf([...new Set(shown.map(({ kind }) => kind))], offers, services),
      ...facts,
      ...(missingWords.length > 0 && { not_found: missingWords }),
      ...hintsOf(
        facts.hint === undefined ? queriesRead.map(hintForCut).find(Boolean) : offeredText(facts.hint, offers),
        hintForTimes,
        // Of a single word, that nothing was found says it.
        totalResults > 0 || queriesRead[0]!.words.length > 1 ? hintForUnfound(missingWords) : undefined,
        totalResults === 0 ? await whyNothing(answers, query) : undefined,
      ),
    };
  },
});

/** Of an answer that is not sure, or of which nothing is. */
const NEAREST = 3;
/** Of a hit, words that it lacks. */
const MAX_LACKS = 3;

/** How many hits there are up to the last one that is sure to be about the question; of an uncertain answer all. */
function surePart(hits: readonly Ranked[], known: HowSure): number {
  if (known === "no") return 0;
  if (known === "maybe") return hits.length;
  return hits.findLastIndex(({ grounds }) => grounds?.isSure === true) + 1;
}

/** Notes have filters; of other kinds only the query itself can be at fault. */
async function whyNothing(answers: readonly Found[], query: string): Promise<string | undefined> {
  const [ofNotes] = answers.flatMap((answer) => answer.whyNothing ?? []);
  if (ofNotes !== undefined) return ofNotes();
  const { whyNothingIn } = await import("../../vault/vault.ts");
  return whyNothingIn(query) ?? ((await isOfNotesAlone(query, undefined)) ? FILTERS_OF_NOTES : undefined);
}

const FILTERS_OF_NOTES = "Only notes have tags, paths and properties, and notes were not asked for.";

/** The calls that read these kinds, as far as the caller has the tools. */
function readersOf(kinds: readonly SearchHit["kind"][], offers: Offers, services: Services) {
  const readers = kinds.flatMap((kind) => {
    const call = offeredText(readerOf(kind, services), offers);
    return call === undefined ? [] : [[kind, call] as const];
  });
  return readers.length > 0 && { readWith: Object.fromEntries(readers) };
}

/** How many hits the kinds have that were not asked for, each as if it were asked for alone. */
async function countOthers(
  phrasings: readonly string[],
  asked: readonly Kind[],
  question: Question,
  services: Services,
) {
  const others = KINDS.filter((kind) => !asked.includes(kind));
  const count = async (kind: Kind) => {
    const { answers } = await answersTo(phrasings, [kind], { ...question, limit: 1, related: 0 }, services, 1);
    return answers[0]!.total;
  };
  return Promise.all(others.map(async (kind) => [kind, await count(kind)] as const));
}

function readerOf(kind: SearchHit["kind"], { vaults }: Services): string {
  const reader = READERS[kind];
  return vaults.length > 1 ? reader.replace("{filePath: id}", "{filePath: id, vault}") : reader;
}

function lineOf({
  kind,
  id,
  vault,
  title,
  where,
  page,
  when,
  message,
  snippetKind,
  snippet,
  holds,
  lacks,
}: SearchHit): string {
  const about = [
    vault && `vault ${vault}`,
    title,
    where,
    page && `page ${page}`,
    when,
    message && `message ${message}`,
    snippetKind,
    holds && `still holds: ${holds}`,
    lacks && `lacks ${lacks.join(", ")}`,
  ]
    .filter(Boolean)
    .join(" | ");
  return onOneLine(`- ${kind} ${id} | ${about} | ${snippet}`);
}

function relatedLine({
  filePath,
  vault,
  nearness,
  passage,
}: NonNullable<ReturnType<typeof RELATED.read>>[number]): string {
  const place = vault === undefined ? filePath : `${filePath} | vault ${vault}`;
  return onOneLine(`- related in meaning: note ${place} | ${nearness} | ${passage}`);
}

function unreadableLine({ path, vault, reason }: NonNullable<Facts["unreadable"]>[number]): string {
  return onOneLine(`- could not be read: ${vault === undefined ? path : `${path} | vault ${vault}`} | ${reason}`);
}

function onOneLine(text: string): string {
  return text.replace(/(?<!\s)\s*[\n\r]\s*/g, " ");
}

/** Characters of a hit as JSON: 20 hits are 1,500 tokens. */
const ROOM = 244;
const MAX_TITLE_LENGTH = 50;
const MIN_SNIPPET_LENGTH = 40;

/** Snippets get what ids and titles leave: those of conversations need half of a hit. */
async function shortened(hits: readonly SearchHit[], queries: readonly SearchQuery[]): Promise<SearchHit[]> {
  const { beginningOf, snippetOf } = await import("../../search/search.ts");
  const bare = hits.map((hit) => ({ ...hit, title: beginningOf(hit.title, MAX_TITLE_LENGTH), snippet: "" }));
  const frames = bare.reduce((sum, hit) => sum + JSON.stringify(hit).length, 0);
  const length = Math.max(MIN_SNIPPET_LENGTH, Math.floor(ROOM - frames / Math.max(1, hits.length)));
  const terms = {
    phrases: queries.flatMap(({ phrases }) => phrases),
    words: queries.flatMap(({ words }) => words),
  };
  const short = (snippet: string) => {
    const [, before, text, after] = /^(…?)(.*?)(…?)$/s.exec(snippet)!;
    const cut = snippetOf(text!, terms, length - 2).text;
    return `${cut.startsWith("…") ? "" : before}${cut}${cut.endsWith("…") ? "" : after}`;
  };
  return bare.map((hit, i) => ({
    ...hit,
    snippet: hits[i]!.snippet.length <= length ? hits[i]!.snippet : short(hits[i]!.snippet),
  }));
}

/** Page after page of the best hits of all kinds, so that a page does not depend on those after it. */
function inPages(kinds: readonly (readonly Ranked[])[], { size, end }: { size: number; end: number }): Ranked[] {
  const hits: Ranked[] = [];
  let left = kinds;
  while (hits.length < end) {
    const page = new Set(fairShare(left, size));
    if (page.size === 0) break;
    hits.push(...page);
    left = left.map((found) => found.filter((hit) => !page.has(hit)));
  }
  return hits;
}

/** The best hits of all kinds, with some places reserved for the best of each kind. */
export function fairShare(kinds: readonly (readonly Ranked[])[], limit: number): Ranked[] {
  const share = Math.ceil(limit / (2 * kinds.length));
  const places = new Map(kinds.flatMap((found) => found.map((hit, place) => [hit, place] as const)));
  // Of equally good hits of one kind the first, however many were looked for; of several kinds the newest, then by id.
  const better = (a: Ranked, b: Ranked) =>
    b.score - a.score ||
    places.get(a)! - places.get(b)! ||
    (a.when < b.when ? 1 : a.when > b.when ? -1 : 0) ||
    (a.id < b.id ? -1 : 1);
  const kept = kinds
    .flatMap((found) => found.slice(0, share))
    .toSorted(better)
    .slice(0, limit);
  const others = kinds.flatMap((found) => found.slice(share)).toSorted(better);
  return [...kept, ...others.slice(0, limit - kept.length)].toSorted(better);
}
