// Counts conversations by project, program, model, branch, type, day or hour, and their
// tokens. Used by recall.ts for all that match a question, of which only a page is shown.
import type { Tokens } from "../sources/source.ts";
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
  use: "strftime('%Y-%m-%dT%H', updated / 1000, 'unixepoch') || ' ' || source || ' ' || coalesce(model, '')",
} as const;

const isTime = (by: GroupBy) => by === "day" || by === "hour" || by === "use";
/** The tokens of the conversations of a group, for `use`: reading them takes longer than counting. */
const TOKENS = ["input", "output", "cached"]
  .map((kind) => `sum((SELECT sum(${kind}) FROM usage WHERE usage.conversation = conversation.id)) AS ${kind}`)
  .join(", ");

export type GroupBy = keyof typeof KEYS;
export const GROUPS = Object.keys(KEYS) as readonly GroupBy[];

export interface ConversationGroup {
  readonly key: string;
  readonly count: number;
  /** The sum over all of them. */
  readonly messages: number;
  /** Of those whose program counts them, if they are grouped by `use`: an hour, a program and a model. */
  readonly tokens?: Tokens | undefined;
}

/** Times in their order, everything else the largest first. */
export function groupsOf(
  { database, redact }: { readonly database: IndexDatabase; readonly redact: Redaction },
  rows: readonly number[],
  by: GroupBy,
): ConversationGroup[] {
  const order = isTime(by) ? "label" : "count DESC, label";
  const tokens = by === "use" ? `, ${TOKENS}` : "";
  return database
    .all(
      `SELECT ${KEYS[by]} AS label, count(*) AS count, sum(messages) AS messages${tokens} FROM conversation
       WHERE id IN (SELECT value FROM json_each(?)) GROUP BY label ORDER BY ${order}`,
      JSON.stringify(rows),
    )
    .map(({ label, count, messages, input, output, cached }) => ({
      key: redact(String(label)),
      count: Number(count),
      messages: Number(messages),
      ...(typeof input === "number" && {
        tokens: { input, output: Number(output), cached: Number(cached) },
      }),
    }));
}
