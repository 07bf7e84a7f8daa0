// JSON as people write it in configuration files: with comments and commas at
// the end. Read into nodes that know where they stand in the text, so that
// jsonc-edits.ts can change one of them and leave every other character alone.
import { lineNumberAt } from "./note-text.ts";
import { Problem } from "./problem.ts";

export type JsonNode = JsonObject | JsonArray | JsonScalar;

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface JsonObject extends Span {
  readonly kind: "object";
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  readonly key: string;
  /** Of the key's quotation mark. */
  readonly start: number;
  readonly value: JsonNode;
  /** Where the comma after it is; undefined for a last one without. */
  readonly comma: number | undefined;
}

export interface JsonArray extends Span {
  readonly kind: "array";
  readonly items: readonly JsonNode[];
}

export interface JsonScalar extends Span {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
}

/** More than any configuration has; a reader that calls itself must end somewhere. */
const DEEPEST = 200;

const TRIVIA = /(?:[ \t\r\n]+|\/\/[^\r\n]*|\/\*[^]*?\*\/)*/y;
// The characters below a blank are those that JSON wants escaped.
// Written so that a string of megabytes is one step, not one for each character.
// oxlint-disable-next-line no-control-regex
const STRING = /"[^"\\\u0000-\u001F]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001F]*)*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b/y;

/** The one value of a text. Refuses what is not JSON even with comments, and says in which line. */
export function parseJsonc(text: string): JsonNode {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.skip();
  if (reader.at < text.length) throw reader.unexpected();
  return value;
}

/** What a program makes of a node. Of a key that is there twice the last counts, as for JSON.parse. */
export function valueOf(node: JsonNode): unknown {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "array":
      return node.items.map(valueOf);
    case "object":
      return Object.fromEntries(node.members.map(({ key, value }) => [key, valueOf(value)]));
  }
}

export function memberOf(node: JsonObject, key: string): JsonMember | undefined {
  return node.members.findLast((member) => member.key === key);
}

class Reader {
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  skip(): void {
    this.#match(TRIVIA);
  }

  value(depth: number): JsonNode {
    this.skip();
    if (depth > DEEPEST) throw new Problem("invalid", "It is nested too deeply.");
    const start = this.at;
    const first = this.#text[start];
    if (first === "{") return { kind: "object", start, members: this.#members(depth), end: this.at };
    if (first === "[") return { kind: "array", start, items: this.#items(depth), end: this.at };
    const source = first === '"' ? this.#match(STRING) : this.#match(SCALAR);
    if (source === "") throw this.unexpected();
    return { kind: "scalar", start, value: JSON.parse(source) as JsonScalar["value"], end: this.at };
  }

  #members(depth: number): JsonMember[] {
    const members: JsonMember[] = [];
    this.at++;
    for (;;) {
      this.skip();
      if (this.#take("}")) return members;
      const start = this.at;
      const key = this.#match(STRING);
      if (key === "") throw this.unexpected();
      this.skip();
      if (!this.#take(":")) throw this.unexpected();
      const value = this.value(depth + 1);
      this.skip();
      const comma = this.#take(",") ? this.at - 1 : undefined;
      members.push({ key: JSON.parse(key) as string, start, value, comma });
      if (comma === undefined && this.#text[this.at] !== "}") throw this.unexpected();
    }
  }

  #items(depth: number): JsonNode[] {
    const items: JsonNode[] = [];
    this.at++;
    for (;;) {
      this.skip();
      if (this.#take("]")) return items;
      items.push(this.value(depth + 1));
      this.skip();
      if (!this.#take(",") && this.#text[this.at] !== "]") throw this.unexpected();
    }
  }

  #take(character: string): boolean {
    if (this.#text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  unexpected(): Problem {
    if (this.at >= this.#text.length) return new Problem("invalid", "It ends too early.");
    const character = String.fromCodePoint(this.#text.codePointAt(this.at)!);
    return new Problem(
      "invalid",
      `${JSON.stringify(character)} is unexpected in line ${lineNumberAt(this.#text, this.at)}.`,
    );
  }
}
