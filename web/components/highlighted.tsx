// A short text with the words of a query highlighted.
import type { ComponentChildren } from "preact";
import { matchesIn, parseQuery } from "../../src/search/search.ts";

export function Highlighted({ text, query }: { text: string; query: string }) {
  if (query === "") return <>{text}</>;
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const [start, end] of matchesIn(text, parseQuery(query))) {
    parts.push(text.slice(from, start), <mark>{text.slice(start, end)}</mark>);
    from = end;
  }
  return <>{[...parts, text.slice(from)]}</>;
}
