// Statements with their values, as template literals: each value is sent beside
// the statement, never as a part of it. Used by store.ts and by tests.

export type Row = Readonly<Record<string, unknown>>;

export interface TaggedQuery {
  (
    strings: TemplateStringsArray,
    ...values: readonly (string | number | null | readonly string[])[]
  ): Promise<readonly Row[]>;
  /** Runs statements without values, of our own making. */
  readonly script: (statements: string) => Promise<void>;
}

export type Send = (statement: string, values?: readonly unknown[]) => Promise<{ readonly rows: readonly Row[] }>;

export function taggedQuery(send: Send): TaggedQuery {
  const query = async (strings: TemplateStringsArray, ...values: readonly unknown[]) => {
    const statement = strings.reduce((before, text, i) => `${before}$${i}${text}`);
    return (await send(statement, values)).rows;
  };
  return Object.assign(query, { script: async (statements: string) => void (await send(statements)) });
}
