// The nodes of a parsed expression. Made by parser.ts, used by compiler.ts.
export type Node =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "pattern"; readonly source: string; readonly flags: string }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "list"; readonly items: readonly Node[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [key: string, value: Node])[] }
  | { readonly kind: "member"; readonly object: Node; readonly name: string }
  | { readonly kind: "element"; readonly object: Node; readonly index: Node }
  | { readonly kind: "call"; readonly name: string; readonly given: readonly Node[] }
  | { readonly kind: "method"; readonly object: Node; readonly name: string; readonly given: readonly Node[] }
  | { readonly kind: "unary"; readonly operator: "!" | "-"; readonly operand: Node }
  | { readonly kind: "binary"; readonly operator: BinaryOperator; readonly left: Node; readonly right: Node };

export type BinaryOperator = "||" | "&&" | "==" | "!=" | ">" | "<" | ">=" | "<=" | "+" | "-" | "*" | "/" | "%";
