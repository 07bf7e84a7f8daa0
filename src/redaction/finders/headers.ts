// Finds credentials in HTTP headers, however a program prints them, and in cookies:
// headers, curl options, cookie files. Used by redaction.ts.
import { isPlaceholder } from "../criteria/placeholders.ts";
import { lastGroups, type Span } from "../spans.ts";
import { isEncodedPair, isGenerated, isName } from "../criteria/values.ts";

/** announcements.ts looks for these. */
export const HEADER_LITERALS: readonly string[] = [
  "authorization",
  "bearer",
  "basic ",
  "negotiate ",
  "apikey ",
  "cookie",
  "curl ",
];

export function headerSecrets(text: string, plain: string, announced: ReadonlySet<string>): Span[] {
  const spans: Span[] = [];
  if (announced.has("authorization")) spans.push(...authorizations(plain));
  if (["bearer", "basic ", "negotiate ", "apikey "].some((literal) => announced.has(literal)))
    spans.push(...schemes(plain));
  if (announced.has("cookie") || announced.has("curl ")) spans.push(...cookies(text, plain));
  if (plain.includes("\tTRUE") || plain.includes("\tFALSE"))
    spans.push(...lastGroups(plain, COOKIE_FILE, "cookie", (value) => !isPlaceholder(value)));
  return spans;
}

const SCHEME_NAME =
  "(?:bearer|basic|token|apikey|digest|negotiate|bot|ntlm|hawk|key|splunk|sso-key|genie-?key|sharedkey|sharedaccesssignature|klaviyo-api-key|aws4-hmac-sha256|vapid|gitlab-deploy-token)";
const HEADER = new RegExp(
  `(?:proxy-)?authorization["'\`]?[ \\t]{0,8}(?:[:=,]|=>)[ \\t]{0,8}(?:[bf]?["'\`][ \\t]{0,8}){0,2}(?:(?:${SCHEME_NAME}|[A-Za-z][\\w-]{2,24}(?=[ \\t]{1,8}[\\w+/=.~:%|-]{16}))[ \\t]{1,8})?([\\w+/=.~:%|-]{6,4000})(?![(\${<[])`,
  "gi",
);
/** `Digest username="…", response="…"`, `AWS4-HMAC-SHA256 Credential=…, Signature=…`. */
const HEADER_MEMBER =
  /(?:response|cnonce|nonce|opaque|signature|credential|mac|hash|oauth_\w{5,20})=["']?([\w+/=.%-]{16,400})/gi;
const HEADER_LINE = /authorization["'`]?[ \t]{0,8}[:=][^\n]{0,2000}/gi;

function authorizations(plain: string): Span[] {
  const spans = lastGroups(plain, HEADER, "authorization", (value) => isCredential(value, 6));
  for (const { index, 0: line } of plain.matchAll(HEADER_LINE)) {
    if (!line.includes("=")) continue;
    for (const { start, end, name } of lastGroups(
      line,
      HEADER_MEMBER,
      "authorization",
      (value) => !isPlaceholder(value),
    ))
      spans.push({ start: index + start, end: index + end, name });
  }
  return spans;
}

const SCHEME =
  /(?<![A-Za-z\d_])(?:bearer|Bearer|BEARER|Basic|basic|Negotiate|negotiate|ApiKey|apikey)[ \t]{1,8}(?:["'`][ \t]{0,8})?([\w+/=.~-]{12,4000})(?![(${<[])/g;

/** The name of a scheme also occurs in sentences, so the value must be random. */
function schemes(plain: string): Span[] {
  return lastGroups(
    plain,
    SCHEME,
    "authorization",
    (value) => !isPlaceholder(value) && (isGenerated(value) || isEncodedPair(value)),
  );
}

/** Returns whether a value is neither a word, nor a member expression, nor a placeholder. */
function isCredential(value: string, least: number): boolean {
  if (value.length < least || isPlaceholder(value) || isEncodedPair(value))
    return value.length >= least && isEncodedPair(value);
  if (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value) && !/\d/.test(value)) return false;
  // A long run of letters in a header is not a word.
  if (/^(?:[a-z]{16,}|[A-Z]{16,})$/.test(value)) return true;
  return /\d/.test(value)
    ? /[A-Za-z]/.test(value) && !(isName(value) && value.length < 12)
    : /[a-z][A-Z].*[a-z][A-Z]/.test(value) && value.length >= 12 && !/^[a-z]+(?:[A-Z][a-z]+)+$/.test(value);
}

/** In a header, after a curl option, or assigned in a script. */
const COOKIES =
  /(?:(?:set-)?cookie2?["'`]?\]?[ \t]{0,8}(?:[:=]|=>)[ \t]{0,8}\[?[ \t]{0,4}["'`]?|--cookie(?:=|[ \t]{1,8})["'`]?|(?<=curl[^\n|;]{0,400}\s)-\w{0,6}b[ \t]{1,8}["'`]?)/gi;
const COOKIE_LINE = /[^\r\n"'`\\]{4,4096}/y;
const COOKIE = /([\w.-]{1,60})=([^;\s,"'`]{4,4096})/g;
const COOKIE_WITH_IDENTITY = /sess|sid|auth|token|jwt|csrf|xsrf|remember|login|secret|identity|key|pass/i;
const COOKIE_ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|version|priority)$/i;

function cookies(text: string, plain: string): Span[] {
  const spans: Span[] = [];
  let read = 0;
  for (const { index, 0: announced } of plain.matchAll(COOKIES)) {
    if (index < read) continue;
    COOKIE_LINE.lastIndex = index + announced.length;
    const line = COOKIE_LINE.exec(text);
    if (line === null) continue;
    read = COOKIE_LINE.lastIndex;
    for (const { index: at, 0: whole, 1: name, 2: value } of line[0].matchAll(COOKIE)) {
      if (COOKIE_ATTRIBUTE.test(name!) || isPlaceholder(value!)) continue;
      const isLong = value!.length >= 20 && /\d/.test(value!) && /[A-Za-z]/.test(value!);
      if (!isLong && !(COOKIE_WITH_IDENTITY.test(name!) && value!.length >= 6)) continue;
      const end = line.index + at + whole.length;
      spans.push({ start: end - value!.length, end, name: "cookie" });
    }
  }
  return spans;
}

/** A line of a cookie file: domain, subdomains, path, secure, expiry, name, value, between tabs. */
const COOKIE_FILE =
  /[^\s]{1,200} {0,15}\t(?:TRUE|FALSE) {0,15}\t\/[^\t\n]{0,200}\t(?:TRUE|FALSE) {0,15}\t\d{1,12} {0,15}\t[^\t\n]{1,100}\t([^\s"'`]{6,4096})/g;
