// Puts a statement together from conditions of our own and values that are sent
// beside it. Used by what reads conversations and notes from a shared store.
import type { Row, TaggedQuery, Value } from "./tagged-query.ts";

/** The values of one statement; each is named where it is used. */
export class Values {
  readonly all: Value[] = [];

  /** What stands for a value in the statement. */
  add(value: Value, type?: string): string {
    this.all.push(value);
    return type === undefined ? `$${this.all.length}` : `$${this.all.length}::${type}`;
  }
}

/** A condition on the rows of a table; undefined if each of them passes. */
export type Condition = ((values: Values) => string) | undefined;

export async function select(sql: TaggedQuery, statement: (values: Values) => string): Promise<readonly Row[]> {
  const values = new Values();
  return sql.run(statement(values), values.all);
}
