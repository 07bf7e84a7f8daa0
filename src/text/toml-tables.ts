// What the statements of a TOML file amount to: one table of tables. It is also
// where a file is refused that defines something twice.
import { Problem } from "./problem.ts";
import { isTable, type TomlStatement, type TomlTable, type TomlValue } from "./toml-values.ts";

/** What a program makes of the statements. Refuses what is defined twice. */
export function tableOf(statements: readonly TomlStatement[]): TomlTable {
  const root: TomlTable = {};
  const headers = new Set<string>();
  const origins: Origins = { dotted: new Set(), closed: new Set() };
  let current = root;
  let depth = 0;
  for (const statement of statements) {
    const { path } = statement;
    const last = path.at(-1)!;
    if (statement.kind === "pair") {
      const holder = dottedTable(current, path.slice(depth, -1), path, origins);
      if (Object.hasOwn(holder, last)) throw twice(path);
      holder[last] = statement.value;
      if (typeof statement.value === "object") origins.closed.add(statement.value);
      continue;
    }
    depth = path.length;
    if (statement.kind === "table") {
      const source = JSON.stringify(path);
      current = headedTable(root, path, path, origins);
      if (headers.has(source) || origins.dotted.has(current)) throw twice(path);
      headers.add(source);
    } else {
      const holder = headedTable(root, path.slice(0, -1), path, origins);
      const items = (holder[last] ??= []);
      if (!Array.isArray(items) || origins.closed.has(items)) throw twice(path);
      current = {};
      items.push(current);
      // The tables within an item of a list begin anew with each.
      const within = `${JSON.stringify(path).slice(0, -1)},`;
      for (const header of headers) if (header.startsWith(within)) headers.delete(header);
    }
  }
  return root;
}

/** How tables came about: each way has its own rule for what may be added later. */
interface Origins {
  /** By keys with dots: only such keys add to them. */
  readonly dotted: Set<TomlValue>;
  /** As a value, in braces or brackets: nothing adds to them. */
  readonly closed: Set<TomlValue>;
}

/** The table at these keys, made where there is none; of a list, its last item. */
function headedTable(
  root: TomlTable,
  keys: readonly string[],
  path: readonly string[],
  { closed }: Origins,
): TomlTable {
  let table = root;
  for (const key of keys) {
    if (!Object.hasOwn(table, key)) table[key] = {};
    const value = table[key]!;
    const next = Array.isArray(value) && !closed.has(value) ? value.at(-1)! : value;
    if (!isTable(next) || closed.has(next)) throw twice(path);
    table = next;
  }
  return table;
}

function dottedTable(
  from: TomlTable,
  keys: readonly string[],
  path: readonly string[],
  { dotted }: Origins,
): TomlTable {
  let table = from;
  for (const key of keys) {
    if (!Object.hasOwn(table, key)) dotted.add((table[key] = {}));
    const next = table[key]!;
    if (!isTable(next) || !dotted.has(next)) throw twice(path);
    table = next;
  }
  return table;
}

function twice(path: readonly string[]): Problem {
  return new Problem("invalid", `${path.join(".")} is defined twice.`);
}
