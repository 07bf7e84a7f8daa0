// Non-prose parts as the store takes them: redacted, each with a beginning that
// is searched and listed, and its whole text. Used by finish-indexing.ts and
// import-archive.ts.
import { hash } from "node:crypto";
import type { Turns } from "../../../kernel/kernel.ts";
import { redact } from "../../../redaction/redaction.ts";
import { LinesBefore, redactPrinted } from "../../printed-secrets.ts";
import { boundedText, type ConversationSource, type MessagePart, type SourceEvent } from "../../sources/source.ts";
import type { PreparedEvent, PreparedPart } from "./part-preparation.ts";

/** Characters that are searched: non-prose is 97 % of what programs keep, and must not be 97 % of the index. */
const BEGINNING = 240;
const BEGINNING_OF_SUMMARY = 4_000;

/**
 * The non-prose parts among events, and the checkpoints; all else was handled when prose was read. A source that reads
 * prose apart counts the tokens of a transcript in one of its readings, any other one in both.
 */
export async function preparedNonProse(
  { emitsNonProseOnce, readsProseFirst }: ConversationSource,
  events: readonly SourceEvent[],
  turns: Turns,
  linesBefore = new LinesBefore(),
): Promise<PreparedEvent[]> {
  const prepared: PreparedEvent[] = [];
  for (const one of events) {
    if (one.kind === "checkpoint" || (one.kind === "usage" && readsProseFirst)) prepared.push(one);
    if (one.kind !== "part") continue;
    const before = linesBefore.of(one.part);
    if (one.part.kind === "prose") continue;
    prepared.push({ kind: "part", part: preparedPart(one.part, emitsNonProseOnce === true, before) });
    if (turns.isOver()) await turns.next();
  }
  return prepared;
}

/**
 * @param isEmittedOnce by its source, which then emits its files with prose
 * @param before the lines of the tool texts before it
 */
export function preparedPart(part: MessagePart, isEmittedOnce: boolean, before: readonly string[]): PreparedPart {
  const redacted = redactPrinted(part.text, before, redact);
  const text = boundedText(redacted, part.kind === "summary" ? BEGINNING_OF_SUMMARY : BEGINNING);
  const isWhole = text === redacted;
  return {
    ...part,
    text,
    ...(isEmittedOnce && { files: [] }),
    ...(!isWhole && { whole: redacted }),
    ...(!isWhole && !isEmittedOnce && { digest: hash("sha1", part.text, "base64url").slice(0, 11) }),
  };
}
