// Carries out a plan on the files of the vault: filters, sorts, groups, and
// evaluates the columns of the rows that are asked for. Used by query.ts.
import { counted, Problem, Turns } from "../../kernel/kernel.ts";
import {
  Budget,
  compareKeys,
  DateValue,
  type Evaluate,
  EvaluationFault,
  isTruthy,
  ExpressionFault,
  type FileFacts,
  plain,
  type Plain,
  type Scope,
  type SortKey,
  sortKeyOf,
  textOf,
  TooCostly,
  type Value,
} from "../bases/bases.ts";
import { type Clock, dateOf, localTime } from "../days/days.ts";
import type { FileTable, IndexedFile } from "../note-index/file-table.ts";
import type { Plan } from "./plan.ts";

/** About a second of work. Ten thousand notes with ten operations each cost 200,000 steps. */
const STEPS = 30_000_000;
const MAX_WARNINGS = 10;
/** How many files between two looks at the clock. */
const FILES_A_LOOK = 64;

export interface QueryResult {
  readonly columns: readonly string[];
  readonly total: number;
  /** A row for each file from `start` on: its path, then its columns. */
  readonly rows: (start: number) => Iterable<readonly Plain[]>;
  readonly groups: readonly { readonly value: Plain; readonly count: number }[] | undefined;
  readonly summaries: readonly { readonly column: string; readonly name: string; readonly value: Plain }[];
  /** Sentences about what could not be evaluated, so far. */
  readonly warnings: () => string[];
  /** What each row is ordered by, for a table of several vaults. */
  readonly entries: readonly SortedEntry[];
  /** Of two entries, also of other vaults. */
  readonly compare: (a: SortedEntry, b: SortedEntry) => number;
}

export async function runPlan(
  plan: Plan,
  table: FileTable,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
): Promise<QueryResult> {
  signal?.throwIfAborted();
  try {
    return await run(new Evaluation(plan, table, clock), plan, table, new Turns(signal));
  } catch (error) {
    if (error instanceof TooCostly) throw new Problem("invalid", error.message);
    throw error;
  }
}

export interface SortedEntry {
  readonly group: SortKey;
  readonly keys: readonly SortKey[];
  readonly groupValue: Value;
}

interface Entry extends SortedEntry {
  readonly file: IndexedFile;
}

async function run(evaluation: Evaluation, plan: Plan, table: FileTable, turns: Turns): Promise<QueryResult> {
  const { sort, group } = plan;
  const entries: Entry[] = [];
  for (const [i, file] of table.files.entries()) {
    if (i % FILES_A_LOOK === 0 && turns.isOver()) await turns.next();
    if (plan.notesOnly && !file.isNote) continue;
    const scope = evaluation.scopeOf(file);
    if (!isTruthy(evaluation.value("filter", plan.filter, scope))) continue;
    const groupValue = group === undefined ? null : evaluation.value(group.name, group.evaluate, scope);
    const keys = sort.map(({ evaluate }) => sortKeyOf(evaluation.value("sort", evaluate, scope)));
    entries.push({ file, groupValue, group: sortKeyOf(groupValue), keys });
  }
  if (turns.isOver()) await turns.next();
  const compare = (a: SortedEntry, b: SortedEntry): number => {
    const byGroup = group === undefined ? 0 : compareKeys(a.group, b.group, group.direction);
    if (byGroup !== 0) return byGroup;
    for (let i = 0; i < sort.length; i++) {
      const order = compareKeys(a.keys[i], b.keys[i], sort[i]!.direction);
      if (order !== 0) return order;
    }
    return 0;
  };
  // Files are in the order of their paths, and sorting keeps that of equal ones.
  if (sort.length > 0 || group !== undefined) entries.sort(compare);
  const shown = plan.limit === undefined ? entries : entries.slice(0, plan.limit);
  const columns = plan.columns.filter(({ name }) => name !== "file.path");
  return {
    columns: ["path", ...columns.map(({ name }) => name)],
    total: shown.length,
    rows: function* (start) {
      for (const { file } of shown.slice(start)) {
        const scope = evaluation.scopeOf(file);
        yield [file.path, ...columns.map(({ name, evaluate }) => evaluation.plain(name, evaluate, scope))];
      }
    },
    groups: group === undefined ? undefined : groupsOf(shown),
    summaries: plan.summaries.map(({ column, name, of, summarize }) => {
      const values = shown.map(({ file }) => evaluation.value(column, of, evaluation.scopeOf(file)));
      const summary = summarize(values, (evaluate, all) => evaluation.summary(name, evaluate, all, shown[0]?.file));
      return { column, name, value: plain(summary) };
    }),
    warnings: () => evaluation.warnings(),
    entries: shown,
    compare,
  };
}

