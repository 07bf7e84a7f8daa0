// Finds secrets whose name is itself a value: `name: DB_PASSWORD` followed by
// `value: …` in YAML, JSON and XML, and Terraform variables. Used by redaction.ts.
import { isHarmlessEnding, isSecretName, kindOf, type SecretKind, type SecretWord } from "../criteria/names.ts";
import { isPlaceholder } from "../criteria/placeholders.ts";
import type { Span, TextRange } from "../spans.ts";
import { isGenerated, isMixed, isRandom } from "../criteria/values.ts";

/** Precedes the name: `"name": "`, `ParameterKey=`, `variable "`. */
const NAME_BEFORE =
  /(?:["']?(?:[a-z]{0,16}name|[a-z]{0,16}key|variable|field|id|label|header|type|selector|element|locator)["']?\s{0,4}[:=]\s{0,4}["']?|variable\s{1,4}["'])[\w.#[\]= -]{0,64}["']?$/i;
const DESCRIBES = /(?:type|selector|element|locator)["']?\s{0,4}[:=]\s{0,4}["']?[\w.#[\]= -]{0,64}["']?$/i;
const NAME_END = /(?:[\w. -]{0,20}(?=["'\]])|[\w.-]{0,20})["'\]]{0,3}/y;
/** One or two other members may come between: `type`, `description`. */
const VALUE_AFTER =
  /(?:[,\s]{1,40}|\s{0,4}\{\s{0,40})(?:["']?(?!name|key|value)[A-Za-z]{1,20}["']?\s{0,4}[:=]\s{0,4}["']?[^"'\n{}[\]]{0,60}["']?[,\s]{1,40}){0,2}["']?(?:[a-z]{0,16}value|default|val|content|text)["']?\s{0,20}[:=]\s{0,20}(?:"([^"\n]{1,2000})"|'([^'\n]{1,2000})'|([^\s"',}\]]{1,2000}))/iy;
/** A part of a multipart form: the name is in a header, the value after an empty line. */
const PART_AFTER = /(?:\r?\n[\w-]{1,30}:[^\n]{0,80}){0,2}[ \t\r]{0,16}\n[ \t\r]{0,16}\n[ \t]{0,16}([^\s"']{3,400})/y;
/** `<string name="api_key">…</string>` */
const CONTENT_AFTER = /[^<>\n]{0,80}>([^<>\s]{4,400})(?=<)/y;
const VALUE_BEFORE =
  /["']?(?:[a-z]{0,16}value|default|val)["']?\s{0,4}[:=]\s{0,4}(?:"([^"\n]{1,400})"|'([^'\n]{1,400})'|([^\s"',}\]]{1,400}))[,\s]{1,40}["']?(?:[a-z]{0,16}name|[a-z]{0,16}key)["']?\s{0,4}[:=]\s{0,4}["']?[\w.-]{0,64}$/i;
const REACH = 600;

export function pairedSecrets(plain: string, words: readonly SecretWord[]): Span[] {
  const spans = [...cookiePairs(plain)];
  for (const { start, word } of words) {
    if (!followsSeparator(plain, start)) continue;
    const lead = plain.slice(Math.max(0, start - 100), start);
    if (!NAME_BEFORE.test(lead)) continue;
    NAME_END.lastIndex = start + word.length;
    const ending = NAME_END.exec(plain)![0];
    const isDescribed = DESCRIBES.test(lead);
    if (!isSecretName(/(?<![\w.-])[\w.-]*$/.exec(lead)![0], word) || (!isDescribed && isHarmlessEnding(ending)))
      continue;
    const after = start + word.length + ending.length;
    const kind = kindOf(word);
    const found = [valueAfter(plain, after), valueBefore(plain, start)].find(
      (place) => place !== undefined && isSecretValue(plain.slice(place.start, place.end), kind),
    );
    if (found === undefined) continue;
    // A type, a selector or a label is weaker evidence than a name.
    if (isDescribed && (kind !== "password" || !isMixed(plain.slice(found.start, found.end)))) continue;
    spans.push({ ...found, name: kind });
  }
  return spans;
}

/** Returns whether a colon or an equals sign precedes the text around a word: cheaper than the expressions. */
function followsSeparator(plain: string, start: number): boolean {
  for (let at = start - 1; at >= 0 && start - at <= 72; at--) {
    const character = plain.charAt(at);
    if (character === ":" || character === "=") return true;
    if (!/[\w.#[\]\s"'-]/.test(character)) return false;
    if (character === '"' && plain.startsWith("variable", at - 9)) return true;
  }
  return false;
}

function valueAfter(plain: string, at: number): TextRange | undefined {
  for (const expression of [VALUE_AFTER, CONTENT_AFTER, PART_AFTER]) {
    expression.lastIndex = at;
    const found = expression.exec(plain);
    if (found !== null) return rangeOf(found, at + found[0].lastIndexOf(lastGroup(found)));
  }
  return undefined;
}

function valueBefore(plain: string, nameAt: number): TextRange | undefined {
  const from = Math.max(0, nameAt - REACH);
  const found = VALUE_BEFORE.exec(plain.slice(from, nameAt));
  return found === null ? undefined : rangeOf(found, from + found.index + found[0].indexOf(lastGroup(found)));
}

function lastGroup(found: RegExpExecArray): string {
  return found.slice(1).find((group) => group !== undefined)!;
}

function rangeOf(found: RegExpExecArray, start: number): TextRange {
  return { start, end: start + lastGroup(found).trimEnd().length };
}

/** Session cookies of a browser, as tools and extensions print them: in any case, with other members between. */
const COOKIES = [
  /"name"\s{0,4}:\s{0,4}"[\w.-]{0,40}(?:sess|sid|auth|jwt|remember|identity)[\w.-]{0,40}"(?=\s{0,4},)[^{}]{0,400}?"value"\s{0,4}:\s{0,4}"([^"\n]{16,4000})"/gi,
  /"value"\s{0,4}:\s{0,4}"([^"\n]{16,4000})"(?=\s{0,4},)[^{}]{0,400}?"name"\s{0,4}:\s{0,4}"[\w.-]{0,40}(?:sess|sid|auth|jwt|remember|identity)[\w.-]{0,40}"/gi,
] as const;

function* cookiePairs(plain: string): Generator<Span> {
  if (!/"name"/i.test(plain)) return;
  for (const expression of COOKIES)
    for (const found of plain.matchAll(expression)) {
      const value = found[1]!.trimEnd();
      const start = found.index + found[0].lastIndexOf(found[1]!);
      if (isGenerated(value) && !isPlaceholder(value)) yield { start, end: start + value.length, name: "cookie" };
    }
}

export function isSecretValue(value: string, kind: SecretKind): boolean {
  if (value.length < 4 || /\s/.test(value) || isPlaceholder(value) || value.includes("[redacted")) return false;
  return kind === "password" || kind === "secret"
    ? !/^[A-Z][a-z]+$|^[A-Z]+(?:_[A-Z]+)+$/.test(value)
    : isRandom(value) || (value.length >= 8 && isMixed(value));
}
