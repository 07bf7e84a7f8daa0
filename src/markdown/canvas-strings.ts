// The strings of a canvas (JSON) with their offsets in the source: those of its
// nodes, which are cards and groups, and of its edges. Used to find its links and
// its text.
import { unquote } from "./links/quoted-text.ts";

/** A string that is a direct value of a node or an edge, without its quotes. */
export interface CanvasString {
  readonly list: "nodes" | "edges";
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Stops where the JSON does not parse. */
export function forEachCanvasString(source: string, visit: (string: CanvasString) => void): void {
  /** The key of the current value in each open object; undefined for an array. */
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
      } else if (keys.length === 3 && !isObject[1] && isObject[2]) {
        const [list, , key = ""] = keys;
        if (list === "nodes" || list === "edges") visit({ list, key, start: position + 1, end });
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
