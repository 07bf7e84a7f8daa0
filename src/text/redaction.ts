// Takes secrets out of text before it is shown or written: keys of the known
// providers, private keys, tokens, passwords in addresses, headers, commands
// and assignments. What was there is still recognisable: "[redacted: GitHub
// token]". Hashes, ids, placeholders and code stay as they are. Used for
// whatever leaves the store of conversations.
//
// The time grows with the length of the text whatever is in it: no expression
// here can be made to look at the same place more than a bounded number of
// times. Text that was redacted is left alone by a second pass.
import { isExampleToken, isPlaceholder } from "./placeholders.ts";
import { secretAssignments, type Span } from "./secret-assignments.ts";
import { SECRET_FORMATS } from "./secret-formats.ts";
import { TokenFinder } from "./token-finder.ts";

const SHORTEST = 8;

export function redact(text: string): string {
  if (text.length < SHORTEST) return text;
  return ANNOUNCED.test(text) ? STEPS.reduce((rest, step) => step(rest), text) : withoutKnownTokens(text);
}

/** One of these stands in every text that any step but that of the known tokens has something to take from. */
const ANNOUNCED =
  /pass|pwd|mnemonic|phrase|secret|token|key|credential|auth|pat\s*[=:]|private|:\/\/|[?&;](?:sig|x-)|(?:bearer|basic)[ \t]|cookie|login|mysql|mariadb|redis-cli|(?:curl|wget|https?)\s|identified/i;

const STEPS: readonly ((text: string) => string)[] = [
  withoutPrivateKeys,
  withoutKnownTokens,
  withoutUrlPasswords,
  withoutSignatures,
  withoutAuthorization,
  withoutCookies,
  withoutCommandPasswords,
  withoutAssignedSecrets,
];

function mark(name: string): string {
  return `[redacted: ${name}]`;
}

/** What stands where a secret was. */
export const MARK = /\[redacted: [\w .]+\]/g;

