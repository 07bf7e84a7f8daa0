// Names that announce a secret (`DB_PASSWORD`, `apiKey`, "access token"), and names
// that only look similar (`max_tokens`, `primary_key`). Used by announcements.ts and
// the finders.

export type SecretKind = "password" | "secret" | "token" | "key";

/** The word that makes a name one of a secret, and its offset. The rest of the name is examined later. */
export interface SecretWord {
  readonly start: number;
  readonly word: string;
}

/** Words for passwords in other languages. Each begins with one of the literals of announcements.ts. */
const FOREIGN_PASSWORD =
  "passwort|passord(?:et)?|kennwort|zugangsdaten|zugangscode|contrase[ñn]a|senha|wachtwoord|mot de passe|mdp(?![a-z])|clave(?![a-z])|parola(?: d'ordine)?(?![a-z])|lösenord(?:et)?|adgangskode(?:n)?|salasana(?:si|ni)?|hasło|heslo|jelszó|şifre|κωδικός|пароль|kata sandi|mật khẩu|पासवर्ड|รหัสผ่าน|كلمة المرور|كلمة السر|סיסמה|סיסמא|비밀번호|パスワード|密码|密碼|口令";
/** Words for API keys and tokens in other languages. */
const FOREIGN_KEY =
  "api[- ]schlüssel|clé (?:d['’])?api|clave (?:de )?api|chiave api|chave (?:de )?api|api[- ]?ключ|ключ api|токен|トークン|apiキー";

/** Each begins with one of the literals of announcements.ts. */
const WORD = new RegExp(
  String.raw`passw(?:or)?d|passphrase|passcode|access code|${FOREIGN_KEY}|${FOREIGN_PASSWORD}|pwd|pw(?![a-z])|mnemonic|phrase|secret(?:[ _-]?(?:access)?[ _-]?key(?:[ _-]?base)?)?|token|dockerconfigjson|key-data|key|auth[ _-]?key|auth(?=["'\x60\s=:])|credentials?|pass(?![a-z])|sshpass|psk(?=["'\x60]?\s{0,4}[=:])|salt(?![a-z])|pat(?=\s*[=:])`,
  "iy",
);
/** Makes a key a secret one. */
const QUALIFIER =
  /(?:api|app|access|account|private|signing|encryption|master|storage|service[ _-]?role|shared[ _-]?access|pre-?shared|webhook|admin|subscription|license|unseal|functions?|application|host|deploy|consumer|client|server|write|ingest)[ _-]?$|tls\.$|client-$/i;

