// Grok Build (xAI's command line): a folder per session below one per project, with
// what was said and the facts of the session. Messages have no times.
import { basename, dirname, join } from "node:path";
import { recordAt } from "../kit/json-document.ts";
import { messageLogSource, type Meaning } from "../kit/message-program.ts";
import type { Fields } from "../kit/session-log.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import { timeOf, UUID, type Finding } from "../source.ts";

const FACTS = "summary.json";

export const grok = messageLogSource({
  name: "grok",
  title: "Grok Build",
  reader: 1,
  resume: { command: ["grok", "--resume", "ID"], idPattern: UUID },
  *find({ folder }): Generator<Finding> {
    const sessions = join(folder, ".grok", "sessions");
    for (const { name: project } of yield* lookedInto(sessions))
      for (const { name } of (yield* listed(join(sessions, project))) ?? []) {
        const session = join(sessions, project, name);
        yield* foundFile(join(session, "chat_history.jsonl"), [join(session, FACTS)]);
      }
  },
  sessionOf: (path) => basename(dirname(path)),
  factsAt: (path) => {
    const summary = recordAt(join(dirname(path), FACTS));
    if (summary === undefined) return undefined;
    const parent = textOf(summary["parent_session_id"]);
    return {
      title: textOf(summary["generated_title"]) ?? textOf(summary["session_summary"]),
      folder: textOf(recordOf(summary["info"])?.["cwd"]),
      branch: textOf(summary["head_branch"]),
      model: textOf(summary["current_model_id"]),
      ...storedTimes(timeOf(summary["created_at"]), timeOf(summary["updated_at"])),
      ...(parent !== undefined && { continues: parent }),
    };
  },
  meaningOf: (record) => meaningIn({ ...record, role: record["type"] ?? record["role"] }),
});

/** Older versions have roles in place of types. */
function meaningIn(record: Fields): Meaning | undefined {
  const { role, content, kind } = record;
  switch (role) {
    case "system":
      return {};
    case "user": {
      // The program's own texts say why they are there; only what was typed while it worked is a person's.
      const reason = record["synthetic_reason"];
      return reason === undefined || reason === null || reason === "interjection" ? { message: { role, content } } : {};
    }
    case "assistant":
      return { message: record, facts: { model: textOf(record["model_id"]) } };
    case "reasoning": {
      const text = recordsOf(record["summary"]).flatMap((one) => textOf(one["text"]) ?? []);
      return { said: [{ role: "assistant", kind: "thinking", text: text.join("\n\n") }] };
    }
    case "tool":
    case "tool_result":
      return { message: { ...record, role: "tool" } };
    case "backend_tool_call": {
      const tool = textOf(recordOf(kind)?.["tool_type"]) ?? "tool";
      const text = `${tool} ${JSON.stringify(recordOf(kind)?.["action"] ?? {})}`;
      return { said: [{ role: "assistant", kind: "tool", tool, text }] };
    }
    default:
      return undefined;
  }
}