const KEY_BEGIN = /-----BEGIN (?:[A-Z\d]{1,12} ){0,3}PRIVATE KEY( BLOCK)?-----/g;
const KEY_END = /-----END [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
/** The body of a key that was cut off, with what stands between its lines in files, in JSON and in code. */
const KEY_BODY = /^(?:[A-Za-z\d+/=\s:,.;"'`()-]|\\[nr"']|\\\\n)*/;
const LONGEST_KEY = 32_768;

/** PuTTY's form has no end of its own, but counts its lines. */
const PUTTY_LINES = /(Private-Lines: \d{1,3}\s{1,4})(?:[A-Za-z\d+/=]{4,128}(?:\r?\n|\\n|$)){1,200}/g;

function withoutPrivateKeys(text: string): string {
  if (text.includes("Private-Lines: ")) return withoutArmour(text.replace(PUTTY_LINES, `$1${mark("private key")}\n`));
  return withoutArmour(text);
}

function withoutArmour(text: string): string {
  if (!text.includes("PRIVATE KEY")) return text;
  const spans: Span[] = [];
  const dashes = new TokenFinder(text, "-----");
  KEY_BEGIN.lastIndex = 0;
  for (let begin = KEY_BEGIN.exec(text); begin !== null; begin = KEY_BEGIN.exec(text)) {
    const start = KEY_BEGIN.lastIndex;
    const next = dashes.from(start);
    const reach = text.slice(start, Math.min(next, start + LONGEST_KEY));
    KEY_END.lastIndex = next;
    const isClosed = next - start <= LONGEST_KEY && KEY_END.test(text);
    const body = isClosed ? reach : (KEY_BODY.exec(reach)?.[0] ?? "");
    // A line that only names the header, in code or prose, has no key after it.
    if (!/[A-Za-z\d+/=]{24}/.test(body)) continue;
    const end = isClosed ? KEY_END.lastIndex : start + body.length;
    spans.push({ start: begin.index, end, name: begin[1] === undefined ? "private key" : "PGP private key" });
    KEY_BEGIN.lastIndex = end;
  }
  return withSpans(text, spans);
}

/** The patterns end after this many characters, tokens that nobody knows may not. */
const UNUSUAL = 400;

const KNOWN_TOKEN = new RegExp(`(?<![A-Za-z\\d_])(?:${SECRET_FORMATS.map(({ pattern }) => pattern).join("|")})`, "g");
const EACH_FORMAT = SECRET_FORMATS.map(({ name, pattern }) => ({ name, whole: new RegExp(`^(?:${pattern})`) }));

function hasKnownToken(text: string): boolean {
  const words = longWordsIn(text);
  KNOWN_TOKEN.lastIndex = 0;
  return words.length > 0 && KNOWN_TOKEN.test(words.join(" "));
}

/** No known token is shorter, and none holds a space. */
const SHORTEST_TOKEN = 15;

/** From behind, so that of most words only some letters are looked at. */
function longWordsIn(text: string): string[] {
  const words: string[] = [];
  for (let start = 0; start + SHORTEST_TOKEN <= text.length;) {
    let space = start + SHORTEST_TOKEN - 1;
    while (space >= start && !isSpace(text.charCodeAt(space))) space--;
    if (space < start) {
      space = start + SHORTEST_TOKEN;
      while (space < text.length && !isSpace(text.charCodeAt(space))) space++;
      words.push(text.slice(start, space));
    }
    start = space + 1;
  }
  return words;
}

/** Of ASCII: with other spaces in it a word is longer, and no less a candidate. */
function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
}

function withoutKnownTokens(text: string): string {
  // Most of a text is words of a few letters: these need not be held against seventy forms.
  if (!hasKnownToken(text)) return text;
  const spans: Span[] = [];
  KNOWN_TOKEN.lastIndex = 0;
  for (let found = KNOWN_TOKEN.exec(text); found !== null; found = KNOWN_TOKEN.exec(text)) {
    const [token] = found;
    let end = found.index + token.length;
    while (token.length >= UNUSUAL && /[\w-]/.test(text.charAt(end))) end++;
    KNOWN_TOKEN.lastIndex = end;
    if (isExampleToken(token)) continue;
    const name = EACH_FORMAT.find(({ whole }) => whole.test(token))?.name ?? "token";
    spans.push({ start: found.index, end, name });
  }
  return withSpans(text, spans);
}

const USER_AND_PASSWORD = /:\/\/([^\s/:@"'`<>[\]\\]{0,100}):([^\s/"'`<>\\]{1,200})@(?=[\w.[-])/g;

function withoutUrlPasswords(text: string): string {
  if (!text.includes("://")) return text;
  return text.replace(USER_AND_PASSWORD, (whole, user: string, password: string) => {
    // `host:8080?mail=a@b` has a port and no password.
    if (/^\d{1,5}[?#]/.test(password) || isPlaceholder(password)) return whole;
    return `://${user}:${mark("password")}@`;
  });
}

const SIGNATURE =
  /([?&;](?:sig|signature|X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature)=)([\w%+/=.~-]{16,2000})/gi;

function withoutSignatures(text: string): string {
  return text.replace(SIGNATURE, (whole, before: string, value: string) =>
    isPlaceholder(value) ? whole : `${before}${mark("signature")}`,
  );
}

const HEADER =
  /((?:proxy-)?authorization\\{0,3}["'`]?[ \t]{0,4}(?:[:=,]|=>)[ \t]{0,4}\\{0,3}["'`]?[ \t]{0,2}(?:(?:bearer|basic|token|apikey|digest|negotiate|bot|aws4-hmac-sha256)[ \t]{1,4})?)([\w+/=.~:-]{8,4000})/gi;
const SCHEME = /((?<![A-Za-z\d_])(?:Bearer|bearer|Basic)[ \t]{1,4})([\w+/=.~-]{16,4000})/g;

function withoutAuthorization(text: string): string {
  return text
    .replace(HEADER, (whole, before: string, value: string, at: number) => {
      const next = text.charAt(at + whole.length);
      return (isCredential(value, 8) || isLongWord(value)) && !/[(${<[]/.test(next)
        ? `${before}${mark("authorization")}`
        : whole;
    })
    .replace(SCHEME, (whole, before: string, value: string) =>
      isCredential(value, 16) ? `${before}${mark("authorization")}` : whole,
    );
}

/** Not a word of a sentence, a member of an object, or a placeholder. */
function isCredential(value: string, least: number): boolean {
  if (value.length < least || isPlaceholder(value)) return false;
  if (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value) && !/\d/.test(value)) return false;
  return /\d/.test(value)
    ? /[A-Za-z]/.test(value)
    : /[a-z][A-Z].*[a-z][A-Z]/.test(value) && value.length >= 12 && !/^[a-z]+(?:[A-Z][a-z]+)+$/.test(value);
}

/** In a header of its own a long run of letters is no word of a sentence. */
function isLongWord(value: string): boolean {
  return /^(?:[a-z]{16,}|[A-Z]{16,})$/.test(value) && !isPlaceholder(value);
}

const COOKIES = /((?:set-)?cookie\\{0,3}["'`]?[ \t]{0,4}:[ \t]{0,4}\\{0,3}["'`]?)([^\r\n"'`\\]{4,4096})/gi;
const COOKIE = /([\w.-]{1,60})=([^;\s,]{6,4096})/g;
const COOKIE_WITH_IDENTITY = /sess|sid|auth|token|jwt|csrf|xsrf|remember|login|secret|identity|key/i;
const COOKIE_ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|version|priority)$/i;

function withoutCookies(text: string): string {
  return text.replace(COOKIES, (_, before: string, cookies: string) => {
    const kept = cookies.replace(COOKIE, (whole, name: string, value: string) => {
      if (COOKIE_ATTRIBUTE.test(name) || isPlaceholder(value)) return whole;
      const isLong = value.length >= 20 && /\d/.test(value) && /[A-Za-z]/.test(value);
      return isLong || COOKIE_WITH_IDENTITY.test(name) ? `${name}=${mark("cookie")}` : whole;
    });
    return before + kept;
  });
}

/** Passwords that no name announces: each expression's last group is the value. */
const COMMANDS: readonly RegExp[] = [
  /((?<!\w)(?:mysql|mysqldump|mysqladmin|mariadb)(?=\s)[^\n|;&]{0,200}?\s-p)([^\s'"-][^\s'"]{3,200})/g,
  /((?<!\w)(?:docker|podman|helm|nerdctl|az|cf)\s[^\n|;&]{0,40}?login(?=\s)[^\n|;&]{0,200}?\s-p[ =]["']?)([^\s'"]{4,200})/g,
  /((?<![^\n])[ \t]{0,20}(?:ENV|ARG)[ \t]{1,4}\w{0,40}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_KEY)[ \t]{1,4})([^\s=]{4,200})/g,
  /((?<!\w)sshpass\s{1,4}-p\s{0,4}["']?)([^\s'"]{3,200})/g,
  /((?<!\w)redis-cli(?=\s)[^\n|;&]{0,200}?\s-a\s{1,4}["']?)([^\s'"]{4,200})/g,
  /((?<!\w)(?:curl|wget|http|https)\s[^\n|;]{0,400}?(?:-u|--user)[ =]{1,2}["']?[^\s:"'$]{1,100}:)([^\s'"]{4,200})/g,
  /((?<!\w)login\s{1,4}\S{1,100}\s{1,4}password\s{1,4})(\S{3,200})/g,
  /((?<!\w)(?:IDENTIFIED\s{1,4}BY|WITH\s{1,4}PASSWORD|ENCRYPTED\s{1,4}PASSWORD|PASSWORD)\s{1,4}')([^'\n]{4,200})(?=')/gi,
  /((?<!\w)(?:password|passphrase|passwort)\s{1,2}(?:is|was|ist|to)\s{0,2}:?\s{1,2}["'`]?)((?=[^\s"'`]{0,40}[A-Za-z])(?=[^\s"'`]{0,40}\d)[^\s"'`]{6,100})/gi,
];

function withoutCommandPasswords(text: string): string {
  return COMMANDS.reduce(
    (rest, command) =>
      rest.replace(command, (whole, before: string, value: string) =>
        isPlaceholder(value) || value.startsWith("[redacted") ? whole : `${before}${mark("password")}`,
      ),
    text,
  );
}

function withoutAssignedSecrets(text: string): string {
  return withSpans(
    text,
    [...secretAssignments(text)].filter(
      ({ start, end }) => !text.slice(start, Math.min(end, start + 512)).includes("[redacted"),
    ),
  );
}

function withSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, name } of spans) {
    parts.push(text.slice(from, start), mark(name));
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}
