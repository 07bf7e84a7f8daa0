// The front door of query/: notes by their properties, or the view of a base, from
// the index without reading a note. Used by the tool vaultLibrarian_query.
import { nearestFirst, Problem, shortened } from "../../kernel/kernel.ts";
import { readNoteText } from "../../markdown/markdown.ts";
import { parseVaultPath } from "../../files/files.ts";
import type { Freshness } from "../../search/search.ts";
import { meantPlace } from "../meant-place.ts";
import { missingNote } from "../notes/missing-note.ts";
import type { FileTable } from "../note-index/file-table.ts";
import type { Vault } from "../vault.ts";
import { compileExpression, type Evaluate } from "../bases/bases.ts";
import { type BaseView, readBase, viewOf } from "./base-view.ts";
import { askedExpression, compiled, compileSorting, type Plan } from "./plan.ts";
import { type QueryResult, runPlan } from "./run.ts";
import { hasProperty, unknownProperties } from "./unknown-properties.ts";
import { compileWhere } from "./where.ts";

export interface Question {
  /** An expression, or conditions as an object. */
  readonly where?: unknown;
  /** Properties or expressions. */
  readonly select?: readonly string[] | undefined;
  readonly sort?: readonly string[] | undefined;
  readonly group?: string | undefined;
  /** A `.base` file by path or name. */
  readonly base?: string | undefined;
  /** A view of that base; by default the first one. */
  readonly view?: string | undefined;
  /** The note that the base is shown in; by default the base itself. */
  readonly shownIn?: string | undefined;
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface QueryAnswer extends QueryResult {
  readonly base: string | undefined;
  readonly view: Omit<BaseView, "plan"> | undefined;
  /** Those of the warnings that are about properties that no note has. */
  readonly unknown: readonly string[];
  readonly freshness: Freshness;
}

export async function queryVault(vault: Vault, question: Question): Promise<QueryAnswer> {
  const { signal } = question;
  const { answer: table, ...freshness } = await vault.index.files(signal);
  const shownIn = question.shownIn === undefined ? undefined : await noteNamed(vault, question.shownIn);
  const base = question.base === undefined ? undefined : baseNamed(table, question.base);
  const view = base === undefined ? undefined : await viewIn(vault, base, question.view);
  if (view === undefined && question.view !== undefined)
    throw new Problem("invalid", "view needs a base.", "Name the .base file in base.");
  const asked = {
    ...question,
    select: question.select?.flatMap((item) => parted(item, table)),
    sort: question.sort?.flatMap((item) => parted(item, table)),
  };
  const isProperty = knownProperties(table);
  const expressionOf = (reference: string) => askedExpression(reference, isProperty);
  const plan = planOf(asked, view, shownIn ?? base, (reference) => compileExpression(expressionOf(reference)));
  const answer = await runPlan(plan, table, { clock: vault.clock, signal });
  const unknown = unknownProperties(asked, table, expressionOf);
  return {
    ...answer,
    unknown,
    warnings: () => [...unknown, ...answer.warnings()],
    base,
    view: view && withoutPlan(view),
    freshness,
  };
}

/** Returns whether some note has a property of a name; each name is looked up once. */
function knownProperties(table: FileTable): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    let isKnown = known.get(name);
    if (isKnown === undefined) known.set(name, (isKnown = hasProperty(table, name)));
    return isKnown;
  };
}

/** Several columns in one text: `rating, year`. An expression has commas within brackets or quotes only. */
function parted(item: string, table: FileTable): readonly string[] {
  if (!item.includes(",") || hasProperty(table, item.trim())) return [item];
  const parts = item.match(/(?:"[^"]*"|'[^']*'|\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^[\]]*\]|[^,])+/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function withoutPlan({ plan: _, ...view }: BaseView): Omit<BaseView, "plan"> {
  return view;
}

async function viewIn({ root }: Vault, path: string, view: string | undefined): Promise<BaseView> {
  const content = await root.read(parseVaultPath(path));
  if (content === undefined) throw new Problem("not_found", `Base not found: ${path}`);
  return viewOf(path, readBase(path, readNoteText(content.bytes).text), view);
}

/** The caller's arguments narrow the view, or replace its columns and order. */
function planOf(
  { where, select, sort, group, limit }: Question,
  view: BaseView | undefined,
  shownIn: string | undefined,
  compile: (reference: string) => Evaluate,
): Plan {
  const filter = where === undefined ? () => true : compileWhere(where, compile);
  const columns = select?.map((name) => ({ name, evaluate: compiled(`select "${shortened(name)}"`, name, compile) }));
  const sorting = sort?.map((sent) => compileSorting(sent, compile));
  const grouping =
    group === undefined
      ? undefined
      : { name: group.replace(/(?<!\s)\s+(?:asc|desc)$/i, ""), ...compileSorting(group, compile) };
  if (view === undefined)
    return {
      filter,
      // Somebody who asks for other files names their extension.
      notesOnly: !/\bfile\.ext\b/.test(JSON.stringify(where) ?? ""),
      formulas: new Map(),
      columns: columns ?? [],
      sort: sorting ?? [],
      group: grouping,
      limit,
      summaries: [],
      shownIn,
      warnings: [],
    };
  const { plan } = view;
  const own = plan.filter;
  return {
    ...plan,
    filter: where === undefined ? own : (scope) => Boolean(own(scope)) && filter(scope),
    columns: columns ?? plan.columns,
    sort: sorting ?? plan.sort,
    group: grouping ?? plan.group,
    limit: Math.min(limit ?? Number.POSITIVE_INFINITY, plan.limit ?? Number.POSITIVE_INFINITY),
    shownIn,
  };
}

async function noteNamed(vault: Vault, sent: string): Promise<string> {
  const place = await meantPlace(vault, sent);
  if (place?.kind === "file") return place.path;
  throw await missingNote(vault, sent);
}

const EXTENSION = ".base";

/** By path, or by name as a link has it. */
function baseNamed(table: FileTable, sent: string): string {
  const target = sent.replace(/^!?\[\[|\]\]$/g, "").replace(/[|#].*$/s, "");
  const isWhole = target.toLowerCase().endsWith(EXTENSION);
  const path = (isWhole ? undefined : table.resolve(target + EXTENSION, "")) ?? table.resolve(target, "");
  if (path?.toLowerCase().endsWith(EXTENSION)) return path;
  const bases = table.files.filter((file) => file.path.toLowerCase().endsWith(EXTENSION));
  const paths = bases.map((file) => file.path);
  const names = nearestFirst(sent, paths)
    .slice(0, 5)
    .map((path) => `'${path}'`);
  throw new Problem(
    "not_found",
    `Base not found: ${sent}`,
    names.length === 0 ? undefined : `There is ${names.join(", ")}${bases.length > 5 ? " and others" : ""}.`,
  );
}
