// Counts conversations by project, program, model, branch, type, day or hour. Used by recall.ts
// for all that match a question, of which only a page is shown.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import type { Redaction } from "./summaries.ts";

/** The key of each kind of group in SQL. Days and hours are in UTC, as times in results are. */
const KEYS = {
  project: "coalesce((SELECT name FROM place WHERE place.folder = conversation.folder), folder, '')",
  tool: "source",
  type: "coalesce(type, 'general')",
  model: "coalesce(model, '')",
  branch: "coalesce(branch, '')",
  day: "strftime('%Y-%m-%d', updated / 1000, 'unixepoch')",
  hour: "strftime('%Y-%m-%dT%H', updated / 1000, 'unixepoch')",
} as const;

export type GroupBy = keyof typeof KEYS;
export const GROUPS = Object.keys(KEYS) as readonly GroupBy[];

export interface ConversationGroup {
  readonly key: string;
  readonly count: number;
  /** The sum over all of them. */
  readonly messages: number;
}

/** Times in their order, everything else the largest first. */
export function groupsOf(
  { database, redact }: { readonly database: IndexDatabase; readonly redact: Redaction },
  rows: readonly number[],
  by: GroupBy,
): ConversationGroup[] {
  const order = by === "day" || by === "hour" ? "label" : "count DESC, label";
  return database
    .all(
      `SELECT ${KEYS[by]} AS label, count(*) AS count, sum(messages) AS messages FROM conversation
       WHERE id IN (SELECT value FROM json_each(?)) GROUP BY label ORDER BY ${order}`,
      JSON.stringify(rows),
    )
    .map(({ label, count, messages }) => ({
      key: redact(String(label)),
      count: Number(count),
      messages: Number(messages),
    }));
}
