// Reduces a text to what may be stored: no secrets, and no more than is read again.
// Everything that is written to the log passes through here. Pure; used by
// memory.ts.
import type { Value, Values } from "./log/event.ts";

export type Redact = (text: string) => string;

/** One line, cut between characters. Secrets are removed first: half of one might not be recognised. */
export function shortText(text: string | undefined, length: number, redact: Redact): string | undefined {
  if (text === undefined) return undefined;
  const line = redact(beginningOf(text, length * 4))
    .replace(/\s+/g, " ")
    .trim();
  if (line === "") return undefined;
  return line.length <= length ? line : `${line.slice(0, length - 1).toWellFormed()}…`;
}

/** Without the word at the cut, unless it is the only one: half of a secret is not recognised as one. */
function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text.toWellFormed();
  return text
    .slice(0, length)
    .replace(/(?<=\s)\S+$/, "")
    .toWellFormed();
}

/** Fields with ids and hashes instead of text for people. */
const NAMES_ONLY = new Set(["session", "workspace", "continues", "hash"]);

export function withoutSecrets(values: Values, redact: Redact): Values {
  const cleaned = (value: Value, name: string): Value => {
    if (typeof value === "string") return NAMES_ONLY.has(name) ? value : redact(value);
    if (Array.isArray(value)) return value.map((each: Value) => cleaned(each, name));
    return typeof value === "object" && value !== null ? withoutSecrets(value as Values, redact) : value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cleaned(value, name)]));
}
