// The steps of a query, asked for by arguments or by the view of a
// base: filters, columns, sort, group, limit and summaries, all compiled. Made by
// query.ts and base-view.ts, carried out by run.ts.
import { Problem, shortened } from "../../kernel/kernel.ts";
import { compileExpression, type Evaluate, ExpressionFault, propertiesIn, type Value } from "../bases/bases.ts";

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
  /** Sentences about parts that could not be read; the rest of the query works. */
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

/** `rating`, `due date`, `note.rating`, `file.name`, `formula.age`, or an expression: as an expression. */
export function expressionOf(reference: string): string {
  const [, kind, rest] = /^(note|formula)\.(.+)$/s.exec(reference) ?? [];
  if (kind !== undefined && !EXPRESSION.test(rest!)) return `${kind}[${JSON.stringify(rest)}]`;
  if (EXPRESSION.test(reference) || /^(?:file|this)(?:\.|$)/.test(reference)) return reference;
  // `address.city` is a part of a property, `due date` and `due-date` are names.
  if (/^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)+$/u.test(reference)) return reference;
  return `note[${JSON.stringify(reference)}]`;
}

export function compileReference(reference: string): Evaluate {
  return compileExpression(expressionOf(reference));
}

/** Matches a name alone, even if no note has it: `due-date`, but not `price - 2` or `-price`. */
const NAME_ALONE = /^[\p{L}\p{N}\p{Extended_Pictographic}_$][^;`%,]*$/u;
const SPACED_OPERATOR = /\s[-?:]|-\s/;

/**
 * Reads a caller's text as an expression. Other than in the views of a base, which
 * have names only, `price-2` may be meant as a difference: a name that some note
 * has as a property is that property, and anything else that reads as an
 * expression of such properties is one.
 */
export function askedExpression(reference: string, isProperty: (name: string) => boolean): string {
  const name = reference.trim();
  const expression = expressionOf(name);
  if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) || /^(?:file|this|note|formula)(?:\.|$)/.test(name)) return expression;
  if (isProperty(name)) return `note[${JSON.stringify(name)}]`;
  if (expression === name || !NAME_ALONE.test(name) || SPACED_OPERATOR.test(name)) return name;
  return isReadable(name, isProperty) ? name : expression;
}

function isReadable(source: string, isProperty: (name: string) => boolean): boolean {
  try {
    const properties = propertiesIn(source);
    return properties.length > 0 && properties.every(isProperty);
  } catch (error) {
    if (error instanceof ExpressionFault) return false;
    throw error;
  }
}

const EXAMPLE = 'An expression looks like this: file.hasTag("book") && rating >= 8 && status != "done"';

/** Compiles what the caller wrote: a mistake in it ends the call. */
export function compiled(what: string, source: string, compile: (source: string) => Evaluate): Evaluate {
  try {
    return compile(source);
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    throw new Problem("invalid", `${what}: ${error.message}`, EXAMPLE);
  }
}

const SORTING = /^(-?)(.*?)(?:\s+(asc|desc))?$/is;

/** `rating desc`, `-rating`, `file.name`. */
export function compileSorting(sent: string, compile: (reference: string) => Evaluate): Sorting {
  const [, minus, name, direction] = SORTING.exec(sent.trim())!;
  const isDescending = minus === "-" || direction?.toLowerCase() === "desc";
  return { evaluate: compiled(`sort "${shortened(sent)}"`, name!, compile), direction: isDescending ? -1 : 1 };
}

/** Returns the property to sort by. */
export function sortedBy(sent: string): string {
  return SORTING.exec(sent.trim())![2]!;
}
