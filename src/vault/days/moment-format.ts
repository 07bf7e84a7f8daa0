// Writes dates and times in the format strings of Moment, which Obsidian and its
// plugins use: every token that Moment documents, in English. Pure. Used for the
// names of days and for templates.
import { dateOf, dayInWeek, dayNumber, ISO_WEEK, weekdayOf, weekOf, type WeekRule } from "./calendar.ts";
import { instantOf, type LocalTime } from "./local-time.ts";

const MONTHS = "January February March April May June July August September October November December".split(" ");
const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** The time a format string is applied to. */
interface Moment extends LocalTime {
  readonly week: WeekRule;
}

type Writer = (moment: Moment) => string;

const month = ({ day }: Moment) => dateOf(day).month;
const year = ({ day }: Moment) => dateOf(day).year;
const ofMonth = ({ day }: Moment) => dateOf(day).day;
const ofYear = (moment: Moment) => moment.day - dayNumber(year(moment)) + 1;
const quarter = (moment: Moment) => Math.ceil(month(moment) / 3);
const weekday = ({ day }: Moment) => weekdayOf(day);
const week = ({ day, week: rule }: Moment) => weekOf(day, rule);
const isoWeek = ({ day }: Moment) => weekOf(day, ISO_WEEK);
const hour = ({ milliseconds }: Moment) => Math.floor(milliseconds / 3_600_000);
const minute = ({ milliseconds }: Moment) => Math.floor(milliseconds / 60_000) % 60;
const second = ({ milliseconds }: Moment) => Math.floor(milliseconds / 1000) % 60;
const half = (moment: Moment) => hour(moment) % 12 || 12;
const full = (moment: Moment) => hour(moment) || 24;
/** Years before the first one count backwards: 0 is the first before Christ. */
const eraYear = (moment: Moment) => (year(moment) > 0 ? year(moment) : 1 - year(moment));
const era = (before: string, after: string) => (moment: Moment) => (year(moment) > 0 ? after : before);

const padded = (value: number, length: number) =>
  `${value < 0 ? "-" : ""}${String(Math.abs(value)).padStart(length, "0")}`;

function ordinal(value: number): string {
  const isTeen = Math.floor((value % 100) / 10) === 1;
  return `${value}${(!isTeen && ["th", "st", "nd", "rd"][value % 10]) || "th"}`;
}

/** A token, the same with zeros in front, and with an ordinal's ending. */
function numbers(token: string, of: (moment: Moment) => number): Record<string, Writer> {
  return {
    [token]: (moment) => String(of(moment)),
    [token + token]: (moment) => padded(of(moment), 2),
    [`${token}o`]: (moment) => ordinal(of(moment)),
  };
}

function zone(separator: string): Writer {
  return ({ offset }) => {
    const minutes = Math.abs(offset);
    return `${offset < 0 ? "-" : "+"}${padded(Math.floor(minutes / 60), 2)}${separator}${padded(minutes % 60, 2)}`;
  };
}

/** `S` to `SSSSSSSSS`: three digits are known, the rest are zeros. */
const FRACTIONS = Object.fromEntries(
  Array.from({ length: 9 }, (_, i): [string, Writer] => [
    "S".repeat(i + 1),
    ({ milliseconds }) =>
      padded(Math.floor(milliseconds % 1000), 3)
        .padEnd(9, "0")
        .slice(0, i + 1),
  ]),
);

const weekYears = (token: string, of: (moment: Moment) => { readonly year: number }): Record<string, Writer> => ({
  [token.repeat(2)]: (moment) => padded(of(moment).year % 100, 2),
  [token.repeat(4)]: (moment) => padded(of(moment).year, 4),
  [token.repeat(5)]: (moment) => padded(of(moment).year, 5),
});

/** Formats with names of their own, as English writes them. */
const LONG: Readonly<Record<string, string>> = {
  LT: "h:mm A",
  LTS: "h:mm:ss A",
  L: "MM/DD/YYYY",
  LL: "MMMM D, YYYY",
  LLL: "MMMM D, YYYY h:mm A",
  LLLL: "dddd, MMMM D, YYYY h:mm A",
  l: "M/D/YYYY",
  ll: "MMM D, YYYY",
  lll: "MMM D, YYYY h:mm A",
  llll: "ddd, MMM D, YYYY h:mm A",
};

