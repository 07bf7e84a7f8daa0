// What a token format is, and the public sources that several of them come from.
// Used by the tables in tokens/.

export interface TokenFormat {
  /** What a reader sees in its place: "[redacted: GitHub token]". */
  readonly name: string;
  /**
   * The literal beginnings (separated by `|`), a space, and the expression for
   * what follows them, bounded in every part so that no text makes it slow or
   * deep. `^` in front: it must not begin in the middle of a word, because the
   * beginning is too short to be distinctive. `*` in front: the literal stands
   * somewhere in the token, and the expression is for the whole of it.
   */
  readonly pattern: string;
  /** `<36>` stands for 36 letters and digits, `<hex 40>`, `<upper 16>`, `<digit 12>` and `<url 43>` for others: no scanner takes this file for a leak. */
  readonly example: string;
  /** Where the form is documented. */
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
/** A list of kinds of tokens, which does not give their forms. */
export const GITHUB_PATTERNS =
  "https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns";

/** A row of the table, without the names of its fields. */
export type TokenFormatRow = readonly [name: string, pattern: string, example: string, source: string];
