// Finds secrets that a sentence, a message or a call mentions: "use … as the
// password", "temporary password is generated for root: …", `setPassword("…")`,
// lists under a plural name. The value is further from the word than in an
// assignment, so it must look like a secret by itself. Used by redaction.ts.
import { beginningOfName, isSecretName, kindOf, markOf, type SecretWord } from "../criteria/names.ts";
import { isPlaceholder } from "../criteria/placeholders.ts";
import type { Span, TextRange } from "../spans.ts";
import { isGenerated, isHexadecimal, isStrong } from "../criteria/values.ts";

/** A word that contains a digit, and no brackets or quotes. */
const VALUE = "((?=[^\\s\\d]{0,60}\\d)[!#$%&*+\\-./\\w:=?@^~]{8,400})";
const OPEN = "[\"'`«“「『*(\\[]{0,3}[ \\t]?";
const CONNECTOR =
  "(?:[:=→]|[-–]?->|[-–—]|…{1,3}|\\.{3,6}|(?<![\\p{L}\\d])(?:is|was|are|to|from|as|be|with|est|es|é|è|är|er|ist|lautet|jest|это|son|olan))";

/** From the end of the word: what a sentence has between it and the value. */
const SAID = new RegExp(
  `(?:['’]?s)?[ \\t]?(?:[^\\n"'\`{}<>|;=,\\\\]{0,100}?)(?:${CONNECTOR}:?[ \\t]{1,16}${OPEN}|[ \\t]\\()${VALUE}`,
  "uy",
);
const DIRECT = new RegExp(`(?:['’]s)?[ \\t]{1,16}${OPEN}${VALUE}`, "uy");
/** In languages without spaces. */
const EASTERN = new RegExp(`[ \\t]?(?:是|为|為|は|는|은|이|가|:)[ \\t]?:?[ \\t]?${OPEN}${VALUE}`, "uy");
/** The line ends with a colon, and the next one consists of the value. */
const BELOW = new RegExp(
  `[^\\n]{0,160}?:[*_]{0,2}[ \\t]{0,8}\\n(?:[ \\t]{0,16}\\n)?(?:[ \\t]{0,16}\`{3}\\w{0,12}[ \\t]{0,4}\\n)?[ \\t>]{0,16}["'\`]?${VALUE}["'\`]?[ \\t]{0,8}(?=\\n|$|["'\\\\])`,
  "uy",
);
/** "New value: …" after a line about a password, or the output of a command that reads one. */
const RESULT = new RegExp(
  `[^\\n]{0,160}\\n[^\\n]{0,24}?(?:(?:value|result|output):[ \\t]{1,4}["'\`]?|[^\\n]{0,80}input_value=["'])${VALUE}`,
  "iuy",
);
const OUTPUT = new RegExp(`\\}["'][^\\n]{0,60}\\n[ \\t]{0,16}${VALUE}[ \\t]{0,8}(?=\\n|$|["'\\\\])`, "uy");
const CALL = new RegExp(
  `(?:["'\\]\\\\) ]{1,8}\\.(?:type|fill|sendKeys|send_keys|typeText|setValue|pressSequentially|press_sequentially))?\\(\\s{0,16}[bru]?["'\`]${VALUE}["'\`]|,\\s?<<"${VALUE}"`,
  "uy",
);
const AFTER_WORD = [SAID, DIRECT, EASTERN, RESULT, OUTPUT, CALL];

/** Before the word: "use … as the password", "… is my api key", a call with a comment. */
const BEFORE_WORD = [
  new RegExp(`${VALUE}["'\`)»”*]{0,3},? (?:is|as|was|for)(?: [\\p{L}'-]{1,14}){0,3} $`, "u"),
  new RegExp(`["'\`]${VALUE}["'\`][^\\n"'\`]{0,12}(?:#|//) ?(?:[\\w,]{1,20} ){0,3}$`, "u"),
];
const REACH_BEFORE = 160;
const REACH_AFTER = 480;