export function secretWordAt(plain: string, at: number): SecretWord | undefined {
  WORD.lastIndex = at;
  const found = WORD.exec(plain);
  if (found === null) return undefined;
  const word = found[0];
  if (!/^(?:key|key-data|phrase)$/i.test(word)) return { start: at, word };
  const before = plain.slice(Math.max(0, at - 24), at);
  const qualifier = (/^phrase$/i.test(word) ? /(?:seed|recovery)[ _-]?$/i : QUALIFIER).exec(before)?.[0];
  if (qualifier !== undefined) return { start: at - qualifier.length, word: qualifier + word };
  // Any other key counts only right before a separator.
  return /^key$/i.test(word) && /^(?:_?\d{1,2})?["'`\]*]{0,4}\s{0,4}[=:,]/.test(plain.slice(at + 3, at + 16))
    ? { start: at, word }
    : undefined;
}

const MAX_NAME_LENGTH = 64;
const NAME_CHARACTER = /[\w.-]/;

/** The start of the name that contains a word. */
export function beginningOfName(plain: string, from: number): number {
  let start = from;
  while (start > 0 && from - start < MAX_NAME_LENGTH && NAME_CHARACTER.test(plain.charAt(start - 1))) start--;
  return start;
}

/** Tokens and keys that are no secrets: cursors, parts of language models, parts of databases. */
const HARMLESS_TOKENS = new Set(
  "page next prev previous continuation cursor sync cancel cancellation csrf xsrf pad eos bos unk mask sep cls stop special image vocab resume delta skip design css color lock fencing max min num count total per input output prompt completion cached last first sort class style type kind label title placeholder field column selector regex pattern hash error message hint".split(
    " ",
  ),
);
const HARMLESS_KEYS = new Set(
  "public publishable primary foreign cache sort partition row idempotency i18n label title placeholder type field column index object hash map lookup group composite unique natural shard routing dedupe item react translation s3 file path registry issue project query state session idem etag class style kind input error message hint".split(
    " ",
  ),
);

/** Words after which a name means something else: `PASSWORD_FILE`, `token_url`. */
const HARMLESS_ENDING = new Set(
  "file path dir url uri endpoint name names id ids ttl exp expiry expires expiration expired at in length len size min max hash hashed hasher hashers field header type policy policies reset algorithm alg version count limit prefix suffix regex pattern seconds minutes hours days rounds cost enabled required store storage provider manager issuer audience arn ref scope scopes lifetime duration timeout refresh rotation rotated cookie label title placeholder hint help text message error errors strength rules rule format encoding location source request response service client class factory handler validator stdin env var key keys index usage budget bucket rate per".split(
    " ",
  ),
);

const wordsIn = (name: string) =>
  name
    .split(/[^A-Za-z\d]+|(?<=[a-z\d])(?=[A-Z])/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());

const IS_FOREIGN_PASSWORD = new RegExp(`^(?:${FOREIGN_PASSWORD})$`);

export function kindOf(word: string): SecretKind {
  const lower = word.toLowerCase();
  if (
    /^(?:store|key|require|ssh)?pass|^pwd?|^access code|mnemonic|phrase|psk/.test(lower) ||
    IS_FOREIGN_PASSWORD.test(lower)
  )
    return "password";
  if (lower.startsWith("secret") || lower.startsWith("credential")) return "secret";
  if (lower === "token" || lower === "pat" || lower === "токен" || lower === "トークン" || lower.includes("auth"))
    return "token";
  return "key";
}

/** Returns whether the word means a secret after this prefix of the name. Passwords and secrets always do. */
export function isSecretName(prefix: string, word: string): boolean {
  const before = wordsIn(prefix);
  const last = before.at(-1) ?? "";
  switch (word.toLowerCase()) {
    case "key":
    case "salt":
      if (!/[_-]$|[a-z\d]$/.test(prefix) || (/[a-z\d]$/.test(prefix) && !/^[A-Z]/.test(word))) return false;
      // A session key is an id, but SESSION_KEY in an environment signs cookies.
      return !HARMLESS_KEYS.has(last) || (last === "session" && word === "KEY");
    case "pass":
    case "pw":
    case "pat":
      // Not the end of `compass` or `spat`.
      return (
        !/[A-Za-z]$/.test(prefix) || (/[a-z]$/.test(prefix) && word.startsWith("P")) || /MASTER$|SSH$/.test(prefix)
      );
    case "parola":
    case "clave":
    case "mdp":
      return !/[A-Za-z]$/.test(prefix);
    default: {
      const kind = kindOf(word);
      if (kind === "token") return !HARMLESS_TOKENS.has(last);
      return kind !== "key" || !HARMLESS_KEYS.has(last);
    }
  }
}

/** Returns whether the words after the decisive one make the name harmless. */
export function isHarmlessEnding(ending: string): boolean {
  return wordsIn(ending).some((word) => HARMLESS_ENDING.has(word));
}

/** The kind of secret that a whole name means, if any. */
export function kindOfName(name: string): SecretKind | undefined {
  // Short words count only before a separator.
  const plain = `${name.trim()}:`;
  for (let at = 0; at < plain.length; at++) {
    const found = secretWordAt(plain, at);
    if (found === undefined) continue;
    const ending = plain.slice(found.start + found.word.length, -1);
    if (/^(?:[_ .-]?\d{1,2}|(?:[_.-][A-Za-z\d]{1,16}){0,2})$/.test(ending) && !isHarmlessEnding(ending))
      return isSecretName(plain.slice(0, found.start), found.word) ? kindOf(found.word) : undefined;
  }
  return undefined;
}

export function markOf(word: string): string {
  const lower = word.toLowerCase();
  if (/^pass(?:phrase|code)|mnemonic|seed|recovery/.test(lower)) return "passphrase";
  if (kindOf(word) === "password") return "password";
  if (lower.includes("key")) return "key";
  return lower === "token" || lower === "pat" ? "token" : "secret";
}
