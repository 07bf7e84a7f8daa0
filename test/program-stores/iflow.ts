// iFlow: records as in a published session of January 2026, among them an answer
// whose calls are repeated while it is streamed.
import { join } from "node:path";
import { derivedId, isoTime, writeJsonLines, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

export const iflowStore: ProgramStore = {
  lacks: ["thinking", "title"],
  write(home, conversations) {
    for (const conversation of conversations) {
      const slug = conversation.folder.replaceAll(/[^A-Za-z0-9]/g, "-");
      const path = join(home, ".iflow", "projects", slug, `session-${conversation.id}.jsonl`);
      writeJsonLines(path, recordsOf(conversation));
    }
  },
};

function recordsOf({ id, folder, branch, model, turns }: MadeConversation): object[] {
  const records: object[] = [];
  let last: string | null = null;
  const add = (type: string, at: number, message: object, parentUuid: string | null = last): string => {
    const uuid = derivedId(id, records.length);
    const envelope = { uuid, parentUuid, sessionId: `session-${id}`, timestamp: isoTime(at), type, isSidechain: false };
    const place = { cwd: folder, gitBranch: branch, version: "1.0.0" };
    records.push({ ...envelope, userType: "external", message, ...place });
    return uuid;
  };
  const answer = (at: number, content: object[]): object => ({
    id: `response-${at}`,
    type: "message",
    role: "assistant",
    content,
    model,
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  });
  for (const [i, turn] of turns.entries()) {
    const callId = `call_${derivedId(id, i)}`;
    const call = { type: "tool_use", id: callId, name: "read_file", input: { absolute_path: turn.tool.file } };
    const asked = add("user", turn.at, { role: "user", content: turn.prompt });
    add("assistant", turn.at + 200, answer(turn.at + 200, [call]), asked);
    last = add("assistant", turn.at + 210, answer(turn.at + 210, [call]), asked);
    const response = { id: callId, name: "read_file", response: { output: turn.tool.output } };
    const given = { callId, responseParts: { functionResponse: response }, resultDisplay: "" };
    last = add("user", turn.at + 400, {
      role: "user",
      content: [{ tool_use_id: callId, type: "tool_result", content: given }],
    });
    last = add("assistant", turn.at + 1000, answer(turn.at + 1000, [{ type: "text", text: turn.answer }]), asked);
  }
  return records;
}
