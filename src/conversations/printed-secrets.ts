// Redacts what commands printed. A secret that `op read` or `echo $API_KEY` prints has no
// form of its own: the command that announces it is in another message, the call of the
// tool. So what a tool printed is redacted below the lines of the calls before it. Used
// where tool texts are stored, and where messages are read.
import type { Redaction } from "./recall/summaries.ts";
import type { MessageKind } from "./sources/source.ts";

/** Calls that are sent together come before all their outputs. */
const MAX_TEXTS = 4;
const MAX_LINES = 10;
const MAX_LINE_LENGTH = 500;

/** A first line that is one word of letters and digits: hardly any output begins so. */
const PRINTED_ALONE = /^\s*(?=\S*\d)(?=\S*[A-Za-z])\S{6,500}(?=[ \t\r]*(?:\n|$))/;

/** The name of a tool before its command. */
const TOOL_NAME = /^[\w.-]{1,40}:? +(?=\S)/;

/** Collects the lines of the tool texts before each. */
export class LinesBefore {
  #texts: string[][] = [];

  /** @returns the lines before a text, which is then one of those before the next */
  of({ kind, text }: { readonly kind: MessageKind; readonly text: string }): readonly string[] {
    if (kind !== "tool") {
      if (kind === "prose") this.#texts = [];
      return [];
    }
    const before = this.#texts.flat();
    const beginning = text.slice(0, MAX_LINES * MAX_LINE_LENGTH).split("\n", MAX_LINES);
    this.#texts = [...this.#texts.slice(1 - MAX_TEXTS), beginning.map((line) => line.slice(0, MAX_LINE_LENGTH))];
    return before;
  }
}

export function redactPrinted(text: string, before: readonly string[], redact: Redaction): string {
  const alone = redact(text);
  if (!PRINTED_ALONE.test(alone)) return alone;
  for (const line of new Set(before.flatMap((each) => [each, each.replace(TOOL_NAME, "")]))) {
    const context = `${redact(line)}\n`;
    const together = redact(context + alone.trimStart());
    if (together.startsWith(context) && together !== context + alone.trimStart()) return together.slice(context.length);
  }
  return alone;
}
