// The links of a canvas (JSON): the file of a node, the background of a group,
// and the links in text nodes, each with its offsets in the JSON source. Used
// through links.ts.
import { forEachCanvasString } from "../canvas-strings.ts";
import type { Link } from "./link.ts";
import { markdownLinks, atSource } from "./markdown-links.ts";
import { unquote } from "./quoted-text.ts";

export function canvasLinks(source: string): Link[] {
  const links: Link[] = [];
  forEachCanvasString(source, ({ list, key, start, end }) => {
    if (list !== "nodes") return;
    const { text, sourceAt } = unquote(source, start, end, "json");
    if (key === "text") {
      for (const link of markdownLinks(text)) links.push(atSource(link, source, sourceAt, "json"));
    } else if ((key === "file" || key === "background") && text !== "") {
      links.push({
        form: "path",
        isEmbed: true,
        start,
        end,
        raw: source.slice(start, end),
        target: text,
        subpath: "",
        isAngled: false,
        quoting: ["json"],
      });
    }
  });
  return links;
}
