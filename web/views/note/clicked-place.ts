// Finds where in the source of a note a person has clicked: the line of the block, and the
// place in it that fits the text before the click. Used by the note view, where a
// click into the text begins the writing.

/** Elements with which a click does something else. */
const OWN = "a, button, input, select, summary, label, audio, video, img, .embed, .code, .callout-title, .footnotes";
/** Characters of markup between two characters that are read. */
const MAX_SKIPPED = 60;

/** @returns the position in the source; undefined if the click is not for writing */
export function clickedPlace({ target, clientX, clientY }: MouseEvent, source: string): number | undefined {
  if (!(target instanceof Element) || target.closest(OWN) !== null) return undefined;
  if (getSelection()?.isCollapsed === false) return undefined;
  const block = target.closest<HTMLElement>("[data-line]");
  if (block === null) return undefined;
  const start = startOfLine(source, Number(block.dataset["line"]));
  return placeOf(source, start, textBefore(block, clientX, clientY));
}

function startOfLine(source: string, line: number): number {
  let at = 0;
  for (let i = 0; i < line; i++) {
    const next = source.indexOf("\n", at);
    if (next === -1) return source.length;
    at = next + 1;
  }
  return at;
}

/** Returns the text of the block before the point. */
function textBefore(block: HTMLElement, x: number, y: number): string {
  const point = document.caretRangeFromPoint(x, y);
  if (point === null || !block.contains(point.startContainer)) return "";
  const range = document.createRange();
  range.selectNodeContents(block);
  range.setEnd(point.startContainer, point.startOffset);
  return range.toString();
}

/** Follows the text through the source, past its markup. */
export function placeOf(source: string, start: number, read: string): number {
  // The marks at the beginning of a line are not read.
  const [marks = ""] =
    /^[\s>]*(?:#{1,6}\s+|(?:[-*+]|\d+[.)])\s+(?:\[.\]\s+)?)?/.exec(source.slice(start, start + 200)) ?? [];
  let at = start + (source.slice(start).startsWith("\n") ? 0 : marks.length);
  for (const character of read.replace(/\s+/g, " ")) {
    const next = character === " " ? source.slice(at).search(/\s/) : source.slice(at).indexOf(character);
    if (next === -1 || next > MAX_SKIPPED) break;
    at += next + 1;
  }
  return at;
}