/** `passwords:` and `"tokens": [`: several values, on lines of their own or between commas. */
const LIST = /s?["']?[ \t]{0,8}[:=][ \t]{0,8}(?:\[\s{0,20}|\n[ \t]{0,20}-[ \t]{1,4})/y;
const ITEM = /["']?([^\s"',\]]{1,400})["']?(?:\s{0,20},\s{0,20}|[ \t]{0,8}\n[ \t]{0,20}-[ \t]{1,4})?/y;
const MAX_ITEMS = 200;

/** The words of a wallet's recovery phrase, twelve or more. */
const MNEMONIC =
  /["'`*]{0,3}(?:[ \t]{0,2}[:=]|[ \t]is:?)\s{1,16}["'`]?((?:[a-z]{3,8}[ \t,]{1,2}){11,23}[a-z]{3,8})(?![a-z])/y;

export function mentionedSecrets(plain: string, words: readonly SecretWord[]): Span[] {
  const spans: Span[] = [];
  let listed = 0;
  for (const { start, word } of words) {
    const end = start + word.length;
    // Without a digit nearby there is no value.
    if (
      !/\d/.test(plain.slice(Math.max(0, start - REACH_BEFORE), end + REACH_AFTER)) &&
      !/phrase$|mnemonic/i.test(word)
    )
      continue;
    if (!isSecretName(plain.slice(beginningOfName(plain, start), start), word)) continue;
    const name = markOf(word);
    if (/phrase$|mnemonic/i.test(word)) {
      const phrase = rangeAfter(MNEMONIC, plain, end);
      if (phrase !== undefined) spans.push({ ...phrase, name });
    }
    if (start >= listed) {
      const items = listAfter(plain, end);
      spans.push(...items.map((item) => ({ ...item, name })));
      listed = items.at(-1)?.end ?? listed;
    }
    for (const place of rangesAround(plain, start, end, word)) spans.push({ ...place, name });
  }
  return spans;
}

function* rangesAround(plain: string, start: number, end: number, word: string): Generator<TextRange> {
  // Part of a longer name, or a plural.
  if (/^[\w-]/.test(plain.charAt(end)) && !(kindOf(word) === "password" && /^s[ \t:]/.test(plain.slice(end, end + 2))))
    return;
  for (const expression of AFTER_WORD) {
    const found = rangeAfter(expression, plain, end);
    if (
      found !== undefined &&
      plain.charAt(found.end) !== "(" &&
      isMentionedSecret(plain.slice(found.start, found.end))
    ) {
      yield found;
      break;
    }
  }
  const below = rangeAfter(BELOW, plain, end);
  if (below !== undefined) {
    const value = plain.slice(below.start, below.end);
    if (isMentionedSecret(value) || (kindOf(word) === "password" && isHexadecimal(value) && isGenerated(value)))
      yield below;
  }
  const reach = plain.slice(Math.max(0, start - REACH_BEFORE), start);
  const before = reach.slice(reach.lastIndexOf("\n") + 1);
  if (!before.endsWith(" ") || !/\d/.test(before)) return;
  for (const expression of BEFORE_WORD) {
    const found = expression.exec(before);
    if (found === null || !isMentionedSecret(found[1]!)) continue;
    const at = start - before.length + found.index + found[0].indexOf(found[1]!);
    yield { start: at, end: at + found[1]!.length };
  }
}

function isMentionedSecret(value: string): boolean {
  return isStrong(value) && !isPlaceholder(value);
}

/** The range of the group of a sticky expression, without the end of a sentence. */
function rangeAfter(expression: RegExp, plain: string, at: number): TextRange | undefined {
  expression.lastIndex = at;
  const found = expression.exec(plain);
  if (found === null) return undefined;
  const value = found.slice(1).find((group) => group !== undefined)!;
  const start = at + found[0].lastIndexOf(value);
  return { start, end: start + value.replace(/(?<![.:?])[.:?]+$/, "").length };
}

function listAfter(plain: string, at: number): TextRange[] {
  LIST.lastIndex = at;
  if (!LIST.test(plain)) return [];
  const items: TextRange[] = [];
  let next = LIST.lastIndex;
  for (let count = 0; count < MAX_ITEMS; count++) {
    ITEM.lastIndex = next;
    const item = ITEM.exec(plain);
    if (item === null) break;
    const value = item[1]!;
    const start = next + item[0].indexOf(value);
    if (value.length >= 16 && isMentionedSecret(value)) items.push({ start, end: start + value.length });
    next += item[0].length;
    if (!/[,\s]$/.test(item[0])) break;
  }
  return items;
}
