// Finds passwords, tokens and signatures in URLs, also in escaped or encoded ones.
// Used by redaction.ts.
import { isPlaceholder } from "../criteria/placeholders.ts";
import { lastGroups, type Span } from "../spans.ts";
import { isGenerated, isRandom } from "../criteria/values.ts";

/** `://user:`; the slashes may be escaped, and the user may be empty. */
const USER = /:(?:\\{0,8}\/){2}([^\s/:@"'`<>[\]\\,;|]{0,100}):/g;
/** Ends a URL in any text. */
const ADDRESS_END = /[\s"'`<>\\]|$/g;
const MAX_PASSWORD_LENGTH = 300;
const HOST = /^(?:[\w.-]+|\[[\w.:]+\])(?::(?:\d{1,5}|(?=[${<%])|[A-Za-z_]{2,12}))?(?=[/?#,;)\]}\s"'`<>\\&${%]|$)/;

export function addressSecrets(text: string): Span[] {
  const spans: Span[] = [];
  if (text.includes("://") || text.includes(":\\")) {
    for (const found of text.matchAll(USER)) passwordAt(text, found.index + found[0].length, found[1]!, spans);
    spans.push(...lastGroups(text, TOKEN_ALONE, "token", isToken));
  }
  if (text.includes("@tcp(") || text.includes("@unix("))
    spans.push(...lastGroups(text, GO_SOURCE, "password", (value) => !isPlaceholder(value)));
  if (PATHS_WITH_KEY.some((path) => text.includes(path)))
    spans.push(...lastGroups(text, KEY_IN_PATH, "key", isKeyInPath));
  if (text.includes("%40")) spans.push(...lastGroups(text, ENCODED, "password", (value) => !isPlaceholder(value)));
  if (/[?&;]|%26|%3F|\\u0026/i.test(text)) spans.push(...signatures(text));
  return spans;
}

function passwordAt(text: string, start: number, user: string, spans: Span[]): void {
  const reach = text.slice(start, start + MAX_PASSWORD_LENGTH);
  ADDRESS_END.lastIndex = 0;
  const address = reach.slice(0, ADDRESS_END.exec(reach)!.index);
  const at = endOfPassword(address);
  if (at === undefined) return;
  const password = address.slice(0, at);
  // `https://TOKEN:x-oauth-basic@host` and `https://TOKEN:@host`: the user is the secret.
  if (/^(?:x-oauth-basic|x-oauth|x|)$/.test(password)) {
    const from = start - 1 - user.length;
    if (isToken(user)) spans.push({ start: from, end: start - 1, name: "token" });
    return;
  }
  if (!isPlaceholder(password)) spans.push({ start, end: start + at, name: "password" });
}

/**
 * The offset of the `@` before the host. A password may contain `@`, `/`, `?` and
 * `#`, though they should be encoded; `host:8080/a@b` has a port and no password.
 */
function endOfPassword(address: string): number | undefined {
  const authority = /^[^/?#]*/.exec(address)![0];
  for (const part of [authority, /^[^?#]*/.exec(address)![0], address]) {
    if (part !== authority && /^\d{1,5}(?:[/?#]|$)/.test(address)) return undefined;
    for (let at = part.lastIndexOf("@"); at !== -1; at = at === 0 ? -1 : part.lastIndexOf("@", at - 1)) {
      const isHandle = at > 0 && part !== authority && part[at - 1] === "/";
      if (!isHandle && HOST.test(address.slice(at + 1))) return at;
    }
  }
  return undefined;
}

const TOKEN_ALONE = /:(?:\\{0,8}\/){2}([\w.~%+=-]{16,300})(?=@[\w[])/g;

/** Random, unlike the name of a person or a service. */
function isToken(user: string): boolean {
  return user.length >= 16 && isRandom(user) && !isPlaceholder(user);
}

/** The data source name of Go's MySQL driver: `user:password@tcp(host)/db`. */
const GO_SOURCE = /(?<![\w:/])[\w.-]{1,60}:([^\s"'`]{3,200})(?=@(?:tcp|unix)\()/g;

/** Services with the key in the path, and links that grant access by themselves. */
const PATHS_WITH_KEY = [".infura.io/", ".alchemy", ".quiknode.pro/", "/reset", "/magic-link/", "/private-"];
const KEY_IN_PATH =
  /(?:\.infura\.io\/(?:ws\/)?v3|\.alchemy\.com\/v2|\.alchemyapi\.io\/v2|\.quiknode\.pro|\/reset(?:-password)?|\/magic-link|\/ical\/[^\s"'`/]{1,100}(?=\/private-))\/(?:private-)?([\w-]{20,100})(?![\w-])/g;

function isKeyInPath(value: string): boolean {
  return isGenerated(value) && !isPlaceholder(value);
}

/** A URL inside a URL: `https%3A%2F%2Fuser%3Apassword%40host`. */
const ENCODED = /%3A(?:%2F){2}[^\s%"'`<>&]{0,100}%3A((?:(?!%40)[^\s"'`<>&]){1,300})(?=%40[\w%])/gi;

const PARAMETER = "(?:[?&;]|%26|%3F|\\\\u0026)";
const SIGNATURE = new RegExp(
  `${PARAMETER}(?:sig|signature|hmac|X-Amz-Signature|X-Amz-Security-Token|X-Amz-Credential|X-Goog-Signature|AWSAccessKeyId|Key-Pair-Id)(?:=|%3D)([\\w%+/=.~:-]{16,2000})`,
  "gi",
);
/** Ambiguous names: only a generated value is a secret. */
const PARAMETER_WITH_KEY = new RegExp(
  `${PARAMETER}(?:key|code|t|policy|hdnts|ticket|assertion|samlresponse|nonce|otp)(?:=|%3D)([\\w%+/=.~:-]{16,2000})`,
  "gi",
);

function signatures(text: string): Span[] {
  return [
    ...lastGroups(text, SIGNATURE, "signature", (value) => !isPlaceholder(value) && isRandom(value)),
    ...lastGroups(text, PARAMETER_WITH_KEY, "key", (value) => !isPlaceholder(value) && isGenerated(value)),
  ];
}
