// Parses an expression by operator precedence (Pratt). Used by compiler.ts.
import { meantBy, tokensOf, type Token } from "./lexer.ts";
import { ExpressionFault } from "./problems.ts";
import type { BinaryOperator, Node } from "./syntax-tree.ts";

/** How deeply an expression may be nested: deeper ones would overflow the stack. */
const MAX_DEPTH = 100;

const PRECEDENCE: Readonly<Record<string, number>> = {
  "||": 1,
  "&&": 2,
  "==": 3,
  "!=": 3,
  ">": 4,
  "<": 4,
  ">=": 4,
  "<=": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
  "%": 6,
};
const UNARY = 7;
const POSTFIX = 8;

/** Operators that people write who know JavaScript. */
const SYNONYMS: Readonly<Record<string, string>> = { "===": "==", "!==": "!=" };

export function parseExpression(source: string): Node {
  const parser = new Parser(tokensOf(source));
  const node = parser.expression(0, 0);
  parser.expectEnd();
  return node;
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  expression(least: number, depth: number): Node {
    if (depth > MAX_DEPTH) throw new ExpressionFault(`The expression is nested more than ${MAX_DEPTH} levels deep.`);
    let left = this.#prefix(depth);
    // A long chain is as deep as a nested expression once it is evaluated.
    for (let chain = 0; ; chain++) {
      const token = this.#peek();
      if (token.kind !== "mark") return left;
      if (chain > 2 * MAX_DEPTH)
        throw new ExpressionFault(`The expression chains more than ${2 * MAX_DEPTH} operations.`);
      const operator = SYNONYMS[token.value] ?? token.value;
      if (operator === "." || operator === "[") {
        if (POSTFIX < least) return left;
        this.#next++;
        left = operator === "." ? this.#member(left, depth) : this.#element(left, depth);
        continue;
      }
      const precedence = PRECEDENCE[operator];
      if (precedence === undefined || precedence < least) return left;
      this.#next++;
      const right = this.expression(precedence + 1, depth + 1);
      left = { kind: "binary", operator: operator as BinaryOperator, left, right };
    }
  }

  expectEnd(): void {
    const token = this.#peek();
    if (token.kind !== "end") throw unexpected(token);
  }

  #prefix(depth: number): Node {
    const token = this.#take();
    switch (token.kind) {
      case "number":
      case "string":
        return { kind: "literal", value: token.value };
      case "pattern":
        return { kind: "pattern", source: token.source, flags: token.flags };
      case "name":
        return this.#named(token.value, depth);
      case "mark":
        return this.#marked(token, depth);
      case "end":
        throw unexpected(token);
    }
  }

  #named(name: string, depth: number): Node {
    if (name === "true" || name === "false") return { kind: "literal", value: name === "true" };
    if (name === "null" || name === "undefined") return { kind: "literal", value: null };
    if (!this.#takeMark("(")) return { kind: "name", name };
    return { kind: "call", name, given: this.#list(")", depth) };
  }

  #marked(token: Token & { readonly kind: "mark" }, depth: number): Node {
    switch (token.value) {
      case "(": {
        const inner = this.expression(0, depth + 1);
        this.#expectMark(")");
        return inner;
      }
      case "[":
        return { kind: "list", items: this.#list("]", depth) };
      case "{":
        return { kind: "object", entries: this.#entries(depth) };
      case "!":
      case "-":
        return { kind: "unary", operator: token.value, operand: this.expression(UNARY, depth + 1) };
      case "+":
        return this.expression(UNARY, depth + 1);
      default:
        throw unexpected(token);
    }
  }

  #member(object: Node, depth: number): Node {
    const token = this.#take();
    if (token.kind !== "name") throw unexpected(token);
    if (!this.#takeMark("(")) return { kind: "member", object, name: token.value };
    return { kind: "method", object, name: token.value, given: this.#list(")", depth) };
  }

  #element(object: Node, depth: number): Node {
    const index = this.expression(0, depth + 1);
    this.#expectMark("]");
    return { kind: "element", object, index };
  }

  #list(close: string, depth: number): Node[] {
    const items: Node[] = [];
    while (!this.#takeMark(close)) {
      items.push(this.expression(0, depth + 1));
      if (!this.#takeMark(",")) {
        this.#expectMark(close);
        break;
      }
    }
    return items;
  }

  #entries(depth: number): [string, Node][] {
    const entries: [string, Node][] = [];
    while (!this.#takeMark("}")) {
      const key = this.#take();
      if (key.kind !== "name" && key.kind !== "string" && key.kind !== "number") throw unexpected(key);
      this.#expectMark(":");
      entries.push([String(key.value), this.expression(0, depth + 1)]);
      if (!this.#takeMark(",")) {
        this.#expectMark("}");
        break;
      }
    }
    return entries;
  }

  #peek(): Token {
    return this.#tokens[this.#next]!;
  }

  #take(): Token {
    const token = this.#peek();
    if (token.kind !== "end") this.#next++;
    return token;
  }

  #takeMark(mark: string): boolean {
    const token = this.#peek();
    if (token.kind !== "mark" || token.value !== mark) return false;
    this.#next++;
    return true;
  }

  #expectMark(mark: string): void {
    if (!this.#takeMark(mark)) throw unexpected(this.#peek(), `, expected "${mark}"`);
  }
}

function unexpected(token: Token, expected = ""): ExpressionFault {
  if (token.kind === "end") return new ExpressionFault(`The expression ends too early${expected}.`);
  const shown = token.kind === "pattern" ? `/${token.source}/` : String(token.value);
  return new ExpressionFault(
    `Unexpected ${JSON.stringify(shown)} at position ${token.at + 1}${meantBy(shown) || expected}.`,
  );
}
