// Reads a `.base` file (YAML), and makes the plan of one of its views. What cannot be
// read of it (an unknown function in a formula) becomes a warning; only a filter that
// cannot be read ends the call, because its result would be wrong. Used by query.ts.
import { isRecord, Problem, shortened } from "../../kernel/kernel.ts";
import { readYaml } from "../../markdown/markdown.ts";
import { compileExpression, type Evaluate, ExpressionFault } from "../bases/bases.ts";
import { compileReference, type Column, type Plan, type Sorting } from "./plan.ts";
import { summaryNamed } from "./summaries.ts";
import { all, any, none } from "./where.ts";

type Yaml = Readonly<Record<string, unknown>>;

export interface BaseView {
  readonly name: string;
  readonly type: string;
  /** All views of the base, if there are several. */
  readonly views?: readonly string[];
  /** The base's titles of columns that differ from their names. */
  readonly titles?: Readonly<Record<string, string>>;
  readonly plan: Omit<Plan, "shownIn">;
}

export function readBase(path: string, text: string): Yaml {
  const read = readYaml(text);
  if ("fault" in read) throw new Problem("invalid", `${path} is not valid YAML: ${read.fault}.`);
  if (read.value === null || read.value === undefined) return {};
  if (!isRecord(read.value)) throw new Problem("invalid", `${path} is not a base: it has no filters and views.`);
  return read.value;
}

/** @param wanted the name of a view in any case; the first one if it is undefined */
export function viewOf(path: string, base: Yaml, wanted: string | undefined): BaseView {
  const views = viewsOf(base);
  const view =
    wanted === undefined
      ? (views[0] ?? {})
      : (views.find((one) => nameOf(one) === wanted) ??
        views.find((one) => nameOf(one).toLowerCase() === wanted.toLowerCase()));
  if (view === undefined) {
    const names = views.map((one) => `"${nameOf(one)}"`).join(", ");
    throw new Problem(
      "not_found",
      `${path} has no view "${wanted}".`,
      names === "" ? "It has no views." : `It has ${names}.`,
    );
  }
  const plan = planOf(path, base, view);
  const titles = titlesOf(base, plan.columns);
  return {
    name: nameOf(view),
    type: textIn(view["type"]) ?? "table",
    ...(views.length > 1 && { views: views.map(nameOf) }),
    ...(Object.keys(titles).length > 0 && { titles }),
    plan,
  };
}

function titlesOf(base: Yaml, columns: readonly Column[]): Record<string, string> {
  const properties = recordIn(base["properties"]);
  return Object.fromEntries(
    columns.flatMap(({ name }) => {
      const title = textIn(recordIn(properties[name] ?? properties[`note.${name}`])["displayName"]);
      return title === undefined || title === name ? [] : [[name, title]];
    }),
  );
}

function planOf(path: string, base: Yaml, view: Yaml): BaseView["plan"] {
  const warnings: string[] = [];
  /** Compiles what is not needed for the rest. */
  const lenient = (what: string, source: string, compile: (source: string) => Evaluate): Evaluate => {
    try {
      return compile(source);
    } catch (error) {
      if (!(error instanceof ExpressionFault)) throw error;
      warnings.push(`${what}: ${error.message}`);
      return () => null;
    }
  };
  const reference = (name: string): Evaluate => lenient(name, name, compileReference);
  const formulas = new Map(
    Object.entries(recordIn(base["formulas"])).map(([name, source]) => [
      name,
      lenient(`formula.${name}`, String(source), (text) => compileExpression(text)),
    ]),
  );
  const order = textsIn(view["order"]);
  const names = order.length === 0 ? ["file.name"] : order;
  const grouping = recordIn(view["groupBy"] ?? view["group_by"]);
  const groupName = textIn(grouping["property"] ?? (typeof view["groupBy"] === "string" ? view["groupBy"] : undefined));
  const limit = Number(view["limit"]);
  return {
    filter: all(
      [base["filters"], view["filters"]]
        .filter((one) => one !== undefined && one !== null)
        .map((one) => compileFilter(path, one, 0)),
    ),
    notesOnly: false,
    formulas,
    columns: names.map((name): Column => ({ name, evaluate: reference(name) })),
    sort: recordsIn(view["sort"]).flatMap((one): Sorting[] => {
      const name = textIn(one["property"] ?? one["column"]);
      return name === undefined ? [] : [{ evaluate: reference(name), direction: directionOf(one) }];
    }),
    group:
      groupName === undefined
        ? undefined
        : { name: groupName, evaluate: reference(groupName), direction: directionOf(grouping) },
    limit: Number.isInteger(limit) && limit > 0 ? limit : undefined,
    summaries: Object.entries(recordIn(view["summaries"])).flatMap(([column, given]) => {
      const name = String(given);
      try {
        const summarize = summaryNamed(name, recordIn(base["summaries"]));
        if (summarize !== undefined) return [{ column, name, of: reference(column), summarize }];
        warnings.push(`There is no summary "${name}".`);
      } catch (error) {
        if (!(error instanceof ExpressionFault)) throw error;
        warnings.push(`summary ${name}: ${error.message}`);
      }
      return [];
    }),
    warnings,
  };
}

const MAX_DEPTH = 50;

function compileFilter(path: string, filter: unknown, depth: number): Evaluate {
  if (depth > MAX_DEPTH) throw new Problem("invalid", `The filters of ${path} are nested too deeply.`);
  if (typeof filter === "string" || typeof filter === "boolean") {
    try {
      return compileExpression(String(filter));
    } catch (error) {
      if (!(error instanceof ExpressionFault)) throw error;
      throw new Problem(
        "invalid",
        `${path} has a filter that cannot be read: ${shortened(String(filter))} (${error.message})`,
      );
    }
  }
  if (!isRecord(filter)) throw new Problem("invalid", `${path} has a filter that is neither a text nor and, or, not.`);
  return all(
    Object.entries(filter).map(([key, value]) => {
      const inner = (Array.isArray(value) ? value : value === null ? [] : [value]).map((one) =>
        compileFilter(path, one, depth + 1),
      );
      if (key === "and") return all(inner);
      // An empty group shows everything, as in Obsidian.
      if (key === "or") return inner.length === 0 ? () => true : any(inner);
      if (key === "not") return none(inner);
      throw new Problem("invalid", `${path} has a filter "${key}": only and, or, not can hold others.`);
    }),
  );
}

function viewsOf(base: Yaml): Yaml[] {
  return recordsIn(base["views"]);
}

function nameOf(view: Yaml): string {
  return textIn(view["name"]) ?? textIn(view["type"]) ?? "table";
}

function directionOf({ direction }: Yaml): 1 | -1 {
  return String(direction).toUpperCase() === "DESC" ? -1 : 1;
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function recordIn(value: unknown): Yaml {
  return isRecord(value) ? value : {};
}

function recordsIn(value: unknown): Yaml[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((one) => textIn(one) ?? []) : [];
}
