// Obsidian's extensions of CommonMark as rules for markdown-it: wikilinks, embeds,
// tags, highlights, comments, block ids, math and footnotes; and a few HTML tags
// without attributes. Any other HTML stays text.
import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";

type InlineRule = (state: StateInline, isSilent: boolean) => boolean;

/** A rule for a sticky regular expression. */
function matching(pattern: RegExp, write: (state: StateInline, match: RegExpExecArray) => void): InlineRule {
  return (state, isSilent) => {
    pattern.lastIndex = state.pos;
    const match = pattern.exec(state.src);
    if (match === null || pattern.lastIndex > state.posMax) return false;
    const end = pattern.lastIndex;
    if (!isSilent) write(state, match);
    state.pos = end;
    return true;
  };
}

/** `[[Target#Heading|Label]]`, or an embed if there is a `!` before it. */
const wikilink = matching(/(!?)\[\[([^[\]|\n]+)(?:\|([^[\]\n]*))?\]\]/y, (state, [, mark, target, label]) => {
  const token = state.push(mark === "!" ? "embed" : "wikilink", "", 0);
  // In a table the bar is escaped with a backslash.
  token.content = target!.replace(/\\$/, "").trim();
  token.meta = { label: label?.trim() };
});

const TAG = /#(?![\d/]+(?:[^\p{L}\p{N}_/-]|$))[\p{L}\p{N}\p{Extended_Pictographic}_/-]+/uy;
const tag: InlineRule = (state, isSilent) => {
  if (/[^\s([,;]/.test(state.src[state.pos - 1] ?? " ")) return false;
  return matching(TAG, (at, [text]) => void (at.push("tag", "", 0).content = text.slice(1)))(state, isSilent);
};

const comment = matching(/%%[^]*?%%/y, () => {});
const htmlComment = matching(/<!--[^]*?-->/y, () => {});
/** The id of a block at its end, which is not shown. */
const blockId = matching(/\^[a-zA-Z\d-]+(?=\s*$)/y, (state, [text]) => {
  state.push("block_id", "", 0).content = text.slice(1);
});
const math = matching(/\$\$([^$]+)\$\$|\$(?=\S)([^$\n]*[^$\s])\$(?!\d)/y, (state, [, display, inline]) => {
  state.push("math", "", 0).content = display ?? inline ?? "";
});
const footnote = matching(/\[\^([^\]\s]+)\]/y, (state, [, name]) => {
  state.push("footnote_ref", "", 0).content = name!;
});

/** Parses the text between two markers as the content of an element. */
function between(type: string, element: string, open: RegExp, close: RegExp): InlineRule {
  return (state, isSilent) => {
    open.lastIndex = state.pos;
    if (!open.test(state.src) || open.lastIndex >= state.posMax) return false;
    const start = open.lastIndex;
    close.lastIndex = start;
    const closing = close.exec(state.src);
    if (closing === null || closing.index === start || close.lastIndex > state.posMax) return false;
    const { posMax } = state;
    const end = close.lastIndex;
    if (!isSilent) {
      state.push(`${type}_open`, element, 1);
      state.pos = start;
      state.posMax = closing.index;
      state.md.inline.tokenize(state);
      state.push(`${type}_close`, element, -1);
      state.posMax = posMax;
    }
    state.pos = end;
    return true;
  };
}

const highlight = between("mark", "mark", /==(?=\S)/y, /==/g);
const HARMLESS = ["kbd", "sub", "sup", "mark", "u", "small", "b", "i", "em", "strong", "s", "del", "ins"];
const harmless = HARMLESS.map((name) =>
  between(`html_${name}`, name, new RegExp(`<${name}>`, "iy"), new RegExp(`</${name}>`, "gi")),
);
const lineBreak = matching(/<br\s*\/?>/iy, (state) => void state.push("hardbreak", "br", 0));

/** A comment that spans several blocks. */
function commentBlock(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const lineAt = (line: number) => state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]);
  const first = lineAt(startLine);
  const [mark, end] = first.startsWith("%%") ? ["%%", "%%"] : ["<!--", "-->"];
  if (!first.startsWith(mark!)) return false;
  let line = startLine;
  let rest = first.slice(mark!.length);
  while (!rest.includes(end!) && line + 1 < endLine) rest = lineAt(++line);
  // With text after its end the comment is part of a paragraph: the inline rule handles it.
  if (line === startLine && rest.trimEnd() !== "" && !rest.trimEnd().endsWith(end!)) return false;
  if (isSilent) return true;
  state.line = line + 1;
  return true;
}

const DEFINITION = /^\[\^([^\]\s]+)\]:\s*/;

/** `[^1]: text` and its indented continuation lines. Rendered at the end of the note. */
function footnoteDefinition(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  if (state.sCount[startLine]! - state.blkIndent > 3) return false;
  const lineAt = (line: number) => state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]);
  const match = DEFINITION.exec(lineAt(startLine));
  if (match === null) return false;
  if (isSilent) return true;
  const lines = [lineAt(startLine).slice(match[0].length)];
  let line = startLine + 1;
  while (
    line < endLine &&
    (state.isEmpty(line) ? line + 1 < endLine && state.sCount[line + 1]! >= 2 : state.sCount[line]! >= 2)
  )
    lines.push(lineAt(line++));
  const token = state.push("footnote_definition", "", 0);
  token.content = lines.join("\n");
  token.meta = { name: match[1] };
  state.line = line;
  return true;
}

export function addObsidian(markdown: MarkdownIt): void {
  const { inline, block } = markdown;
  const rules: readonly (readonly [name: string, rule: InlineRule])[] = [
    ["comment", comment],
    ["html_comment", htmlComment],
    ["wikilink", wikilink],
    ["footnote_ref", footnote],
    ["block_id", blockId],
    ["math", math],
    ["highlight", highlight],
    ["line_break", lineBreak],
    ["tag", tag],
    ...harmless.map((rule, i) => [`html_${HARMLESS[i]}`, rule] as const),
  ];
  for (const [name, rule] of rules) inline.ruler.before("link", name, rule);
  const alt = ["paragraph", "reference", "blockquote", "list"];
  block.ruler.before("paragraph", "comment_block", commentBlock, { alt });
  block.ruler.before("reference", "footnote_definition", footnoteDefinition, { alt });
}
