// Describes a `.base` file in words: what it lists, its formulas, and its views with
// their columns, filters, order and groups. Used by readContent.
import { isRecord } from "../../kernel/kernel.ts";
import { readBase } from "./base-view.ts";

type Yaml = Readonly<Record<string, unknown>>;

/** Throws if it is not a base. */
export function describeBase(path: string, text: string): string {
  const base = readBase(path, text);
  const views = recordsIn(base["views"]);
  const names = new Map(
    Object.entries(recordIn(base["properties"])).map(([property, { displayName: name }]) => [property, name]),
  );
  const formulas = Object.entries(recordIn(base["formulas"])).map(([name, source]) => `- formula.${name} = ${source}`);
  const filter = filterText(base["filters"]);
  return [
    `A base with ${views.length === 1 ? "one view" : `${views.length || "no"} views`} of ${filter === "" ? "all files of the vault" : `the files where ${filter}`}.`,
    ...(formulas.length === 0 ? [] : [["Formulas:", ...formulas].join("\n")]),
    ...summariesOf(base),
    ...views.map((view) => viewText(view, names)),
  ].join("\n\n");
}

function summariesOf(base: Yaml): string[] {
  const own = Object.entries(recordIn(base["summaries"])).map(([name, source]) => `- ${name} = ${source}`);
  return own.length === 0 ? [] : [["Summaries of its own:", ...own].join("\n")];
}

function viewText(view: Yaml, names: ReadonlyMap<string, unknown>): string {
  const shown = (property: unknown) => {
    const plain = String(property);
    const name = names.get(plain) ?? names.get(`note.${plain}`);
    return name === undefined || name === plain ? plain : `${plain} (shown as ${name})`;
  };
  const columns = listIn(view["order"]).map(shown);
  const filter = filterText(view["filters"]);
  const sort = recordsIn(view["sort"]).map((one) => `${one["property"] ?? one["column"]}${directionOf(one)}`);
  const grouping = view["groupBy"] ?? view["group_by"];
  const group = isRecord(grouping) ? `${grouping["property"]}${directionOf(grouping)}` : grouping;
  const summaries = Object.entries(recordIn(view["summaries"])).map(([column, name]) => `${name} of ${column}`);
  const parts = [
    columns.length > 0 && `columns: ${columns.join(", ")}`,
    filter !== "" && `only files where ${filter}`,
    sort.length > 0 && `sorted by ${sort.join(", then ")}`,
    group !== undefined && group !== null && `grouped by ${String(group)}`,
    view["limit"] !== undefined && `at most ${String(view["limit"])} files`,
    view["image"] !== undefined && `image: ${String(view["image"])}`,
    summaries.length > 0 && `summaries: ${summaries.join(", ")}`,
  ].filter((part) => part !== false);
  const type = String(view["type"] ?? "table");
  return [`View "${String(view["name"] ?? type)}" (${type}):`, ...parts.map((part) => `- ${part}`)].join("\n");
}

function directionOf({ direction }: Yaml): string {
  return String(direction).toUpperCase() === "DESC" ? ", descending" : "";
}

const MAX_DEPTH = 20;

/** `a and (b or c) and not d`; empty for a filter that lets everything through. */
function filterText(filter: unknown, depth = 0): string {
  if (typeof filter === "string" || typeof filter === "boolean") return String(filter);
  if (!isRecord(filter) || depth > MAX_DEPTH) return depth > MAX_DEPTH ? "…" : "";
  const groups = Object.entries(filter).flatMap(([key, value]) => {
    const inner = (Array.isArray(value) ? value : [value])
      .map((one) => filterText(one, depth + 1))
      .filter((one) => one !== "");
    if (inner.length === 0) return [];
    const joined = inner.join(key === "or" ? " or " : key === "not" ? " nor " : " and ");
    return [key === "not" ? `not (${joined})` : depth > 0 && inner.length > 1 ? `(${joined})` : joined];
  });
  return groups.join(" and ");
}

function recordIn(value: unknown): Readonly<Record<string, Yaml & { displayName?: unknown }>> {
  return isRecord(value) ? (value as Readonly<Record<string, Yaml>>) : {};
}

function recordsIn(value: unknown): Yaml[] {
  return listIn(value).filter(isRecord);
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
