// Compiles an expression to a function, once per query, so that ten thousand notes
// cost milliseconds. Nothing is handed to JavaScript's eval. Used by bases.ts.
import { dateField } from "../functions/number-functions.ts";
import { fileField } from "../functions/file-functions.ts";
import { ANY, GLOBALS, METHOD_NAMES, METHODS, UNSUPPORTED } from "../functions/functions.ts";
import { described, type BaseMethod, type LazyMethod } from "../functions/function-table.ts";
import { Pattern } from "../patterns/pattern.ts";
import { DateValue, Duration } from "../values/dates.ts";
import { propertiesOf, propertyOf } from "../values/properties.ts";
import {
  FileValue,
  isList,
  isTruthy,
  LinkValue,
  ObjectValue,
  TagValue,
  textOf,
  typeOf,
  type Value,
} from "../values/value.ts";
import { negative, OPERATORS } from "./operators.ts";
import { parseExpression } from "./parser.ts";
import { EvaluationFault, ExpressionFault } from "./problems.ts";
import type { Evaluate, Scope } from "./scope.ts";
import type { Node } from "./syntax-tree.ts";

/** @param locals the names that are no properties: `values` in a summary */
export function compileExpression(source: string, locals: readonly string[] = []): Evaluate {
  return compile(parseExpression(source), locals);
}

function compile(node: Node, locals: readonly string[]): Evaluate {
  const evaluate = compileNode(node, locals);
  if (node.kind === "literal") return evaluate;
  return (scope) => {
    scope.budget.spend(1);
    return evaluate(scope);
  };
}

function compileNode(node: Node, locals: readonly string[]): Evaluate {
  switch (node.kind) {
    case "literal": {
      const { value } = node;
      return () => value;
    }
    case "pattern": {
      const pattern = new Pattern(node.source, node.flags);
      return () => pattern;
    }
    case "name":
      return compileName(node.name, locals);
    case "list": {
      const items = node.items.map((item) => compile(item, locals));
      return (scope) => items.map((item) => item(scope));
    }
    case "object": {
      const entries = node.entries.map(([key, value]) => [key, compile(value, locals)] as const);
      return (scope) => new ObjectValue(Object.fromEntries(entries.map(([key, value]) => [key, value(scope)])));
    }
    case "member":
      return compileMember(node.object, node.name, locals);
    case "element": {
      if (node.index.kind === "literal" && typeof node.index.value === "string" && node.object.kind === "name")
        return compileMember(node.object, node.index.value, locals);
      const [object, index] = [compile(node.object, locals), compile(node.index, locals)];
      return (scope) => elementOf(object(scope), index(scope), scope);
    }
    case "call":
      return compileCall(node.name, node.given, locals);
    case "method":
      return compileMethod(node, locals);
    case "unary": {
      const operand = compile(node.operand, locals);
      return node.operator === "!" ? (scope) => !isTruthy(operand(scope)) : (scope) => negative(operand(scope));
    }
    case "binary": {
      const [left, right] = [compile(node.left, locals), compile(node.right, locals)];
      if (node.operator === "&&")
        return (scope) => {
          const value = left(scope);
          return isTruthy(value) ? right(scope) : value;
        };
      if (node.operator === "||")
        return (scope) => {
          const value = left(scope);
          return isTruthy(value) ? value : right(scope);
        };
      const operator = OPERATORS[node.operator];
      return (scope) => operator(left(scope), right(scope), scope);
    }
  }
}

function compileName(name: string, locals: readonly string[]): Evaluate {
  if (locals.includes(name)) return ({ locals: values }) => values[name] ?? null;
  switch (name) {
    case "file":
      return ({ file }) => new FileValue(file);
    case "note":
      return ({ world, file }) => propertiesOf(world, file);
    case "this":
      return ({ shownIn }) => (shownIn === undefined ? null : new FileValue(shownIn, true));
    case "formula":
      throw new ExpressionFault("Name the formula: formula.name.");
    default:
      return ({ world, file }) => propertyOf(world, file, name);
  }
}

function compileMember(object: Node, name: string, locals: readonly string[]): Evaluate {
  if (object.kind === "name" && !locals.includes(object.name)) {
    if (object.name === "formula") return ({ formula }) => formula(name);
    if (object.name === "note") return ({ world, file }) => propertyOf(world, file, name);
    if (object.name === "file") {
      const field = fileField(name);
      if (field === undefined) throw new ExpressionFault(`Files have no field "${name}".`);
      return (scope) => field(scope.file, scope);
    }
  }
  const inner = compile(object, locals);
  return (scope) => memberOf(inner(scope), name, scope);
}

