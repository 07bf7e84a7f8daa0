// The state of each source, for results and for doctor: it explains why a
// conversation is not found.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import type { Expiring } from "./expiring.ts";
import type { Notice, SourceReport } from "./found-transcripts.ts";
import type { ConversationSource, Finding, Home, SourceName } from "../sources/source.ts";

export interface SourceState {
  readonly name: SourceName;
  readonly title: string;
  /** Archived conversations included. */
  readonly conversations: number;
  readonly archived: number;
  readonly messages: number;
  /** How many exist. */
  readonly transcripts: number;
  readonly looked: SourceReport["looked"];
  /** False until the first index has been through all sources: what it has not reached yet is not missing. */
  readonly isReached: boolean;
  /** A service whose exports are imported, instead of a program with files of its own. */
  readonly isImported: boolean;
  /** Skipped on purpose, and not readable. */
  readonly skipped: readonly Notice[];
  readonly unreadable: readonly Notice[];
  /** Transcripts that are not stored, and that the program is about to delete. */
  readonly expiring?: Expiring | undefined;
}

/** A store, opened in whatever way. */
type Store = Pick<IndexDatabase, "all" | "get">;

export function sourceStates(database: Store, sources: readonly ConversationSource[]): SourceState[] {
  return sources.map(({ name, title, fromArchive }) => {
    const counts = database.get(
      `SELECT count(*) AS conversations, coalesce(sum(is_archived), 0) AS archived, coalesce(sum(messages), 0) AS messages
       FROM conversation WHERE source = ? AND is_listed`,
      name,
    )!;
    const transcripts = database.get("SELECT count(*) AS count FROM unit WHERE source = ? AND NOT is_gone", name)!;
    const report = reportOf(database, name);
    const notices = noticesOf(database, name);
    return {
      name,
      title,
      conversations: Number(counts["conversations"]),
      archived: Number(counts["archived"]),
      messages: Number(counts["messages"]),
      transcripts: Number(transcripts["count"]),
      looked: report?.looked ?? [],
      isReached: report !== undefined || fromArchive !== undefined,
      isImported: fromArchive !== undefined,
      skipped: merged([...(report?.skipped ?? []), ...notices.skipped]),
      unreadable: merged([...(report?.unreadable ?? []), ...notices.unreadable]),
    };
  });
}

/** Returns the states of sources without reading or creating anything. */
export function statesWithoutStore(sources: readonly ConversationSource[], homes: readonly Home[]): SourceState[] {
  return sources.map((source) => {
    const findings = homes.flatMap((home) => [...source.find(home)]);
    const of = <K extends Finding["kind"]>(kind: K) =>
      findings.filter((finding): finding is Extract<Finding, { kind: K }> => finding.kind === kind);
    return {
      name: source.name,
      title: source.title,
      conversations: 0,
      archived: 0,
      messages: 0,
      transcripts: of("transcript").length,
      looked: of("looked"),
      isReached: true,
      isImported: source.fromArchive !== undefined,
      skipped: merged(of("skipped")),
      unreadable: merged(of("unreadable")),
    };
  });
}

/** Undefined until a sweep that came to its end has written one. */
function reportOf(database: Store, name: SourceName): SourceReport | undefined {
  const row = database.get("SELECT report FROM report WHERE source = ?", name);
  return row === undefined ? undefined : (JSON.parse(String(row["report"])) as SourceReport);
}

/** Notices from the reading of transcripts. */
function noticesOf(database: Store, name: SourceName): { skipped: Notice[]; unreadable: Notice[] } {
  const rows = database.all(
    "SELECT path, unreadable, skipped FROM unit WHERE source = ? AND NOT is_gone AND (unreadable IS NOT NULL OR skipped IS NOT NULL)",
    name,
  );
  const notices = { skipped: [] as Notice[], unreadable: [] as Notice[] };
  for (const row of rows) {
    const place = String(row["path"]);
    if (row["unreadable"] !== null) notices.unreadable.push({ place, count: 1, reason: String(row["unreadable"]) });
    const skipped = row["skipped"] === null ? {} : (JSON.parse(String(row["skipped"])) as Record<string, number>);
    for (const [key, count] of Object.entries(skipped)) {
      const [kind, ...reason] = key.split(": ");
      notices[kind === "unreadable" ? "unreadable" : "skipped"].push({ place, count, reason: reason.join(": ") });
    }
  }
  return notices;
}

/** One notice per reason, with the first of its places. */
function merged(notices: readonly Notice[]): Notice[] {
  const byReason = new Map<string, Notice>();
  for (const notice of notices) {
    const before = byReason.get(notice.reason);
    byReason.set(notice.reason, { ...(before ?? notice), count: (before?.count ?? 0) + notice.count });
  }
  return [...byReason.values()];
}
