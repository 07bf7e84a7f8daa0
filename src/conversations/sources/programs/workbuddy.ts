// WorkBuddy: a file per session in a folder per project, with the items of OpenAI's
// Responses interface; sub-agents in a folder of their session.
import { basename, dirname, join } from "node:path";
import { messageLogSource, type Meaning } from "../kit/message-program.ts";
import { joined } from "../kit/said.ts";
import type { Fields } from "../kit/session-log.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { tokensIn } from "../kit/token-counts.ts";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import type { Finding } from "../source.ts";

const AGENTS = "subagents";

export const workbuddy = messageLogSource({
  name: "workbuddy",
  title: "WorkBuddy",
  reader: 1,
  *find({ folder }): Generator<Finding> {
    const projects = join(folder, ".workbuddy", "projects");
    for (const project of yield* lookedInto(projects)) yield* findSessions(join(projects, project.name));
  },
  sessionOf: (path) => basename(path, ".jsonl"),
  callerOf: (path) => (basename(dirname(path)) === AGENTS ? basename(dirname(dirname(path))) : undefined),
  meaningOf: (record) => {
    const meaning = meaningIn(record);
    const provider = recordOf(record["providerData"]);
    const {
      inputTokens: input,
      outputTokens: output,
      cacheReadInputTokens: cached,
    } = recordOf(provider?.["usage"]) ?? {};
    const facts = { folder: textOf(record["cwd"]), model: textOf(provider?.["model"]) };
    return (
      meaning && { ...meaning, time: record["timestamp"], tokens: tokensIn({ input, output, cached }, true), facts }
    );
  },
});

function* findSessions(folder: string): Generator<Finding> {
  for (const entry of (yield* listed(folder)) ?? []) {
    const path = join(folder, entry.name);
    if (entry.name.endsWith(".jsonl")) yield* foundFile(path);
    else if (entry.isDirectory())
      for (const { name } of (yield* listed(join(path, AGENTS))) ?? []) yield* foundFile(join(path, AGENTS, name));
  }
}

function meaningIn({ type, role, content, output, ...item }: Fields): Meaning | undefined {
  const call = item["callId"];
  switch (type) {
    case "message":
      return { message: { role, content } };
    case "reasoning": {
      const text = joined([...recordsOf(content), ...recordsOf(item["rawContent"])].map((one) => one["text"]));
      return { said: [{ role: "assistant", kind: "thinking", text }] };
    }
    case "function_call":
      return { message: { role: "assistant", content: [{ ...item, type: "tool-call", toolCallId: call }] } };
    case "function_call_result":
      return { message: { role: "tool", content: [{ type: "tool-result", toolCallId: call, output }] } };
    default:
      return {};
  }
}
