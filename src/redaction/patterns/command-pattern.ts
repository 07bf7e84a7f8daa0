// The type of command patterns, and how one is written. Used by the tables in commands/.

export interface Command {
  /** Every match contains one of these; in lower case. */
  readonly literals: readonly string[];
  readonly expression: RegExp;
  /** The values that count: any, those with letters and digits, or those that look like a secret by themselves. */
  readonly judgement: "any" | "mixed" | "strong";
}

export const command = (literals: string, expression: string, flags = "g"): Command => ({
  literals: literals.split("|"),
  expression: new RegExp(expression, flags),
  judgement: "any",
});
export const strong = (literals: string, expression: string, flags = "g"): Command => ({
  ...command(literals, expression, flags),
  judgement: "strong",
});
export const mixed = (literals: string, expression: string, flags = "g"): Command => ({
  ...command(literals, expression, flags),
  judgement: "mixed",
});

/** A tool, and the option that precedes its password. */
export const option = (literals: string, tools: string, flag: string): Command =>
  mixed(literals, `(?<![\\w-])(?:${tools})\\s${WITHIN}(?<=\\s)${flag}["']?${VALUE}`);

/** The rest of a command; a backslash continues it on the next line. */
export const WITHIN = "(?:[^\\n|;&]|\\\\[ \\t]{0,4}\\n|\\n[ \\t]{1,16}(?=-)){0,240}?";
export const VALUE = "([^\\s'\"]{4,200})";
export const QUOTED_OR_BARE = `(?:'([^'\\n]{3,200})(?=')|"([^"\\n]{3,200})(?=")|([^\\s'"]{3,200}))`;
