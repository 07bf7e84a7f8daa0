// Statements with their values, as template literals: each value is sent beside
// the statement, never as a part of it. Used by store.ts and by tests.
import { Problem } from "../kernel/kernel.ts";

export type Row = Readonly<Record<string, unknown>>;

type Single = string | number | boolean | Uint8Array | null;
export type Value = Single | readonly Single[];

export interface TaggedQuery {
  (strings: TemplateStringsArray, ...values: readonly Value[]): Promise<readonly Row[]>;
  /** Runs a statement that is put together from parts of our own; its values are $1, $2 … */
  readonly run: (statement: string, values: readonly Value[]) => Promise<readonly Row[]>;
  /** Asks a function of our schema for its one value. */
  readonly call: (name: string, values: readonly Value[]) => Promise<unknown>;
  /** Runs statements without values, of our own making. */
  readonly script: (statements: string) => Promise<void>;
}

/** Work on the rows of a store. */
export type Work<T> = (sql: TaggedQuery) => Promise<T>;

export type Send = (statement: string, values?: readonly unknown[]) => Promise<{ readonly rows: readonly Row[] }>;

export function taggedQuery(sendUnchecked: Send): TaggedQuery {
  const send: Send = async (statement, values) => {
    checkTexts(values);
    return sendUnchecked(statement, values);
  };
  const query = async (strings: TemplateStringsArray, ...values: readonly unknown[]) => {
    const statement = strings.reduce((before, text, i) => `${before}$${i}${text}`);
    return (await send(statement, values)).rows;
  };
  return Object.assign(query, {
    run: async (statement: string, values: readonly Value[]) => (await send(statement, values)).rows,
    call: async (name: string, values: readonly Value[]) =>
      (await send(`SELECT ${calling(name, values)} AS value`, values)).rows[0]!["value"],
    script: async (statements: string) => void (await send(statements)),
  });
}

/** The call of a function of our schema. @param before how many values the statement has before those of the call */
export function calling(name: string, values: readonly unknown[], before = 0): string {
  return `commonplace.${name}(${values.map((_, i) => `$${before + i + 1}`).join(", ")})`;
}

export function checkTexts(values: readonly unknown[] | undefined): void {
  if (values?.some(hasNul)) throw new Problem("invalid", "A text has a NUL character in it. Send it without.");
}

/** PostgreSQL has no texts with a NUL. */
function hasNul(value: unknown): boolean {
  return typeof value === "string" ? value.includes("\0") : Array.isArray(value) && value.some(hasNul);
}
