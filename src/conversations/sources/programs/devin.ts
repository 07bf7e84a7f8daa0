// Devin's command line: a row per session and one per message.
import { join } from "node:path";
import { rowSource } from "../kit/row-source.ts";
import { recordOf, storedJson, textOf } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { foundDatabase } from "../kit/transcript-search.ts";
import { timeOf, type Finding } from "../source.ts";

export const devin = rowSource({
  name: "devin",
  title: "Devin CLI",
  reader: 1,
  *find({ folder, environment }): Generator<Finding> {
    const data = environment["XDG_DATA_HOME"] || join(folder, ".local", "share");
    for (const place of [data, join(folder, "Library", "Application Support")])
      yield* foundDatabase(join(place, "devin", "cli", "sessions.db"));
  },
  tables: ["sessions", "message_nodes"],
  sessions: `SELECT id, title, working_directory AS folder, model, created_at AS created, last_activity_at AS updated
    FROM sessions WHERE coalesce(hidden, 0) <> 1`,
  marks: `SELECT session_id AS id, count(*) || ' ' || sum(octet_length(chat_message)) AS mark FROM message_nodes
    GROUP BY 1`,
  messages: `SELECT node_id, chat_message, created_at AS time FROM message_nodes
    WHERE session_id = ? AND octet_length(chat_message) <= 67108864 ORDER BY created_at, row_id`,
  factsOf: ({ title, folder, model, created, updated }) => ({
    title: textOf(title),
    folder: textOf(folder),
    model: textOf(model),
    ...storedTimes(timeOf(created), timeOf(updated)),
  }),
  meaningOf: ({ node_id: node, chat_message: stored, time }, { session }) => {
    const message = recordOf(storedJson(stored));
    if (message === undefined) return undefined;
    const role = message["role"] === "agent" ? "assistant" : message["role"];
    return { message: { ...message, role }, time, id: `${session}:${String(node)}` };
  },
});
