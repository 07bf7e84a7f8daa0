// Finds the secrets that the table of commands describes (patterns/commands/), the
// lines of .pgpass, and the secret keys of AWS. Used by redaction.ts.
import { isPlaceholder } from "../criteria/placeholders.ts";
import { isGenerated, isHexadecimal, isShuffled, isStrong } from "../criteria/values.ts";
import type { Command } from "../patterns/command-pattern.ts";
import { COMMANDS } from "../patterns/command-patterns.ts";
import { lastGroups, type Span } from "../spans.ts";

/** announcements.ts looks for these. */
export const COMMAND_LITERALS: readonly string[] = [
  ...new Set([
    ...COMMANDS.flatMap(({ literals }) => literals),
    "akia",
    "asia",
    "access key",
    "accesskey",
    "access_key",
  ]),
];

/** A line of PostgreSQL's `.pgpass`: host, port, database, user, password. */
const PGPASS =
  /(?<![^\s"'`>|])(?:[\w*-][\w.*-]{0,100}|\/[\w./-]{1,100}):(?:\d{4,5}|\*):[\w*.-]{1,64}:[\w*.@-]{1,64}:((?:\\.|[^\s:"'`\\]){4,200})(?=\s|["'`\\]|$)/g;

export function commandSecrets(plain: string, announced: ReadonlySet<string>): Span[] {
  const spans: Span[] = [];
  for (const { literals, expression, judgement } of COMMANDS)
    if (literals.some((literal) => announced.has(literal))) spans.push(...valuesOf(plain, expression, judgement));
  if (/:(?:\d{4,5}|\*):/.test(plain)) spans.push(...lastGroups(plain, PGPASS, "password", isValue));
  if (announced.has("akia") || announced.has("asia")) spans.push(...awsSecrets(plain));
  return spans;
}

function isValue(value: string): boolean {
  return !isPlaceholder(value) && !value.includes("[redacted");
}

/** Without the punctuation that ends a sentence, a statement or a string. */
function trimmed(value: string): string {
  return value.replace(/(?<![.,;:)\]}\\])[.,;:)\]}\\]+$/, "");
}

/** Letters and digits, and not a variable, an option or a path. */
function isMixedWord(value: string): boolean {
  return value.length >= 6 && /[A-Za-z]/.test(value) && /\d/.test(value) && !/^[$%<{[/.-]|^[\w-]+[=:]/.test(value);
}

function isSecretByItself(value: string): boolean {
  return isStrong(value) || (isHexadecimal(value) && isGenerated(value)) || isShuffled(value);
}

function valuesOf(plain: string, expression: RegExp, judgement: Command["judgement"]): Span[] {
  const spans: Span[] = [];
  for (const found of plain.matchAll(expression)) {
    const value = found.slice(1).find((group) => group !== undefined);
    if (value === undefined || !isValue(value)) continue;
    if (judgement === "strong" && !isSecretByItself(trimmed(value))) continue;
    if (judgement === "mixed" && !isMixedWord(trimmed(value))) continue;
    const start = found.index + found[0].lastIndexOf(value);
    spans.push({ start, end: start + value.length, name: "password" });
  }
  return spans;
}

/**
 * A secret key of AWS has no distinctive form, but is near the key id, which has
 * one: in credentials as CSV, in a table or in prose.
 */
const AWS_ID = /(?:AKIA|ASIA)[A-Z\d]{16}/g;
const AWS_SECRET = /(?<![A-Za-z\d/+=])[A-Za-z\d/+]{40,48}(?![A-Za-z\d/+=])/g;
const AWS_REACH = 400;

function awsSecrets(plain: string): Span[] {
  const spans: Span[] = [];
  let searched = 0;
  for (const { index } of plain.matchAll(AWS_ID)) {
    // One character more, so that no match begins inside something longer.
    const from = Math.max(0, searched - 1, index - AWS_REACH - 1);
    const reach = plain.slice(from, index + AWS_REACH);
    for (const { index: at, 0: value } of reach.matchAll(AWS_SECRET)) {
      const start = from + at;
      const isWhole = at + value.length < reach.length || from + reach.length === plain.length;
      if (isWhole && start >= searched && /[a-z]/.test(value) && /[A-Z]/.test(value) && isGenerated(value))
        spans.push({ start, end: start + value.length, name: "AWS secret key" });
    }
    searched = Math.max(searched, index);
  }
  return spans;
}