const TOKENS: Readonly<Record<string, Writer>> = {
  ...numbers("M", month),
  MMM: (moment) => MONTHS[month(moment) - 1]!.slice(0, 3),
  MMMM: (moment) => MONTHS[month(moment) - 1]!,
  Q: (moment) => String(quarter(moment)),
  Qo: (moment) => ordinal(quarter(moment)),
  ...numbers("D", ofMonth),
  DDD: (moment) => String(ofYear(moment)),
  DDDo: (moment) => ordinal(ofYear(moment)),
  DDDD: (moment) => padded(ofYear(moment), 3),
  d: (moment) => String(weekday(moment)),
  do: (moment) => ordinal(weekday(moment)),
  dd: (moment) => WEEKDAYS[weekday(moment)]!.slice(0, 2),
  ddd: (moment) => WEEKDAYS[weekday(moment)]!.slice(0, 3),
  dddd: (moment) => WEEKDAYS[weekday(moment)]!,
  e: ({ day, week: rule }) => String(dayInWeek(day, rule)),
  E: (moment) => String(weekday(moment) || 7),
  ...numbers("w", (moment) => week(moment).week),
  ...numbers("W", (moment) => isoWeek(moment).week),
  Y: (moment) => (year(moment) > 9999 ? `+${year(moment)}` : padded(year(moment), 4)),
  YY: (moment) => padded(year(moment) % 100, 2),
  YYYY: (moment) => padded(year(moment), 4),
  YYYYY: (moment) => padded(year(moment), 5),
  YYYYYY: (moment) => `${year(moment) < 0 ? "" : "+"}${padded(year(moment), 6)}`,
  ...numbers("y", eraYear),
  yyy: (moment) => padded(eraYear(moment), 3),
  yyyy: (moment) => padded(eraYear(moment), 4),
  N: era("BC", "AD"),
  NN: era("BC", "AD"),
  NNN: era("BC", "AD"),
  NNNN: era("Before Christ", "Anno Domini"),
  NNNNN: era("BC", "AD"),
  ...weekYears("g", week),
  ...weekYears("G", isoWeek),
  A: (moment) => (hour(moment) < 12 ? "AM" : "PM"),
  a: (moment) => (hour(moment) < 12 ? "am" : "pm"),
  H: (moment) => String(hour(moment)),
  HH: (moment) => padded(hour(moment), 2),
  h: (moment) => String(half(moment)),
  hh: (moment) => padded(half(moment), 2),
  k: (moment) => String(full(moment)),
  kk: (moment) => padded(full(moment), 2),
  hmm: (moment) => `${half(moment)}${padded(minute(moment), 2)}`,
  hmmss: (moment) => `${half(moment)}${padded(minute(moment), 2)}${padded(second(moment), 2)}`,
  Hmm: (moment) => `${hour(moment)}${padded(minute(moment), 2)}`,
  Hmmss: (moment) => `${hour(moment)}${padded(minute(moment), 2)}${padded(second(moment), 2)}`,
  m: (moment) => String(minute(moment)),
  mm: (moment) => padded(minute(moment), 2),
  s: (moment) => String(second(moment)),
  ss: (moment) => padded(second(moment), 2),
  ...FRACTIONS,
  // Moment writes the name of a zone only with an add-on that Obsidian does not have.
  z: () => "",
  zz: () => "",
  Z: zone(":"),
  ZZ: zone(""),
  X: (moment) => String(Math.floor(instantOf(moment) / 1000)),
  x: (moment) => String(instantOf(moment)),
  ...Object.fromEntries(
    Object.entries(LONG).map(([token, long]): [string, Writer] => [token, (moment) => written(moment, long)]),
  ),
};

/** Splits a format: text in brackets is literal; a backslash makes the token after it literal. Of two tokens the longer counts. */
const PIECE = new RegExp(
  String.raw`\[[^[]*\]|\\?(?:${Object.keys(TOKENS)
    .toSorted((a, b) => b.length - a.length)
    .join("|")})|[^]`,
  "g",
);

/** @param week how `w`, `gg` and `e` count weeks */
export function formatted(time: LocalTime, format: string, week: WeekRule): string {
  return written({ ...time, week }, format);
}

function written(moment: Moment, format: string): string {
  return piecesOf(format)
    .map(({ text, isToken }) => (isToken ? TOKENS[text]!(moment) : text))
    .join("");
}

/** The tokens of a format, and the literal texts between them. */
export function piecesOf(format: string): { readonly text: string; readonly isToken: boolean }[] {
  return [...format.matchAll(PIECE)].map(([piece]) => {
    if (/^\[[^]*\]$/.test(piece)) return { text: piece.slice(1, -1), isToken: false };
    if (piece.startsWith("\\")) return { text: piece.slice(1), isToken: false };
    return { text: piece, isToken: Object.hasOwn(TOKENS, piece) };
  });
}

/** The format with the names of long formats (`LL`) written out. */
export function withoutLongForms(format: string): string {
  return piecesOf(format)
    .map(({ text, isToken }) => (isToken ? (LONG[text] ?? text) : `[${text}]`))
    .join("");
}

export { MONTHS };

/** Returns whether a format names weeks by the numbers of ISO 8601. */
export function usesIsoWeeks(format: string): boolean {
  return [...format.matchAll(PIECE)].some(([piece]) => /^(?:W|WW|Wo|G+)$/.test(piece));
}
