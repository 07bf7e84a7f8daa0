// The functions of numbers and of dates.
import { EvaluationFault } from "../language/problems.ts";
import type { DateValue } from "../values/dates.ts";
import { ENGLISH_WEEK, formatted, localTime, timeZone } from "../../days/days.ts";
import type { Value } from "../values/value.ts";
import { method, numberFrom, textFrom, type Methods } from "./function-table.ts";

export const NUMBER_METHODS: Methods = {
  abs: method<number>(0, 0, (self) => Math.abs(self)),
  ceil: method<number>(0, 0, (self) => Math.ceil(self)),
  floor: method<number>(0, 0, (self) => Math.floor(self)),
  round: method<number>(0, 1, (self, [digits]) =>
    rounded(self, digits === undefined ? 0 : numberFrom(digits, "round()")),
  ),
  toFixed: method<number>(0, 1, (self, [precision]) =>
    self.toFixed(digitsOf(precision === undefined ? 0 : numberFrom(precision, "toFixed()"), "toFixed()")),
  ),
};

function rounded(number: number, digits: number): number {
  if (digits === 0) return Math.round(number);
  const places = digitsOf(digits, "round()");
  // By its decimal form: 1.005 * 100 is 100.49999999999999.
  const shifted = Math.round(Number(`${number}e${places}`));
  return Number.isNaN(shifted) ? number : Number(`${shifted}e${-places}`);
}

function digitsOf(digits: number, name: string): number {
  if (!(digits >= 0 && digits <= 100)) throw new EvaluationFault(`${name} takes 0 to 100 digits.`);
  return Math.floor(digits);
}

export const DATE_METHODS: Methods = {
  date: method<DateValue>(0, 0, (self) => self.day()),
  time: method<DateValue>(0, 0, (self) => self.time()),
  format: method<DateValue>(1, 1, (self, [format]) => formatDate(self, textFrom(format, "format()"))),
  relative: method<DateValue>(0, 0, (self, _, { now }) => relative(self.ms - now)),
};

/** Dates of properties have no zone of their own: they are in that of the system. */
const ZONE = timeZone();
const MAX_FORMAT_LENGTH = 1000;

function formatDate({ ms }: DateValue, format: string): string {
  if (Number.isNaN(ms)) return "Invalid date";
  return formatted(localTime(ms, ZONE), format.slice(0, MAX_FORMAT_LENGTH), ENGLISH_WEEK);
}

const DATE_FIELDS: Readonly<Record<string, (date: Date) => number>> = {
  year: (date) => date.getFullYear(),
  month: (date) => date.getMonth() + 1,
  day: (date) => date.getDate(),
  hour: (date) => date.getHours(),
  minute: (date) => date.getMinutes(),
  second: (date) => date.getSeconds(),
  millisecond: (date) => date.getMilliseconds(),
};
export const DATE_FIELD_NAMES = Object.keys(DATE_FIELDS);

export function dateField(date: DateValue, name: string): Value {
  return Object.hasOwn(DATE_FIELDS, name) ? DATE_FIELDS[name]!(date.local) : null;
}

/** Moment's thresholds and words. */
const STEPS: readonly (readonly [below: number, unit: number, one: string, many: string])[] = [
  [44.5, 1, "a few seconds", "a few seconds"],
  [44.5 * 60, 60, "a minute", "minutes"],
  [21.5 * 3600, 3600, "an hour", "hours"],
  [25.5 * 86_400, 86_400, "a day", "days"],
  [10.5 * 30.4368 * 86_400, 30.4368 * 86_400, "a month", "months"],
  [Number.POSITIVE_INFINITY, 365.2425 * 86_400, "a year", "years"],
];

function relative(difference: number): string {
  if (Number.isNaN(difference)) return "Invalid date";
  const seconds = Math.abs(difference) / 1000;
  const [, unit, one, many] = STEPS.find(([below]) => seconds < below)!;
  const count = Math.max(1, Math.round(seconds / unit));
  const words = unit === 1 ? one : count === 1 ? one : `${count} ${many}`;
  return difference > 0 ? `in ${words}` : `${words} ago`;
}
