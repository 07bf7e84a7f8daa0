// The front door of bases/: the expression language of Obsidian's Bases, without
// any file system. An expression is compiled once, and evaluated for each file with a
// budget of steps. docs/internals/bases.md lists what is supported.
export { compileExpression } from "./language/compiler.ts";
export { Budget, EvaluationFault, ExpressionFault, TooCostly } from "./language/problems.ts";
export { propertiesIn } from "./language/references.ts";
export type { Evaluate, Scope } from "./language/scope.ts";
export { FILE_FIELD_NAMES, hasTag } from "./functions/file-functions.ts";
export { DATE_FIELD_NAMES } from "./functions/number-functions.ts";
export { ANY, GLOBALS, METHODS, UNSUPPORTED } from "./functions/functions.ts";
export { compare, compareKeys, equals, sortKeyOf, type SortKey } from "./values/comparison.ts";
export { DateValue, Duration } from "./values/dates.ts";
export { linkOf } from "./values/properties.ts";
export {
  FileValue,
  isEmpty,
  isList,
  isTruthy,
  LinkValue,
  ObjectValue,
  plain,
  textOf,
  type Plain,
  type Value,
} from "./values/value.ts";
export type { FileFacts, FileLink, World } from "./values/world.ts";
