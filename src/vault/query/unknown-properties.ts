// Warns of properties that a question names and no file has: a typing error, a text
// without quotes, or a field of the file. Used by query.ts.
import { isRecord, nearest } from "../../kernel/kernel.ts";
import { FILE_FIELD_NAMES, propertiesIn } from "../bases/bases.ts";
import type { FileTable } from "../note-index/file-table.ts";
import { sortedBy } from "./plan.ts";
import type { Question } from "./query.ts";

/** People's words for fields of files, besides their own names. */
const FILE_FIELDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(FILE_FIELD_NAMES.map((name) => [name, name])),
  title: "name",
  filename: "name",
  extension: "ext",
  created: "ctime",
  modified: "mtime",
  updated: "mtime",
};

/** @param expressionOf the expression that a name of the question is taken for */
export function unknownProperties(
  question: Question,
  table: FileTable,
  expressionOf: (reference: string) => string,
): string[] {
  const inExpressions = expressionsIn(question.where);
  const references = [
    ...keysIn(question.where),
    ...(question.select ?? []),
    ...[...(question.sort ?? []), ...(question.group === undefined ? [] : [question.group])].map(sortedBy),
  ].map(expressionOf);
  const named = [...new Set([...inExpressions, ...references].flatMap(propertiesIn))];
  const missing = named.filter((name) => !hasProperty(table, name));
  if (missing.length === 0) return [];
  const known = [...new Set(table.files.flatMap(({ properties }) => Object.keys(properties)))];
  return missing.map((name) => `No note has the property "${name}".${adviceFor(name, known, inExpressions)}`);
}

export function hasProperty(table: FileTable, name: string): boolean {
  return table.files.some(({ properties }) => Object.hasOwn(properties, name));
}

function adviceFor(name: string, known: readonly string[], expressions: readonly string[]): string {
  const source = expressions.find((expression) => propertiesIn(expression).includes(name));
  if (source?.includes(`[[${name}`))
    return ` A link is written link("${name}"), for a list: contains(link("${name}")).`;
  if (Object.hasOwn(FILE_FIELDS, name)) return ` Did you mean file.${FILE_FIELDS[name]}?`;
  const meant = nearest(name, known);
  if (meant !== undefined) return ` Did you mean ${meant}?`;
  return source === undefined ? "" : ` A text needs quotes: "${name}".`;
}

function expressionsIn(where: unknown): readonly string[] {
  if (typeof where === "string") return [where];
  if (Array.isArray(where)) return where.flatMap(expressionsIn);
  if (!isRecord(where)) return [];
  return Object.entries(where).flatMap(([key, value]) => (isGroup(key) ? expressionsIn(value) : []));
}

function keysIn(where: unknown): readonly string[] {
  if (Array.isArray(where)) return where.flatMap(keysIn);
  if (!isRecord(where)) return [];
  return Object.entries(where).flatMap(([key, value]) => (isGroup(key) ? keysIn(value) : [key]));
}

function isGroup(key: string): boolean {
  return key === "and" || key === "or" || key === "not";
}
