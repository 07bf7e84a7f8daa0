// Replaces secrets in text before it is shown or written: keys of known providers,
// private keys, tokens, and passwords in URLs, headers, commands, tables and
// assignments. A mark names the kind: "[redacted: GitHub token]". Hashes, ids,
// placeholders and code are left alone. Used for everything that leaves the store
// of conversations, and for memory.
//
// The time is linear in the length of the text: every expression in this room is
// bounded. Redacting twice changes nothing.
import { addressSecrets } from "./finders/addresses.ts";
import { announcementsIn } from "./announcements.ts";
import { assignedSecrets } from "./finders/assignments/assignments.ts";
import { commandSecrets } from "./finders/commands.ts";
import { headerSecrets } from "./finders/headers.ts";
import { knownTokens } from "./finders/known-tokens.ts";
import { kubernetesSecrets } from "./finders/kubernetes.ts";
import { mentionedSecrets } from "./finders/mentions.ts";
import { pairedSecrets } from "./finders/name-value-pairs.ts";
import { privateKeys } from "./finders/private-keys.ts";
import { namedKeys } from "./finders/named-keys.ts";
import { mergedSpans, replaceSpans, type Span } from "./spans.ts";
import { insertedSecrets, markupTables, tabledSecrets } from "./finders/tables.ts";
import { unescaped } from "./unescaped-text.ts";

export { MARK } from "./spans.ts";
export { REDACTION } from "./redaction-version.ts";

const SHORTEST = 8;

/** Redacting one secret may reveal another; this limits the repetitions. */
const MAX_PASSES = 5;

export function redact(text: string): string {
  let redacted = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const next = replaceSpans(redacted, spansIn(redacted));
    if (next === redacted) break;
    redacted = next;
  }
  return redacted;
}

export interface Secret {
  /** As the mark names it. */
  readonly kind: string;
  readonly value: string;
}

/** The secrets in a text, for a person who wants to know where theirs are. Nothing may print a value. */
export function secretsIn(text: string): Secret[] {
  const found: Secret[] = [];
  let rest = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const spans = mergedSpans(spansIn(rest));
    if (spans.length === 0) break;
    for (const { start, end, name } of spans) found.push({ kind: name, value: rest.slice(start, end) });
    rest = replaceSpans(rest, spans);
  }
  return found;
}

function spansIn(text: string): Span[] {
  if (text.length < SHORTEST) return [];
  const plain = unescaped(text);
  const { words, literals } = announcementsIn(plain);
  return [
    ...knownTokens(plain),
    ...privateKeys(text),
    ...addressSecrets(text),
    ...headerSecrets(text, plain, literals),
    ...commandSecrets(plain, literals),
    ...namedKeys(plain, literals),
    ...pairedSecrets(plain, words),
    ...kubernetesSecrets(plain),
    ...tabledSecrets(plain, words),
    ...insertedSecrets(plain),
    ...markupTables(plain),
    ...assignedSecrets(text, plain, words),
    ...mentionedSecrets(plain, words),
  ];
}
