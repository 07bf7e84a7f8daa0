// The strings of a canvas (JSON) with their exact places in the source: those
// of its nodes, which are cards and groups, and of its edges. Used for its
// links and for its text.
import { unquote } from "./links/quoted-text.ts";

/** A string, without its quotes, that is a direct value of a node or an edge. */
export interface CanvasString {
  readonly list: "nodes" | "edges";
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Stops where the JSON does not parse. */
export function forEachCanvasString(source: string, visit: (string: CanvasString) => void): void {
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
