// Judges values by themselves: random, as secrets are, or a word, a name or code.
// Used by the finders, which judge the context.

export function isMixed(value: string): boolean {
  return /[A-Za-z]/.test(value) && /[\d!@#$%^&*~+?]/.test(value);
}

/** Long and not made of words: letters with digits, or letters whose case changes as in no name. */
export function isRandom(value: string): boolean {
  if (value.length < 8 || !/^[\w+/=.~:@!#$%^&*?|,;()[\]{}<>-]+$/.test(value)) return false;
  if (/^\d+(?:\.\d+)*$/.test(value)) return false;
  if (isName(value)) return false;
  if (/\d/.test(value)) return /[A-Za-z]/.test(value);
  // Without digits, only if the case changes more often than in camelCase.
  return value.length >= 16 && changesOfCase(value) * 3 >= value.length;
}

/** Certainly generated: long, with digits among letters as in no name. */
export function isGenerated(value: string): boolean {
  if (value.length < 16 || !isRandom(value)) return false;
  const digits = value.match(/\d/g)?.length ?? 0;
  return /^[\da-f-]+$/i.test(value) ? value.length >= 32 : digits >= 2 && (changesOfCase(value) >= 2 || digits >= 4);
}

/** Letters of both cases and digits in no order that a name has, with the signs of base64 among them. */
export function isShuffled(value: string): boolean {
  if (value.length < 20 || !/^[\w+/=~-]+$/.test(value)) return false;
  if (![/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(value))) return false;
  const changes = value.match(/(?<=[a-z])[A-Z\d]|(?<=[A-Z])[a-z\d]|(?<=\d)[A-Za-z]/g)?.length ?? 0;
  return changes * 10 >= value.length * 3 && !isName(value);
}

function changesOfCase(value: string): number {
  return value.match(/[a-z][A-Z]|[A-Z][a-z]/g)?.length ?? 0;
}

/** Words in any naming style, each with at most a short number at its end. */
export function isName(value: string): boolean {
  const words = value.split(/[-_.:/]+|(?<=[a-z])(?=[A-Z])/).filter((word) => word !== "");
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
  const letters = words.join("").length / words.length;
  return (
    numbered >= 3 ||
    (words.length >= 4 && letters < 3.2) ||
    (words.length === 1 && numbered === 1 && words[0]!.length >= 10 && !/^[a-z]+\d{1,2}$/i.test(words[0]!))
  );
}

/** A call, a member, an index, a template, an operator or a pattern: an expression rather than a value. */
export function isCode(value: string, after: string): boolean {
  return (
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+[!,;)]{0,3}$/.test(value) ||
    /^[\w$.?!]*[([{]/.test(value) ||
    /^(?:await|new|async|function|typeof|lambda|self|this|const|let|var|return|if|not)$/.test(value) ||
    /::|->|=>|\|\||&&|\?\?/.test(value) ||
    after === "(" ||
    /^[&*][A-Za-z_]\w*$/.test(value) ||
    /^[A-Z][A-Za-z]*<.*$/.test(value) ||
    /^\/(?:\^|.*\/[dgimsuvy]*[,;.)]|\(|\[)/.test(value)
  );
}

/** A type, as it follows a colon in code. */
export function isTypeName(value: string): boolean {
  return /^[A-Z][A-Za-z]*$|^[A-Z][a-z]+\d{1,2}(?:[A-Z][a-z]+){0,3}$/.test(value);
}

/** `token2`, `password1`, `secretV2`: a variable, if there are no quotes. */
export function isNumberedName(value: string): boolean {
  return /^[A-Za-z_]*(?:token|pass(?:word)?|pwd|secret|key|cred(?:ential)?s?|value|param|arg|var|str|text)[A-Za-z_]*\d{0,2}$/i.test(
    value,
  );
}

/** Several ordinary words, as in a passphrase, rather than a sentence about one. */
export function isPhrase(value: string): boolean {
  if (
    /\b(?:is|are|must|not|be|to|of|in|for|was|has|with|your|the|at|least|characters?|passphrase|password)\b/i.test(
      value,
    )
  )
    return false;
  return /^[a-z]+(?:[ -][a-z]+){3,23}$/.test(value) || (/^\S+(?: \S+){1,5}$/.test(value) && /\d/.test(value));
}

/** Base64 of `user:password`, as in HTTP Basic authentication and Docker's configuration. */
export function isEncodedPair(value: string): boolean {
  if (value.length < 8 || !/^[A-Za-z\d+/_-]+={0,2}$/.test(value)) return false;
  const plain = Buffer.from(value, "base64").toString("latin1");
  return (
    /^[\x21-\x7E]{0,200}:[\x20-\xFF]+$/.test(plain) &&
    plain.length * 4 >= (value.replace(/(?<!=)=+$/, "").length - 1) * 3
  );
}

/**
 * Looks like a secret without any context: generated, or letters and digits with a
 * sign among them. Not a hash or an id (hexadecimal), a path, a time, an address or
 * a file name.
 */
export function isStrong(value: string): boolean {
  if (value.length < 8 || value.length > 400 || !/^[\w!#$%^&*@~+?.=/-]+$/.test(value)) return false;
  if (!/[A-Za-z]/.test(value) || isHexadecimal(value) || IS_WRITTEN.test(value)) return false;
  if (!/\d/.test(value)) return isRandom(value);
  if (value.includes("/") && value.split("/").some((part) => part.length >= 3 && isName(part))) return false;
  if (isGenerated(value) && !/^[a-z\d]+(?:[-_.][a-z\d]+)+$/i.test(value)) return true;
  if (value.length >= 12 && isRandom(value) && changesOfCase(value) * 4 >= value.length) return true;
  if (
    /^[A-Za-z\d]{16,}$/.test(value) &&
    isRandom(value) &&
    [/\d\D+\d/, /[a-z]/, /[A-Z]/].every((kind) => kind.test(value))
  )
    return true;
  if (!/[!#$%^&*?~+@]./.test(value) || /[/=]/.test(value) || /^[A-Za-z][a-z]*(?:\W[A-Za-z][a-z]*)*\d*$/.test(value))
    return false;
  return (/[a-z]/.test(value) && /[A-Z]/.test(value)) || !isName(value.replace(/[^\w-]/g, "-"));
}

export function isHexadecimal(value: string): boolean {
  return /^(?:0x)?[\da-f-]+$/i.test(value);
}

/** A time, an e-mail address, a file, a version, a hash with its algorithm, a variable. */
const IS_WRITTEN =
  /\d{4}-\d\d-\d\d|\d:\d\d|^[\w.+-]+@[\w-]+\.[a-z]|^@|\.[a-z]{1,5}\d?$|@v?\d+(?:\.\d+)+|@v?\d+$|^v?\d+\.\d|^(?:sha\d+|md5)[-:]|^[$&*#][A-Za-z_]\w*$|^[./~]|\w\(|^[\w.-]+\?[\w.-]+$|^#/i;
