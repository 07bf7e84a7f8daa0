// The filters of a query on the notes of a space: what the database compares, and what
// is compared here because it depends on how texts are folded. Used by
// shared-text.ts, and by what finds notes by their meaning.
import { type Row, select, type TaggedQuery, type Values } from "../../../postgres/postgres.ts";
import {
  checkPlaces,
  comparableTag,
  DATED_PROPERTIES,
  daysOf,
  type Filters,
  foldForSearch,
  isOfTime,
  type Scope,
  type TimeSpan,
} from "../../../search/search.ts";
import { keyOf } from "./document-rows.ts";

export interface NoteFilter {
  /** Whether the note with this ordinal passes. */
  readonly allows: (ordinal: number) => boolean;
  /** Whether every note passes. */
  readonly isWhole: boolean;
}

export const EVERY_NOTE: NoteFilter = { allows: () => true, isWhole: true };

type Condition = (values: Values) => string;
type Test = (row: Row) => boolean;

export interface Filtering {
  readonly sql: TaggedQuery;
  readonly space: number;
  readonly isHidden: ((path: string) => boolean) | undefined;
}

/** Without the words that it excludes. */
export async function filterFor(filtering: Filtering, query: Filters, scope: Scope): Promise<NoteFilter> {
  const { conditions, tests } = await partsOf(filtering, query, scope);
  if (conditions.length === 0 && tests.length === 0) return EVERY_NOTE;
  const ordinals = new Set((await notesPassing(filtering, conditions, tests)).map((row) => Number(row["ordinal"])));
  return { allows: (ordinal) => ordinals.has(ordinal), isWhole: false };
}

/** The notes that pass, newest first. */
export async function notesListed(filtering: Filtering, query: Filters, scope: Scope): Promise<readonly Row[]> {
  const { conditions, tests } = await partsOf(filtering, query, scope);
  const rows = await notesPassing(filtering, conditions, tests);
  return rows.toSorted(
    (a, b) => Number(b["modified"]) - Number(a["modified"]) || (String(a["path"]) < String(b["path"]) ? -1 : 1),
  );
}

async function notesPassing({ sql, space }: Filtering, conditions: readonly Condition[], tests: readonly Test[]) {
  const rows = await select(
    sql,
    (values) => `SELECT ordinal, note.file, path, modified, created FROM commonplace.note
      JOIN commonplace.file ON file.space = note.space AND file.id = note.file
      WHERE note.space = ${values.add(space, "bigint")} ${conditions.map((one) => `AND ${one(values)}`).join(" ")}`,
  );
  return rows.filter((row) => tests.every((test) => test(row)));
}

async function partsOf(filtering: Filtering, query: Filters, scope: Scope) {
  const { space, isHidden } = filtering;
  const hasKey =
    (kind: "tag" | "property", condition: Condition): Condition =>
    (values) =>
      `note.file IN (SELECT file FROM commonplace.note_key
        WHERE space = ${values.add(space, "bigint")} AND kind = '${kind}' AND ${condition(values)})`;
  const tagged = (tag: string) => hasKey("tag", isTag(tag));
  const having = ({ name, value, comparison }: Filters["properties"][number]) =>
    hasKey(
      "property",
      (values) =>
        `key = ${values.add(keyOf(foldForSearch(name)))} AND ${value === undefined ? "true" : valueCondition(values, value, comparison)}`,
    );
  const conditions: Condition[] = [
    ...query.tags.map(tagged),
    ...query.withoutTags.map(tagged).map(not),
    ...query.properties.map(having),
    ...query.withoutProperties.map(having).map(not),
    ...(scope.kinds === undefined
      ? []
      : [(values: Values) => `note.kind = ANY(${values.add([...scope.kinds!], "text[]")})`]),
  ];
  const paths = scope.paths === undefined || scope.paths.includes("") ? undefined : scope.paths;
  if (paths !== undefined) checkPlaces(paths);
  const tests: Test[] = [
    ...query.paths.map(hasInPath),
    ...query.withoutPaths.map(hasInPath).map(
      (test): Test =>
        (row) =>
          !test(row),
    ),
    ...(paths === undefined ? [] : [isWithin(paths)]),
    ...(scope.during === undefined ? [] : [await isDuring(filtering, scope.during)]),
    ...(isHidden === undefined ? [] : [(row: Row) => !isHidden(String(row["path"]))]),
  ];
  return { conditions, tests };
}

function not(condition: Condition): Condition {
  return (values) => `NOT (${condition(values)})`;
}

/** `a` also means `a/b`. */
export function isTag(tag: string): Condition {
  const folded = keyOf(comparableTag(tag));
  return (values) =>
    `(key = ${values.add(folded)} OR (key >= ${values.add(`${folded}/`)} AND key < ${values.add(`${folded}0`)}))`;
}

/** As in filters.ts. */
function valueCondition(values: Values, sought: string, comparison: string | undefined): string {
  const folded = foldForSearch(sought);
  if (comparison === undefined) return `value = ${values.add(folded)}`;
  const number = Number(sought);
  if (!Number.isNaN(number))
    return `CASE WHEN length(value) < 100 AND value ~ '${NUMBER}' THEN value::float8 ${comparison} ${values.add(number, "float8")} ELSE false END`;
  return `value ~ '${/^\d/.test(sought) ? "^[0-9]" : "^[^0-9]"}' AND value ${comparison} ${values.add(folded)}`;
}

/** As JSON writes it, and small enough for the database. */
const NUMBER = "^-?(0|[1-9][0-9]*)([.][0-9]+)?(e[+-]?[0-9]{1,2})?$";

function hasInPath(path: string): Test {
  const folded = foldForSearch(path);
  return (row) => foldForSearch(String(row["path"])).includes(folded);
}

function isWithin(paths: readonly string[]): Test {
  return (row) => {
    const path = String(row["path"]);
    return paths.some((place) => path === place || path.startsWith(`${place}/`));
  };
}

/** As in filters.ts. */
async function isDuring({ sql, space }: Filtering, span: TimeSpan): Promise<Test> {
  const days = daysOf(span);
  const rows = await sql`
    SELECT DISTINCT file FROM commonplace.note_key
    WHERE space = ${space} AND kind = 'property' AND key = ANY(${DATED_PROPERTIES}::text[])
      AND value ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}' AND left(value, 10) BETWEEN ${days.first} AND ${days.last}`;
  const dated = new Set(rows.map((row) => Number(row["file"])));
  return ({ file, path, modified, created }) =>
    dated.has(Number(file)) ||
    isOfTime({ path: String(path), modified: Number(modified), created: Number(created) }, span, days);
}
