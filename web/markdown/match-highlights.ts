// Highlights the words of a query in rendered text without changing its nodes:
// the browser paints ranges (CSS Custom Highlight API, ::highlight in the style
// sheet). Used for notes and threads that were opened from a search.
import { parseQuery, matchesIn } from "../../src/search/search.ts";

const NAME = "match";
const MAX_HIGHLIGHTS = 500;

/** @returns a function that removes the highlights */
export function highlightMatches(element: HTMLElement, query: string): (() => void) | undefined {
  if (query.trim() === "" || !("highlights" in CSS)) return undefined;
  const parsed = parseQuery(query);
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null && ranges.length < MAX_HIGHLIGHTS; node = texts.nextNode()) {
    for (const [start, end] of matchesIn(node.nodeValue ?? "", parsed)) {
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, end);
      ranges.push(range);
    }
  }
  CSS.highlights.set(NAME, new Highlight(...ranges));
  return () => void CSS.highlights.delete(NAME);
}

export function scrollToFirstMatch(): void {
  const [first] = CSS.highlights.get(NAME) ?? [];
  if (first instanceof Range) first.startContainer.parentElement?.scrollIntoView({ block: "center" });
}
