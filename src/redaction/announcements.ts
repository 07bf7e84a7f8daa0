// Finds, in one pass, what announces secrets in a text: the words of names, and
// the commands and headers whose expressions are then worth running.
import { COMMAND_LITERALS } from "./commands.ts";
import { HEADER_LITERALS } from "./headers.ts";
import { LiteralScanner } from "./literal-scanner.ts";
import { secretWordAt, type SecretWord } from "./names.ts";

/** How the words of names.ts begin. */
const WORDS =
  "pass|kennwort|contrase|senha|wachtwoord|mot de passe|пароль|パスワード|pwd|pw:|pw=|pw |pw\"|pw'|mnemonic|phrase|secret|token|dockerconfigjson|key|auth|credential|psk|salt|pat".split(
    "|",
  );

const SCANNER = new LiteralScanner<string | undefined>([
  ...WORDS.map((literal) => ({ literal, ignoresCase: true, value: undefined })),
  ...[...new Set([...COMMAND_LITERALS, ...HEADER_LITERALS])].map((literal) => ({
    literal,
    ignoresCase: true,
    value: literal,
  })),
]);

export interface Announcements {
  readonly words: readonly SecretWord[];
  /** Which literals of commands and headers the text holds. */
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
