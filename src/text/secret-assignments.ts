// Finds what is assigned to a name that means a secret: in .env files, JSON,
// YAML, shell, command-line flags, headers, connection strings, query strings
// and XML. Used by redaction.ts. The name decides where to look, the value and
// its surroundings decide whether it is a secret, a placeholder or code.
import { isPlaceholder } from "./placeholders.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** The part of a name that makes it one. What stands before it in the name is looked at afterwards. */
const WORD =
  /passw(?:or)?d|passwort|passphrase|passcode|pwd|mnemonic|seed[_-]?phrase|secret(?:[_-]?(?:access)?[_-]?key(?:[_-]?base)?)?|token|auth[_-]?key|(?:api|access|account|private|signing|encryption|master|storage|service[_-]?role|shared[_-]?access|webhook|admin)[_-]?key|credentials?|_auth(?=\s*=)|(?<![A-Za-z])pass(?=\\{0,3}["'`]?\s{0,4}[=:])|(?<=[A-Z]_)key(?=\\{0,3}["'`]?\s{0,4}[=:])|(?<![A-Za-z])pat(?=\s*[=:])/gi;

/** Between a name and its value; a backslash stands before a quote where all of it is inside a JSON string. */
const BETWEEN = /(?:_?\d{1,2})?\\{0,3}["'`]?\]?[ \t]{0,16}(=>|:=|==?=?|:|>|value=)[ \t]{0,16}/y;
const ARGUMENT = /\\{0,3}["'`]?,?[ \t]{1,4}/y;
/** What announces a password may be a line of its own. */
const LINE_BREAK = /\r?\n[ \t]{0,16}(?=\S)/y;
const OPENING = /[bru]?(\\{0,3})(["'`])/y;

const LONGEST_NAME = 64;
const LONGEST_VALUE = 2048;
/** So much of a value is enough to judge it by. */
const JUDGED = 128;
const NAME_CHARACTER = /[\w.-]/;

/** Tokens and keys of other kinds: positions in lists, parts of models, parts of databases. */
const OTHER_NAME =
  /(?:page|next|prev|previous|continuation|sync|cancel|cancellation|csrf|xsrf|pad|eos|bos|unk|mask|sep|cls|stop|start|end|special|image|vocab|resume|delta|skip|design|css|color|lock|fencing|publish|public|per|last|first|current_?token|num|count|max|min|total|foreign|primary|cache|sort|partition|row|i18n|label|title|placeholder|type|field|column|selector|regex|pattern|hash|hashed|encrypted|idempotency|id|class|style|kind|input|error|message|hint)[_.-]?$/i;

export function* secretAssignments(text: string): Generator<Span> {
  WORD.lastIndex = 0;
  const runs = {
    ":": new Runs(text, AFTER_COLON),
    ">": new Runs(text, IN_ELEMENT),
    other: new Runs(text, ELSEWHERE),
  };
  const endOfRun = (start: number, separator: string) =>
    runs[separator === ":" || separator === ">" ? separator : "other"].endFrom(start);
  for (let found = WORD.exec(text); found !== null; found = WORD.exec(text)) {
    const span = assignmentAt(text, found.index, found.index + found[0].length, found[0].toLowerCase(), endOfRun);
    if (span === undefined) continue;
    yield span;
    WORD.lastIndex = Math.max(span.end, found.index + 1);
  }
}

interface Assigned {
  /** The whole name, what stands before the word included. */
  readonly name: string;
  readonly isPassword: boolean;
  readonly separator: string;
  readonly isSpaced: boolean;
  /** The value is in the line below. */
  readonly isBelow: boolean;
  readonly quote: string;
  readonly value: string;
  /** The character before the name, and the one after the value. */
  readonly before: string;
  readonly after: string;
}

type EndOfRun = (start: number, separator: string) => number;

function assignmentAt(text: string, start: number, end: number, word: string, endOfRun: EndOfRun): Span | undefined {
  const nameStart = beginningOfName(text, start);
  const prefix = text.slice(nameStart, start);
  if (word === "key" && !/^[A-Z\d_]+$/.test(prefix)) return undefined;
  if (/redacted: ?[\w ]*$/.test(text.slice(Math.max(0, start - 30), start))) return undefined;
  if (OTHER_NAME.test(prefix)) return undefined;
  const isFlag =
    /^--?[a-z]/i.test(prefix + word) || /(?:^|[\s"'])--?$/.test(text.slice(Math.max(0, nameStart - 3), start));
  BETWEEN.lastIndex = end;
  const between = BETWEEN.exec(text);
  let at: number;
  if (between !== null) {
    if (between[1] === ">" && !isElement(text, nameStart)) return undefined;
    if (/^={2,3}$/.test(between[1]!)) return undefined;
    at = BETWEEN.lastIndex;
  } else if (isFlag) {
    ARGUMENT.lastIndex = end;
    if (!ARGUMENT.test(text)) return undefined;
    at = ARGUMENT.lastIndex;
  } else return undefined;

  const separator = between?.[1] ?? " ";
  const isPassword = /^pass|^pwd|mnemonic|phrase/.test(word);
  LINE_BREAK.lastIndex = at;
  const isBelow = isPassword && separator === ":" && LINE_BREAK.test(text);
  if (isBelow) at = LINE_BREAK.lastIndex;
  const isSpaced = between !== null && /\s[:=>]/.test(between[0]);
  OPENING.lastIndex = at;
  const opening = OPENING.exec(text);
  const valueStart = opening === null ? at : OPENING.lastIndex;
  const valueEnd =
    (opening === null ? undefined : closingQuote(text, valueStart, opening[2]!, opening[1]!.length)) ??
    endOfRun(valueStart, separator);
  const assigned: Assigned = {
    name: prefix + text.slice(start, end),
    isPassword,
    separator: isFlag && separator === " " ? "flag" : separator,
    isSpaced,
    isBelow,
    quote: opening?.[2] ?? "",
    value: text.slice(valueStart, Math.min(valueEnd, valueStart + JUDGED)),
    before: text.charAt(nameStart - 1),
    after: text.charAt(valueEnd),
  };
  if (!isSecret(assigned)) return undefined;
  return { start: valueStart, end: valueEnd, name: nameOf(word) };
}

function beginningOfName(text: string, from: number): number {
  let start = from;
  while (start > 0 && from - start < LONGEST_NAME && NAME_CHARACTER.test(text.charAt(start - 1))) start--;
  return start;
}

/** `<password>` and `<ns:password>`, but not `a.token > b`. */
function isElement(text: string, nameStart: number): boolean {
  return text.charAt(nameStart - 1) === "<" || /<\w{1,20}:$/.test(text.slice(Math.max(0, nameStart - 22), nameStart));
}

/** Where a quoted value ends; undefined where it does not within reach. */
function closingQuote(text: string, start: number, quote: string, depth: number): number | undefined {
  const limit = Math.min(text.length, start + LONGEST_VALUE);
  for (let at = start; at < limit; at++) {
    const character = text.charAt(at);
    if (character === "\n") return undefined;
    if (character !== quote) continue;
    let backslashes = 0;
    while (at - 1 - backslashes >= start && text.charAt(at - 1 - backslashes) === "\\") backslashes++;
    // A quote that is escaped once more than the opening one belongs to the value.
    if (backslashes <= depth) return at - backslashes;
  }
  return undefined;
}

/** Where values without quotes end, remembered: many names may stand in one run, and each run is followed once. */
class Runs {
  readonly #text: string;
  readonly #stop: RegExp;
  #from = 0;
  #end = -1;

  constructor(text: string, stop: RegExp) {
    this.#text = text;
    this.#stop = stop;
  }

  endFrom(start: number): number {
    if (start >= this.#from && start <= this.#end) return this.#end;
    this.#stop.lastIndex = start;
    this.#from = start;
    this.#end = this.#stop.exec(this.#text)?.index ?? this.#text.length;
    return this.#end;
  }
}

/** What ends a bare value: after a colon, in an element, and elsewhere. An escape is the end of a line inside of a JSON string. */
const AFTER_COLON = /[\s"'`,;)}\]]|\\[nrt"']/g;
const IN_ELEMENT = /[<\s]/g;
const ELSEWHERE = /[\s"'`;&,)}\]|]|\\[nrt"']/g;

function isSecret(assigned: Assigned): boolean {
  const { name, value, quote, isPassword } = assigned;
  if (value.length < 4 || isPlaceholder(value)) return false;
  if (/pwd$/i.test(name) && /^[/~.]|^[A-Za-z]:\\/.test(value)) return false;
  if (/^(?:https?|wss?|file):\/\//i.test(value) || /^\.{0,2}\/[\w./-]*$/.test(value)) return false;
  if (assigned.isBelow) return isAlone(assigned);
  if (quote === "") return isPassword ? isBarePassword(assigned) : isBareToken(assigned);
  if (/\s/.test(value))
    return (
      isPassword &&
      (isPhrase(value) || (/^\S+(?: \S+){1,2}$/.test(value) && /\d/.test(value) && /[^\w\s.,']/.test(value)))
    );
  return isPassword ? isPasswordText(value) : isRandom(value);
}

/** All that its line holds, and neither a word nor a key of what is nested. */
function isAlone({ value, after }: Assigned): boolean {
  if (!/^[\r\n]?$/.test(after) || /[:=([{]/.test(value) || !/\d/.test(value)) return false;
  return value.length >= 8 && (isRandom(value) || (isMixed(value) && /[^\w.-]/.test(value)));
}

/** Several ordinary words, as a passphrase has them: not a sentence about one. */
function isPhrase(value: string): boolean {
  return (
    /^[a-z]+(?:[ -][a-z]+){3,23}$/.test(value) &&
    !/\b(?:is|are|must|not|be|to|of|in|for|was|has|with|passphrase|password)\b/.test(value)
  );
}

/** Between quotes nearly everything may be a password but the label of a field. */
function isPasswordText(value: string): boolean {
  if (/^\p{Lu}?\p{Ll}+$/u.test(value)) return /^[a-z]{5,}$/.test(value) || value.length >= 12;
  // A path of names (auth.password.title), a selector (#password), a constant (INVALID_PASSWORD).
  return (
    !/^[a-z_]+(?:[.:/][A-Za-z_]+)+$/.test(value) && !/^[#.][\w-]+$/.test(value) && !/^[A-Z]+(?:_[A-Z]+)+$/.test(value)
  );
}

/** Values without quotes are code as often as not. */
function isBarePassword(assigned: Assigned): boolean {
  const { value, after, separator } = assigned;
  if (isCode(value, after) || (isTypeName(value) && separator === ":")) return false;
  if (isLiteralPlace(assigned)) return !/^[A-Z]+(?:_[A-Z\d]+)+$/.test(value) && value !== "=";
  return value.length >= 6 && (isMixed(value) || /^\d+$/.test(value)) && !isNumberedName(value);
}

function isBareToken(assigned: Assigned): boolean {
  const { value, after } = assigned;
  if (isCode(value, after) || isNumberedName(value)) return false;
  if (isLiteralPlace(assigned)) return isRandom(value) || (value.length >= 8 && isMixed(value));
  return isRandom(value);
}

/** Where a bare word is itself and not the name of a variable: .env, flags, connection strings, queries, headers, XML. */
function isLiteralPlace({ name, separator, isSpaced, before, after }: Assigned): boolean {
  if (separator === "flag" || separator === ">") return true;
  const isConstant = /^[A-Z][A-Z\d_]{3,}$/.test(name);
  if (separator === ":") return isConstant;
  if (separator === "=" && !isSpaced) {
    return isConstant || /[?&;]/.test(before) || /[;&]/.test(after) || name.startsWith("-");
  }
  return false;
}

/** A call, a member, an index, a template, an operator, a pattern: something that has the secret, or makes it. */
function isCode(value: string, after: string): boolean {
  return (
    value.startsWith("/") ||
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+!?$/.test(value) ||
    /^[\w$.?!]*[([{]/.test(value) ||
    /^(?:await|new|async|function|typeof|lambda|self|this|const|let|var|return|if|not)$/.test(value) ||
    /^[\w.]+\(/.test(value) ||
    /::|->|=>|\|\||&&|\?\?/.test(value) ||
    after === "(" ||
    /^[&*][A-Za-z_]\w*$/.test(value) ||
    /^[A-Z][A-Za-z]*<.*$/.test(value)
  );
}

/** What stands behind a colon in code. */
function isTypeName(value: string): boolean {
  return /^[A-Z][A-Za-z]*$/.test(value);
}

/** `token2`, `password1`, `secretV2`: a variable, where there are no quotes. */
function isNumberedName(value: string): boolean {
  return /^[A-Za-z_]*(?:token|pass(?:word)?|pwd|secret|key|cred(?:ential)?s?|value|param|arg|var|str|text)[A-Za-z_]*\d{0,2}$/i.test(
    value,
  );
}

function isMixed(value: string): boolean {
  return /[A-Za-z]/.test(value) && /[\d!@#$%^&*~+?]/.test(value);
}

/** Long, and not made of words: letters with digits, or letters of both cases in no order that a name has. */
function isRandom(value: string): boolean {
  if (value.length < 8 || !/^[\w+/=.~:@!#$%^&*?|-]+$/.test(value)) return false;
  if (/^\d+(?:\.\d+)*$/.test(value)) return false;
  if (isName(value)) return false;
  if (/\d/.test(value)) return /[A-Za-z]/.test(value);
  // Without any digit: only where the cases change as they do not in camelCase.
  const changes = value.match(/[a-z][A-Z]|[A-Z][a-z]/g)?.length ?? 0;
  return value.length >= 16 && changes * 3 >= value.length;
}

/** Words in any of the ways in which names are written, with a number at the end of one at most. */
function isName(value: string): boolean {
  const words = value.split(/[-_.:/]+|(?<=[a-z])(?=[A-Z])/);
  return (
    words.length > 0 &&
    words.every((word) => /^(?:[A-Za-z]?[a-z]{1,14}|[A-Z]{1,14})\d{0,2}$|^\d{1,4}$|^v\d+$/.test(word)) &&
    longestWord(words) <= 14 &&
    !looksShuffled(words)
  );
}

function longestWord(words: readonly string[]): number {
  return Math.max(...words.map((word) => word.length));
}

/** Random text splits into many short pieces with digits in them. */
function looksShuffled(words: readonly string[]): boolean {
  const numbered = words.filter((word) => /\d/.test(word)).length;
  return (
    numbered >= 3 ||
    (words.length === 1 && numbered === 1 && words[0]!.length >= 10 && !/^[a-z]+\d{1,2}$/i.test(words[0]!))
  );
}

function nameOf(word: string): string {
  if (/^pass(?:phrase|code)|mnemonic|seed/.test(word)) return "passphrase";
  if (/^pass|^pwd/.test(word)) return "password";
  if (word.includes("key")) return "key";
  if (word === "token" || word === "pat") return "token";
  return "secret";
}
