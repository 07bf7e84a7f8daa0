// Forge: a row per conversation, with all its messages in one column.
import { join } from "node:path";
import { rowSource } from "../kit/row-source.ts";
import type { Meaning } from "../kit/message-program.ts";
import type { Fields } from "../kit/session-log.ts";
import { recordOf, recordsOf, storedJson, textOf } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { tokensIn } from "../kit/token-counts.ts";
import { foundDatabase } from "../kit/transcript-search.ts";
import { timeOf, type Finding } from "../source.ts";

export const forge = rowSource({
  name: "forge",
  title: "Forge",
  reader: 1,
  *find({ folder, environment }): Generator<Finding> {
    for (const place of [environment["FORGE_CONFIG"] || join(folder, ".forge"), join(folder, "forge")])
      yield* foundDatabase(join(place, ".forge.db"));
  },
  tables: ["conversations"],
  // Its folder is only in the prompt of the system.
  sessions: `SELECT conversation_id AS id, title, CAST(created_at AS TEXT) AS created, CAST(updated_at AS TEXT) AS updated
    FROM conversations WHERE context IS NOT NULL`,
  marks: "SELECT conversation_id AS id, octet_length(context) AS mark FROM conversations",
  messages: `SELECT context FROM conversations WHERE conversation_id = ? AND octet_length(context) <= 67108864
    ORDER BY 1`,
  recordsIn: ({ context }) => recordsOf(recordOf(storedJson(context))?.["messages"]),
  factsOf: ({ title, created, updated }) => ({
    title: textOf(title),
    ...storedTimes(utc(created), utc(updated)),
  }),
  meaningOf: meaningIn,
});

/** SQLite's own form has no zone. */
function utc(value: unknown): number | undefined {
  const text = textOf(value);
  return timeOf(text !== undefined && /^[\d-]+ [\d:.]+$/.test(text) ? `${text.replace(" ", "T")}Z` : text);
}

const FOLDER = /<current_working_directory>\s*(.+?)\s*<\/current_working_directory>/;

function meaningIn({ message, usage }: Fields): Meaning | undefined {
  const said = recordOf(recordOf(message)?.["text"]);
  const result = recordOf(recordOf(message)?.["tool"]);
  if (result !== undefined) {
    const content = recordOf(result["output"])?.["values"] ?? result["output"];
    return { message: { role: "tool", name: result["name"], tool_call_id: result["call_id"], content } };
  }
  if (said === undefined) return recordOf(message)?.["image"] === undefined ? undefined : {};
  const role = String(said["role"]).toLowerCase();
  const folder = FOLDER.exec(textOf(said["content"]) ?? "")?.[1];
  if (role === "system") return { facts: { folder } };
  // A prompt is kept as it was typed beside what was made of it.
  const typed = textOf(recordOf(said["raw_content"])?.["Text"]);
  const thoughts = recordsOf(said["reasoning_details"]).map(({ text }) => ({ type: "thinking", thinking: text }));
  const text = role === "user" ? (typed ?? said["content"]) : (textOf(said["content"]) ?? typed);
  const calls = recordsOf(said["tool_calls"]).map((call) => ({ ...call, id: call["call_id"] }));
  const count = (name: string) => recordOf(recordOf(usage)?.[name])?.["actual"];
  return {
    message: { role, content: [...thoughts, { type: "text", text: text ?? "" }], tool_calls: calls },
    time: said["timestamp"],
    tokens: tokensIn({
      input: count("prompt_tokens"),
      output: count("completion_tokens"),
      cached: count("cached_tokens"),
    }),
    facts: { folder, ...(role === "assistant" && { model: textOf(said["model"]) }) },
  };
}
