// Kiro's command line, which was Amazon Q's: sessions in a log each, and those of
// earlier versions as rows of a database. Only the named columns of one table are
// read: another one holds tokens.
import { basename, join } from "node:path";
import { recordAt } from "../kit/json-document.ts";
import { messageLogSource, type Meaning } from "../kit/message-program.ts";
import { rowSource } from "../kit/row-source.ts";
import type { Fields } from "../kit/session-log.ts";
import { recordOf, recordsOf, storedJson, textOf } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { foundDatabase, foundIn } from "../kit/transcript-search.ts";
import { timeOf, UUID, type ConversationSource, type Finding, type Home } from "../source.ts";

const ABOUT = { name: "kiro", title: "Kiro CLI", reader: 1, find };

const logs = messageLogSource({
  ...ABOUT,
  sessionOf: (path) => basename(path, ".jsonl"),
  factsAt: (path) => {
    const facts = recordAt(factsBeside(path));
    return (
      facts && {
        title: textOf(facts["title"]),
        folder: textOf(facts["cwd"]),
        ...storedTimes(timeOf(facts["created_at"]), timeOf(facts["updated_at"])),
      }
    );
  },
  meaningOf: ({ kind, data }) => {
    const role = { Prompt: "user", AssistantMessage: "assistant", ToolResults: "user" }[String(kind)];
    const fields = recordOf(data);
    const time = recordOf(fields?.["meta"])?.["timestamp"];
    return role === undefined
      ? undefined
      : { message: { role, content: recordsOf(fields?.["content"]).map(blockOf) }, time };
  },
});

const rows = rowSource({
  ...ABOUT,
  tables: ["conversations_v2"],
  sessions: `SELECT conversation_id AS id, key AS folder, max(created_at) AS created, max(updated_at) AS updated
    FROM conversations_v2 GROUP BY conversation_id`,
  marks: "SELECT conversation_id AS id, sum(octet_length(value)) AS mark FROM conversations_v2 GROUP BY 1",
  messages: `SELECT value FROM conversations_v2 WHERE conversation_id = ? AND octet_length(value) <= 67108864
    ORDER BY updated_at DESC`,
  recordsIn: ({ value }) => recordsOf(recordOf(storedJson(value))?.["history"]).flatMap(partsOfTurn),
  factsOf: ({ folder, created, updated }) => ({
    folder: textOf(folder),
    ...storedTimes(timeOf(created), timeOf(updated)),
  }),
  meaningOf: (record): Meaning => record,
});

export const kiro: ConversationSource = {
  ...rows,
  resume: { command: ["kiro-cli", "chat", "--resume-id", "ID"], idPattern: UUID },
  read: (transcript, ...rest) => (transcript.path.endsWith(".jsonl") ? logs : rows).read(transcript, ...rest),
};

function* find({ folder, environment }: Home): Generator<Finding> {
  yield* foundIn(join(folder, ".kiro", "sessions", "cli"), /\.jsonl$/, factsBeside);
  const data = environment["XDG_DATA_HOME"] || join(folder, ".local", "share");
  for (const place of [data, join(folder, "Library", "Application Support")])
    yield* foundDatabase(join(place, "kiro-cli", "data.sqlite3"));
}

function factsBeside(path: string): string {
  return path.replace(/\.jsonl$/, ".json");
}

function blockOf({ kind, data }: Fields): Fields {
  const fields = recordOf(data) ?? {};
  if (kind === "toolUse") return { ...fields, type: "tool_use", id: fields["toolUseId"] };
  if (kind !== "toolResult") return { type: kind, text: data };
  const content = recordsOf(fields["content"]).map(({ data: given }) => ({
    text: typeof given === "string" ? given : JSON.stringify(given),
  }));
  return { type: "tool_result", tool_use_id: fields["toolUseId"], content };
}

/** A prompt, or results of tools, and what the assistant said to it. */
function partsOfTurn({ user, assistant, request_metadata: request }: Fields): Fields[] {
  const { content, timestamp } = recordOf(user) ?? {};
  const asked = recordOf(content);
  const results = recordOf(asked?.["ToolUseResults"]) ?? recordOf(asked?.["CancelledToolUses"]);
  const answer = recordOf(recordOf(assistant)?.["Response"]) ?? recordOf(recordOf(assistant)?.["ToolUse"]) ?? {};
  const given = recordsOf(results?.["tool_use_results"]).map((result) => ({
    type: "tool_result",
    tool_use_id: result["tool_use_id"],
    content: recordsOf(result["content"]).map((one) => ({ text: textOf(one["Text"]) ?? JSON.stringify(one["Json"]) })),
  }));
  const prompt = recordOf(asked?.["Prompt"])?.["prompt"] ?? results?.["prompt"];
  const typed = textOf(prompt) === undefined ? [] : [{ type: "text", text: prompt }];
  const calls = recordsOf(answer["tool_uses"]).map((call) => ({ ...call, type: "tool_use" }));
  return [
    { message: { role: "user", content: [...typed, ...given] }, time: timestamp },
    {
      message: { role: "assistant", content: [{ type: "text", text: answer["content"] }, ...calls] },
      time: recordOf(request)?.["stream_end_timestamp_ms"],
    },
  ];
}
