// The text of a page from the pieces that pdf.js finds on it: lines as they are
// on the page, words that were divided at the end of a line in one. Pure; used by
// pdf-process.ts.

/** A piece of text, or a mark of tagged content, which has none. */
export interface TextItem {
  readonly str?: string;
  /** True if a line ends after it. */
  readonly hasEOL?: boolean;
}

/** Lower-case letters on both sides: `infor-⏎mation`, and not `1990-⏎1995` or `Jean-⏎Paul`. */
const DIVIDED = /(\p{Ll})[-\u00AD\u2010]\n(?=\p{Ll})/gu;
/** Characters that no text contains; the form feed separates pages. */
// oxlint-disable-next-line no-control-regex -- they are what is removed
const CONTROL = /[\0-\x08\x0b-\x1f\x7f]/g;

export function pageText(items: readonly TextItem[]): string {
  return items
    .map(({ str = "", hasEOL = false }) => (hasEOL ? `${str}\n` : str))
    .join("")
    .replace(CONTROL, "")
    .toWellFormed()
    .replace(/(?<![ \t])[ \t]+\n/g, "\n")
    .replace(DIVIDED, "$1")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
