// The keys that move a row, in the tree and in a field: Alt+Shift with an arrow,
// as in word processors, and in a field Tab, too. Used by the outline view.
import type { Direction } from "./row-places.ts";

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "out",
  ArrowRight: "in",
};

/** @param hasTab whether Tab moves the row; where it does not, it leaves the tree */
export function directionOf(
  event: Pick<KeyboardEvent, "key" | "altKey" | "shiftKey" | "ctrlKey" | "metaKey">,
  hasTab: boolean,
): Direction | undefined {
  if (event.ctrlKey || event.metaKey) return undefined;
  if (event.altKey && event.shiftKey) return ARROWS[event.key];
  if (!hasTab || event.altKey || event.key !== "Tab") return undefined;
  return event.shiftKey ? "out" : "in";
}
