// What TOML is made of: values, and the statements that give them names. Shared
// by its reader, by toml-tables.ts and by toml-edits.ts.

/** Numbers and dates as they are written. */
export class TomlScalar {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

export type TomlValue = string | boolean | TomlScalar | TomlValue[] | TomlTable;
export interface TomlTable {
  [key: string]: TomlValue;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface TomlHeader extends Span {
  readonly kind: "table" | "item of a list";
  readonly path: readonly string[];
}

export interface TomlPair extends Span {
  readonly kind: "pair";
  /** The table it stands in, and then its own keys. */
  readonly path: readonly string[];
  readonly value: TomlValue;
  readonly valueStart: number;
}

export type TomlStatement = TomlHeader | TomlPair;

export function isTable(value: TomlValue): value is TomlTable {
  return typeof value === "object" && !Array.isArray(value) && !(value instanceof TomlScalar);
}
