// TOML, read into statements that know where they stand in the text, so that
// toml-edits.ts can change one table and leave every other character alone.
// What a number or a date means is not asked: only that it is one.
import { lineNumberAt } from "./note-text.ts";
import { Problem } from "./problem.ts";
import { tableOf } from "./toml-tables.ts";
import {
  TomlScalar,
  type TomlHeader,
  type TomlPair,
  type TomlStatement,
  type TomlTable,
  type TomlValue,
} from "./toml-values.ts";

const BLANKS = /[ \t]*/y;
// oxlint-disable-next-line no-control-regex
const BETWEEN = /(?:[ \t\n]+|\r\n|#[^\u0000-\u0008\u000A-\u001F\u007F]*)*/y;
// oxlint-disable-next-line no-control-regex
const LINE_END = /(?:#[^\u0000-\u0008\u000A-\u001F\u007F]*)?(?:\r?\n|$)/y;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]|\r(?!\n)/;
const BARE_KEY = /[A-Za-z0-9_-]+/y;
const BASIC =
  // oxlint-disable-next-line no-control-regex
  /"(?!"")[^"\\\u0000-\u0008\u000A-\u001F\u007F]*(?:\\(?:["\\befnrt]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})[^"\\\u0000-\u0008\u000A-\u001F\u007F]*)*"|""(?!")/y;
const LITERAL = /'(?!'')[^'\r\n]*'|''(?!')/y;
// A text of several lines may end in one or two quotation marks of its own.
const LONG_BASIC = /"""(?:\r?\n)?([^"\\]*(?:(?:\\[^]|"(?!""))[^"\\]*)*"{0,2})"""/y;
const LONG_LITERAL = /'''(?:\r?\n)?([^']*(?:'(?!'')[^']*)*'{0,2})'''/y;
const NUMBER =
  /[+-]?(?:inf|nan|0x[0-9a-fA-F_]+|0o[0-7_]+|0b[01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d[\d_]*)?)(?![\w.:-])/y;
const DATE =
  /(?:\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?![\w.:-])/y;
const DEEPEST = 100;

/** Refuses what is not TOML, and says in which line. */
export function parseToml(text: string): TomlStatement[] {
  const reader = new Reader(text);
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  for (reader.skip(); !reader.isAtEnd; reader.skip()) {
    const statement = reader.statement(table);
    if (statement.kind !== "pair") table = statement.path;
    statements.push(statement);
  }
  tableOf(statements);
  return statements;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  skip(): void {
    this.#match(BETWEEN);
  }

  statement(table: readonly string[]): TomlStatement {
    const start = this.#at;
    if (this.#text[start] === "[") return this.#header(start);
    const keys = this.#keys();
    if (!this.#take("=")) throw this.#unexpected();
    this.#match(BLANKS);
    const valueStart = this.#at;
    const value = this.#value(0);
    const end = this.#at;
    this.#endLine();
    return { kind: "pair", path: [...table, ...keys], start, end, value, valueStart };
  }

  #header(start: number): TomlHeader {
    const isItem = this.#text.startsWith("[[", start);
    this.#at += isItem ? 2 : 1;
    this.#match(BLANKS);
    const path = this.#keys();
    if (!this.#take("]") || (isItem && !this.#take("]"))) throw this.#unexpected();
    const end = this.#at;
    this.#endLine();
    return { kind: isItem ? "item of a list" : "table", path, start, end };
  }

  /** One key, or several with dots between them, and the blanks behind. */
  #keys(): string[] {
    const keys: string[] = [];
    do {
      this.#match(BLANKS);
      const bare = this.#match(BARE_KEY);
      keys.push(bare === "" ? this.#shortString() : bare);
      this.#match(BLANKS);
    } while (this.#take("."));
    return keys;
  }

  #value(depth: number): TomlValue {
    if (depth > DEEPEST) throw new Problem("invalid", "It is nested too deeply.");
    const first = this.#text[this.#at];
    if (first === "[") return this.#list(depth);
    if (first === "{") return this.#inlineTable(depth);
    if (first === '"' || first === "'") return this.#string();
    for (const word of ["true", "false"])
      if (this.#match(new RegExp(`${word}(?![\\w.-])`, "y"))) return word === "true";
    const source = this.#match(DATE) || this.#match(NUMBER);
    if (source === "") throw this.#unexpected();
    return new TomlScalar(source);
  }

  #string(): string {
    const literal = this.#capture(LONG_LITERAL);
    const text = literal ?? this.#capture(LONG_BASIC);
    if (text === undefined) return this.#shortString();
    if (CONTROL.test(text)) throw new Problem("invalid", "It has a control character in a text of several lines.");
    if (literal !== undefined) return literal;
    // A backslash at the end of a line joins it with the next.
    return unescaped(text.replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\[ \t]*\r?\n[ \t\r\n]*/g, ""));
  }

  #shortString(): string {
    const literal = this.#match(LITERAL);
    if (literal !== "") return literal.slice(1, -1);
    const basic = this.#match(BASIC);
    if (basic === "") throw this.#unexpected();
    return unescaped(basic.slice(1, -1));
  }

  #list(depth: number): TomlValue[] {
    const items: TomlValue[] = [];
    this.#at++;
    for (;;) {
      this.skip();
      if (this.#take("]")) return items;
      items.push(this.#value(depth + 1));
      this.skip();
      if (!this.#take(",") && this.#text[this.#at] !== "]") throw this.#unexpected();
    }
  }

  #inlineTable(depth: number): TomlTable {
    const pairs: TomlPair[] = [];
    this.#at++;
    for (;;) {
      this.skip();
      if (this.#take("}")) return tableOf(pairs);
      const start = this.#at;
      const path = this.#keys();
      if (!this.#take("=")) throw this.#unexpected();
      this.skip();
      pairs.push({ kind: "pair", path, start, valueStart: this.#at, value: this.#value(depth + 1), end: this.#at });
      this.skip();
      if (!this.#take(",") && this.#text[this.#at] !== "}") throw this.#unexpected();
    }
  }

  #endLine(): void {
    this.#match(BLANKS);
    LINE_END.lastIndex = this.#at;
    const rest = LINE_END.exec(this.#text);
    if (rest === null) throw this.#unexpected();
    this.#at += rest[0].length;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #capture(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found[1];
  }

  #unexpected(): Problem {
    if (this.isAtEnd) return new Problem("invalid", "It ends too early.");
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at)!);
    const line = lineNumberAt(this.#text, this.#at);
    return new Problem("invalid", `${JSON.stringify(character)} is unexpected in line ${line}.`);
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  b: "\b",
  e: "\u001B",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

function unescaped(text: string): string {
  return text.replace(/\\(?:x(..)|u(.{4})|U(.{8})|([^]|$))/g, (_, two, four, eight, one: string | undefined) => {
    const code = Number.parseInt(two ?? four ?? eight, 16);
    const isScalarValue = code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
    const character = one === undefined ? isScalarValue && String.fromCodePoint(code) : ESCAPES[one];
    if (!character) throw new Problem("invalid", "It has an escape in a text that means nothing.");
    return character;
  });
}
