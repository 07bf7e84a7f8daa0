// The operators of expressions. Used by compiler.ts.
import { checkedText, described } from "../functions/function-table.ts";
import { compare, equals } from "../values/comparison.ts";
import { DateValue, Duration, parseDuration } from "../values/dates.ts";
import { isList, textOf, type Value } from "../values/value.ts";
import { EvaluationFault } from "./problems.ts";
import type { Scope } from "./scope.ts";
import type { BinaryOperator } from "./syntax-tree.ts";

type Operator = (left: Value, right: Value, scope: Scope) => Value;

/** An empty value makes the result of an operation empty, and a comparison false. */
export const OPERATORS: Readonly<Record<Exclude<BinaryOperator, "&&" | "||">, Operator>> = {
  "==": equals,
  "!=": (left, right) => !equals(left, right),
  ">": (left, right) => (compare(left, right) ?? 0) > 0,
  "<": (left, right) => (compare(left, right) ?? 0) < 0,
  ">=": (left, right) => (compare(left, right) ?? -1) >= 0,
  "<=": (left, right) => (compare(left, right) ?? 1) <= 0,
  "+": plus,
  "-": minus,
  "*": (left, right) => {
    if (left instanceof Duration && typeof right === "number") return left.times(right);
    return arithmetic(left, right, "*", (a, b) => a * b);
  },
  "/": (left, right) => {
    if (left instanceof Duration && typeof right === "number") return left.times(1 / right);
    return arithmetic(left, right, "/", (a, b) => a / b);
  },
  "%": (left, right) => arithmetic(left, right, "%", (a, b) => a % b),
};

function plus(left: Value, right: Value, scope: Scope): Value {
  if (typeof left === "number" && typeof right === "number") return left + right;
  const shifted = shift(left, right, 1) ?? (right instanceof DateValue ? shift(right, left, 1) : undefined);
  if (shifted !== undefined) return shifted;
  if (left instanceof Duration && right instanceof Duration) return left.plus(right, 1);
  if (isList(left) && isList(right)) return [...left, ...right];
  if (typeof left === "string" || typeof right === "string") return checkedText(textOf(left) + textOf(right), scope);
  return arithmetic(left, right, "+", (a, b) => a + b);
}

function minus(left: Value, right: Value): Value {
  if (left instanceof DateValue && right instanceof DateValue) return new Duration(left.ms - right.ms);
  if (left instanceof Duration && right instanceof Duration) return left.plus(right, -1);
  return shift(left, right, -1) ?? arithmetic(left, right, "-", (a, b) => a - b);
}

/** A date and a duration, or the text of one; undefined for anything else. */
function shift(date: Value, by: Value, sign: 1 | -1): Value | undefined {
  if (!(date instanceof DateValue)) return undefined;
  if (by instanceof Duration) return date.plus(by, sign);
  const duration = typeof by === "string" ? parseDuration(by) : undefined;
  if (duration !== undefined) return date.plus(duration, sign);
  return typeof by === "number" ? date.plus(new Duration(by), sign) : undefined;
}

function arithmetic(left: Value, right: Value, sign: string, run: (a: number, b: number) => number): Value {
  const [a, b] = [operand(left, sign), operand(right, sign)];
  return a === undefined || b === undefined ? null : run(a, b);
}

function operand(value: Value, sign: string): number | undefined {
  if (typeof value === "number") return value;
  if (value === null) return undefined;
  if (typeof value === "boolean") return Number(value);
  if (value instanceof Duration) return value.total;
  if (value instanceof DateValue) return value.ms;
  if (typeof value === "string" && value.trim() === "") return undefined;
  if (typeof value === "string" && !Number.isNaN(Number(value))) return Number(value);
  throw new EvaluationFault(`"${sign}" needs numbers, not ${described(value)}.`);
}

export function negative(value: Value): Value {
  if (value instanceof Duration) return value.times(-1);
  const number = operand(value, "-");
  return number === undefined ? null : -number;
}
