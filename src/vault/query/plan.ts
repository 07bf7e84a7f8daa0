// What a query does, whether it was asked for by arguments or by the view of a
// base: filters, columns, sort, group, limit and summaries, all compiled. Made by
// asked-query.ts and base-view.ts, carried out by run.ts.
import { Problem } from "../../kernel/kernel.ts";
import { compileExpression, type Evaluate, ExpressionFault, type Value } from "../bases/bases.ts";

export interface Plan {
  /** A file is in the result if this is truthy. */
  readonly filter: Evaluate;
  readonly notesOnly: boolean;
  readonly formulas: ReadonlyMap<string, Evaluate>;
  readonly columns: readonly Column[];
  readonly sort: readonly Sorting[];
  readonly group: (Sorting & { readonly name: string }) | undefined;
  readonly limit: number | undefined;
  readonly summaries: readonly {
    readonly column: string;
    readonly name: string;
    readonly of: Evaluate;
    readonly summarize: Summarize;
  }[];
  /** The path of the file that the base is shown in. */
  readonly shownIn: string | undefined;
  /** What could not be read, as sentences; the rest of the query works. */
  readonly warnings: readonly string[];
}

export interface Column {
  readonly name: string;
  readonly evaluate: Evaluate;
}

export interface Sorting {
  readonly evaluate: Evaluate;
  readonly direction: 1 | -1;
}

/** The summary of a column, from its values in all rows. */
export type Summarize = (
  values: readonly Value[],
  run: (evaluate: Evaluate, values: readonly Value[]) => Value,
) => Value;

/** Characters that no name of a property is expected to have. */
const EXPRESSION = /[()[\]"'+*/<>=!&|{}]/;

/** `rating`, `due date`, `note.rating`, `file.name`, `formula.age`, or an expression. */
export function compileReference(reference: string): Evaluate {
  const [, kind, rest] = /^(note|formula)\.(.+)$/s.exec(reference) ?? [];
  if (kind !== undefined && !EXPRESSION.test(rest!)) return compileExpression(`${kind}[${JSON.stringify(rest)}]`);
  if (EXPRESSION.test(reference) || /^(?:file|this)(?:\.|$)/.test(reference)) return compileExpression(reference);
  // `address.city` is a part of a property, `due date` and `due-date` are names.
  if (/^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)+$/u.test(reference)) return compileExpression(reference);
  return compileExpression(`note[${JSON.stringify(reference)}]`);
}

/** Compiles what the caller wrote: a mistake in it ends the call. */
export function compiled(what: string, source: string, compile: (source: string) => Evaluate): Evaluate {
  try {
    return compile(source);
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    throw new Problem("invalid", `${what}: ${error.message}`, "docs/bases.md lists the functions of expressions.");
  }
}

/** `rating desc`, `-rating`, `file.name`. */
export function compileSorting(sent: string): Sorting {
  const [, minus, name, direction] = /^(-?)(.*?)(?:\s+(asc|desc))?$/is.exec(sent.trim())!;
  const isDescending = minus === "-" || direction?.toLowerCase() === "desc";
  return { evaluate: compiled(`sort "${sent}"`, name!, compileReference), direction: isDescending ? -1 : 1 };
}
