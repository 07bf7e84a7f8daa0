// Marks what was looked for in a text that is shown, without a change to its
// nodes: the browser paints ranges (::highlight in the style sheet).
import { parseQuery, matchesIn } from "../../src/search/search.ts";

const NAME = "match";
/** More marks help nobody, and cost time. */
const MOST = 500;

/** @returns what takes the marks away again */
export function matchMarks(element: HTMLElement, query: string): (() => void) | undefined {
  if (query.trim() === "" || !("highlights" in CSS)) return undefined;
  const wanted = parseQuery(query);
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null && ranges.length < MOST; node = texts.nextNode()) {
    for (const [start, end] of matchesIn(node.nodeValue ?? "", wanted)) {
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, end);
      ranges.push(range);
    }
  }
  CSS.highlights.set(NAME, new Highlight(...ranges));
  return () => void CSS.highlights.delete(NAME);
}

export function scrollToFirst(): void {
  const [first] = CSS.highlights.get(NAME) ?? [];
  if (first instanceof Range) first.startContainer.parentElement?.scrollIntoView({ block: "center" });
}
