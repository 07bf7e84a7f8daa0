// Transcripts that their program is about to delete and that are not stored yet:
// what is lost if nothing is done. Used by doctor and, through the sources'
// states, by the page.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import type { ConversationSource, Home, Retention, SourceName, TranscriptFile } from "../sources/source.ts";

export interface Expiring extends Retention {
  /** How many transcripts. */
  readonly count: number;
}

const DAY = 24 * 60 * 60 * 1000;
/** How many days before its deletion a transcript is about to be deleted. */
const NOTICE_DAYS = 7;

/** By source; only those that lose something. @param database undefined if there is no store yet */
export function expiringTranscripts(
  database: Pick<IndexDatabase, "get"> | undefined,
  sources: readonly ConversationSource[],
  homes: readonly Home[],
  now: number,
): Map<SourceName, Expiring> {
  const isStored = ({ path, stamp }: TranscriptFile) =>
    database?.get("SELECT id FROM unit WHERE path = ? AND stamp = ? AND unreadable IS NULL", path, stamp) !== undefined;
  const found = new Map<SourceName, Expiring>();
  for (const source of sources)
    for (const home of homes) {
      const retention = source.retention?.(home);
      if (retention === undefined) continue;
      const until = now - Math.max(0, retention.days - NOTICE_DAYS) * DAY;
      let count = found.get(source.name)?.count ?? 0;
      for (const finding of source.find(home))
        if (finding.kind === "transcript" && finding.transcript.changed < until && !isStored(finding.transcript))
          count++;
      if (count > 0) found.set(source.name, { ...retention, count });
    }
  return found;
}
