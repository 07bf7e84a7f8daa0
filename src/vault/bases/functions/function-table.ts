// The form of a function of expressions, and what several of them need. Used by
// the tables beside it.
import { EvaluationFault } from "../language/problems.ts";
import type { Evaluate, Scope } from "../language/scope.ts";
import { Duration } from "../values/dates.ts";
import { isList, textOf, typeOf, type Value } from "../values/value.ts";

export interface BaseFunction {
  /** The number of arguments. */
  readonly least: number;
  readonly most: number;
  readonly run: (given: readonly Value[], scope: Scope) => Value;
}

export interface BaseMethod {
  readonly least: number;
  readonly most: number;
  readonly run: (self: never, given: readonly Value[], scope: Scope) => Value;
}

/** Gets its arguments as expressions: evaluates them for each item of a list, or only if they are needed. */
export interface LazyMethod {
  readonly least: number;
  readonly most: number;
  readonly evaluate: (self: never, given: readonly Evaluate[], scope: Scope) => Value;
  /** The names that the first argument may use. */
  readonly locals: readonly string[];
}

export type Methods = Readonly<Record<string, BaseMethod | LazyMethod>>;

export function method<T extends Value>(
  least: number,
  most: number,
  run: (self: T, given: readonly Value[], scope: Scope) => Value,
): BaseMethod {
  return { least, most, run: run as BaseMethod["run"] };
}

/** Any number of arguments. */
export const ANY_NUMBER = 100;

/** Characters: a formula that makes longer texts is a mistake, or hostile. */
const MAX_TEXT_LENGTH = 100_000;
/** Items of a list that a formula makes. */
const MAX_LIST_LENGTH = 100_000;

export function checkLength(length: number): void {
  if (length > MAX_TEXT_LENGTH) throw new EvaluationFault(`A text would be longer than ${MAX_TEXT_LENGTH} characters.`);
}

export function checkedText(text: string, scope: Scope): string {
  checkLength(text.length);
  scope.budget.spend(text.length / 64);
  return text;
}

export function checkedList(list: readonly Value[], scope: Scope): readonly Value[] {
  if (list.length > MAX_LIST_LENGTH) throw new EvaluationFault(`A list would have more than ${MAX_LIST_LENGTH} items.`);
  scope.budget.spend(list.length);
  return list;
}

export function numberFrom(value: Value | undefined, what: string): number {
  if (typeof value === "number") return value;
  if (value instanceof Duration) return value.total;
  if (typeof value === "string" && value.trim() !== "" && !Number.isNaN(Number(value))) return Number(value);
  throw new EvaluationFault(`${what} needs a number, not ${described(value ?? null)}.`);
}

export function textFrom(value: Value | undefined, what: string): string {
  if (value === undefined || value === null || isList(value))
    throw new EvaluationFault(`${what} needs a text, not ${described(value ?? null)}.`);
  return textOf(value);
}

export function described(value: Value): string {
  const type = typeOf(value);
  if (type === "null") return "an empty value";
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}
