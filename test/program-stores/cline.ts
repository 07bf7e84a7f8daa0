// A session of Cline CLI 3.0.65: a folder with its facts and its messages.
import { join } from "node:path";
import { derivedId, isoTime, writeStoreFile, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

export const clineStore: ProgramStore = {
  write(home, conversations) {
    for (const conversation of conversations) {
      const { id } = conversation;
      const folder = join(home, ".cline", "data", "sessions", id);
      const write = (name: string, content: unknown) =>
        writeStoreFile(join(folder, name), `${JSON.stringify(content, undefined, 2)}\n`);
      write(`${id}.json`, manifestOf(conversation, join(folder, `${id}.messages.json`)));
      write(`${id}.messages.json`, {
        version: 1,
        updated_at: isoTime(conversation.turns.at(-1)!.at + 1000),
        agent: "lead",
        sessionId: id,
        origin: { source: "cli", mode: "user", sessionId: id, version: "3.0.65" },
        messages: messagesOf(conversation),
        system_prompt: "You are Cline, an AI coding agent.",
      });
    }
  },
};

function manifestOf({ id, folder, branch, title, model, turns }: MadeConversation, messages: string): object {
  return {
    version: 1,
    session_id: id,
    source: "cli",
    pid: 20515,
    started_at: isoTime(turns[0]!.at),
    ended_at: isoTime(turns.at(-1)!.at + 1000),
    exit_code: 0,
    status: "completed",
    interactive: false,
    provider: "openai-compatible",
    model,
    cwd: folder,
    workspace_root: folder,
    enable_tools: true,
    enable_spawn: true,
    enable_teams: true,
    prompt: turns[0]!.prompt,
    metadata: { git: { url: "https://example.com/tiny.git", branch }, title, totalCost: 0 },
    messages_path: messages,
  };
}

function messagesOf({ id, model, turns }: MadeConversation): object[] {
  const modelInfo = { id: model, provider: "openai-compatible" };
  return turns.flatMap(({ at, prompt, thinking, tool, answer }, i) => {
    const call = `call_${derivedId(id, i)}`;
    return [
      {
        id: derivedId(id, i, "prompt"),
        role: "user",
        content: [{ type: "text", text: `<user_input mode="act">${prompt}</user_input>` }],
        ts: at,
      },
      {
        id: `msg_${derivedId(id, i, "call")}`,
        role: "assistant",
        content: [
          { type: "thinking", thinking },
          { type: "tool_use", id: call, name: "read_files", input: { files: [{ path: tool.file }] } },
        ],
        ts: at + 300,
        modelInfo,
      },
      {
        id: `msg_${derivedId(id, i, "result")}`,
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: call,
            name: "read_files",
            content: [{ query: tool.file, result: tool.output, success: true }],
          },
        ],
        ts: at + 400,
      },
      {
        id: `msg_${derivedId(id, i, "answer")}`,
        role: "assistant",
        content: [{ type: "text", text: answer }],
        ts: at + 1000,
        modelInfo,
        metrics: { inputTokens: 1200, outputTokens: 42 },
      },
    ];
  });
}
