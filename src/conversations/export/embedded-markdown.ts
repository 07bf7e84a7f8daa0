// Makes Markdown safe to embed between other texts: everything that it opens is
// closed, and everything that it shows stays visible. Pure; used for exported
// conversations, whose messages may have half of a code block, HTML that they
// discuss, or comments.
import { type Passage, scanMarkdown } from "../../markdown/markdown.ts";

/** The text as a block of code, whatever it contains: the fence is longer than any in it. */
export function fenced(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(text, "`") + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** The text with the same meaning, but without an effect on what follows it. */
export function selfContained(text: string): string {
  const visible = withVisibleMarkup(text.replaceAll("\r\n", "\n").replaceAll("\0", ""));
  const closed = withClosedFence(visible);
  return closed ?? fenced(visible, "markdown");
}

const AFTER = "\n\nafter";

/** Returns whether text after it is still rendered as text. */
function isClosed(text: string): boolean {
  return !scanMarkdown(text + AFTER).notProse.some(({ end }) => end > text.length + 2);
}

/** Undefined if a line of its own cannot close the fence. */
function withClosedFence(text: string): string | undefined {
  if (isClosed(text)) return text;
  const open = scanMarkdown(text + AFTER).notProse.at(-1)!;
  const line = lineAround(text, open.start);
  const fence = /`{3,}|~{3,}/.exec(line)?.[0];
  const indent = /^[ \t]*/.exec(line)![0];
  if (fence === undefined) return undefined;
  const closed = [`${text}\n${indent}${fence}`, `${text}\n${fence}`].find(isClosed);
  return closed;
}

function lineAround(text: string, position: number): string {
  const end = text.indexOf("\n", position);
  return text.slice(text.lastIndexOf("\n", position - 1) + 1, end === -1 ? undefined : end);
}

/**
 * Outside of code: tags and comments are shown as text, and marks that open a
 * comment or maths without closing it are escaped.
 */
function withVisibleMarkup(text: string): string {
  const { notProse } = scanMarkdown(text);
  const kept = notProse.filter(({ kind }) => kind === "code" || kind === "maths");
  let result = "";
  let from = 0;
  for (const passage of kept as readonly Passage[]) {
    result += shown(text.slice(from, passage.start)) + text.slice(passage.start, passage.end);
    from = passage.end;
  }
  return result + shown(text.slice(from));
}

function shown(prose: string): string {
  return prose
    .replace(/(?<!\\)<(?=[A-Za-z/!?])(?!(?:https?|mailto|ftp):[^\s<>]{1,2000}>)/g, "\\<")
    .replace(/(?<!\\)%%/g, "\\%\\%")
    .replace(/(?<!\\)\$\$/g, "\\$\\$");
}

function longestRun(text: string, mark: string): number {
  let longest = 0;
  for (let at = text.indexOf(mark); at !== -1;) {
    let end = at;
    while (text[end] === mark) end++;
    longest = Math.max(longest, end - at);
    at = text.indexOf(mark, end);
  }
  return longest;
}
