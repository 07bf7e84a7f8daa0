// Finds what is assigned to a name that means a secret: in .env files, JSON, YAML,
// shell, command-line flags, headers, connection strings, query strings, XML,
// Markdown and prose. The name decides where to look; the value and its context
// decide whether it is a secret, a placeholder or code. Used by redaction.ts.
import {
  beginningOfName,
  isHarmlessEnding,
  isSecretName,
  kindOf,
  markOf,
  type SecretWord,
} from "../../criteria/names.ts";
import type { Span } from "../../spans.ts";
import { type Assigned, isConstant, isSecret } from "./assigned-value.ts";
import { BareValues } from "./bare-values.ts";
import { closingQuote, endOfContinued, endOfPieces, LINE_CONTINUED } from "./value-ends.ts";
import { locateValue, startsLine } from "./value-location.ts";

const OPENING = /[bruN]?(["'`])/y;
/** The first characters of a value are enough to judge it. */
const JUDGED = 256;

export function assignedSecrets(text: string, plain: string, words: readonly SecretWord[]): Span[] {
  const spans: Span[] = [];
  const bare = new BareValues(text);
  let read = 0;
  for (const { start, word } of words) {
    if (start < read) continue;
    const span = secretAfter(text, plain, start, word, bare);
    if (span === undefined) continue;
    spans.push(span);
    read = span.end;
  }
  return spans;
}

function secretAfter(text: string, plain: string, start: number, word: string, bare: BareValues): Span | undefined {
  const wordEnd = start + word.length;
  const nameStart = beginningOfName(plain, start);
  const prefix = plain.slice(nameStart, start);
  if (!isSecretName(prefix, word)) return undefined;
  if (/\[redacted: ?[\w .]*$/.test(plain.slice(Math.max(0, start - 40), start))) return undefined;
  const found = locateValue(plain, nameStart, prefix, start, wordEnd);
  if (found === undefined || isHarmlessEnding(found.ending)) return undefined;
  const { at, attachment, separator, ending } = found;
  OPENING.lastIndex = at;
  const opening = OPENING.exec(plain);
  const valueStart = opening === null ? at : OPENING.lastIndex;
  const isLineStart = startsLine(plain, nameStart);
  const nameIsQuoted = /["'`]/.test(plain.charAt(nameStart - 1)) && /["'`]/.test(plain.charAt(wordEnd + ending.length));
  const closing = opening === null ? undefined : closingQuote(text, valueStart, opening[1]!);
  const valueEnd =
    closing ??
    bare.endFrom(valueStart, {
      isElement: separator === ">" || separator.startsWith("<"),
      isCell: separator === "|",
      isWhole: !nameIsQuoted && (isLineStart || isConstant(prefix + word)),
      isLineStart: !nameIsQuoted && isLineStart,
    });
  const assigned: Assigned = {
    name: prefix + plain.slice(start, wordEnd) + ending,
    kind: kindOf(word),
    attachment,
    separator,
    isSpaced: /\s[:=>]/.test(plain.slice(wordEnd, at)),
    hasEnding: /[A-Za-z]/.test(ending),
    isWholeLine: isLineStart && /^[ \t\r]*(?:#|$|[\n"'`])/.test(plain.slice(valueEnd, valueEnd + 40)),
    quote: closing === undefined ? "" : opening![1]!,
    value: text.slice(valueStart, Math.min(valueEnd, valueStart + JUDGED)).replace(LINE_CONTINUED, ""),
    before: plain.charAt(nameStart - 1),
    after: text.charAt(valueEnd),
  };
  if (valueEnd <= valueStart || !isSecret(assigned, plain, nameStart, valueEnd)) return undefined;
  const end = closing === undefined ? endOfContinued(text, valueEnd) : endOfPieces(plain, closing);
  return { start: valueStart, end, name: markOf(word) };
}
