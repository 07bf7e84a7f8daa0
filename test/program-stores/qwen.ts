// Qwen Code 0.15: a log for each session, in a folder named after the project;
// records as its chatRecordingService.ts appends them.
import { join } from "node:path";
import { derivedId, isoTime, writeJsonLines, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

export const qwenStore: ProgramStore = {
  write(home, conversations) {
    for (const conversation of conversations) {
      const slug = conversation.folder.replaceAll(/[^a-zA-Z0-9]/g, "-");
      const file = join(home, ".qwen", "projects", slug, "chats", `${conversation.id}.jsonl`);
      writeJsonLines(file, recordsOf(conversation));
    }
  },
};

function recordsOf({ id, folder, branch, title, model, turns }: MadeConversation): object[] {
  const records: object[] = [];
  let parentUuid: string | null = null;
  const add = (at: number, type: string, values: object): void => {
    const uuid = derivedId(id, records.length);
    const timestamp = isoTime(at);
    const base = { uuid, parentUuid, sessionId: id, timestamp, type, cwd: folder, version: "0.15.10" };
    records.push({ ...base, gitBranch: branch, ...values });
    parentUuid = uuid;
  };
  const usageMetadata = { promptTokenCount: 12, candidatesTokenCount: 4, totalTokenCount: 16 };
  for (const [i, { at, prompt, thinking, tool, answer }] of turns.entries()) {
    add(at, "user", { message: { role: "user", parts: [{ text: prompt }] } });
    if (i === 0)
      add(at + 1, "system", {
        subtype: "custom_title",
        systemPayload: { customTitle: title, titleSource: "auto" },
      });
    const call = { id: `call_${i}`, name: "read_file", args: { file_path: tool.file } };
    add(at + 300, "assistant", {
      model,
      message: { role: "model", parts: [{ text: thinking, thought: true }, { functionCall: call }] },
      usageMetadata,
    });
    const uiEvent = { "event.name": "qwen-code.tool_call", function_name: "read_file", function_args: call.args };
    add(at + 400, "system", { subtype: "ui_telemetry", systemPayload: { uiEvent } });
    const functionResponse = { id: call.id, name: call.name, response: { output: tool.output } };
    add(at + 500, "tool_result", {
      message: { role: "user", parts: [{ functionResponse }] },
      toolCallResult: { callId: call.id, status: "success", resultDisplay: "" },
    });
    add(at + 1000, "assistant", { model, message: { role: "model", parts: [{ text: answer }] }, usageMetadata });
  }
  return records;
}
