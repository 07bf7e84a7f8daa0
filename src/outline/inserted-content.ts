// Rows out of a text that a caller inserts, in the format that it is said to
// have. Pure; used by insert_content.
import { readMarkdown } from "./formats/markdown.ts";
import { readOpml } from "./formats/opml.ts";
import { CHECKED, NONE, TOP, type Source } from "./formats/source.ts";
import { rowsOfText } from "./indented-text.ts";
import type { NewRow } from "./outline.ts";

const READERS = {
  markdown: (text: string) => rowsOfSource(readMarkdown(Buffer.from(text))),
  opml: (text: string) => rowsOfSource(readOpml(Buffer.from(text))),
  text: rowsOfText,
};

export function rowsOfContent(content: string, format: keyof typeof READERS): readonly NewRow[] {
  return READERS[format](content);
}

/** The rows of another document, as new ones. */
function rowsOfSource(source: Source): readonly NewRow[] {
  const top: NewRow[] = [];
  const childrenOf: NewRow[][] = [];
  for (let row = 0; row < source.count; row++) {
    const children: NewRow[] = [];
    childrenOf.push(children);
    const state = source.states[row]!;
    const parent = source.parents[row]!;
    (parent === TOP ? top : childrenOf[parent]!).push({
      topic: source.topic(row),
      note: source.note(row) ?? undefined,
      state: state === NONE ? undefined : state === CHECKED ? "checked" : "unchecked",
      children,
    });
  }
  return top;
}
