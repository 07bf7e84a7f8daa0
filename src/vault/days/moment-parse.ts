// Reads a day that was written in a format string of Moment, strictly: the whole
// text must be what the format writes. Pure. Used for the dates in names of notes.
import { escapePattern } from "../../kernel/kernel.ts";
import { type DayNumber, dayNumber, dayInWeek, ENGLISH_WEEK, ISO_WEEK, startOfWeek, weekdayOf } from "./calendar.ts";
import { formatted, MONTHS, piecesOf, withoutLongForms } from "./moment-format.ts";

interface Parts {
  year?: number;
  month?: number;
  day?: number;
  /** Of the year. */
  dayOfYear?: number;
  quarter?: number;
  /** A week and the year that it is counted in, in English or by ISO 8601. */
  week?: number;
  weekYear?: number;
  isoWeek?: number;
  isoYear?: number;
  /** Monday is 1. */
  weekday?: number;
}

interface Token {
  readonly pattern: string;
  readonly read?: (written: string, parts: Parts) => void;
}

const shortMonths = MONTHS.map((name) => name.slice(0, 3));
const monthNamed = (names: readonly string[], written: string) =>
  names.findIndex((name) => name.toLowerCase() === written.toLowerCase()) + 1;

/** Years of two digits are from 1969 to 2068, as Moment has it. */
const YEAR: Token["read"] = (written, parts) => {
  const year = Number(written);
  parts.year = written.length === 2 ? year + (year > 68 ? 1900 : 2000) : year;
};
const MONTH: Token["read"] = (written, parts) => (parts.month = Number(written));
const DAY: Token["read"] = (written, parts) => (parts.day = Number.parseInt(written, 10));
const DAY_OF_YEAR: Token["read"] = (written, parts) => (parts.dayOfYear = Number.parseInt(written, 10));

/** The texts that a token matches, and what they say of the day. */
const TOKENS: Readonly<Record<string, Token>> = {
  YYYY: { pattern: "\\d{4}", read: YEAR },
  YY: { pattern: "\\d{2}", read: YEAR },
  Y: { pattern: "\\d{4}", read: YEAR },
  M: { pattern: "\\d{1,2}", read: MONTH },
  MM: { pattern: "\\d{2}", read: MONTH },
  Mo: { pattern: "\\d{1,2}[a-z]{2}", read: (written, parts) => (parts.month = Number.parseInt(written, 10)) },
  MMM: {
    pattern: shortMonths.join("|"),
    read: (written, parts) => (parts.month = monthNamed(shortMonths, written)),
  },
  MMMM: { pattern: MONTHS.join("|"), read: (written, parts) => (parts.month = monthNamed(MONTHS, written)) },
  D: { pattern: "\\d{1,2}", read: DAY },
  DD: { pattern: "\\d{2}", read: DAY },
  Do: { pattern: "\\d{1,2}[a-z]{2}", read: DAY },
  DDD: { pattern: "\\d{1,3}", read: DAY_OF_YEAR },
  DDDD: { pattern: "\\d{3}", read: DAY_OF_YEAR },
  Q: { pattern: "[1-4]", read: (written, parts) => (parts.quarter = Number(written)) },
  gggg: { pattern: "\\d{4}", read: (written, parts) => (parts.weekYear = Number(written)) },
  GGGG: { pattern: "\\d{4}", read: (written, parts) => (parts.isoYear = Number(written)) },
  w: { pattern: "\\d{1,2}", read: (written, parts) => (parts.week = Number(written)) },
  ww: { pattern: "\\d{2}", read: (written, parts) => (parts.week = Number(written)) },
  W: { pattern: "\\d{1,2}", read: (written, parts) => (parts.isoWeek = Number(written)) },
  WW: { pattern: "\\d{2}", read: (written, parts) => (parts.isoWeek = Number(written)) },
  E: { pattern: "[1-7]", read: (written, parts) => (parts.weekday = Number(written)) },
};

/** Tokens of a day that must fit, but say too little by themselves. */
const CHECKED: Readonly<Record<string, string>> = {
  Qo: "\\d[a-z]{2}",
  d: "\\d",
  dd: "[a-z]{2}",
  ddd: "[a-z]{3}",
  dddd: "[a-z]+",
};

/** Times of day, which are not looked at. */
const TIMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["H", "h", "k", "m", "s"].flatMap((token) => [[token, "\\d{1,2}"] as const, [token + token, "\\d{2}"] as const]),
  ),
  A: "[ap]m",
  a: "[ap]m",
};

const KNOWN: ReadonlySet<string> = new Set([TOKENS, CHECKED, TIMES].flatMap(Object.keys));

/** Reads the day that a text says; undefined if the text does not have this format. */
export type DayReader = (text: string) => DayNumber | undefined;

/** A format without a year reads nothing. Weeks are those of English, or of ISO 8601 (`W`, `G`). */
export function dayReader(format: string): DayReader {
  const pieces = piecesOf(withoutLongForms(format));
  const tokens = pieces.filter(({ isToken }) => isToken).map(({ text }) => text);
  if (!tokens.every((token) => KNOWN.has(token))) return () => undefined;
  const whole = new RegExp(
    `^${pieces
      .map(({ text, isToken }) =>
        isToken ? `(${TOKENS[text]?.pattern ?? CHECKED[text] ?? TIMES[text]})` : escapePattern(text),
      )
      .join("")}$`,
    "i",
  );
  return (text) => {
    const [, ...written] = whole.exec(text) ?? [];
    if (written.length === 0) return undefined;
    const parts: Parts = {};
    for (const [i, token] of tokens.entries()) TOKENS[token]?.read?.(written[i]!, parts);
    const day = dayFrom(parts);
    if (day === undefined) return undefined;
    // A day that does not exist, and a weekday that it is not, are written otherwise.
    const isSame = tokens.every(
      (token, i) => Object.hasOwn(TIMES, token) || writtenOn(day, token).toLowerCase() === written[i]!.toLowerCase(),
    );
    return isSame ? day : undefined;
  };
}

/** The first day of what the parts say; undefined if they name no year. */
function dayFrom({
  year,
  quarter = 1,
  month = quarter * 3 - 2,
  day,
  dayOfYear,
  ...week
}: Parts): DayNumber | undefined {
  if (year !== undefined)
    return dayOfYear === undefined ? dayNumber(year, month, day) : dayNumber(year) + dayOfYear - 1;
  const [rule, start] =
    week.isoYear !== undefined && week.isoWeek !== undefined
      ? [ISO_WEEK, startOfWeek(week.isoYear, week.isoWeek, ISO_WEEK)]
      : [ENGLISH_WEEK, startOfWeek(week.weekYear ?? Number.NaN, week.week ?? 0, ENGLISH_WEEK)];
  if (start === undefined || week.weekday === undefined) return start;
  return start + dayInWeek(week.weekday - weekdayOf(0), rule);
}

function writtenOn(day: DayNumber, token: string): string {
  return formatted({ day, milliseconds: 0, offset: 0 }, token, ENGLISH_WEEK);
}
