// What a command pattern is, and how one is written. Used by the tables in commands/.

export interface Command {
  /** One of these stands in every text that the expression matches; in small letters. */
  readonly literals: readonly string[];
  readonly expression: RegExp;
  /** Other things may stand there too: only what has letters and digits counts, or only what is a secret by itself. */
  readonly judgement: "any" | "mixed" | "strong";
}

export const command = (literals: string, expression: string, flags = "g"): Command => ({
  literals: literals.split("|"),
  expression: new RegExp(expression, flags),
  judgement: "any",
});
export const judged = (literals: string, expression: string, flags = "g"): Command => ({
  ...command(literals, expression, flags),
  judgement: "strong",
});
export const mixed = (literals: string, expression: string, flags = "g"): Command => ({
  ...command(literals, expression, flags),
  judgement: "mixed",
});

/** A tool, and the option before its password. */
export const option = (literals: string, tools: string, flag: string): Command =>
  mixed(literals, `(?<![\\w-])(?:${tools})\\s${WITHIN}(?<=\\s)${flag}["']?${VALUE}`);

/** The rest of a command: a backslash continues it in the next line. */
export const WITHIN = "(?:[^\\n|;&]|\\\\[ \\t]{0,4}\\n|\\n[ \\t]{1,16}(?=-)){0,240}?";
export const VALUE = "([^\\s'\"]{4,200})";
export const QUOTED_OR_BARE = `(?:'([^'\\n]{3,200})(?=')|"([^"\\n]{3,200})(?=")|([^\\s'"]{3,200}))`;
