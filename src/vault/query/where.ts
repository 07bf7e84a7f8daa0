// Compiles the conditions of a query: an expression of Bases, or an object with
// `and`, `or`, `not` and conditions on properties. Used by query.ts and
// base-view.ts.
import { isRecord, Problem, shortened } from "../../kernel/kernel.ts";
import {
  compare,
  compileExpression,
  equals,
  type Evaluate,
  isEmpty,
  isList,
  isTruthy,
  textOf,
  type Value,
} from "../bases/bases.ts";
import { compiled } from "./plan.ts";

type Compile = (reference: string) => Evaluate;

const MAX_DEPTH = 50;

/** @param compile makes an expression of the name of a property, or of what else a condition is about */
export function compileWhere(where: unknown, compile: Compile, depth = 0): Evaluate {
  if (depth > MAX_DEPTH) throw new Problem("invalid", `where is nested more than ${MAX_DEPTH} levels deep.`);
  if (typeof where === "string") return compiled("where", where, compileExpression);
  if (Array.isArray(where)) return all(where.map((one) => compileWhere(one, compile, depth + 1)));
  if (!isRecord(where)) throw new Problem("invalid", "where must be an expression, or an object of conditions.");
  return all(
    Object.entries(where).map(([key, value]) => {
      if (key === "and") return all(parts(value, compile, depth));
      if (key === "or") return any(parts(value, compile, depth));
      if (key === "not") return none(parts(value, compile, depth));
      return compileCondition(key, value, compile);
    }),
  );
}

function parts(value: unknown, compile: Compile, depth: number): Evaluate[] {
  return (Array.isArray(value) ? value : [value]).map((one) => compileWhere(one, compile, depth + 1));
}

export const all =
  (conditions: readonly Evaluate[]): Evaluate =>
  (scope) =>
    conditions.every((condition) => isTruthy(condition(scope)));

export const any =
  (conditions: readonly Evaluate[]): Evaluate =>
  (scope) =>
    conditions.some((condition) => isTruthy(condition(scope)));

export const none =
  (conditions: readonly Evaluate[]): Evaluate =>
  (scope) =>
    !conditions.some((condition) => isTruthy(condition(scope)));

type Test = (value: Value, given: Value) => boolean;

/** Each fits a property that is one value, or a list with such a value. */
const TESTS: Readonly<Record<string, Test>> = {
  eq: (value, given) => (given === null ? isEmpty(value) : some(value, (one) => equals(one, given))),
  ne: (value, given) => !TESTS["eq"]!(value, given),
  gt: (value, given) => some(value, (one) => (compare(one, given) ?? 0) > 0),
  gte: (value, given) => some(value, (one) => (compare(one, given) ?? -1) >= 0),
  lt: (value, given) => some(value, (one) => (compare(one, given) ?? 0) < 0),
  lte: (value, given) => some(value, (one) => (compare(one, given) ?? 1) <= 0),
  between: (value, given) => {
    const [low, high] = given as readonly Value[];
    return some(value, (one) => (compare(one, low!) ?? -1) >= 0 && (compare(one, high!) ?? 1) <= 0);
  },
  in: (value, given) => (given as readonly Value[]).some((one) => TESTS["eq"]!(value, one)),
  contains: (value, given) => {
    if (isList(value)) return value.some((one) => equals(one, given));
    return value !== null && textOf(value).toLowerCase().includes(textOf(given).toLowerCase());
  },
  startsWith: (value, given) => some(value, (one) => lower(one).startsWith(lower(given))),
  endsWith: (value, given) => some(value, (one) => lower(one).endsWith(lower(given))),
  exists: (value, given) => isEmpty(value) !== given,
};

function some(value: Value, test: (one: Value) => boolean): boolean {
  return isList(value) ? value.some(test) : test(value);
}

function lower(value: Value): string {
  return textOf(value).toLowerCase();
}

function compileCondition(name: string, condition: unknown, compile: Compile): Evaluate {
  const evaluate = compiled(`where "${shortened(name)}"`, name, compile);
  const tests: (readonly [Test, Value])[] = isRecord(condition)
    ? Object.entries(condition).map(([key, given]) => [testOf(name, key), givenTo(name, key, given)])
    : [[TESTS["eq"]!, plainValue(name, condition)]];
  return (scope) => {
    const value = evaluate(scope);
    scope.budget.spend(tests.length + (isList(value) ? value.length : 0));
    return tests.every(([test, given]) => test(value, given));
  };
}

function testOf(name: string, key: string): Test {
  if (!Object.hasOwn(TESTS, key))
    throw new Problem(
      "invalid",
      `where "${shortened(name)}": unknown comparison "${shortened(key)}".`,
      `Use ${Object.keys(TESTS).join(", ")}.`,
    );
  return TESTS[key]!;
}

function givenTo(name: string, key: string, given: unknown): Value {
  if (key === "exists" && typeof given !== "boolean")
    throw new Problem("invalid", `where "${shortened(name)}": exists must be true or false.`);
  if (key === "between" && !(Array.isArray(given) && given.length === 2))
    throw new Problem("invalid", `where "${shortened(name)}": between needs two values.`);
  if (key === "in" && !Array.isArray(given))
    throw new Problem("invalid", `where "${shortened(name)}": in needs a list.`);
  return Array.isArray(given) ? given.map((one) => plainValue(name, one)) : plainValue(name, given);
}

function plainValue(name: string, value: unknown): Value {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  throw new Problem("invalid", `where "${shortened(name)}": a value must be a text, a number, true, false or null.`);
}