function memberOf(value: Value, name: string, scope: Scope): Value {
  if (value === null) return null;
  if (value instanceof ObjectValue) return value.get(name);
  if (value instanceof FileValue) {
    if (value.isThis && name !== "file") return propertyOf(scope.world, value.facts, name);
    return fileField(name)?.(value.facts, scope) ?? null;
  }
  if (name === "length" && (typeof value === "string" || isList(value))) return value.length;
  if (value instanceof DateValue) return dateField(value, name);
  if (value instanceof Duration) return value.in(name) ?? null;
  return null;
}

function elementOf(value: Value, index: Value, scope: Scope): Value {
  if (isList(value) && typeof index === "number") return value[index] ?? null;
  if (typeof value === "string" && typeof index === "number") return value[index] ?? null;
  return index === null ? null : memberOf(value, textOf(index), scope);
}

/** Names of JavaScript and of older releases of Obsidian, whose meaning is clear. */
const OLD_GLOBALS: Readonly<Record<string, (value: Value) => Value>> = {
  not: (value) => !isTruthy(value),
  empty: (value) => !isTruthy(value),
};

function compileCall(name: string, nodes: readonly Node[], locals: readonly string[]): Evaluate {
  if (Object.hasOwn(UNSUPPORTED, name)) throw new ExpressionFault(UNSUPPORTED[name]!);
  const given = nodes.map((argument) => compile(argument, locals));
  if (Object.hasOwn(OLD_GLOBALS, name) && given.length === 1) {
    const old = OLD_GLOBALS[name]!;
    return (scope) => old(given[0]!(scope));
  }
  const found = Object.hasOwn(GLOBALS, name) ? GLOBALS[name] : undefined;
  if (found === undefined) throw new ExpressionFault(`There is no function "${name}()".`);
  checkCount(name, given.length, found);
  if (name === "if") {
    const [condition, yes, no] = given;
    return (scope) => (isTruthy(condition!(scope)) ? yes!(scope) : (no?.(scope) ?? null));
  }
  return (scope) => found.run(evaluated(given, scope), scope);
}

function compileMethod({ object, name, given: nodes }: Node & { kind: "method" }, locals: readonly string[]): Evaluate {
  if (!METHOD_NAMES.has(name)) throw new ExpressionFault(`There is no function "${name}()".`);
  const self = compile(object, locals);
  const lazy = METHODS.list[name];
  const inner = lazy !== undefined && "locals" in lazy ? [...locals, ...lazy.locals] : locals;
  const given = nodes.map((argument, i) => compile(argument, i === 0 ? inner : locals));
  // Most notes have the same type of value here: its method is looked up once.
  let knownType: string | undefined;
  let known: BaseMethod | LazyMethod | undefined;
  return (scope) => {
    let value = self(scope);
    if (typeOf(value) !== knownType) {
      known = methodOf(value, name);
      knownType = typeOf(value);
    }
    let method = known;
    if (method === undefined && value !== null) {
      value = simpler(value);
      method = methodOf(value, name);
    }
    if (method === undefined) {
      // Most notes lack most properties: that is no mistake.
      if (value === null) return null;
      throw new EvaluationFault(`${name}() is not a function of ${described(value)}.`);
    }
    checkCount(name, given.length, method);
    if ("evaluate" in method) return method.evaluate(value as never, given, scope);
    return method.run(value as never, evaluated(given, scope), scope);
  };
}

function evaluated(given: readonly Evaluate[], scope: Scope): readonly Value[] {
  // Nearly all functions have one argument, and every note comes here.
  return given.length === 1 ? [given[0]!(scope)] : given.map((argument) => argument(scope));
}

/** Tags and links have the functions of the texts that they are, durations those of their milliseconds. */
function simpler(value: Value): Value {
  if (value instanceof TagValue || value instanceof LinkValue) return textOf(value);
  return value instanceof Duration ? value.total : value;
}

function methodOf(value: Value, name: string): BaseMethod | LazyMethod | undefined {
  const own = METHODS[typeOf(value)];
  if (Object.hasOwn(own, name)) return own[name];
  return Object.hasOwn(ANY, name) ? ANY[name] : undefined;
}

function checkCount(name: string, count: number, { least, most }: { least: number; most: number }): void {
  if (count >= least && count <= most) return;
  const wanted = least === most ? String(least) : most > 10 ? `${least} or more` : `${least} to ${most}`;
  throw new ExpressionFault(`${name}() takes ${wanted} ${wanted === "1" ? "argument" : "arguments"}, not ${count}.`);
}
