// Parses plain lists: one row per line, nested by indentation, without markers. A
// text without Markdown rows is one if some line is indented more than the line
// right above it. Used by markdown.ts.
import { findFrontmatter, trimWhiteEnd } from "../../../markdown/markdown.ts";
import { columnOf } from "./text.ts";
import type { MarkdownRow } from "./scan.ts";
import { NONE, TOP } from "../parsed-outline.ts";

/** Returns no rows if the text is not a plain list. */
export function scanPlainList(text: string): MarkdownRow[] {
  const rows: MarkdownRow[] = [];
  /** Open rows, outermost first. */
  const open: number[] = [];
  let isList = false;
  let before = Number.POSITIVE_INFINITY;
  const first = findFrontmatter(text)?.end ?? 0;
  for (let start = first, next = first; start < text.length; start = next) {
    const newline = text.indexOf("\n", start);
    next = newline === -1 ? text.length : newline + 1;
    const line = text.slice(start, newline === -1 ? text.length : newline).replace(/\r$/, "");
    const indent = /^[ \t]*/.exec(line)![0];
    const column = columnOf(indent);
    if (indent.length === line.length) {
      before = Number.POSITIVE_INFINITY;
      continue;
    }
    isList ||= column > before;
    before = column;
    while (open.length > 0 && columnOf(rows[open.at(-1)!]!.indent) >= column) open.pop();
    const parent = open.at(-1) ?? TOP;
    const topic = start + indent.length;
    const row = { parent, heading: 0, isUnderlined: false, start, lineEnd: start + line.length, indent, marker: "" };
    const content = {
      content: topic,
      contentColumn: column,
      state: NONE,
      topic,
      topicEnd: start + trimWhiteEnd(line).length,
    };
    open.push(rows.push({ ...row, ...content, note: -1, noteEnd: -1, end: next }) - 1);
    for (let each = parent; each !== TOP; each = rows[each]!.parent) rows[each]!.end = next;
  }
  return isList ? rows : [];
}
