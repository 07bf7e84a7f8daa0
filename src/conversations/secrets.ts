// Finds the secrets that lie in the stores of other programs: by program,
// conversation and day, with their kind and their last two characters. No value
// leaves this file, and nothing is changed or kept. Used by conversation-library.ts,
// for doctor --secrets.
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { localDay } from "../kernel/kernel.ts";
import { secretsIn } from "../redaction/redaction.ts";
import { findTranscripts } from "./ingest/found-transcripts.ts";
import type { ConversationSource, Home, SourceName } from "./sources/source.ts";

export interface FoundSecret {
  readonly source: SourceName;
  /** The program's own id. */
  readonly conversation: string;
  readonly day: string;
  readonly kind: string;
  /** The last two characters; empty for a secret that is so short that they would say much of it. */
  readonly ending: string;
  /** Differs from that of every other secret, as far as this answer goes. */
  readonly number: number;
  readonly times: number;
}

export interface SecretsFound {
  /** The newest first. */
  readonly secrets: readonly FoundSecret[];
  /** Files that could not be read to their end. */
  readonly unreadable: number;
}

interface Options {
  readonly signal: AbortSignal;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Of a shorter one, two characters are a quarter or more. */
const LONG_ENOUGH = 9;

export async function findSecrets(
  sources: readonly ConversationSource[],
  homes: readonly Home[],
  { signal, onProgress }: Options,
): Promise<SecretsFound> {
  const { transcripts } = await findTranscripts(sources, homes, signal);
  const found = new Map<string, FoundSecret & { times: number }>();
  const numbers = new Map<string, number>();
  let unreadable = 0;
  let done = 0;
  for (const { source, transcript } of transcripts.values()) {
    try {
      for await (const batch of source.read(transcript, undefined, signal)) {
        for (const event of batch) {
          if (event.kind !== "part" && event.kind !== "remembered") continue;
          const { conversation, text, time = transcript.changed } = event.part;
          for (const { kind, value } of secretsIn(text)) {
            const hash = createHash("sha256").update(value).digest("base64");
            if (!numbers.has(hash)) numbers.set(hash, numbers.size + 1);
            const number = numbers.get(hash)!;
            const place = { source: source.name, conversation, day: localDay(time), kind, number };
            const key = JSON.stringify(place);
            const before = found.get(key);
            if (before !== undefined) before.times++;
            else found.set(key, { ...place, ending: value.length < LONG_ENOUGH ? "" : value.slice(-2), times: 1 });
          }
        }
        await nextTurn();
        signal.throwIfAborted();
      }
    } catch {
      signal.throwIfAborted();
      unreadable++;
    }
    onProgress?.(++done, transcripts.size);
  }
  const secrets = [...found.values()].toSorted((a, b) =>
    a.day === b.day ? a.number - b.number : a.day < b.day ? 1 : -1,
  );
  return { secrets, unreadable };
}
