// Finds a time that is named relative to today in a query: "last March", "yesterday",
// "two weeks ago". Used by the search tool. Dates such as "May 2023" or "2026-03-05" stay
// words: notes are about them, and mostly written at another time.
import { MONTH_NAMES, NUMBERS, spanOf, unitAround, type Span, type Unit, WEEKDAYS } from "../definition/dates.ts";

export interface NamedTime {
  /** As typed. */
  readonly words: string;
  /** The query without them; empty if it asks for nothing else. */
  readonly rest: string;
  readonly span: Span;
}

const COUNT = `(?:\\d{1,3}|${NUMBERS.join("|")})`;
const TIME = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:from|in|on|during|since)\\s+)?(?:the\\s+)?(${[
    "yesterday",
    "today",
    `(?:this|last|previous|past)\\s+(?:week|month|year)`,
    `last\\s+(?:${[...WEEKDAYS, ...MONTH_NAMES].join("|")})`,
    `(?:last|past)\\s+${COUNT}\\s+(?:day|week|month|year)s`,
    `${COUNT}\\s+(?:day|week|month|year)s?\\s+ago`,
  ].join("|")})(?:['’]s)?(?![\\p{L}\\p{N}])`,
  "iu",
);

/** Undefined if the query names none. */
export async function timeIn(query: string, now: number): Promise<NamedTime | undefined> {
  // Quoted and excluded words are taken literally. Words are matched from their beginnings: a word of a megabyte would
  // otherwise be tried from each of its characters.
  const outside = query.replace(/-?["“”„][^"“”„]*["“”„]|(?<!\S)(?:-\S+|\S+:\S+)/g, (part) => " ".repeat(part.length));
  const found = TIME.exec(outside);
  const words = found?.[1]!.replace(/\s+/g, " ");
  const span = words === undefined ? undefined : spanNamed(words, now);
  if (found === null || span === undefined) return undefined;
  const rest = `${query.slice(0, found.index)} ${query.slice(found.index + found[0].length)}`
    .replace(/\s+/g, " ")
    .trim();
  const { isStopWord, parseQuery } = await import("../../search/search.ts");
  const asked = parseQuery(rest);
  const filters = [asked.tags, asked.withoutTags, asked.paths, asked.withoutPaths, asked.properties];
  const others = [...filters, asked.withoutProperties, asked.phrases, asked.withoutWords, asked.withoutPhrases];
  const asksForMore = asked.words.some((word) => !isStopWord(word)) || others.some((list) => list.length > 0);
  return { words: words!, rest: asksForMore ? rest : "", span };
}

/** "Two weeks ago" is that week, and "the last two weeks" lasts until now. */
function spanNamed(words: string, now: number): Span | undefined {
  const span = spanOf(words, now);
  const [, unit] = /(day|week|month|year)s? ago$/i.exec(words) ?? [];
  if (span === undefined) return undefined;
  if (unit !== undefined) return unitAround(span.start, unit.toLowerCase() as Unit);
  return /s$/i.test(words) && /^(?:last|past) /i.test(words)
    ? { start: span.start, end: unitAround(now, "day").end }
    : span;
}
