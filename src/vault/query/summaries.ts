// The summaries of a column: Obsidian's default ones by name, and those that a base
// defines. Used by base-view.ts.
import { compileExpression, DateValue, Duration, isEmpty, textOf, type Value } from "../bases/bases.ts";
import type { Summarize } from "./plan.ts";

const numbers = (values: readonly Value[]) => values.filter((value) => typeof value === "number");
const dates = (values: readonly Value[]) => values.filter((value) => value instanceof DateValue);

/** Undefined if there is none: an empty column has no smallest value. */
function extreme<T>(values: readonly T[], by: (value: T) => number, sign: 1 | -1): T | undefined {
  return values.reduce<T | undefined>(
    (best, value) => (best === undefined || sign * by(value) > sign * by(best) ? value : best),
    undefined,
  );
}

const largest = (values: readonly number[]) => extreme(values, Number, 1) ?? null;
const smallest = (values: readonly number[]) => extreme(values, Number, -1) ?? null;
const latest = (values: readonly Value[]) => extreme(dates(values), ({ ms }) => ms, 1) ?? null;
const earliest = (values: readonly Value[]) => extreme(dates(values), ({ ms }) => ms, -1) ?? null;

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return Number.isInteger(middle) ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[Math.floor(middle)]!;
}

function deviation(values: readonly number[]): number | null {
  const average = mean(values);
  return average === null ? null : Math.sqrt(mean(values.map((value) => (value - average) ** 2))!);
}

function range(values: readonly Value[]): Value {
  const some = numbers(values);
  if (some.length > 0) return largest(some)! - smallest(some)!;
  const [last, first] = [latest(values), earliest(values)];
  return last === null || first === null ? null : new Duration(last.ms - first.ms);
}

/** By type and text: comparing each with each would take minutes for ten thousand. */
function distinct(values: readonly Value[]): number {
  return new Set(values.map((value) => `${typeof value} ${textOf(value)}`)).size;
}

export const DEFAULT_SUMMARIES: Readonly<Record<string, (values: readonly Value[]) => Value>> = {
  average: (values) => mean(numbers(values)),
  min: (values) => smallest(numbers(values)),
  max: (values) => largest(numbers(values)),
  sum: (values) => numbers(values).reduce((sum, value) => sum + value, 0),
  range,
  median: (values) => median(numbers(values)),
  stddev: (values) => deviation(numbers(values)),
  earliest,
  latest,
  checked: (values) => values.filter((value) => value === true).length,
  unchecked: (values) => values.filter((value) => value === false).length,
  empty: (values) => values.filter(isEmpty).length,
  filled: (values) => values.filter((value) => !isEmpty(value)).length,
  unique: (values) => distinct(values.filter((value) => !isEmpty(value))),
};

/** @param custom the formulas of the base's own summaries */
export function summaryNamed(name: string, custom: Readonly<Record<string, unknown>>): Summarize | undefined {
  const formula = Object.hasOwn(custom, name) ? custom[name] : undefined;
  if (typeof formula === "string") {
    const evaluate = compileExpression(formula, ["values"]);
    return (values, run) => run(evaluate, values);
  }
  const folded = name.toLowerCase();
  const known = Object.hasOwn(DEFAULT_SUMMARIES, folded) ? DEFAULT_SUMMARIES[folded] : undefined;
  return known && ((values) => known(values));
}
