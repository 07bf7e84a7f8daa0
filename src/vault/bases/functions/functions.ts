// All functions of expressions, by the type that they belong to. docs/internals/bases.md has a
// row for each; a test compares the two.
import { EvaluationFault } from "../language/problems.ts";
import { DateValue, Duration, parseDate, parseDuration } from "../values/dates.ts";
import {
  FileValue,
  isEmpty,
  isList,
  isTruthy,
  LinkValue,
  textOf,
  typeOf,
  type TypeName,
  type Value,
} from "../values/value.ts";
import { fileFrom, FILE_METHODS, linkFrom, LINK_METHODS } from "./file-functions.ts";
import {
  ANY_NUMBER,
  type BaseFunction,
  described,
  method,
  numberFrom,
  textFrom,
  type Methods,
} from "./function-table.ts";
import { LIST_METHODS, OBJECT_METHODS } from "./list-functions.ts";
import { DATE_METHODS, NUMBER_METHODS } from "./number-functions.ts";
import { escapeHtml, PATTERN_METHODS, STRING_METHODS } from "./text-functions.ts";

/** `if` is here for its name and number of arguments; the compiler evaluates only the branch that is needed. */
export const GLOBALS: Readonly<Record<string, BaseFunction>> = {
  escapeHTML: { least: 1, most: 1, run: ([text]) => escapeHtml(textFrom(text, "escapeHTML()")) },
  date: { least: 1, most: 1, run: ([value]) => dateFrom(value!) },
  duration: { least: 1, most: 1, run: ([value]) => durationFrom(value!) },
  file: { least: 1, most: 1, run: ([value], scope) => fileFrom(value!, scope) },
  html: { least: 1, most: 1, run: ([text]) => textOf(text!) },
  if: { least: 2, most: 3, run: ([condition, yes, no]) => (isTruthy(condition!) ? yes! : (no ?? null)) },
  image: { least: 1, most: 1, run: ([value]) => shown(value!) },
  icon: { least: 1, most: 1, run: ([name]) => textFrom(name, "icon()") },
  link: { least: 1, most: 2, run: ([value, display], scope) => linkFrom(value!, display, scope) },
  list: { least: 1, most: 1, run: ([value]) => (isList(value!) ? value : value === null ? [] : [value!]) },
  max: { least: 1, most: ANY_NUMBER, run: (given) => Math.max(...numbersIn(given, "max()")) },
  min: { least: 1, most: ANY_NUMBER, run: (given) => Math.min(...numbersIn(given, "min()")) },
  now: { least: 0, most: 0, run: (_, { now }) => new DateValue(now, { isMoment: true }) },
  number: { least: 1, most: 1, run: ([value]) => asNumber(value!) },
  today: { least: 0, most: 0, run: (_, { today }) => today },
};

/** Documented by Obsidian and not supported here, with the reason. */
export const UNSUPPORTED: Readonly<Record<string, string>> = {
  random: "random() is not supported: the pages of one result would not fit together.",
};

const ANY_METHODS: Methods = {
  isTruthy: method(0, 0, (self) => isTruthy(self)),
  isType: method(1, 1, (self, [type]) => isOfType(self, textFrom(type, "isType()"))),
  toString: method(0, 0, (self) => textOf(self)),
  isEmpty: method(0, 0, (self) => isEmpty(self)),
};

export const METHODS: Readonly<Record<TypeName, Methods>> = {
  null: {},
  boolean: {},
  string: STRING_METHODS,
  tag: {},
  number: NUMBER_METHODS,
  date: DATE_METHODS,
  duration: {},
  list: LIST_METHODS,
  link: LINK_METHODS,
  file: FILE_METHODS,
  object: OBJECT_METHODS,
  regexp: PATTERN_METHODS,
};

export const ANY: Methods = ANY_METHODS;

/** The names of all methods, of whatever type: any other name is a mistake, which can be reported without reading a file. */
export const METHOD_NAMES: ReadonlySet<string> = new Set([...Object.values(METHODS), ANY].flatMap(Object.keys));

function isOfType(value: Value, wanted: string): boolean {
  const type = typeOf(value);
  return (
    type === wanted.toLowerCase() || (type === "tag" && wanted === "string") || (type === "list" && wanted === "array")
  );
}

function dateFrom(value: Value): Value {
  if (value instanceof DateValue || value === null) return value;
  const date = parseDate(textFrom(value, "date()").trim());
  if (date === undefined)
    throw new EvaluationFault(
      `date() cannot read ${JSON.stringify(textOf(value).slice(0, 60))}: use YYYY-MM-DD HH:mm:ss.`,
    );
  return date;
}

function durationFrom(value: Value): Value {
  if (value instanceof Duration || value === null) return value;
  if (typeof value === "number") return new Duration(value);
  const duration = parseDuration(textFrom(value, "duration()"));
  if (duration === undefined)
    throw new EvaluationFault(
      `duration() cannot read ${JSON.stringify(textOf(value).slice(0, 60))}: use "1d" or "2 weeks".`,
    );
  return duration;
}

function asNumber(value: Value): Value {
  if (value === null) return null;
  if (value instanceof DateValue) return value.ms;
  if (typeof value === "boolean") return Number(value);
  return numberFrom(value, "number()");
}

function numbersIn(given: readonly Value[], name: string): number[] {
  const numbers = given.flatMap((value) => (isList(value) ? value : [value])).filter((value) => value !== null);
  if (numbers.length === 0) throw new EvaluationFault(`${name} needs a number, not ${described(null)}.`);
  return numbers.map((value) => numberFrom(value, name));
}

/** Shown by Obsidian as the image itself. */
function shown(value: Value): Value {
  return value instanceof FileValue || value instanceof LinkValue ? value : textFrom(value, "image()");
}
