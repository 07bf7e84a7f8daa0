// The filters of a query (tags, paths, properties, times) as an SQL condition on
// the table `document`. Used by document-search.ts.
import type { SQLInputValue } from "node:sqlite";
import { Problem } from "../../kernel/kernel.ts";
import { foldForSearch } from "../words/folding.ts";
import type { PropertyFilter, SearchQuery } from "../query.ts";
import { comparableTag, type DocumentKind } from "./document.ts";
import { DATED_PROPERTIES, daysOf, type TimeSpan } from "./note-times.ts";
import { anyOf, ftsExpression, phrase, type TextQuery } from "../text-query.ts";

export interface Filter {
  readonly condition: string;
  readonly values: readonly SQLInputValue[];
}

export interface Scope {
  /** Notes, or folders with everything below them. */
  readonly paths?: readonly string[] | undefined;
  /** Beside them, these files, of any number. */
  readonly files?: readonly string[] | undefined;
  readonly kinds?: readonly DocumentKind[] | undefined;
  /** Of this time: see note-times.ts. */
  readonly during?: TimeSpan | undefined;
  /** Another condition, for callers that have tables of their own. */
  readonly also?: Filter | undefined;
}

export type Filters = Pick<
  SearchQuery,
  | "tags"
  | "withoutTags"
  | "paths"
  | "withoutPaths"
  | "properties"
  | "withoutProperties"
  | "withoutWords"
  | "withoutPhrases"
>;

/** Without any filter the condition is true, and has no values. */
export function filterOf(query: Filters, scope: Scope): Filter {
  const excluded = [...query.withoutWords.map((word) => [word]), ...query.withoutPhrases];
  const parts: Filter[] = [
    ...query.tags.map(hasTag),
    ...query.withoutTags.map(hasTag).map(not),
    ...query.paths.map(hasInPath),
    ...query.withoutPaths.map(hasInPath).map(not),
    ...query.properties.map(hasProperty),
    ...query.withoutProperties.map(hasProperty).map(not),
    ...(excluded.length === 0 ? [] : [not(matches(anyOf(excluded.map(phrase))))]),
    ...(scope.paths === undefined ? [] : [isWithin(scope.paths, scope.files)]),
    ...(scope.kinds === undefined ? [] : [isOfKind(scope.kinds)]),
    ...(scope.during === undefined ? [] : [isDuring(scope.during)]),
    ...(scope.also === undefined ? [] : [scope.also]),
  ];
  return {
    condition: parts.map((part) => part.condition).join(" AND ") || "TRUE",
    values: parts.flatMap((part) => part.values),
  };
}

function not({ condition, values }: Filter): Filter {
  return { condition: `NOT (${condition})`, values };
}

function matches(query: TextQuery): Filter {
  return { condition: "document.id IN (SELECT rowid FROM text WHERE text MATCH ?)", values: [ftsExpression(query)] };
}

/** `a` also means `a/b`. */
export function hasTag(tag: string): Filter {
  const folded = comparableTag(tag);
  return {
    condition: "document.id IN (SELECT document FROM tag WHERE folded = ? OR (folded >= ? AND folded < ?))",
    values: [folded, `${folded}/`, `${folded}0`],
  };
}

function hasInPath(path: string): Filter {
  return { condition: "instr(fold(document.path), ?) > 0", values: [foldForSearch(path)] };
}

function hasProperty({ name, value, comparison }: PropertyFilter): Filter {
  const { condition, values } = value === undefined ? { condition: "TRUE", values: [] } : hasValue(value, comparison);
  return {
    condition: `document.id IN (SELECT document FROM property WHERE key = ? AND ${condition})`,
    values: [foldForSearch(name), ...values],
  };
}

/** Numbers are compared with numbers, dates and other texts with texts that begin alike: with a digit, or without. */
function hasValue(sought: string, comparison: PropertyFilter["comparison"]): Filter {
  const folded = foldForSearch(sought);
  if (comparison === undefined) return { condition: "value = ?", values: [folded] };
  const number = Number(sought);
  if (!Number.isNaN(number))
    return {
      condition: `CASE json_valid(value) WHEN 1 THEN json_type(value) IN ('integer', 'real') AND CAST(value AS REAL) ${comparison} ? END`,
      values: [number],
    };
  const alike = /^\d/.test(sought) ? "[0-9]*" : "[^0-9]*";
  return { condition: `value GLOB ? AND value ${comparison} ?`, values: [alike, folded] };
}

/** Each with its other spellings. SQLite takes conditions of some hundred parts. */
const MAX_PLACES = 250;

function isWithin(paths: readonly string[], files: readonly string[] = []): Filter {
  if (paths.includes("")) return { condition: "TRUE", values: [] };
  checkPlaces(paths);
  const each = paths.map(() => "document.path = ? OR (document.path >= ? AND document.path < ?)");
  return {
    condition: `(${["document.path IN (SELECT value FROM json_each(?))", ...each].join(" OR ")})`,
    values: [JSON.stringify(files), ...paths.flatMap((path) => [path, `${path}/`, `${path}0`])],
  };
}

function checkPlaces(paths: readonly string[]): void {
  if (paths.length > MAX_PLACES)
    throw new Problem(
      "invalid",
      "Too many notes and folders were named for one search.",
      "Name a folder that contains them, or search several times with up to 100.",
    );
}

function isOfKind(kinds: readonly DocumentKind[]): Filter {
  return { condition: `document.kind IN (${kinds.map(() => "?").join(", ")})`, values: [...kinds] };
}

/** Changed or made in it, named after it, or dated so by a property: see note-times.ts. */
function isDuring(span: TimeSpan): Filter {
  const days = daysOf(span);
  const keys = DATED_PROPERTIES.map(() => "?").join(", ");
  return {
    condition: `(is_of_time(document.path, document.mtime, document.created, ?, ?, ?, ?) OR document.id IN (
      SELECT document FROM property WHERE key IN (${keys}) AND value >= ? AND value <= ? || '~'
      AND value GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'
    ))`,
    values: [span.start, span.end, days.first, days.last, ...DATED_PROPERTIES, days.first, days.last],
  };
}
