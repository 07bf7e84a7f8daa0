// Replaces escapes by what they stand for, padded so that all offsets stay the same:
// what is found in the result is cut out of the original. So the finders need not
// know about JSON in JSON, colours, URL encoding or line numbers. Used by
// redaction.ts.

/** Bounded, so that it is linear: a run of backslashes is matched in pieces of fifteen. */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex -- colours begin with one
  /\\{1,15}(?:u001[bB]\[[\d;]{0,12}[A-Za-z]|x1[bB]\[[\d;]{0,12}[A-Za-z]|033\[[\d;]{0,12}[A-Za-z]|e\[[\d;]{0,12}m|u00(?:0[aA]|2[267]|3[cdeCDE])|[nrt"'`/])|\u001B\[[\d;?]{0,12}[A-Za-z]|%(?:0[aAdD]|2[0267]|3[aAdD])|&(?:quot|apos|amp|lt|gt|#3[49]|#x2[27]);/g;
// oxlint-disable-next-line no-control-regex -- colours begin with one
const HAS_ESCAPE = /[\\\u001B%&]/;
/** Characters that look like a space, a colon or an equals sign, or are invisible. */
const LOOKS_PLAIN = /[\u00A0\u200B-\u200D\u202F\u2060\u3000\uFEFF\uFF1A\uFF1D]/;
const EACH_PLAIN = new RegExp(LOOKS_PLAIN, "g");

/** The line numbers of listings. */
const LINE_NUMBER = /(?<=^|\n)[ \t]{0,8}\d{1,6}[→│\t]/g;

export function unescaped(text: string): string {
  const same = LOOKS_PLAIN.test(text) ? text.replace(EACH_PLAIN, plainCharacter) : text;
  const plain = HAS_ESCAPE.test(same) ? same.replace(ESCAPES, plainForm) : same;
  return /\d[→│\t]/.test(plain) ? plain.replace(LINE_NUMBER, (number) => " ".repeat(number.length)) : plain;
}

function plainCharacter(character: string): string {
  if (character === "\uFF1A") return ":";
  return character === "\uFF1D" ? "=" : " ";
}

function plainForm(escape: string, at: number, text: string): string {
  const character = meaningOf(escape);
  // JSON may escape the slashes in Base64, which must stay one word.
  if (character === "/") return character.repeat(escape.length);
  // The padding goes to the side on which there is no name or value.
  const isBehind =
    character === "=" || character === ":" || ("\"'`".includes(character) && closes(text, at, escape.length));
  return isBehind ? character.padEnd(escape.length) : character.padStart(escape.length);
}

/** Returns whether a quote is a closing one. */
function closes(text: string, at: number, length: number): boolean {
  return /[:,}\])\s;]/.test(text.charAt(at + length)) || /\w/.test(text.charAt(at - 1));
}

const MEANINGS: Readonly<Record<string, string>> = {
  n: "\n",
  r: " ",
  t: "\t",
  "0a": "\n",
  "0d": " ",
  "20": " ",
  "22": '"',
  "26": "&",
  "27": "'",
  "3a": ":",
  "3c": "<",
  "3d": "=",
  "3e": ">",
  quot: '"',
  "#34": '"',
  "#x22": '"',
  apos: "'",
  "#39": "'",
  "#x27": "'",
  amp: "&",
  lt: "<",
  gt: ">",
};

function meaningOf(escape: string): string {
  if (escape.endsWith("/")) return "/";
  if (/\[[\d;?]*[A-Za-z]$/.test(escape)) return " ";
  const name = escape.replace(/^(?:\\+(?:u00)?|%|&)|;$/g, "").toLowerCase();
  return MEANINGS[name] ?? name.slice(-1);
}
