// Formats a date by the tokens of Moment, in English. Used by `date.format()`.
import { padded, type DateValue } from "./dates.ts";

const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const DAY = 86_400_000;

const TOKEN =
  /\[([^[\]]*)\]|YYYYYY|YYYYY|YYYY|YY|Y|Qo|Q|MMMM|MMM|MM|Mo|M|DDDD|DDDo|DDD|DD|Do|D|dddd|ddd|dd|do|d|E|e|GGGG|GG|gggg|gg|WW|Wo|W|ww|wo|w|HH|H|hh|h|kk|k|mm|m|ss|s|S{1,9}|A|a|ZZ|Z|X|x|LTS|LT|LLLL|LLL|LL|L|llll|lll|ll|l/g;

/** Tokens that stand for others. */
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

export function formatDate(value: DateValue, format: string): string {
  if (Number.isNaN(value.ms)) return "Invalid date";
  const date = value.local;
  return format.replace(TOKEN, (token, literal: string | undefined) => {
    if (literal !== undefined) return literal;
    const long = LONG[token];
    return long === undefined ? part(date, token) : formatDate(value, long);
  });
}

function part(date: Date, token: string): string {
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  const [weekday, hour] = [date.getDay(), date.getHours()];
  switch (token) {
    case "YYYYYY":
      return (year < 0 ? "-" : "+") + padded(Math.abs(year), 6);
    case "YYYYY":
      return padded(year, 5);
    case "YYYY":
      return padded(year, 4);
    case "YY":
      return padded(year % 100);
    case "Y":
      return String(year);
    case "Q":
      return String(Math.floor(month / 3) + 1);
    case "Qo":
      return ordinal(Math.floor(month / 3) + 1);
    case "MMMM":
      return MONTHS[month]!;
    case "MMM":
      return MONTHS[month]!.slice(0, 3);
    case "MM":
      return padded(month + 1);
    case "Mo":
      return ordinal(month + 1);
    case "M":
      return String(month + 1);
    case "DDDD":
      return padded(dayOfYear(date), 3);
    case "DDDo":
      return ordinal(dayOfYear(date));
    case "DDD":
      return String(dayOfYear(date));
    case "DD":
      return padded(day);
    case "Do":
      return ordinal(day);
    case "D":
      return String(day);
    case "dddd":
      return DAYS[weekday]!;
    case "ddd":
      return DAYS[weekday]!.slice(0, 3);
    case "dd":
      return DAYS[weekday]!.slice(0, 2);
    case "do":
      return ordinal(weekday);
    case "d":
    case "e":
      return String(weekday);
    case "E":
      return String(weekday || 7);
    default:
      return weekPart(date, token) ?? timePart(date, token, hour);
  }
}

/** `G` and `W` are those of ISO 8601, `g` and `w` those of the United States, which is Moment's default. */
function weekPart(date: Date, token: string): string | undefined {
  const first = token.charAt(0);
  if (!"GWgw".includes(first)) return undefined;
  const { week, year } = first === "G" || first === "W" ? weekOf(date, 1, 4) : weekOf(date, 0, 6);
  if (token.length === 4) return padded(year, 4);
  if (first === "G" || first === "g") return padded(year % 100);
  return token.endsWith("o") ? ordinal(week) : token.length === 2 ? padded(week) : String(week);
}

/** @param start the first day of a week @param first the first week holds the day `7 + start - first` of January */
function weekOf(date: Date, start: number, first: number): { week: number; year: number } {
  const startOf = (year: number) => {
    const fixed = 7 + start - first;
    const offset = (7 + new Date(Date.UTC(year, 0, fixed)).getUTCDay() - start) % 7;
    return Date.UTC(year, 0, fixed) - offset * DAY;
  };
  const time = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  let year = date.getFullYear();
  if (time < startOf(year)) year--;
  else if (time >= startOf(year + 1)) year++;
  return { week: Math.floor((time - startOf(year)) / (7 * DAY)) + 1, year };
}

function timePart(date: Date, token: string, hour: number): string {
  const twelve = hour % 12 || 12;
  switch (token) {
    case "HH":
      return padded(hour);
    case "H":
      return String(hour);
    case "hh":
      return padded(twelve);
    case "h":
      return String(twelve);
    case "kk":
      return padded(hour || 24);
    case "k":
      return String(hour || 24);
    case "mm":
      return padded(date.getMinutes());
    case "m":
      return String(date.getMinutes());
    case "ss":
      return padded(date.getSeconds());
    case "s":
      return String(date.getSeconds());
    case "A":
      return hour < 12 ? "AM" : "PM";
    case "a":
      return hour < 12 ? "am" : "pm";
    case "X":
      return String(Math.floor(date.getTime() / 1000));
    case "x":
      return String(date.getTime());
    case "Z":
    case "ZZ":
      return zone(date, token === "Z" ? ":" : "");
    default:
      return padded(date.getMilliseconds(), 3).padEnd(9, "0").slice(0, token.length);
  }
}

function zone(date: Date, separator: string): string {
  const minutes = -date.getTimezoneOffset();
  const size = Math.abs(minutes);
  return (minutes < 0 ? "-" : "+") + padded(Math.floor(size / 60)) + separator + padded(size % 60);
}

function dayOfYear(date: Date): number {
  const today = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return Math.round((today - Date.UTC(date.getFullYear(), 0, 1)) / DAY) + 1;
}

function ordinal(number: number): string {
  const tens = number % 100;
  const ending = tens >= 11 && tens <= 13 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${ending}`;
}
