// The transcripts that the sources find in the homes, and a report of where each
// source looked. Nothing is read. Used by refresh.ts; the report is stored for
// source-states.ts.
import { setImmediate as nextTurn } from "node:timers/promises";
import { reasonOf } from "../../files/files.ts";
import type { ConversationSource, Finding, Home, SourceName, TranscriptFile } from "../sources/source.ts";

export interface FoundTranscript {
  readonly source: ConversationSource;
  readonly transcript: TranscriptFile;
}

export interface Notice {
  readonly place: string;
  readonly count: number;
  readonly reason: string;
}

/** A source's report of the places it looked in. Stored as JSON. */
export interface SourceReport {
  readonly looked: readonly { readonly place: string; readonly isThere: boolean }[];
  readonly skipped: readonly Notice[];
  readonly unreadable: readonly Notice[];
}

export interface Found {
  /** By path. */
  readonly transcripts: ReadonlyMap<string, FoundTranscript>;
  readonly reports: ReadonlyMap<SourceName, SourceReport>;
}

/** How long the process may be busy without a pause, in milliseconds. */
const SLICE = 10;

export async function findTranscripts(
  sources: readonly ConversationSource[],
  homes: readonly Home[],
  signal: AbortSignal,
): Promise<Found> {
  const transcripts = new Map<string, FoundTranscript>();
  const reports = new Map<SourceName, SourceReport>();
  let sliceBegan = performance.now();
  for (const source of sources) {
    const report = { looked: [], skipped: [], unreadable: [] };
    reports.set(source.name, report);
    for (const home of homes)
      for (const finding of findingsOf(source, home)) {
        addFinding(finding, source, transcripts, report);
        if (performance.now() - sliceBegan < SLICE) continue;
        await nextTurn();
        signal.throwIfAborted();
        sliceBegan = performance.now();
      }
  }
  return { transcripts, reports };
}

/** If a source fails, nothing of it counts as deleted. */
function* findingsOf(source: ConversationSource, home: Home): Generator<Finding> {
  try {
    yield* source.find(home);
  } catch (error) {
    yield { kind: "unreadable", place: EVERYWHERE, count: 1, reason: reasonOf(error) };
  }
}

const EVERYWHERE = "";

function addFinding(
  finding: Finding,
  source: ConversationSource,
  transcripts: Map<string, FoundTranscript>,
  report: {
    readonly looked: { place: string; isThere: boolean }[];
    readonly skipped: Notice[];
    readonly unreadable: Notice[];
  },
): void {
  switch (finding.kind) {
    case "transcript":
      if (!transcripts.has(finding.transcript.path))
        transcripts.set(finding.transcript.path, { source, transcript: finding.transcript });
      return;
    case "looked":
      report.looked.push({ place: finding.place, isThere: finding.isThere });
      return;
    case "skipped":
    case "unreadable":
      report[finding.kind].push({ place: finding.place, count: finding.count, reason: finding.reason });
  }
}

/** Returns whether a transcript may still exist although it was not found: its source could not look there. */
export function isOutOfSight(path: string, report: SourceReport | undefined): boolean {
  const places = report?.unreadable.map(({ place }) => place) ?? [EVERYWHERE];
  return places.some(
    (place) => place === EVERYWHERE || path === place || path.startsWith(`${place}/`) || path.startsWith(`${place}\\`),
  );
}
