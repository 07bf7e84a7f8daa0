// The text of a canvas as Markdown, for the index and for snippets: one paragraph
// for each card, group and labelled edge.
import { forEachCanvasString } from "./canvas-strings.ts";
import { unquote } from "./links/quoted-text.ts";

/** The text of a card, the file or address it shows, or the label of a group or an edge. */
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
