// Tells a value that only stands for a secret (`your-api-key`, `${TOKEN}`,
// `****`) or refers to one (`process.env.X`) from the secret itself. Used by
// redaction.ts, so that documentation and code stay readable.

/** Something that is filled in later, fetched from elsewhere, or was masked already. */
const STANDS_FOR_IT =
  /\$\{|\$\(|\{\{|\}\}|<%|%>|^\$\w|^%\w+%$|^<[^>]*>?$|^\[|^\{|^@|^!\w|…|\.{3}|\*{3}|•{3}|#{4}|_{4}|-{4}|x{4}|X{4}|(?:^|\W)(?:process\.env|os\.environ|import\.meta|getenv|secrets\.|vars\.|env\.|ENV\[|op:\/\/|vault:|ref\+|arn:|sops:)/;

/** Words that say what belongs here, not what it is. */
const SAYS_WHAT_BELONGS_HERE =
  /(?:^|[^a-z])(?:your|my|our|the|example|sample|dummy|fake|mock|placeholder|change[-_ ]?(?:me|this|it)|replace|insert|fill|enter|put|goes|here|todo|fixme|redacted|hidden|masked|removed|omitted|foo|bar|baz)(?:$|[^a-z])/i;

const NO_SECRET =
  /^(?:null|nil|none|undefined|true|false|yes|no|on|off|empty|required|optional|string|str|text|number|int|integer|bool|boolean|any|unknown|void|never|object|bytes|char|varchar|optional\[str\]|secretstr|auto|default|test|testing|tests?|n\/a|na|tbd|unset|missing|invalid|valid|wrong|expired|ok|bearer|basic|plain|self|this|env|input|stdin|prompt|file|value|data|key|field|name|user|username|email|login|sha\d+|md\d|utf-?\d+|base\d+(?:url)?|u?int\d+|float\d+|v\d+|rs\d+|hs\d+|es\d+|oauth\d?|saml2?|mfa|2fa|totp)$/i;

const SECRET_NOUNS = new Set(
  "password passwort passwd passphrase pass pwd pw contraseña senha wachtwoord secret token jwt apikey key credential credentials auth authorization".split(
    " ",
  ),
);
const AROUND_THEM = new Set(
  "new old current confirm repeat user db database admin root access refresh auth bearer api client session bot id private public github csrf a some test no is has get set show forgot reset login app default personal on off type field input label value text string hash header name not found bad wrong invalid valid service account encrypted".split(
    " ",
  ),
);

/** The name of a thing, not the thing: `userPassword`, `access_token`. */
function namesASecret(value: string): boolean {
  if (value.length > 40 || /\d/.test(value)) return false;
  const words = value
    .split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
  return words.some(isNoun) && words.every((word) => isNoun(word) || AROUND_THEM.has(word));
}

function isNoun(word: string): boolean {
  return SECRET_NOUNS.has(word) || SECRET_NOUNS.has(word.replace(/s$/, ""));
}

export function isPlaceholder(value: string): boolean {
  return (
    STANDS_FOR_IT.test(value) ||
    SAYS_WHAT_BELONGS_HERE.test(value) ||
    NO_SECRET.test(value) ||
    namesASecret(value) ||
    isOneCharacter(value)
  );
}

/** Of a token with a provider's prefix: shown as an example, not used. */
export function isExampleToken(token: string): boolean {
  return /x{6}|X{6}|your[-_]|YOUR[-_]|example/.test(token);
}

function isOneCharacter(value: string): boolean {
  for (let i = 1; i < value.length; i++) if (value[i] !== value[0]) return false;
  return true;
}
