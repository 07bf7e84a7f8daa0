// Has sources read transcripts, one after the other, and yields their events. Used
// by refresh.ts and background-reader.ts.
import { reasonOf, UnreadableFile } from "../../../files/files.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type ConversationSource, type SourceName, type TranscriptFile } from "../../sources/source.ts";
import { withMergedTurns, withoutNonProse, type PreparedEvent } from "./part-preparation.ts";

/** A transcript to be read. Plain data only, since it may be posted to another thread. */
export interface Reading {
  readonly source: SourceName;
  readonly transcript: TranscriptFile;
  readonly checkpoint: string | undefined;
}

/** Events of the reading with that index, or its end. */
export type Read =
  | {
      readonly kind: "events";
      readonly reading: number;
      /** Made on demand: while they wait to be stored, objects would take more memory than their text. */
      readonly events: () => readonly PreparedEvent[];
      /** Characters of text, approximately. */
      readonly size: number;
      /** A later reading can continue from here. */
      readonly checkpoint: string | undefined;
    }
  | { readonly kind: "end"; readonly reading: number; readonly unreadable?: string | undefined };

/** How long the thread may be busy without a pause, in milliseconds. */
const SLICE = 10;

export async function* readTranscripts(
  sources: readonly ConversationSource[],
  readings: readonly Reading[],
  signal: AbortSignal,
): AsyncGenerator<Read> {
  let turn = performance.now();
  for (const [reading, { source: name, transcript, checkpoint }] of readings.entries()) {
    const source = sources.find((one) => one.name === name)!;
    try {
      const wanted = source.readsProseFirst ? "prose" : "briefly";
      for await (const batch of source.read(transcript, checkpoint, signal, wanted)) {
        if (batch.length > 0) {
          const events = withMergedTurns(withoutNonProse(batch, source.emitsNonProseOnce === true));
          yield {
            kind: "events",
            reading,
            events: () => events,
            size: sizeOf(events),
            checkpoint: checkpointIn(events),
          };
        }
        if (performance.now() - turn < SLICE) continue;
        await nextTurn();
        turn = performance.now();
      }
      signal.throwIfAborted();
      yield { kind: "end", reading };
    } catch (error) {
      signal.throwIfAborted();
      // An error of one source must not keep the others from being read.
      const unreadable = error instanceof UnreadableFile ? error.message : reasonOf(error);
      yield { kind: "end", reading, unreadable };
    }
  }
}

function sizeOf(events: readonly PreparedEvent[]): number {
  let size = 0;
  for (const one of events) if (one.kind === "part") size += one.part.text.length;
  return size;
}

function checkpointIn(events: readonly PreparedEvent[]): string | undefined {
  const last = events.at(-1);
  return last?.kind === "checkpoint" ? last.checkpoint : undefined;
}
