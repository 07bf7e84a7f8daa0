// Finds what is assigned to a name that means a secret: in .env files, JSON,
// YAML, shell, command-line flags, headers, connection strings, query strings,
// XML, Markdown and prose. The name decides where to look, the value and its
// surroundings decide whether it is a secret, a placeholder or code.
import { BareValues } from "./bare-values.ts";
import {
  beginningOfName,
  isHarmlessEnding,
  isSecretName,
  kindOf,
  markOf,
  type SecretKind,
  type SecretWord,
} from "../../criteria/names.ts";
import { isPlaceholder } from "../../criteria/placeholders.ts";
import type { Span } from "../../spans.ts";
import {
  isCode,
  isEncodedPair,
  isGenerated,
  isMixed,
  isNumberedName,
  isPhrase,
  isRandom,
  isStrong,
  isTypeName,
} from "../../criteria/values.ts";

/** More of the name, what closes it, a remark in brackets, the separator, and what opens the value. */
const SEPARATOR =
  /((?:_?\d{1,2}(?![A-Za-z\d])|(?:[_-][A-Za-z\d]{1,16}){1,2})?)(?:[ ]{0,15}["'`*_\]]){0,6}(?:[ \t]{1,4}[[(][^\])\n]{0,24}[\])]|[ \t](?:for|of|on)[ \t][\w.@'"-]{1,40}(?=:))?["'`*]{0,4}[ \t]{0,30}(=>|->|→|[—–-](?= )|:=|\?\?=|\|\|=|={1,3}|:|>|value=|\||<\/(?:t[dh]|key|dt|name)>\s{0,20}<(?:td|string|dd|value)[^>\n]{0,60}>)[ \t]{0,30}[*_]{0,3}[ \t]{0,8}(?:&[\w-]{1,20}[ \t]{1,4})?/y;
/** `: string = "…"`, `{ get; set; } = "…"`: the value comes behind the type. */
const TYPE =
  /(?:[ ]?&?(?:'static )?[A-Za-z][\w<>[\]|.?]{0,30}|\s{1,2}\{\s?get;[^}\n]{0,20}\})?\s{0,4}=\s{0,4}(?=[bru]?["'`])/y;
const ARGUMENT = /["'`]?[ \t]{0,15},?[ \t]{1,16}/y;
/** `define("DB_PASSWORD", "…")` */
const NEXT_ARGUMENT = /["'`][ \t]{0,15},[ \t\n]{0,16}(?=[bru]?["'`])/y;
/** "my api key for staging is …" */
const IN_PROSE =
  /["'`*)\]]{0,3}(?:\s{1,3}(?:for|of|on|in)\s[\w ./-]{1,40}?)?\s{1,2}(?:is|was|are|ist|lautet|to|as|be)(?:\s{1,2}(?:now|still|just))?\s{0,2}:?[ \t]{1,8}[*(]{0,3}/y;
const ADJACENT = /["'`*]{0,3}[ \t]{1,4}\(?/y;
/** The value may be in the next line, also in a fence. */
const LINE_BREAK = /[ \t]{0,16}\n(?:[ \t]{0,16}\n)?(?:[ \t]{0,16}`{3}\w{0,12}[ \t]{0,4}\n)?[ \t>]{0,16}(?=\S)/y;
/** Without a separator in the line of the name; YAML may begin the next with it. */
const LINE_BELOW =
  /[*_"'`]{0,3}[ \t]{0,16}\n(?:[ \t]{0,16}\n)?(?:[ \t]{0,16}`{3}\w{0,12}[ \t]{0,4}\n)?[ \t>]{0,16}(?::[ \t]{1,4})?(?=\S)/y;
const OPENING = /[bruN]?(["'`])/y;
/** What stands between the separator and the value: a constructor, a type, a default behind a variable, a former value. */
const WRAPPER =
  /!!str[ \t]{1,4}|(?:Some|Just|Ok|Secret(?:Str|String)?|PASSWORD|Optional\.of|String|str|bytes|Buffer\.from)\(\s{0,16}(?=[bruN]?["'`])|\s{0,20}string\(\d{1,4}\)[ \t]{1,16}(?=")|[\w.]{0,40}(?:getenv|get|fetch|env|config)\(\s{0,16}["'][\w.]{1,60}["']\s{0,16},\s{0,16}(?:default\s?=\s?)?(?=["'`])|[\w.$]{1,60}(?:\(["'][\w.]{1,60}["']\)|\[["'][\w.]{1,60}["']\])?[ \t]{1,4}(?:\|\||\?\?|or|\?:)[ \t]{1,16}(?=["'`])|"[A-Za-z]{0,20}"[ \t]{1,16}->[ \t]{1,16}(?=")|\{(?=[^\s{}"'$]{0,60}\d[^\s{}"'$]{0,60}\}(?:;|$|[\s"']))|«\s?/y;
/** The value of YAML that begins in the next line. */
const BLOCK = /[|>][+-]?\d?[ \t]{0,4}\n[ \t]{1,16}(?=\S)/y;
/** More of a string that is written in several. */
const CONTINUED = /["'`]\s{0,4}(?:[+.\\]|->)?\s{0,20}["'`]([^"'`\n]{4,200})(?=["'`])/y;
const MOST_PIECES = 8;

const LONGEST_VALUE = 2048;
/** So much of a value is enough to judge it by. */
const JUDGED = 256;

type Place = "assigned" | "flag" | "argument" | "prose" | "adjacent" | "below" | "cell";

interface Assigned {
  /** The whole name, what stands before and behind the word included. */
  readonly name: string;
  readonly kind: SecretKind;
  readonly place: Place;
  readonly separator: string;
  readonly isSpaced: boolean;
  readonly hasEnding: boolean;
  /** The name begins its line, and the value ends it. */
  readonly isWholeLine: boolean;
  readonly quote: string;
  readonly value: string;
  /** The character before the name, and the one after the value. */
  readonly before: string;
  readonly after: string;
}

export function assignedSecrets(text: string, plain: string, words: readonly SecretWord[]): Span[] {
  const spans: Span[] = [];
  const bare = new BareValues(text);
  let read = 0;
  for (const { start, word } of words) {
    if (start < read) continue;
    const span = secretBehind(text, plain, start, word, bare);
    if (span === undefined) continue;
    spans.push(span);
    read = span.end;
  }
  return spans;
}

function secretBehind(text: string, plain: string, start: number, word: string, bare: BareValues): Span | undefined {
  const wordEnd = start + word.length;
  const nameStart = beginningOfName(plain, start);
  const prefix = plain.slice(nameStart, start);
  if (!isSecretName(prefix, word)) return undefined;
  if (/\[redacted: ?[\w .]*$/.test(plain.slice(Math.max(0, start - 40), start))) return undefined;
  const found = valuePlace(plain, nameStart, prefix, start, wordEnd);
  if (found === undefined || isHarmlessEnding(found.ending)) return undefined;
  const { at, place, separator, ending } = found;
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
    place,
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

/**
 * A backslash that ends a line continues the value in the next one. Escaped in
 * JSON, the backslash and the line break are three backslashes and an n, in
 * JSON in JSON six. Behind blanks it is only a value where it is all of its line.
 */
const NEXT_LINE =
  /(?:(?<=\\)\r?\n|(?<!\\)(?:\\{3}|\\{6}|\\{12})n)(?:[ \t]{0,8}\d{1,6}→)?(?:(?!-)[^\s"'`\\]{1,400}|[ \t]{1,40}(?!-)[^\s"'`\\=:]{1,400}(?=[\s"'`\\]|$)(?![ \t]))/y;

const LINE_CONTINUED = /(?:\\\r?\n|(?<!\\)(?:\\{3}|\\{6}|\\{12})n)(?:[ \t]{0,8}\d{1,6}→)?/g;

function endOfContinued(text: string, valueEnd: number): number {
  let end = valueEnd;
  for (let count = 0; count < MOST_PIECES; count++) {
    const line = matchAt(NEXT_LINE, text, end);
    if (line === undefined) break;
    end = line.end;
    if (text.charAt(end) === "\\" && /[\r\n]/.test(text.charAt(end + 1))) end++;
  }
  return end;
}

/** `"…" + "…"` */
function endOfPieces(plain: string, closing: number): number {
  let end = closing;
  for (let count = 0; count < MOST_PIECES; count++) {
    const piece = matchAt(CONTINUED, plain, end);
    if (piece === undefined || !isMixed(piece.groups[1]!) || isPlaceholder(piece.groups[1]!)) break;
    end = piece.end;
  }
  return end;
}

interface ValuePlace {
  readonly at: number;
  readonly place: Place;
  readonly separator: string;
  readonly ending: string;
}

function valuePlace(
  plain: string,
  nameStart: number,
  prefix: string,
  start: number,
  end: number,
): ValuePlace | undefined {
  const between = matchAt(SEPARATOR, plain, end);
  if (between !== undefined) {
    const [, ending, separator] = between.groups;
    if (separator === ">" && !isElement(plain, nameStart)) return undefined;
    if (separator === "|" && !CELL_LEAD.test(plain.slice(Math.max(0, nameStart - 100), nameStart))) return undefined;
    if (/^={2,3}$/.test(separator!))
      return /["'`]/.test(plain.charAt(between.end))
        ? { at: between.end, place: "argument", separator: separator!, ending: ending! }
        : undefined;
    const isCell = separator === "|" || separator!.startsWith("<");
    const typed = separator === ":" ? matchAt(TYPE, plain, between.end) : undefined;
    if (typed !== undefined) return { at: typed.end, place: "assigned", separator: "=", ending: ending! };
    if (/^[—–→-]/.test(separator!)) return { at: between.end, place: "prose", separator: separator!, ending: ending! };
    const below =
      separator === ":" ? (matchAt(BLOCK, plain, between.end) ?? matchAt(LINE_BREAK, plain, between.end)) : undefined;
    return {
      at: below?.end ?? matchAt(WRAPPER, plain, between.end)?.end ?? between.end,
      place: below !== undefined ? "below" : isCell ? "cell" : "assigned",
      separator: separator!,
      ending: ending!,
    };
  }
  const property = matchAt(TYPE, plain, end);
  if (property !== undefined) return behind("assigned", property.end);
  const isFlag =
    /^--?[a-z]/i.test(prefix + plain.slice(start, end)) ||
    /(?:^|[\s"'])--?$/.test(plain.slice(Math.max(0, nameStart - 3), start));
  if (isFlag) return behind("flag", matchAt(ARGUMENT, plain, end)?.end);
  const prose = matchAt(IN_PROSE, plain, end);
  if (prose !== undefined) {
    const below = matchAt(LINE_BREAK, plain, prose.end - 1);
    return behind(below === undefined ? "prose" : "below", below?.end ?? prose.end);
  }
  const next = matchAt(NEXT_ARGUMENT, plain, end);
  if (next !== undefined) return behind("argument", next.end);
  const below = startsLine(plain, nameStart) ? matchAt(LINE_BELOW, plain, end) : undefined;
  return below === undefined ? behind("adjacent", matchAt(ADJACENT, plain, end)?.end) : behind("below", below.end);
}

/** A cell begins with the line or with a bar. */
const CELL_LEAD = /(?:^|[\n|])[ \t*`"']{0,8}(?:[\w.-]{1,40} ){0,3}$/;

function behind(place: Place, at: number | undefined): ValuePlace | undefined {
  return at === undefined ? undefined : { at, place, separator: " ", ending: "" };
}

function matchAt(expression: RegExp, text: string, at: number): { end: number; groups: RegExpExecArray } | undefined {
  expression.lastIndex = at;
  const groups = expression.exec(text);
  return groups === null ? undefined : { end: at + groups[0].length, groups };
}

/** Nothing stands before it but what lists, quotes, numbers, exports or comments a line. */
const LINE_LEAD =
  /(?:^|[\n"'`])[ \t]{0,80}(?:\d{1,6}[ \t]{0,4}[→|:│\t][ \t]{0,40})?(?:[>+|│$?-]{1,2}[ \t]{0,40})?(?:#[ \t]{0,4})?(?:-[ \t]{1,8})?(?:export[ \t]{1,8}|set[ \t]{1,8}|\$env:|declare -x )?["'`*]{0,3}(?:[\w./-]{1,20}[ \t]{1,2}){0,2}$/;

function startsLine(plain: string, nameStart: number): boolean {
  return LINE_LEAD.test(plain.slice(Math.max(0, nameStart - 160), nameStart)) || nameStart === 0;
}

/** `<password>` and `<ns:password>`, but not `a.token > b`. */
function isElement(plain: string, nameStart: number): boolean {
  return plain.charAt(nameStart - 1) === "<" || /<\w{1,20}:$/.test(plain.slice(Math.max(0, nameStart - 22), nameStart));
}

/** Where a quoted value ends; undefined where it does not within reach. */
function closingQuote(text: string, start: number, quote: string): number | undefined {
  const depth = backslashesBefore(text, start - 1, 0);
  const limit = Math.min(text.length, start + LONGEST_VALUE);
  for (let at = start; at < limit; at++) {
    const character = text.charAt(at);
    if (character === "\n" && text.charAt(at - 1) !== "\\") return undefined;
    if (character !== quote && !isEncodedQuote(text, at)) continue;
    const backslashes = backslashesBefore(text, at, start);
    // A quote that is escaped once more than the opening one belongs to the value.
    if (backslashes <= depth) return at - backslashes;
  }
  return undefined;
}

/** The quote of an address or of HTML. */
function isEncodedQuote(text: string, at: number): boolean {
  return (
    (text.startsWith("%22", at) || text.startsWith("&quot;", at) || text.startsWith("&#3", at)) &&
    text.charAt(at - 1) !== "\\"
  );
}

function backslashesBefore(text: string, at: number, from: number): number {
  let count = 0;
  while (at - 1 - count >= from && text.charAt(at - 1 - count) === "\\") count++;
  return count;
}

function isConstant(name: string): boolean {
  return /^(?:[A-Z][A-Z\d_]{3,}|[A-Z][A-Z_]*PASS)$/.test(name);
}

function isSecret(assigned: Assigned, plain: string, nameStart: number, valueEnd: number): boolean {
  const { name, value, quote, kind, place } = assigned;
  if (value.length < 4 || isPlaceholder(value) || value.includes("[redacted")) return false;
  // Spanish and Italian for other keys and words too.
  if (/^(?:clave|parola)$/i.test(name)) return isStrong(value);
  if (/pwd$/i.test(name) && /^[/~.]|^[A-Za-z]:\\/.test(value)) return false;
  if (/^(?:https?|wss?|file):\/\//i.test(value) || /^(?:\.{0,2}|~)\/[\w.@/-]*$/.test(value)) return false;
  if (/(?:^|[^a-z])auth$/i.test(name) && kind === "token")
    return isEncodedPair(value) || (name === "_auth" && isRandom(value));
  if (assigned.hasEnding && !isRandom(value) && !(isMixed(value) && value.length >= 8)) return false;
  switch (place) {
    case "below":
      return isAlone(assigned);
    case "prose":
      if (isLink(value)) return false;
      if (quote !== "") return isQuoted(assigned) && (kind !== "password" || isMixed(value));
      if (kind === "password" && /\d/.test(value) && /[A-Za-z]/.test(value) && trimmedEnd(value).length >= 6)
        return true;
      return isRandom(trimmedEnd(value)) && !isCode(value, assigned.after);
    case "adjacent":
      // `ALTER ROLE app PASSWORD '…'`
      if (quote === "'" && kind === "password" && name.endsWith("PASSWORD")) return isPasswordText(value);
      // `password "…"` in Gradle's files and in Lisp
      if (quote !== "" && kind === "password" && isMixed(value) && /\d/.test(value) && !/\s/.test(value))
        return value.length >= 8 && !isNumberedName(value);
      return !isLink(value) && isGenerated(trimmedEnd(value));
    case "cell":
      return !/\s/.test(value) && (kind === "password" ? value.length >= 6 && isMixed(value) : isRandom(value));
    case "argument":
      if (!isGenerated(value) && /password|secret|token|key/i.test(value)) return false;
      if (isConstant(name)) return isQuoted(assigned);
      return (
        !/\s/.test(value) &&
        (kind === "password" ? value.length >= 6 && isMixed(value) && /\d/.test(value) : isRandom(value))
      );
    default:
      if (quote !== "") return isQuoted(assigned);
      return kind === "password" || (kind === "secret" && isLiteralPlace(assigned))
        ? isBarePassword(assigned, plain, nameStart, valueEnd)
        : isBareToken(assigned);
  }
}

/** The rest of a Markdown link, or an address. */
function isLink(value: string): boolean {
  return /\]\(|:\/\//.test(value);
}

function trimmedEnd(value: string): string {
  return value.replace(/[.,;:!?)]+$/, "");
}

function isQuoted({ value, kind, name, separator }: Assigned): boolean {
  const isPassword = kind === "password" || (kind === "secret" && isConstant(name));
  if (/\s/.test(value)) return isPassword && !/^pass$/i.test(name) && isPhrase(value);
  if (!isPassword) return isRandom(value) || /^[A-Z2-7]{16,}$/.test(value) || (kind !== "key" && isRunOfLetters(value));
  // A word with a capital is the label of a field behind a colon rather than behind an equals sign.
  return isPasswordText(value) || (separator === "=" && /^\p{Lu}\p{Ll}{7,}$/u.test(value));
}

/** As long as no word is: a generator with letters only. */
function isRunOfLetters(value: string): boolean {
  return /^(?:[a-z]{16,64}|[A-Z]{16,64})$/.test(value);
}

/** All that its line holds, and neither a word nor a key of what is nested. */
function isAlone({ value, after, kind, separator }: Assigned): boolean {
  if (!/^[\r\n\\"'`]?$/.test(after) || /[([{]|[:=]$|^\d+\./.test(value) || !/\d/.test(value)) return false;
  if (separator === " " || kind !== "password")
    return isGenerated(value) || (separator === ":" && value.length >= 12 && isRandom(value));
  return value.length >= 8 && !/[:=]/.test(value) && (isRandom(value) || (isMixed(value) && /[^\w.-]/.test(value)));
}

/** Between quotes nearly everything may be a password but the label of a field. */
function isPasswordText(value: string): boolean {
  // A label in a language that is written without blanks.
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(value)) return false;
  if (/^\p{Lu}?\p{Ll}+$/u.test(value)) return /^[a-z]{5,}$/.test(value) || value.length >= 12;
  // A path of names (auth.password.title), a selector (#password), a constant (INVALID_PASSWORD).
  return (
    !/^[a-z_]+(?:[.:/][A-Za-z_]+)+$/.test(value) && !/^[#.][a-z_-]+$/.test(value) && !/^[A-Z]+(?:_[A-Z]+)+$/.test(value)
  );
}

/** Values without quotes are code as often as not. */
function isBarePassword(assigned: Assigned, plain: string, nameStart: number, valueEnd: number): boolean {
  const { value, after, separator } = assigned;
  const isLiteral = isLiteralPlace(assigned);
  if (!isLiteral && isCode(value, after)) return false;
  if (isCode(value, after) && !/\d/.test(value)) return false;
  if (separator === ":" && isTypeName(value))
    return isYaml(assigned, plain, nameStart, valueEnd) && !/^[A-Z][a-z]+$/.test(value);
  if (isLiteral) return !/^[A-Z]+(?:_[A-Z\d]+)+$/.test(value) && value !== "=";
  const isPassphrase = /^[A-Za-z]{3,14}(?:-[A-Za-z]{3,14}){2,7}$/.test(value);
  if (isPassphrase && separator === "=") return assigned.isWholeLine && !assigned.isSpaced;
  if (isPassphrase || /^[a-z]{6,}$/.test(value) || /^[a-z]+(?:[A-Z][a-z]+)+$/.test(value))
    return separator === "=" ? isWholeWord(assigned) : isYaml(assigned, plain, nameStart, valueEnd);
  return value.length >= 6 && (isMixed(value) || isRandom(value) || /^\d+$/.test(value)) && !isNumberedName(value);
}

/** `password=word`, alone in its line, as in the files of databases. */
function isWholeWord({ isWholeLine, value, isSpaced }: Assigned): boolean {
  return isWholeLine && !isSpaced && /^[a-z]{6,}$/.test(value);
}

/** A line of YAML, and no member of an object or a type in code. */
function isYaml({ isWholeLine, after }: Assigned, plain: string, nameStart: number, valueEnd: number): boolean {
  if (!isWholeLine || after === ",") return false;
  const lineStart = plain.lastIndexOf("\n", nameStart - 1) + 1;
  const before = plain
    .slice(Math.max(0, lineStart - 200), Math.max(0, lineStart - 1))
    .split("\n")
    .at(-1)!
    .trim();
  const lineEnd = plain.indexOf("\n", valueEnd);
  const next = (lineEnd === -1 ? "" : plain.slice(lineEnd + 1, lineEnd + 200)).split("\n")[0]!.trim();
  return ![before, next].some(
    (line) =>
      /[,;{([]$|^[})\]]|=>|^(?:def|class|interface|type|function|export|const|let|var|public|private) /.test(line) ||
      TYPED.test(line),
  );
}

const TYPED =
  /^(?:readonly )?[\w'"]+\??\s*:\s*(?:string|number|boolean|bool|str|int|float|bytes|any|unknown|String|Int|Integer|Boolean|Bool|Date|Array|List|Optional)\b/;

function isBareToken(assigned: Assigned): boolean {
  const { value, after, kind, separator, isSpaced } = assigned;
  if (isNumberedName(value) || (separator === ":" && isTypeName(trimmedEnd(value)))) return false;
  const isLiteral = isLiteralPlace(assigned);
  if (isCode(value, after) && !(isLiteral && isGenerated(value.replace(/[^\w]/g, "")))) return false;
  if (kind === "key" && /(?:^|[^a-z])key$/i.test(assigned.name) && !isLiteral && separator === "=" && isSpaced)
    return isGenerated(value);
  if (isLiteral && ((value.length >= 8 && isMixed(value)) || /^[A-Z2-7]{16,}$/.test(value))) return true;
  return isRandom(value) || (kind !== "key" && assigned.isWholeLine && !isSpaced && isChosen(assigned));
}

/** Without any digit: letters only, or with a sign between them. */
function isChosen({ value, kind, separator }: Assigned): boolean {
  if (kind === "secret" && separator === "=" && /^[a-z]{12,}$/.test(value)) return true;
  return isRunOfLetters(value) || /^(?=.{10})[A-Za-z]+(?:[!#%^&*~][A-Za-z]+)+!?$/.test(value);
}

/** Where a bare word is itself and not the name of a variable: .env, flags, connection strings, queries, headers, XML. */
function isLiteralPlace({ name, place, separator, isSpaced, before, after, isWholeLine }: Assigned): boolean {
  if (place === "flag" || separator === ">") return true;
  const isConstantName = isConstant(name);
  if (separator === ":") return isConstantName;
  if (separator === "=" && !isSpaced) {
    return (
      isConstantName ||
      /[?&;]/.test(before) ||
      /[;&]/.test(after) ||
      name.startsWith("-") ||
      (isWholeLine && /[a-z]\.[a-z]/i.test(name))
    );
  }
  return false;
}
