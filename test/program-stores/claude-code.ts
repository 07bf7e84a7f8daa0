// Claude Code 2.1: a JSONL file for each session, a record for each block.
import { join } from "node:path";
import { derivedId, isoTime, writeJsonLines, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

export const claudeCodeStore = storeIn(".claude/projects");

/** Programs that were made from it. */
export const openclaudeStore = storeIn(".openclaude/projects");
export const qoderStore = storeIn(".qoder/projects");
export const coworkStore = storeIn(".config/Claude/local-agent-mode-sessions/org/space/local_1/.claude/projects");

function storeIn(projects: string): ProgramStore {
  return {
    write(home, conversations) {
      for (const conversation of conversations) {
        const slug = conversation.folder.replaceAll(/[^A-Za-z0-9]/g, "-");
        writeJsonLines(join(home, projects, slug, `${conversation.id}.jsonl`), recordsOf(conversation));
      }
    },
  };
}

function recordsOf({ id, folder, branch, title, model, turns }: MadeConversation): object[] {
  const records: object[] = [];
  let parentUuid: string | null = null;
  const add = (type: string, at: number, rest: object): void => {
    const uuid = derivedId(id, records.length);
    const envelope = { parentUuid, isSidechain: false, userType: "external", cwd: folder, sessionId: id };
    records.push({ ...envelope, version: "2.1.197", gitBranch: branch, type, ...rest, uuid, timestamp: isoTime(at) });
    parentUuid = uuid;
  };
  for (const [i, { at, prompt, thinking, tool, answer }] of turns.entries()) {
    const block = (content: object, message: string, stop: string | null) => ({
      message: {
        model,
        id: `msg_${derivedId(id, i, message)}`,
        type: "message",
        role: "assistant",
        content: [content],
        stop_reason: stop,
        stop_sequence: null,
        usage: { input_tokens: 4, output_tokens: 26 },
      },
      requestId: `req_${i}`,
    });
    const call = `toolu_${derivedId(id, i)}`;
    add("user", at, { message: { role: "user", content: prompt } });
    add("assistant", at + 200, block({ type: "thinking", thinking, signature: "c2lnbmVk" }, "first", null));
    add(
      "assistant",
      at + 300,
      block({ type: "tool_use", id: call, name: "Read", input: { file_path: tool.file } }, "first", "tool_use"),
    );
    add("user", at + 400, {
      message: {
        role: "user",
        content: [{ tool_use_id: call, type: "tool_result", content: tool.output, is_error: false }],
      },
      toolUseResult: { type: "text", file: { filePath: tool.file, content: tool.output, numLines: 2 } },
    });
    add("assistant", at + 1000, block({ type: "text", text: answer }, "second", "end_turn"));
  }
  return [...records, { type: "ai-title", aiTitle: title, sessionId: id }];
}
