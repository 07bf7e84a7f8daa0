// Finds the scalars of a YAML text and their quoting: enough to find a link in a
// value and to replace it, without parsing the document. It understands what people
// and Obsidian write (block and flow collections, all kinds of scalars), and guesses
// at what is not valid YAML. Used by links/.
import type { Span } from "../scanner/scanner.ts";
import type { Quoting } from "../links/quoted-text.ts";

export interface Scalar extends Span {
  readonly quoting: Extract<Quoting, `yaml-${string}`>;
}

/** The scalars of a part of the text, including keys, in order and without their quotes; without comments. */
export function yamlScalars(text: string, { start, end }: Span): Scalar[] {
  const scalars: Scalar[] = [];
  const lineEnd = lineEndsOf(text, end);
  let flowDepth = 0;
  let position = start;
  while (position < end) {
    const unit = text.charAt(position);
    const after = text.charAt(position + 1);
    if (/\s/.test(unit)) position++;
    else if (unit === "#") position = lineEnd(position);
    else if (unit === '"' || unit === "'") {
      const close = closingQuote(text, position, end);
      scalars.push({ start: position + 1, end: close, quoting: unit === '"' ? "yaml-double" : "yaml-single" });
      position = close + 1;
    } else if (/[-?:]/.test(unit) && (position + 1 >= end || /\s/.test(after))) position++;
    else if (flowDepth > 0 && unit === ",") position++;
    else if (unit === ":" && flowDepth > 0) position++;
    else if (unit === "[" || unit === "{") {
      const wikilinkEnd = text.startsWith("[[", position) ? plainWikilinkEnd(text, position, end) : -1;
      if (wikilinkEnd !== -1) {
        scalars.push({ start: position, end: wikilinkEnd, quoting: "yaml-plain" });
        position = wikilinkEnd;
      } else {
        flowDepth++;
        position++;
      }
    } else if (unit === "]" || unit === "}") {
      flowDepth = Math.max(0, flowDepth - 1);
      position++;
    } else if (
      (unit === "|" || unit === ">") &&
      flowDepth === 0 &&
      isBlockHeader(text.slice(position, lineEnd(position)))
    ) {
      const blockStart = Math.min(lineEnd(position) + 1, end);
      position = blockScalarEnd(text, { header: position, blockStart, start, end, lineEnd });
      scalars.push({ start: blockStart, end: position, quoting: "yaml-plain" });
    } else {
      const plainEnd = endOfPlain(text, position, lineEnd(position), flowDepth > 0);
      scalars.push({ start: position, end: plainEnd, quoting: "yaml-plain" });
      position = plainEnd;
    }
  }
  return scalars;
}

type LineEnd = (position: number) => number;

/** Finds the end of the line of a position, once for each line: one may have a million scalars. */
function lineEndsOf(text: string, end: number): LineEnd {
  let [from, to] = [0, -1];
  return (position) => {
    if (position >= from && position <= to) return to;
    const lineBreak = text.indexOf("\n", position);
    [from, to] = [position, lineBreak === -1 || lineBreak > end ? end : lineBreak];
    return to;
  };
}

/** The quote that closes the one at a position; the end of the text if none does. */
function closingQuote(text: string, opening: number, end: number): number {
  const mark = text.charAt(opening);
  for (let position = opening + 1; position < end; position++) {
    const unit = text.charAt(position);
    if (unit === "\\" && mark === '"') position++;
    else if (unit === mark) {
      if (mark === '"' || text.charAt(position + 1) !== "'") return position;
      position++;
    }
  }
  return end;
}

/** No further than to the next bracket: a line may have a million. */
const PLAIN_WIKILINK = /\[\[[^"'[,\n]*?\]\]/y;

/** `[[note]]` without quotes is a nested list in YAML, but was meant as a link. */
function plainWikilinkEnd(text: string, opening: number, end: number): number {
  PLAIN_WIKILINK.lastIndex = opening;
  const isLink = PLAIN_WIKILINK.test(text) && PLAIN_WIKILINK.lastIndex - 2 < end;
  return isLink ? PLAIN_WIKILINK.lastIndex : -1;
}

function isBlockHeader(line: string): boolean {
  return /^[|>][-+\d]*[ \t]*(?:#.*)?\r?$/.test(line);
}

interface BlockScalar extends Span {
  readonly header: number;
  readonly blockStart: number;
  readonly lineEnd: LineEnd;
}

/** A block scalar continues while its lines are indented more than the line that opens it. */
function blockScalarEnd(text: string, { header, blockStart, start, end, lineEnd }: BlockScalar): number {
  const openingLine = Math.max(text.lastIndexOf("\n", header) + 1, start);
  // For `- key: |` the column of the key counts; that of the dash is close enough.
  const indent = indentAt(text, openingLine, end);
  for (let line = blockStart; line < end;) {
    const next = lineEnd(line);
    const isBlank = text.slice(line, next).trim() === "";
    if (!isBlank && indentAt(text, line, end) <= indent) return line;
    line = next + 1;
  }
  return end;
}

function indentAt(text: string, line: number, end: number): number {
  let position = line;
  while (position < end && text.charAt(position) === " ") position++;
  return position - line;
}

/** A plain scalar ends with its line, at `: `, at ` #`, and in a flow collection at its marks; but not inside a wikilink. */
function endOfPlain(text: string, start: number, last: number, isInFlow: boolean): number {
  for (let position = start; position < last; position++) {
    const unit = text.charAt(position);
    if (unit === "[" && text.startsWith("[[", position)) {
      const close = plainWikilinkEnd(text, position, last);
      if (close !== -1) position = close - 1;
    } else if (unit === ":" && (position + 1 >= last || /\s/.test(text.charAt(position + 1)))) return position;
    else if (unit === "#" && /\s/.test(text.charAt(position - 1))) return position;
    else if (isInFlow && /[,\]}]/.test(unit)) return position;
  }
  return last;
}
