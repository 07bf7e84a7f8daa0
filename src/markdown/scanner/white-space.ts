// White space as Markdown counts it. Unicode has more of it, which
// `String.trim` removes: a no-break space, a byte order mark or U+2028 at the end
// of a line is text. Used by the scanner, and by the rows of Markdown outlines.

/** A space, a tab, or another white space of ASCII but a line feed. */
function isWhite(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d && unit !== 0x0a);
}

// By loops: an expression takes the square of the time on a long run of spaces.

export function trimWhiteStart(line: string): string {
  let start = 0;
  while (start < line.length && isWhite(line.charCodeAt(start))) start++;
  return line.slice(start);
}

export function trimWhiteEnd(line: string): string {
  let end = line.length;
  while (end > 0 && isWhite(line.charCodeAt(end - 1))) end--;
  return line.slice(0, end);
}

export function trimWhite(line: string): string {
  return trimWhiteStart(trimWhiteEnd(line));
}

export function isWhiteLine(line: string): boolean {
  return trimWhiteEnd(line) === "";
}
