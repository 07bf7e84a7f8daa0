// The names of the properties that an expression reads. Used by query/, which warns
// of names that no note has.
import { METHODS } from "../functions/functions.ts";
import { parseExpression } from "./parser.ts";
import type { Node } from "./syntax-tree.ts";

/** Names that are not properties. */
const ROOTS = new Set(["file", "this", "formula", "note"]);

/** @throws ExpressionFault if the expression cannot be read */
export function propertiesIn(source: string): readonly string[] {
  const names = new Set<string>();
  const visit = (node: Node, locals: readonly string[]): void => {
    const own = ownProperty(node);
    if (own !== undefined) {
      if (!locals.includes(own)) names.add(own);
      return;
    }
    if (node.kind === "method") {
      const method = METHODS.list[node.name];
      const inner = method !== undefined && "locals" in method ? [...locals, ...method.locals] : locals;
      visit(node.object, locals);
      for (const given of node.given) visit(given, inner);
      return;
    }
    for (const child of childrenOf(node)) visit(child, locals);
  };
  visit(parseExpression(source), []);
  return [...names];
}

/** `rating`, `note.rating` or `note["rating"]`. */
function ownProperty(node: Node): string | undefined {
  if (node.kind === "name") return ROOTS.has(node.name) ? undefined : node.name;
  if (node.kind !== "member" && node.kind !== "element") return undefined;
  if (node.object.kind !== "name" || node.object.name !== "note") return undefined;
  if (node.kind === "member") return node.name;
  return node.index.kind === "literal" && typeof node.index.value === "string" ? node.index.value : undefined;
}

function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "literal":
    case "pattern":
    case "name":
      return [];
    case "list":
      return node.items;
    case "object":
      return node.entries.map(([, value]) => value);
    case "member":
      return [node.object];
    case "element":
      return [node.object, node.index];
    case "call":
      return node.given;
    case "method":
      return [node.object, ...node.given];
    case "unary":
      return [node.operand];
    case "binary":
      return [node.left, node.right];
  }
}
