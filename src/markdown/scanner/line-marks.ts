// The marks at the beginning of a line of Markdown: list markers, heading marks,
// thematic breaks, fences. Used by lines.ts.

/** The width of the list marker at this position; 0 if there is none. */
export function markerWidth(text: string, position: number, end: number): number {
  if (position >= end) return 0;
  const unit = text.charCodeAt(position);
  let width = 0;
  if (unit === 0x2d || unit === 0x2a || unit === 0x2b) width = 1;
  else if (unit >= 0x30 && unit <= 0x39) {
    let digits = 1;
    while (digits < 9 && isDigit(text.charCodeAt(position + digits))) digits++;
    const mark = text.charCodeAt(position + digits);
    if (mark === 0x2e || mark === 0x29) width = digits + 1;
  }
  if (width === 0) return 0;
  const after = position + width;
  if (after >= end || isBlankUnit(text.charCodeAt(after))) return width;
  // `---` and `***` have no space after the first mark, but begin a block too.
  return unit <= 0x2d && isThematicBreak(text, position, end) ? width : 0;
}

export function isThematicBreak(text: string, start: number, end: number): boolean {
  const mark = text.charCodeAt(start);
  if (mark !== 0x2d && mark !== 0x2a && mark !== 0x5f) return false;
  let marks = 0;
  for (let position = start; position < end; position++) {
    const unit = text.charCodeAt(position);
    if (unit === mark) marks++;
    else if (!isBlankUnit(unit)) return false;
  }
  return marks >= 3;
}

/** The level of the heading; 0 if the marks do not make one. */
export function headingMarks(text: string, start: number, end: number): number {
  let marks = 1;
  while (marks < 7 && text.charCodeAt(start + marks) === 0x23) marks++;
  const after = start + marks;
  return marks < 7 && (after >= end || isBlankUnit(text.charCodeAt(after))) ? marks : 0;
}

/** The length of the fence at this position; 0 if there is none. */
export function fenceLength(text: string, start: number, end: number): number {
  const mark = text.charCodeAt(start);
  if (mark !== 0x60 && mark !== 0x7e) return 0;
  let runEnd = start;
  while (text.charCodeAt(runEnd) === mark) runEnd++;
  if (runEnd - start < 3) return 0;
  // Backticks further on make it a code span.
  if (mark === 0x60 && text.slice(runEnd, end).includes("`")) return 0;
  return runEnd - start;
}

export function isBlankUnit(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
