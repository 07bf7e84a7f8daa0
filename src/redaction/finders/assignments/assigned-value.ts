// Decides whether a value that is assigned to the name of a secret is one, or a
// placeholder, code or prose. Used by assignments.ts.
import type { SecretKind } from "../../criteria/names.ts";
import { isPlaceholder } from "../../criteria/placeholders.ts";
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
import type { Attachment } from "./value-location.ts";

export interface Assigned {
  /** The whole name, of which the word is a part. */
  readonly name: string;
  readonly kind: SecretKind;
  readonly attachment: Attachment;
  readonly separator: string;
  readonly isSpaced: boolean;
  readonly hasEnding: boolean;
  /** The name begins its line and the value ends it. */
  readonly isWholeLine: boolean;
  readonly quote: string;
  readonly value: string;
  /** The character before the name, and the one after the value. */
  readonly before: string;
  readonly after: string;
}

export function isConstant(name: string): boolean {
  return /^(?:[A-Z][A-Z\d_]{3,}|[A-Z][A-Z_]*PASS)$/.test(name);
}

export function isSecret(assigned: Assigned, plain: string, nameStart: number, valueEnd: number): boolean {
  const { name, value, quote, kind, attachment } = assigned;
  if (value.length < 4 || isPlaceholder(value) || value.includes("[redacted")) return false;
  // In Spanish and Italian these also mean "key" and "word".
  if (/^(?:clave|parola)$/i.test(name)) return isStrong(value);
  if (/pwd$/i.test(name) && /^[/~.]|^[A-Za-z]:\\/.test(value)) return false;
  if (/^(?:https?|wss?|file):\/\//i.test(value) || /^(?:\.{0,2}|~)\/[\w.@/-]*$/.test(value)) return false;
  if (/(?:^|[^a-z])auth$/i.test(name) && kind === "token")
    return isEncodedPair(value) || (name === "_auth" && isRandom(value));
  if (assigned.hasEnding && !isRandom(value) && !(isMixed(value) && value.length >= 8)) return false;
  switch (attachment) {
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
      // `password "…"` in Gradle files and Lisp
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
      return kind === "password" || (kind === "secret" && isLiteralContext(assigned))
        ? isBarePassword(assigned, plain, nameStart, valueEnd)
        : isBareToken(assigned);
  }
}

/** The rest of a Markdown link, or a URL. */
function isLink(value: string): boolean {
  return /\]\(|:\/\//.test(value);
}

function trimmedEnd(value: string): string {
  return value.replace(/(?<![.,;:!?)])[.,;:!?)]+$/, "");
}

function isQuoted({ value, kind, name, separator }: Assigned): boolean {
  const isPassword = kind === "password" || (kind === "secret" && isConstant(name));
  if (/\s/.test(value)) return isPassword && !/^pass$/i.test(name) && isPhrase(value);
  if (!isPassword) return isRandom(value) || /^[A-Z2-7]{16,}$/.test(value) || (kind !== "key" && isRunOfLetters(value));
  // A capitalised word after a colon is probably a label; after an equals sign it is not.
  return isPasswordText(value) || (separator === "=" && /^\p{Lu}\p{Ll}{7,}$/u.test(value));
}

/** Longer than any word: generated from letters only. */
function isRunOfLetters(value: string): boolean {
  return /^(?:[a-z]{16,64}|[A-Z]{16,64})$/.test(value);
}

/** The value is alone on its line, and neither a word nor a nested key. */
function isAlone({ value, after, kind, separator }: Assigned): boolean {
  if (!/^[\r\n\\"'`]?$/.test(after) || /[([{]|[:=]$|^\d+\./.test(value) || !/\d/.test(value)) return false;
  if (separator === " " || kind !== "password")
    return isGenerated(value) || (separator === ":" && value.length >= 12 && isRandom(value));
  return value.length >= 8 && !/[:=]/.test(value) && (isRandom(value) || (isMixed(value) && /[^\w.-]/.test(value)));
}

/** In quotes nearly everything may be a password, except the label of a field. */
function isPasswordText(value: string): boolean {
  // A label in a language without spaces.
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(value)) return false;
  if (/^\p{Lu}?\p{Ll}+$/u.test(value)) return /^[a-z]{5,}$/.test(value) || value.length >= 12;
  // A path of names (auth.password.title), a selector (#password), a constant (INVALID_PASSWORD).
  return (
    !/^[a-z_]+(?:[.:/][A-Za-z_]+)+$/.test(value) && !/^[#.][a-z_-]+$/.test(value) && !/^[A-Z]+(?:_[A-Z]+)+$/.test(value)
  );
}

/** Values without quotes are often code. */
function isBarePassword(assigned: Assigned, plain: string, nameStart: number, valueEnd: number): boolean {
  const { value, after, separator } = assigned;
  const isLiteral = isLiteralContext(assigned);
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

/** `password=word` alone on its line, as in configuration files of databases. */
function isWholeWord({ isWholeLine, value, isSpaced }: Assigned): boolean {
  return isWholeLine && !isSpaced && /^[a-z]{6,}$/.test(value);
}

/** A line of YAML, rather than a member of an object or a type in code. */
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
  const isLiteral = isLiteralContext(assigned);
  if (isCode(value, after) && !(isLiteral && isGenerated(value.replace(/[^\w]/g, "")))) return false;
  if (kind === "key" && /(?:^|[^a-z])key$/i.test(assigned.name) && !isLiteral && separator === "=" && isSpaced)
    return isGenerated(value);
  if (isLiteral && ((value.length >= 8 && isMixed(value)) || /^[A-Z2-7]{16,}$/.test(value))) return true;
  return isRandom(value) || (kind !== "key" && assigned.isWholeLine && !isSpaced && isChosen(assigned));
}

/** A chosen password without digits: letters only, or with a sign between them. */
function isChosen({ value, kind, separator }: Assigned): boolean {
  if (kind === "secret" && separator === "=" && /^[a-z]{12,}$/.test(value)) return true;
  return isRunOfLetters(value) || /^(?=.{10})[A-Za-z]+(?:[!#%^&*~][A-Za-z]+)+!?$/.test(value);
}

/** Returns whether a bare word is a literal rather than a variable here: .env, flags, connection strings, queries, headers, XML. */
function isLiteralContext({ name, attachment, separator, isSpaced, before, after, isWholeLine }: Assigned): boolean {
  if (attachment === "flag" || separator === ">") return true;
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
