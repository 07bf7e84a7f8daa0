// Text between tags, as programs wrap what was typed, or add context to it. In
// linear time, whatever the text: a lazy regular expression takes minutes for
// a megabyte of opening tags. Pure; used by several sources.

export interface Tagged {
  /** What is between the tags of each element, in order. */
  readonly within: readonly { readonly attributes: string; readonly text: string }[];
  /** The text without these elements. */
  readonly rest: string;
}

/** Elements `<tag …>…</tag>`, not nested. One that is not closed is plain text. */
export function tagged(text: string, tag: string): Tagged {
  const opening = `<${tag}`;
  const closing = `</${tag}>`;
  const within: { attributes: string; text: string }[] = [];
  const rest: string[] = [];
  let from = 0;
  let close = 0;
  for (let at = text.indexOf(opening); at !== -1;) {
    const begin = text.indexOf(">", at);
    if (begin === -1) break;
    if (close < begin) close = text.indexOf(closing, begin);
    if (close === -1) break;
    // The last one before the bracket: others are not closed.
    const open = text.lastIndexOf(opening, begin);
    const attributes = text.slice(open + opening.length, begin);
    // Otherwise it is another tag whose name begins the same way.
    if (/^(?:\s|$)/.test(attributes)) {
      within.push({ attributes: attributes.trim(), text: text.slice(begin + 1, close) });
      rest.push(text.slice(from, open));
      from = close + closing.length;
    }
    at = text.indexOf(opening, Math.max(begin, from));
  }
  return { within, rest: [...rest, text.slice(from)].join("") };
}

/** The text without any element of these tags. */
export function withoutTags(text: string, tags: readonly string[]): string {
  return tags.reduce((left, tag) => tagged(left, tag).rest, text);
}