export function groupsOf(entries: readonly SortedEntry[]): { value: Plain; count: number }[] {
  const groups: { value: Plain; count: number; text: string }[] = [];
  for (const { groupValue } of entries) {
    const text = textOf(groupValue);
    const last = groups.at(-1);
    if (last?.text === text) last.count++;
    else groups.push({ value: plain(groupValue), count: 1, text });
  }
  return groups.map(({ value, count }) => ({ value, count }));
}

/** Before the first one. */
const NO_FILE: FileFacts = { path: "", size: 0, mtime: 0, ctime: 0, tags: [], properties: {}, links: [] };

/** Evaluates the expressions of one query, and collects what went wrong. */
class Evaluation {
  readonly #plan: Plan;
  readonly #scope: Scope & { file: FileFacts };
  /** The values of the formulas for the file of the scope, and those that are being evaluated. */
  readonly #formulas = new Map<string, Value>();
  readonly #running: string[] = [];
  readonly #faults = new Map<string, number>();

  constructor(plan: Plan, table: FileTable, { now, zone }: Clock) {
    this.#plan = plan;
    const instant = now();
    const { year, month, day } = dateOf(localTime(instant, zone).day);
    this.#scope = {
      file: NO_FILE,
      shownIn: plan.shownIn === undefined ? undefined : table.file(plan.shownIn),
      world: table,
      now: instant,
      today: new DateValue(new Date(year, month - 1, day).getTime(), { isDay: true }),
      budget: new Budget(STEPS),
      locals: {},
      formula: (name) => this.#formula(name),
    };
  }

  /** For one file at a time: one object serves all of 100,000 files. */
  scopeOf(file: IndexedFile): Scope {
    this.#scope.file = file;
    if (this.#formulas.size > 0) this.#formulas.clear();
    return this.#scope;
  }

  #formula(name: string): Value {
    const before = this.#formulas.get(name);
    if (before !== undefined) return before;
    const evaluate = this.#plan.formulas.get(name);
    if (evaluate === undefined) throw new EvaluationFault(`There is no formula "${name}".`);
    if (this.#running.includes(name)) throw new EvaluationFault(`formula.${name} needs its own value.`);
    this.#running.push(name);
    try {
      const value = evaluate(this.#scope);
      this.#formulas.set(name, value);
      return value;
    } finally {
      this.#running.pop();
    }
  }

  /** Null if it has no value, which is remembered under the name of what was evaluated. */
  value(name: string, evaluate: Evaluate, scope: Scope): Value {
    try {
      return evaluate(scope);
    } catch (error) {
      if (!(error instanceof EvaluationFault) && !(error instanceof ExpressionFault)) throw error;
      const fault = `${name}: ${error.message}`;
      this.#faults.set(fault, (this.#faults.get(fault) ?? 0) + 1);
      return null;
    }
  }

  /** The same for a cell of the result, which is made after the query: by then it is too late to fail. */
  plain(name: string, evaluate: Evaluate, scope: Scope): Plain {
    try {
      return plain(this.value(name, evaluate, scope));
    } catch (error) {
      if (!(error instanceof TooCostly)) throw error;
      this.#faults.set(`${name}: ${error.message}`, 1);
      return null;
    }
  }

  summary(name: string, evaluate: Evaluate, values: readonly Value[], file: IndexedFile | undefined): Value {
    if (file === undefined) return null;
    return this.value(`summary ${name}`, evaluate, { ...this.scopeOf(file), locals: { values } });
  }

  warnings(): string[] {
    const faults = [...this.#faults].map(([fault, count]) =>
      count === 1 ? fault : `${fault} (${counted(count, "file")})`,
    );
    return [...this.#plan.warnings, ...faults].slice(0, MAX_WARNINGS);
  }
}
