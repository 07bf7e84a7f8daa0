// Markdown as people read it: without the signs of headings, quotes, tables,
// fences, links and bold type. For snippets, which stand on one line, where
// these signs mean nothing. Works line by line, so that a part of a text can be
// made plain by itself. Pure; used by what lists search results.

/** A line that begins or ends with one pipe. */
const ROW_OF_TABLE = /^[ \t]*\|(?!\|).*$|^.*[^|\n]\|[ \t]*$/gm;

/** In this order: what stands at the beginning of a line first. */
const RULES: readonly (readonly [sign: RegExp, plain: string | ((line: string) => string)])[] = [
  // Fences, rules, underlines of headings and the second lines of tables have no words.
  [/^[ \t]*(?:`{3,}|~{3,}).*$/gm, ""],
  [/^[ \t]*[-*_=][-*_= \t]{2,}$/gm, ""],
  [/^(?=.*-{3})[ \t|:-]+$/gm, ""],
  [/^[ \t]*(?:>[ \t]?)+(?:\[![^\]\n]{1,40}\][-+]?)?/gm, ""],
  [/^[ \t]*#{1,6}[ \t]+/gm, ""],
  [ROW_OF_TABLE, cellsOf],
  [/[ \t]\^[\w-]{1,60}[ \t]*$/gm, ""],
  [/!?\[\[[^\]|\n]{1,300}\|([^\]\n]{1,300})\]\]/g, "$1"],
  [/!?\[\[([^\]\n]{1,300})\]\]/g, "$1"],
  [/(?<![\w\])])!?\[([^\]\n]{0,300})\]\([^()\s]{0,1000}\)/g, "$1"],
  [/\*\*(?=\S)([^*\n]{1,300})\*\*/g, "$1"],
];

/** The same lines without their signs; lines that have only signs are empty. */
export function plainText(markdown: string): string {
  return RULES.reduce(
    (text, [sign, plain]) => (typeof plain === "string" ? text.replace(sign, plain) : text.replace(sign, plain)),
    markdown,
  );
}

function cellsOf(row: string): string {
  return row
    .split("|")
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "")
    .join(", ");
}
