// Takes secrets out of text before it is shown or written: keys of the known
// providers, private keys, tokens, passwords in addresses, headers, commands,
// tables and assignments. What was there is still recognisable: "[redacted:
// GitHub token]". Hashes, ids, placeholders and code stay as they are. Used for
// whatever leaves the store of conversations, and for memory.
//
// The time grows with the length of the text whatever is in it: no expression
// in this room can be made to look at the same place more than a bounded number
// of times. Redacted text is left alone by a second pass.
import { addressSecrets } from "./finders/addresses.ts";
import { announcementsIn } from "./announcements.ts";
import { assignedSecrets } from "./finders/assignments/assignments.ts";
import { commandSecrets } from "./finders/commands.ts";
import { headerSecrets } from "./finders/headers.ts";
import { knownTokens } from "./finders/known-tokens.ts";
import { kubernetesSecrets } from "./finders/kubernetes.ts";
import { nearbySecrets } from "./finders/mentions.ts";
import { pairedSecrets } from "./finders/name-value-pairs.ts";
import { privateKeys } from "./finders/private-keys.ts";
import { replaceSpans } from "./spans.ts";
import { insertedSecrets, markupTables, tabledSecrets } from "./finders/tables.ts";
import { unescaped } from "./unescaped-text.ts";

export { MARK } from "./spans.ts";

const SHORTEST = 8;

/** A mark in the place of one secret may reveal the next: so often at most. */
const MOST_PASSES = 5;

export function redact(text: string): string {
  let redacted = text;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = redactedOnce(redacted);
    if (next === redacted) break;
    redacted = next;
  }
  return redacted;
}

function redactedOnce(text: string): string {
  if (text.length < SHORTEST) return text;
  const plain = unescaped(text);
  const { words, literals } = announcementsIn(plain);
  return replaceSpans(text, [
    ...knownTokens(plain),
    ...privateKeys(text),
    ...addressSecrets(text),
    ...headerSecrets(text, plain, literals),
    ...commandSecrets(plain, literals),
    ...pairedSecrets(plain, words),
    ...kubernetesSecrets(plain),
    ...tabledSecrets(plain, words),
    ...insertedSecrets(plain),
    ...markupTables(plain),
    ...assignedSecrets(text, plain, words),
    ...nearbySecrets(plain, words),
  ]);
}
