// Asks every kind for the phrasings of a search, and fuses their hits by rank. A time in
// a phrasing ("last March") is a filter, not words. Used by the search tool.
import type { Services } from "../definition/define-tool.ts";
import type { HowSure } from "../../search/search.ts";
import type { Span } from "../definition/dates.ts";
import { localDay } from "../../kernel/kernel.ts";
import {
  SEARCHERS,
  type Facts,
  type Found,
  type Kind,
  type NearNote,
  type Question,
  type Ranked,
} from "./searchers.ts";
import { type NamedTime, timeIn } from "./time-in-query.ts";

interface Answers {
  /** One for each kind. */
  readonly answers: readonly Found[];
  /** Words of each phrasing that nothing has. */
  readonly unfound: readonly { readonly query: string; readonly terms: readonly string[] | undefined }[];
  /** Of questions: whether one of them is answered. */
  readonly known: HowSure | undefined;
  /** The days that were a filter; if not of all phrasings, also of which. */
  readonly during: string | undefined;
  /** Of times that were not, because nothing is of them. */
  readonly hint: string | undefined;
}

/** The answer to one phrasing. */
interface Answered {
  readonly query: string;
  readonly answers: readonly Found[];
  /** The time that it names. */
  readonly time?: { readonly words: string; readonly days: string; readonly isFilter: boolean };
}

type Ask = (changes: Partial<Question>) => Promise<Found[]>;

/** @param pageSize of the search: what a page lists must not depend on how many follow */
export async function answersTo(
  phrasings: readonly string[],
  kinds: readonly Kind[],
  question: Question,
  services: Services,
  pageSize: number,
): Promise<Answers> {
  const ask: Ask = (changes) =>
    Promise.all(kinds.map((kind) => SEARCHERS[kind]({ ...question, ...changes }, services)));
  const all = await Promise.all(phrasings.map((query) => answersWithTime(query, question, ask)));
  const answers = kinds.map((_, kind) =>
    fused(
      all.map((each) => each.answers[kind]!),
      pageSize,
    ),
  );
  const { surest, termsOf, unfoundInAll } = await import("../../search/search.ts");
  const unfound = all.map((each) => ({
    query: each.query,
    // Of a time, the hint says that it was searched for as words.
    terms: unfoundInAll(each.answers.map((answer) => answer.unfound))?.filter(
      (term) => !termsOf(each.time?.words ?? "").includes(term),
    ),
  }));
  const known = surest(all.flatMap((each) => each.answers.map((answer) => answer.known)));
  return { answers, unfound, known, during: daysSearched(all), hint: hintForTimes(all) };
}

/**
 * If anything of the time that the query names matches its other words, only that is listed, and what has the words
 * for the time itself. If nothing does, they are words like any other.
 */
async function answersWithTime(query: string, { during }: Question, ask: Ask): Promise<Answered> {
  const time = during === undefined ? await timeIn(query, Date.now()) : undefined;
  if (time === undefined) return { query, answers: await ask({ query }) };
  const within = time.rest === "" ? await listedWithin(time, ask) : await foundWithin(time, ask);
  const { words } = time;
  const days = daysOf(time.span);
  if (within === undefined) return { query, answers: await ask({ query }), time: { words, days, isFilter: false } };
  return { query, answers: within, time: { words, days, isFilter: true } };
}

/** Undefined if nothing of the time matches. */
async function foundWithin({ words, rest, span }: NamedTime, ask: Ask): Promise<Found[] | undefined> {
  const within = await ask({ query: rest, during: span });
  if (within.every(({ total }) => total === 0)) return undefined;
  const worded = await ask({ query: `${rest} +"${words}"` });
  return within.map((found, i) => joined(found, worded[i]!));
}

/** Of a query that is only a time: everything of it, the newest first, after what is called so. */
async function listedWithin({ words, span }: NamedTime, ask: Ask): Promise<Found[] | undefined> {
  const within = await ask({ query: "", during: span, related: 0 });
  if (within.every(({ total }) => total === 0)) return undefined;
  const { scoreOf } = await import("../../search/search.ts");
  const [least, most, ofName] = [scoreOf("allWords", 0), scoreOf("allWords", 1), scoreOf("alias", 0)];
  const scoreAt = (when: string) => {
    const passed = (Date.parse(when) - span.start) / (span.end - span.start);
    return least + (most - least) * Math.min(1, Math.max(0, passed));
  };
  const worded = await ask({ query: `"${words}"`, related: 0 });
  return within.map(({ found, ...listed }, i) => {
    const named = worded[i]!.found.filter(({ score }) => score >= ofName);
    const scored = found.map((hit) => ({ ...hit, score: scoreAt(hit.when) }));
    return joined({ ...listed, found: scored }, { found: named, total: named.length, facts: {} });
  });
}

