// Keeps hints to the tools that the caller has: a hint is worded once, for every
// list of tools, and names others instead, or leaves the sentence out. Pure; used
// by call.ts and by tools that say how to go on.

/** Returns whether the caller has the tool of that name; undefined if there is no such tool at all. */
export type Offers = (name: string) => boolean | undefined;

/** Calls that replace a tool that is not offered, made from the arguments that were suggested. */
const INSTEAD: Readonly<Record<string, (sent: string) => readonly [name: string, sent: string]>> = {
  search_outline: (sent) => ["search", sent.replace(/\}$/, ',"kinds":["outline"]}')],
  get_row: () => ["get_outline_structure", "{}"],
};

/** A name of a tool, with the arguments after it. `history`, `search` and `undo` are also words. */
const CALL =
  /\b(history(?= lists| \{)|(?:search|undo)(?= \{)|[a-z]+(?:Manager|Librarian)_[A-Za-z]+|[a-z]+(?:_[a-z]+)+)\b( \{[^}]*\})?/g;

/** The text without what the caller cannot do; undefined if nothing is left. */
export function offeredText(text: string, offers: Offers): string | undefined {
  const isOffered = (part: string) => [...part.matchAll(CALL)].every(([, name]) => offers(name!) !== false);
  if (isOffered(text)) return text;
  const replaced = text.replace(CALL, (call: string, name: string, sent = "") => {
    const instead = offers(name) === false ? INSTEAD[name]?.(sent.trim()) : undefined;
    return instead !== undefined && offers(instead[0]) === true ? instead.join(" ") : call;
  });
  const parts = replaced.split(/(?<=[.;]) /).filter(isOffered);
  return parts.length === 0 ? undefined : parts.join(" ").replace(/;$/, ".");
}
