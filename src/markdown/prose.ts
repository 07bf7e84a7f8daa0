// The words of Markdown as a person reads them: without embeds, link targets,
// table pipes, block ids, comments and other marks. For the snippets of searches.
import { scanMarkdown, type Passage } from "./scanner/scanner.ts";

interface ProseOptions {
  /** Keeps the names of embedded files and the targets of links, which may be what was searched for. */
  readonly keepsTargets?: boolean;
}

/** Lines stay lines, so that a snippet can begin with a paragraph. */
export function proseOf(text: string, { keepsTargets = false }: ProseOptions = {}): string {
  const { notProse, blockIds, frontmatter } = scanMarkdown(text);
  // Code and the like are replaced by numbers while the marks of prose are removed.
  const kept: string[] = [];
  const aside = (words: string) => `${OPEN}${kept.push(words) - 1}${CLOSE}`;
  const spans = [
    ...notProse.map((passage) => ({ ...passage, words: wordsOf(text, passage) })),
    ...blockIds.map(({ start, end }) => ({ start, end, words: "" })),
  ].toSorted((a, b) => a.start - b.start);
  let masked = "";
  let position = frontmatter?.end ?? 0;
  for (const { start, end, words } of spans) {
    if (start < position) continue;
    masked += text.slice(position, start).replace(MASKS, "") + (words === "" ? "" : aside(words));
    position = end;
  }
  masked += text.slice(position).replace(MASKS, "");
  return withoutMarks(masked, keepsTargets).replace(MASKED, (_, number: string) => kept[Number(number)]!);
}

/** Characters that no text may contain by Unicode's rules. */
const [OPEN, CLOSE] = ["\uFDD0", "\uFDD1"];
const MASKS = new RegExp(`[${OPEN}${CLOSE}]`, "g");
const MASKED = new RegExp(`${OPEN}(\\d+)${CLOSE}`, "g");

function wordsOf(text: string, { kind, start, end }: Passage): string {
  const source = text.slice(start, end);
  if (kind === "frontmatter" || kind === "comment") return "";
  if (kind === "maths") return source;
  const fence = /^(`{3,}|~{3,})[^\n]*\n/.exec(source);
  if (fence === null) return source.replace(/^(`+)([^]*)\1$/, "$2").trim();
  return source.slice(fence[0].length).replace(/(?:^|\n)[ \t]*(?:`{3,}|~{3,})[ \t]*$/, "");
}

function withoutMarks(text: string, keepsTargets: boolean): string {
  const linked = text
    .replace(EMBED, keepsTargets ? "$1" : "")
    .replace(IMAGE, "$1")
    .replace(WIKILINK, keepsTargets ? "$1 $2" : "$2")
    .replace(LINK, "$1");
  const lines = linked.split("\n");
  const read: string[] = [];
  let isTable = false;
  for (const [i, line] of lines.entries()) {
    const bare = line.replace(QUOTE, "");
    const isRule = RULE.test(bare);
    const isDelimiter = isTableDelimiter(bare);
    isTable =
      bare.includes("|") && (isTable || isDelimiter || isTableDelimiter((lines[i + 1] ?? "").replace(QUOTE, "")));
    if (isRule || isDelimiter || DEFINITION.test(bare)) continue;
    read.push(isTable ? cellsOf(bare).join(", ") : headingText(bare.replace(CALLOUT, "")));
  }
  return read.join("\n").replace(EMPHASIS, "").replace(LINE_BREAK, " ").replace(ESCAPE, "$1");
}

/** Every quantifier has a limit, so that no text takes long. */
const EMBED = /!\[\[([^[\]\n]{0,500})\]\]/g;
const IMAGE = /!\[([^[\]\n]{0,500})\]\([^()\n]{0,1000}\)/g;
const WIKILINK = /\[\[(?:([^[\]\n|]{0,500})\|)?([^[\]\n|]{1,500})\]\]/g;
const LINK = /\[([^[\]\n]{1,500})\]\((?:[^()\n]|\([^()\n]{0,300}\)){0,1000}\)/g;
const QUOTE = /^[ \t]{0,20}(?:>[ \t]?){1,20}/;
const CALLOUT = /^\[![\w-]{1,30}\][-+]?[ \t]*/;
const RULE = /^[ \t]{0,3}(?:(?:-[ \t]*){3,100}|(?:\*[ \t]*){3,100}|(?:_[ \t]*){3,100})\r?$/;
const DEFINITION = /^ {0,3}\[[^\]^\n][^\]\n]{0,200}\]:[ \t]+\S+[ \t]*\r?$/;
const EMPHASIS =
  /(?<![\w*\\])\*{1,3}(?=[^\s*])|(?<=[^\s*\\])\*{1,3}(?![\w*])|(?<![\w\\])_{1,3}(?=[^\s_])|(?<=[^\s_\\])_{1,3}(?!\w)|(?<![=\w])==(?=[^\s=])|(?<=[^\s=])==(?![=\w])|~~(?=\S)|(?<=\S)~~/g;
const LINE_BREAK = /<br[ \t]{0,5}\/?>|&nbsp;/gi;
const ESCAPE = /\\([\\`*_{}[\]()#+.!|>~-])/g;

function isTableDelimiter(line: string): boolean {
  return line.includes("-") && line.includes("|") && /^[ \t|:-]+\r?$/.test(line);
}

function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "");
}

/** On one line with what follows, a heading needs an end. */
function headingText(line: string): string {
  if (!/^ {0,3}#{1,6}[ \t]/.test(line)) return line;
  const heading = line
    .trim()
    .replace(/^#+/, "")
    .replace(/[ \t]#{1,6}$/, "")
    .trim();
  return heading === "" || /[.:!?…]$/.test(heading) ? heading : `${heading}:`;
}
