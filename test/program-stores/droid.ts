// Factory's droid 0.225: a file for each session, in a folder named after the
// project, and its settings beside it; records as that version wrote them.
import { join } from "node:path";
import {
  derivedId,
  isoTime,
  writeJsonLines,
  writeStoreFile,
  type MadeConversation,
  type ProgramStore,
} from "./made-conversation.ts";

export const droidStore: ProgramStore = {
  lacks: ["branch"],
  write(home, conversations) {
    for (const conversation of conversations) {
      const { id, folder, model } = conversation;
      const sessions = join(home, ".factory", "sessions", folder.replaceAll(/[^a-zA-Z0-9]/g, "-"));
      writeJsonLines(join(sessions, `${id}.jsonl`), recordsOf(conversation));
      const settings = {
        assistantActiveTimeMs: 699,
        model,
        reasoningEffort: "none",
        tokenUsage: { inputTokens: 2400 },
      };
      writeStoreFile(join(sessions, `${id}.settings.json`), JSON.stringify(settings, undefined, 2));
    }
  },
};

function recordsOf({ id, folder, title, turns }: MadeConversation): object[] {
  const start = { type: "session_start", id, title, owner: "anna", version: 2, cwd: folder };
  const records: object[] = [{ ...start, hostId: derivedId(id, "host"), isSessionTitleManuallySet: false }];
  let parentId: string | undefined;
  const add = (at: number, own: string, role: string, content: object[]): void => {
    const base = { type: "message", id: own, ...(parentId !== undefined && { parentId }), timestamp: isoTime(at) };
    records.push({ ...base, message: { role, content } });
    parentId = own;
  };
  for (const [i, { at, prompt, thinking, tool, answer }] of turns.entries()) {
    const own = derivedId(id, i, "user");
    const reminder = "<system-reminder>\nThe tools listed below are available.\n</system-reminder>";
    add(at, `context-${own}`, "user", [{ type: "text", text: reminder }]);
    add(at, own, "user", [{ type: "text", text: prompt }]);
    const call = { type: "tool_use", id: `call_${i}`, name: "Read", input: { file_path: tool.file } };
    const thought = { type: "thinking", signature: "reasoning_content", durationMs: 1, thinking };
    add(at + 300, derivedId(id, i, "call"), "assistant", [thought, call]);
    const result = { type: "tool_result", tool_use_id: call.id, is_error: false, content: tool.output };
    add(at + 500, derivedId(id, i, "result"), "user", [result]);
    add(at + 1000, derivedId(id, i, "answer"), "assistant", [{ type: "text", text: answer }]);
    records.push({ type: "agent_turn_outcome", turnId: own, reason: "completed", resultKind: "text" });
  }
  return records;
}
