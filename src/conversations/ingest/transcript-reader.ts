// Has sources read units, one after the other, and tells what is in them as it
// comes. Used by refresh.ts, here or in a thread of its own
// (reading-thread.ts).
import { reasonOf, UnreadableFile } from "../../files/files.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Batch, type ConversationSource, type SourceName, type TranscriptFile } from "../sources/source.ts";
import { preparing, type PreparedEvent } from "./part-preparation.ts";

/** What is to be read. Plain data only, since it may be told to another thread. */
export interface Reading {
  readonly source: SourceName;
  readonly transcript: TranscriptFile;
  readonly checkpoint: string | undefined;
}

/** What the reading of that place in the list told, or that it is read to its end or as far as it can be. */
export type Read =
  | {
      readonly kind: "events";
      readonly reading: number;
      /** Made when it is asked for: of what waits to be stored, objects would take more room than their text. */
      readonly events: () => readonly PreparedEvent[];
      /** Characters of text, about. */
      readonly size: number;
      /** From which the reading could go on behind this. */
      readonly checkpoint: string | undefined;
    }
  | { readonly kind: "end"; readonly reading: number; readonly unreadable?: string | undefined };

/** How long the thread may be busy at a time, in milliseconds. */
const SLICE = 10;

export async function* readTranscripts(
  sources: readonly ConversationSource[],
  readings: readonly Reading[],
  signal: AbortSignal,
): AsyncGenerator<Read> {
  let turn = performance.now();
  for (const [reading, { source: name, transcript, checkpoint }] of readings.entries()) {
    const source = sources.find((one) => one.name === name)!;
    const prepare = preparing();
    try {
      for await (const events of source.read(
        transcript,
        checkpoint,
        signal,
        source.readsProseFirst ? "prose" : undefined,
      )) {
        yield {
          kind: "events",
          reading,
          events: () => prepare(events),
          size: sizeOf(events),
          checkpoint: checkpointIn(events),
        };
        if (performance.now() - turn < SLICE) continue;
        await nextTurn();
        turn = performance.now();
      }
      signal.throwIfAborted();
      yield { kind: "end", reading };
    } catch (error) {
      signal.throwIfAborted();
      // Whatever a source stumbles over is no reason to leave the others unread.
      const unreadable = error instanceof UnreadableFile ? error.message : reasonOf(error);
      yield { kind: "end", reading, unreadable };
    }
  }
}

function sizeOf(events: Batch): number {
  let size = 0;
  for (const one of events) if (one.kind === "part") size += one.part.text.length;
  return size;
}

function checkpointIn(events: Batch): string | undefined {
  const last = events.at(-1);
  return last?.kind === "checkpoint" ? last.checkpoint : undefined;
}