function daysOf({ start, end }: Span): string {
  const [first, last] = [localDay(start), localDay(end - 1)];
  return first === last ? first : `${first} to ${last}`;
}

function daysSearched(all: readonly Answered[]): string | undefined {
  const filtered = all.flatMap(({ query, time }) => (time?.isFilter ? [{ query, days: time.days }] : []));
  const [first] = filtered;
  if (filtered.length === all.length && filtered.every(({ days }) => days === first!.days)) return first?.days;
  return filtered.map(({ query, days }) => `${days} for ${JSON.stringify(query)}`).join("; ") || undefined;
}

function hintForTimes(all: readonly Answered[]): string | undefined {
  const hints = all.flatMap(({ time }) =>
    time === undefined || time.isFilter
      ? []
      : [`Nothing of ${time.days} matches, so "${time.words}" was searched for as words.`],
  );
  return [...new Set(hints)].join(" ") || undefined;
}

function joined(first: Found, second: Found): Found {
  const listed = new Set(first.found.map(keyOf));
  const others = second.found.filter((hit) => !listed.has(keyOf(hit)));
  const found = [...first.found, ...others].toSorted((a, b) => b.score - a.score);
  const { related = [], unfound, known } = first;
  return {
    found,
    total: first.total + others.length,
    facts: { ...second.facts, ...first.facts },
    related,
    unfound,
    known,
  };
}

/** Two vaults may have notes of the same path. */
function keyOf({ id, vault = "" }: Pick<Ranked, "id" | "vault">): string {
  return `${vault}\0${id}`;
}

function keyOfNear({ path: id, vault }: NearNote): string {
  return keyOf({ id, vault });
}

/** Damps how much more the first places count than the next. */
const DAMPING = 10;

/**
 * Reciprocal rank fusion, of one page of each answer after the other: a later page of a search asks for longer answers,
 * and what is found at their ends comes after everything before it, so that no hit is listed twice or left out.
 */
export function fused(answers: readonly Found[], pageSize: number): Found {
  if (answers.length === 1) return answers[0]!;
  const longest = Math.max(...answers.map(({ found }) => found.length));
  const found: Ranked[] = [];
  const known = new Set<string>();
  for (let end = pageSize; end < longest + pageSize; end += pageSize) {
    const lists = answers.map((answer) => answer.found.slice(0, end));
    const least = found.at(-1)?.score ?? Number.POSITIVE_INFINITY;
    const next = fusedLists(lists, known).map((hit) => ({ ...hit, score: Math.min(hit.score, least) }));
    for (const hit of next) known.add(keyOf(hit));
    found.push(...next);
  }
  const total = Math.max(found.length, ...answers.map((answer) => answer.total));
  const facts = answers.reduce<Facts>((all, answer) => Object.assign(all, answer.facts), {});
  const { whyNothing } = answers[0]!;
  return {
    found,
    total,
    facts,
    ...(whyNothing !== undefined && { whyNothing }),
    related: nearestOf(answers.flatMap((answer) => answer.related ?? [])),
  };
}

/** The hits that are not known yet share out the best scores among them, so that they can still be compared with those of other kinds. */
function fusedLists(lists: readonly (readonly Ranked[])[], known: ReadonlySet<string>): Ranked[] {
  const worths = new Map<string, number>();
  const best = new Map<string, Ranked>();
  for (const list of lists)
    for (const [place, hit] of list.entries()) {
      const key = keyOf(hit);
      if (known.has(key)) continue;
      worths.set(key, (worths.get(key) ?? 0) + 1 / (DAMPING + place));
      if (hit.score > (best.get(key)?.score ?? -1)) best.set(key, hit);
    }
  const scores = [...best.values()].map(({ score }) => score).toSorted((a, b) => b - a);
  return [...best.values()]
    .toSorted((a, b) => worths.get(keyOf(b))! - worths.get(keyOf(a))! || b.score - a.score)
    .map((hit, i) => ({ ...hit, score: scores[i]! }));
}

/** Each note once, the nearest first. */
function nearestOf(related: readonly NearNote[]): NearNote[] {
  const nearest = new Map<string, NearNote>();
  for (const note of related.toSorted((a, b) => b.nearness - a.nearness))
    if (!nearest.has(keyOfNear(note))) nearest.set(keyOfNear(note), note);
  return [...nearest.values()];
}
