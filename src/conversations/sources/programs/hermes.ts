// Hermes Agent: a row per session and one per message in `state.db`. Those of
// before it had the database are in logs, which it still writes beside it.
import { join } from "node:path";
import { parseJson } from "../../../kernel/kernel.ts";
import type { Meaning } from "../kit/message-program.ts";
import { rowSource } from "../kit/row-source.ts";
import type { Fields } from "../kit/session-log.ts";
import { textOf } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { foundDatabase } from "../kit/transcript-search.ts";
import { timeOf } from "../source.ts";

export const hermes = rowSource({
  name: "hermes",
  title: "Hermes Agent",
  reader: 1,
  find: ({ folder, environment }) =>
    foundDatabase(join(environment["HERMES_HOME"] || join(folder, ".hermes"), "state.db")),
  tables: ["sessions", "messages"],
  // A session that a compaction split names the earlier one as its parent.
  sessions: `SELECT CAST(id AS TEXT) AS id, title, model, parent_session_id AS continues, started_at AS created,
      ended_at AS updated FROM sessions`,
  marks: `SELECT session_id AS id, count(*) || ' ' || coalesce(sum(octet_length(content)), 0) || ' ' || max(id) AS mark
    FROM messages GROUP BY 1`,
  messages: `SELECT id, role, content, tool_call_id, tool_calls, tool_name AS name, timestamp, reasoning
    FROM messages WHERE session_id = ? AND coalesce(octet_length(content), 0) <= 67108864 ORDER BY timestamp, id`,
  factsOf: ({ title, model, continues, created, updated }) => ({
    title: textOf(title),
    model: textOf(model),
    ...(textOf(continues) !== undefined && { continues: String(continues) }),
    ...storedTimes(timeOf(created), timeOf(updated)),
  }),
  meaningOf: (row, { session }) => ({
    ...meaningIn(row),
    time: row["timestamp"],
    id: `${session}:${String(row["id"])}`,
  }),
});

/** How the summary of a compaction begins. */
const SUMMARY = /^\s*\[CONTEXT COMPACTION [-–—] REFERENCE ONLY\]\s*/;
/** A skill is put in the place of its name; what was typed with it is behind it. */
const SKILL =
  /^\[SYSTEM: The user has invoked the "([^"]*)"(?:[^]*The user has provided the following instruction alongside the skill invocation: ([^]*?)(?:\n\n\[Runtime note:[^]*)?$)?/;

function meaningIn({ role, content, tool_calls: calls, ...row }: Fields): Meaning {
  const text = textOf(content) ?? "";
  if (role === "user" && SUMMARY.test(text))
    return { said: [{ role: "assistant", kind: "summary", text: text.replace(SUMMARY, "") }] };
  const [, skill, typed] = SKILL.exec(role === "user" ? text : "") ?? [];
  const shown = skill === undefined ? content : (textOf(typed) ?? `[skill: ${skill}]`);
  return { message: { ...row, role, content: shown, tool_calls: parseJson(textOf(calls) ?? "null") } };
}
