// The links of a canvas (JSON): the file of a node, the background of a group,
// and whatever links a text node holds, each with its exact place in the JSON
// source. Used through links.ts.
import type { Link } from "./link.ts";
import { markdownLinks, placed } from "./markdown-links.ts";
import { unquote } from "./quoting.ts";

export function canvasLinks(source: string): Link[] {
  const links: Link[] = [];
  forEachNodeString(source, (key, start, end) => {
    const { text, sourceAt } = unquote(source, start, end, "json");
    if (key === "text") {
      for (const link of markdownLinks(text)) links.push(placed(link, source, sourceAt, "json"));
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

/** Visits the strings that are direct values of `nodes[]`, without their quotes; stops where the JSON does not parse. */
function forEachNodeString(source: string, visit: (key: string, start: number, end: number) => void): void {
  /** For each open collection the key of its current value; undefined in a list. */
  const keys: (string | undefined)[] = [];
  const isObject: boolean[] = [];
  let awaitsKey = false;
  for (let position = 0; position < source.length; position++) {
    const unit = source.charAt(position);
    if (unit === '"') {
      const end = endOfString(source, position + 1);
      if (end === -1) return;
      if (awaitsKey) {
        keys[keys.length - 1] = unquote(source, position + 1, end, "json").text;
        awaitsKey = false;
      } else if (keys.length === 3 && keys[0] === "nodes" && !isObject[1] && isObject[2]) {
        visit(keys[2] ?? "", position + 1, end);
      }
      position = end;
    } else if (unit === "{" || unit === "[") {
      keys.push(undefined);
      isObject.push(unit === "{");
      awaitsKey = unit === "{";
    } else if (unit === "}" || unit === "]") {
      keys.pop();
      isObject.pop();
      awaitsKey = false;
    } else if (unit === ",") awaitsKey = isObject.at(-1) === true;
  }
}

function endOfString(source: string, start: number): number {
  for (let position = start; ;) {
    const quote = source.indexOf('"', position);
    if (quote === -1) return -1;
    let backslashes = 0;
    while (source.charAt(quote - 1 - backslashes) === "\\" && quote - backslashes > start) backslashes++;
    if (backslashes % 2 === 0) return quote;
    position = quote + 1;
  }
}
