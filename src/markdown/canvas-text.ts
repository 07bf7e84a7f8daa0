// What a person reads on a canvas, as Markdown: a paragraph for each card, group
// and labelled edge. Used by the index, and by the search, which shows a snippet of it.
import { forEachCanvasString } from "./canvas-strings.ts";
import { unquote } from "./links/quoted-text.ts";

/** The text of a card; the file or the address that one shows; the label of a group or of an edge. */
const READ = {
  nodes: new Set(["text", "file", "url", "label"]),
  edges: new Set(["label"]),
} as const;

export function canvasText(source: string): string {
  const texts: string[] = [];
  forEachCanvasString(source, ({ list, key, start, end }) => {
    if (!READ[list].has(key)) return;
    const { text } = unquote(source, start, end, "json");
    texts.push(key === "file" ? text.replace(/\.md$/i, "") : text);
  });
  return texts.join("\n\n");
}
