// Finds in one pass what announces secrets in a text: words of names, and literals
// of commands and headers, so that only expressions that can match are run. Used by
// redaction.ts.
import { COMMAND_LITERALS } from "./finders/commands.ts";
import { HEADER_LITERALS } from "./finders/headers.ts";
import { PROVIDERS } from "./finders/named-keys.ts";
import { LiteralScanner } from "./literal-scanner.ts";
import { secretWordAt, type SecretWord } from "./criteria/names.ts";

/** The beginnings of the words in criteria/names.ts. */
const WORDS =
  "pass|access code|kennwort|zugangsdaten|zugangscode|contrase|senha|wachtwoord|mot de passe|mdp|clave|parola|lösenord|adgangskode|salasana|hasło|heslo|jelszó|şifre|κωδικός|пароль|kata sandi|mật khẩu|पासवर्ड|รหัสผ่าน|كلمة |סיסמ|비밀번호|パスワード|api-schlüssel|api schlüssel|clé |chiave api|chave |api ключ|api-ключ|apiключ|ключ api|токен|トークン|apiキー|pwd|pw:|pw=|pw |pw\"|pw'|sshpass|mnemonic|phrase|secret|token|dockerconfigjson|key|auth|credential|psk|salt|pat".split(
    "|",
  );
/** The scanner needs three characters, so these are listed with what may follow. */
const SHORT_WORDS = ["密码", "密碼", "口令"].flatMap((word) => [..." :=是为為\"'`*("].map((next) => word + next));

const SCANNER = new LiteralScanner<string | undefined>([
  ...[...WORDS, ...SHORT_WORDS].map((literal) => ({ literal, ignoresCase: true, value: undefined })),
  ...[...new Set([...COMMAND_LITERALS, ...HEADER_LITERALS, ...PROVIDERS])].map((literal) => ({
    literal,
    ignoresCase: true,
    value: literal,
  })),
]);

export interface Announcements {
  readonly words: readonly SecretWord[];
  /** The literals of commands and headers that the text contains. */
  readonly literals: ReadonlySet<string>;
}

export function announcementsIn(plain: string): Announcements {
  const words: SecretWord[] = [];
  const literals = new Set<string>();
  SCANNER.scan(plain, (at, literal) => {
    if (literal !== undefined) {
      literals.add(literal);
      return undefined;
    }
    const found = secretWordAt(plain, at);
    if (found !== undefined) words.push(found);
    return undefined;
  });
  return { words, literals };
}
