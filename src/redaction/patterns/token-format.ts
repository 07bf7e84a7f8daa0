// The type of token formats, and the public sources that several of them come from.
// Used by the tables in tokens/.

export interface TokenFormat {
  /** The kind of secret, as in "[redacted: GitHub token]". */
  readonly name: string;
  /**
   * Literal prefixes separated by `|`, a space, and the expression for what follows
   * them, bounded in every part so that no text makes it slow or deep. A leading `^`
   * means that it must not begin inside a word, because the prefix is too short to
   * be distinctive. A leading `*` means that the literal is somewhere in the token,
   * and the expression matches the whole token.
   */
  readonly pattern: string;
  /** `<36>` stands for 36 letters and digits, and `<hex 40>`, `<upper 16>`, `<digit 12>`, `<url 43>` for others, so that no scanner reports this file. */
  readonly example: string;
  /** The format's documentation. */
  readonly source: string;
}

export const GITLEAKS = "https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml";
export const BETTERLEAKS = "https://github.com/betterleaks/betterleaks/blob/main/config/betterleaks.toml";
export const KINGFISHER = "https://github.com/mongodb/kingfisher/tree/main/data/rules";
export const NOSEYPARKER =
  "https://github.com/praetorian-inc/noseyparker/tree/main/crates/noseyparker/data/default/builtin/rules";
export const HERMES = "https://github.com/NousResearch/hermes-agent/blob/main/agent/redact.py";
export const trufflehog = (detector: string) =>
  `https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors/${detector}`;
/** Lists kinds of tokens, without their formats. */
export const GITHUB_PATTERNS =
  "https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns";

/** A row of the table, without the names of its fields. */
export type TokenFormatRow = readonly [name: string, pattern: string, example: string, source: string];
