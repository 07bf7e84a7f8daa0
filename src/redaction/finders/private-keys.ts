// Finds private keys: whole PEM blocks, also in listings, quotes and diffs, or cut
// off; PuTTY keys, and the private members of JSON Web Keys. Used by redaction.ts.
import type { Span } from "../spans.ts";

/** SSH2 (RFC 4716) uses four dashes and a space. */
const BEGIN =
  /-----BEGIN (?:[A-Z\d]{1,12} ){0,3}PRIVATE KEY( BLOCK)?-----|---- BEGIN (?:[A-Z\d]{1,12} ){0,3}PRIVATE KEY ----/g;
const END =
  /-----END (?:[A-Z\d]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|---- END (?:[A-Z\d]{1,12} ){0,3}PRIVATE KEY ----/g;
const MAX_LENGTH = 32_768;

/**
 * One line of a body: the prefix of a listing, quote, diff or code, and Base64. Or a
 * header (`Proc-Type: …`), or an empty line.
 */
const LINE_START = "(?:[ \\t]{0,16}(?:\\d{1,6}[ \\t]{0,4}[→|:│\\t]|[>+*#|│-]{1,3}|//)){0,3}[ \\t\"'`]{0,24}";
const LINE_BREAK =
  "(?:\\\\{1,8}n\\\\{0,8}[\"'`][ \\t]{0,4}[+.,]?[ \\t]{0,4}(?:\\r?\\n|\\\\{1,8}n)|\\r?\\n|\\\\{1,8}r\\\\{1,8}n|\\\\{1,8}n|[ \\t]{1,8}(?=[A-Za-z\\d+/=]{16}))";
const LINE_END = "(?:[=]{0,2}[\"'`]{0,3}[ \\t]{0,4}(?:[+,;.]|\\\\(?![nr\\\\])){0,2}[ \\t]{0,4})";
const BODY_LINE = new RegExp(
  `${LINE_BREAK}${LINE_START}(?:[A-Za-z\\d+/]{16,128}${LINE_END}|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\\n\\\\]{0,80}|=[A-Za-z\\d+/]{4}|(?=\\r?\\n|\\\\{1,8}n))`,
  "y",
);
/** The last line of a key that is cut off: the text or the string ends after it. */
const LAST_LINE = new RegExp(`${LINE_BREAK}${LINE_START}[A-Za-z\\d+/]{1,128}={0,2}(?=["'\`\\\\.…[]|\\s*$)`, "y");
const FIRST_LINE_INLINE = /[ \t]{0,4}[A-Za-z\d+/]{16,4096}={0,2}/y;

export function privateKeys(text: string): Span[] {
  return [...armoured(text), ...putty(text), ...webKeys(text)];
}

function armoured(text: string): Span[] {
  if (!text.includes("PRIVATE KEY")) return [];
  const spans: Span[] = [];
  const begins = [...text.matchAll(BEGIN)];
  const ends = [...text.matchAll(END)].map(({ index, 0: whole }) => ({ index, end: index + whole.length }));
  const closed = new Set<number>();
  let nextEnd = 0;
  for (const [i, begin] of begins.entries()) {
    const start = begin.index + begin[0].length;
    while (nextEnd < ends.length && ends[nextEnd]!.index < start) nextEnd++;
    const closing = ends[nextEnd];
    const isClosed =
      closing !== undefined &&
      closing.index - start <= MAX_LENGTH &&
      closing.index < (begins[i + 1]?.index ?? Number.POSITIVE_INFINITY);
    const end = isClosed ? closing.end : endOfBody(text, start);
    // Code and prose may mention the header without a key after it.
    if (!/[A-Za-z\d+/=]{16}/.test(text.slice(start, isClosed ? closing.index : end))) continue;
    if (isClosed) closed.add(closing.index);
    spans.push({ start: begin.index, end, name: begin[1] === undefined ? "private key" : "PGP private key" });
  }
  for (const { index, end } of ends) {
    const start = closed.has(index) ? index : startOfBody(text, index);
    if (start < index) spans.push({ start, end, name: "private key" });
  }
  return spans;
}

function endOfBody(text: string, start: number): number {
  let at = start;
  FIRST_LINE_INLINE.lastIndex = at;
  if (FIRST_LINE_INLINE.test(text)) at = FIRST_LINE_INLINE.lastIndex;
  for (BODY_LINE.lastIndex = at; at - start < MAX_LENGTH && BODY_LINE.test(text); at = BODY_LINE.lastIndex);
  LAST_LINE.lastIndex = at;
  return at > start && LAST_LINE.test(text) ? LAST_LINE.lastIndex : at;
}

/** For a key without its beginning: the lines of Base64 before its end. */
const BODY_BEFORE =
  /(?:(?:^|[^A-Za-z\d+/])[A-Za-z\d+/]{16,128}={0,2}|=[A-Za-z\d+/]{4})(?:\s|\\{1,8}[nr]|[>+*#|│→:"'`,-]|\d{1,6}[→|:│\t]){1,48}$/;

function startOfBody(text: string, index: number): number {
  let start = index;
  while (index - start < MAX_LENGTH) {
    const from = Math.max(0, start - 200);
    const found = BODY_BEFORE.exec(text.slice(from, start));
    if (found === null) return start;
    const gap = /^[^A-Za-z\d+/=]/.test(found[0]) ? 1 : 0;
    const next = from + found.index + gap;
    if (next >= start) return start;
    start = next;
  }
  return start;
}

/** PuTTY's format has no end marker, but gives the number of lines. */
const PUTTY = /(?<=Private-Lines: \d{1,3}(?:\s|\\[nr]){1,4})(?:[A-Za-z\d+/=]{4,128}(?:\r?\n|\\n|$)){1,200}/g;

function putty(text: string): Span[] {
  if (!text.includes("Private-Lines: ")) return [];
  return [...text.matchAll(PUTTY)].map(({ index, 0: lines }) => ({
    start: index,
    end: index + lines.replace(/(?:\r?\n|\\n)$/, "").length,
    name: "private key",
  }));
}

/** The private members of a JSON Web Key (RFC 7518), which a public key does not have. */
const WEB_KEY_MEMBER =
  /(?<=\\{0,8}"(?:d|p|q|dp|dq|qi|k)\\{0,8}"\s{0,4}:\s{0,4}\\{0,8}")[\w+/-]{16,2000}={0,2}(?=\\{0,8}")/g;

function webKeys(text: string): Span[] {
  if (!/"kty\\{0,8}"/.test(text)) return [];
  return [...text.matchAll(WEB_KEY_MEMBER)].map(({ index, 0: member }) => ({
    start: index,
    end: index + member.length,
    name: "private key",
  }));
}
