// White space as Markdown defines it. `String.trim` also removes that of Unicode,
// but a no-break space, a byte order mark or U+2028 at the end of a line is text.
// Used by the scanner and by Markdown outlines.

/** ASCII white space except the line feed. */
function isWhite(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d && unit !== 0x0a);
}

// Loops, because a regular expression takes quadratic time on long runs of spaces.

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
