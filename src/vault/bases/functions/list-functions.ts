// The functions of lists and of objects.
import { EvaluationFault } from "../language/problems.ts";
import type { Evaluate, Scope } from "../language/scope.ts";
import { compareKeys, equals, sortKeyOf } from "../values/comparison.ts";
import { isList, isTruthy, type ObjectValue, textOf, type Value } from "../values/value.ts";
import {
  ANY_NUMBER,
  checkedList,
  checkedText,
  type LazyMethod,
  method,
  numberFrom,
  type Methods,
} from "./function-table.ts";

type List = readonly Value[];

/** Evaluates an expression for each item of a list. */
function forEach(
  names: readonly string[],
  least: number,
  evaluate: (self: List, given: readonly Evaluate[], scope: Scope) => Value,
): LazyMethod {
  return { least, most: least, evaluate: evaluate as LazyMethod["evaluate"], locals: names };
}

function item(scope: Scope, value: Value, index: number, acc?: Value): Scope {
  return { ...scope, locals: { ...scope.locals, value, index, ...(acc !== undefined && { acc }) } };
}

export const LIST_METHODS: Methods = {
  contains: method<List>(1, 1, (self, [value], scope) => has(self, value!, scope)),
  containsAll: method<List>(1, ANY_NUMBER, (self, values, scope) =>
    values.flatMap(spread).every((value) => has(self, value, scope)),
  ),
  containsAny: method<List>(1, ANY_NUMBER, (self, values, scope) =>
    values.flatMap(spread).some((value) => has(self, value, scope)),
  ),
  filter: forEach(["value", "index"], 1, (self, [expression], scope) =>
    checkedList(
      self.filter((value, i) => isTruthy(expression!(item(scope, value, i)))),
      scope,
    ),
  ),
  map: forEach(["value", "index"], 1, (self, [expression], scope) =>
    checkedList(
      self.map((value, i) => expression!(item(scope, value, i))),
      scope,
    ),
  ),
  reduce: forEach(["value", "index", "acc"], 2, (self, [expression, first], scope) =>
    self.reduce<Value>((acc, value, i) => expression!(item(scope, value, i, acc)), first!(scope)),
  ),
  flat: method<List>(0, 0, (self, _, scope) => checkedList(flat(self, 0, scope), scope)),
  join: method<List>(0, 1, (self, [separator], scope) => {
    const between = separator === undefined ? "," : textOf(separator);
    let text = "";
    for (const [i, value] of self.entries()) text = checkedText(text + (i === 0 ? "" : between) + textOf(value), scope);
    return text;
  }),
  reverse: method<List>(0, 0, (self, _, scope) => checkedList(self.toReversed(), scope)),
  slice: method<List>(1, 2, (self, [start, end]) =>
    self.slice(numberFrom(start, "slice()"), end === undefined ? undefined : numberFrom(end, "slice()")),
  ),
  sort: method<List>(0, 0, (self, _, scope) => {
    scope.budget.spend(self.length * 16);
    const keyed = self.map((value) => ({ value, key: sortKeyOf(value) }));
    return keyed.sort((a, b) => compareKeys(a.key, b.key, 1)).map(({ value }) => value);
  }),
  unique: method<List>(0, 0, (self, _, scope) => {
    const kept: Value[] = [];
    for (const value of self) if (!has(kept, value, scope)) kept.push(value);
    return kept;
  }),
  mean: method<List>(0, 0, (self) => {
    const numbers = self.filter((value) => typeof value === "number");
    return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  }),
};

/** `containsAny(this.topics)` takes the items of a list, as if each was given. */
function spread(value: Value): List {
  return isList(value) ? value : [value];
}

function has(list: List, value: Value, { budget }: Scope): boolean {
  budget.spend(1 + list.length);
  return list.some((candidate) => equals(candidate, value));
}

function flat(list: List, depth: number, scope: Scope): Value[] {
  if (depth > 50) throw new EvaluationFault("A list is nested too deeply.");
  scope.budget.spend(list.length);
  return list.flatMap((value) => (isList(value) ? flat(value, depth + 1, scope) : [value]));
}

export const OBJECT_METHODS: Methods = {
  keys: method<ObjectValue>(0, 0, (self) => Object.keys(self.entries)),
  values: method<ObjectValue>(0, 0, (self) => Object.keys(self.entries).map((key) => self.get(key))),
};
