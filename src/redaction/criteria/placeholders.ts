// Recognises values that stand for a secret (`your-api-key`, `${TOKEN}`, `****`) or
// refer to one (`process.env.X`), so that documentation and code stay readable. Used
// by the finders.

/** A template, a reference, or a masked value. */
const STANDS_FOR_IT =
  /\$\{|\$\(|\{\{|\}\}|<%|%>|^\$[A-Z_][A-Z\d_]*$|^\$[a-z_][A-Za-z_]*\d?$|^\$\w+(?:->|\[|::)|^%\w+%$|^<[\w\s.|:/'-]*>?$|^\[redacted|^\[[^\]]*\]$|^\{[\w.$ ]*\}?$|^@[A-Za-z_./{]+$|^!(?:vault|secret|env_var|include|reference|Ref|Sub|GetAtt|ImportValue|Join)\b|…|\.{3}|\*{4}|^\*{3}|•{3}|#{5}|_{6}|-{6}|x{6}|X{6}|^[\w-]{0,8}[xX]{4,}$|(?:^|\W)(?:process\.env|os\.environ|import\.meta|getenv|secrets\.|vars\.|env\.|ENV\[|op:\/\/|vault:|ref\+|arn:|sops:)/;

/** Words that describe what to fill in. */
const SAYS_WHAT_BELONGS_HERE =
  /(?:^|[^a-z])(?:your|example|sample|dummy|fake|mock|placeholder|change[-_ ]?(?:me|this|it)|replace|insert|enter|todo|fixme|redacted|hidden|masked|removed|omitted)(?:$|[^a-z])|(?:^|[^a-z\d])(?:my|our|the|fill|put|goes|here|foo|bar|baz)(?:$|[^a-z\d])/i;

const NO_SECRET =
  /^(?:null|nil|none|undefined|true|false|yes|no|on|off|empty|required|optional|string|str|text|number|int|integer|bool|boolean|any|unknown|void|never|object|bytes|char|varchar|optional\[str\]|secretstr|auto|default|test|testing|tests?|n\/a|na|tbd|unset|missing|invalid|valid|wrong|expired|revoked|ok|bearer|basic|plain|self|this|env|input|stdin|prompt|file|value|data|key|field|name|user|username|email|login|opaque|generated|provided|sha\d+|md\d|utf-?\d+|base\d+(?:url)?|u?int\d+|float\d+|v\d+|rs\d+|hs\d+|es\d+|ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d+|oauth\d?|saml2?|mfa|2fa|totp)[!?]?$/i;

/** `0x02`, `^3.0.1` */
const NUMBER_OR_VERSION = /^(?:0x[\da-f]{1,8}|[\^~<>=v]{0,2}\d{1,4}(?:\.\d{1,5}){2}[\w.-]*)[,;]?$/i;

const SECRET_NOUNS = new Set(
  "password passwort passwd passphrase passcode pass pwd pw contraseña senha wachtwoord secret token jwt apikey key credential credentials auth authorization".split(
    " ",
  ),
);
const AROUND_THEM = new Set(
  "new old current confirm repeat user db database admin root access refresh auth bearer api client session bot id private public github csrf a some use test no is has get set show forgot reset login app default personal on off type field input label value text string hash hashed header name not found bad wrong invalid valid service account encrypted plain raw temp generated other same first second expected actual given stored my your".split(
    " ",
  ),
);

/** The name of a secret rather than its value: `userPassword`, `access_token`. */
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
    (isWritten(value) && SAYS_WHAT_BELONGS_HERE.test(value)) ||
    NO_SECRET.test(value.replace(/(?<![,;])[,;]+$/, "")) ||
    NUMBER_OR_VERSION.test(value) ||
    namesASecret(value) ||
    isOneCharacter(value)
  );
}

/** Made of words: random text may contain "my" or "the" by chance. */
function isWritten(value: string): boolean {
  return (
    (value.match(/\d/g)?.length ?? 0) <= 3 &&
    value.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).every((word) => /^(?:[A-Z]?[a-z]{0,14}|[A-Z]{0,14})$/.test(word))
  );
}

/** Returns whether a token with a provider's prefix is an example. */
export function isExampleToken(token: string): boolean {
  return /x{6}|X{6}|your[-_]|YOUR[-_]|example/.test(token);
}

function isOneCharacter(value: string): boolean {
  for (let i = 1; i < value.length; i++) if (value[i] !== value[0]) return false;
  return true;
}
