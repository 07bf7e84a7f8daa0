// The plain text of an editor's Lexical JSON: the content of its input box, if
// the text itself was not stored. Pure; used by Cursor.
import { parseJson } from "../../../kernel/kernel.ts";

/** Deeper nodes are ignored. */
const DEEPEST = 50;

interface Node {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly mentionName?: unknown;
  readonly children?: unknown;
}

export function plainTextOf(rich: unknown): string {
  const root = typeof rich === "string" && rich.startsWith("{") ? parseJson(rich) : rich;
  const node = (root as { root?: Node } | null | undefined)?.root ?? (root as Node | null | undefined);
  return node === null || node === undefined ? "" : textOf(node, 0).trim();
}

function textOf(node: Node, depth: number): string {
  if (depth > DEEPEST || typeof node !== "object" || node === null) return "";
  if (typeof node.text === "string") return node.text;
  if (node.type === "linebreak") return "\n";
  if (typeof node.mentionName === "string") return node.mentionName;
  if (!Array.isArray(node.children)) return "";
  const text = node.children.map((child) => textOf(child as Node, depth + 1)).join("");
  return node.type === "paragraph" || node.type === "code" || node.type === "listitem" ? `${text}\n` : text;
}
