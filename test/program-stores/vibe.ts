// Mistral Vibe 2.18: a folder for each session with messages.jsonl and meta.json,
// with the fields, and in the order, in which its models are dumped
// (vibe/core/session/session_logger.py, vibe/core/types.py at ac8f1a09fdf, 2026-07-01).
import { join } from "node:path";
import {
  derivedId,
  isoTime,
  writeJsonLines,
  writeStoreFile,
  type MadeConversation,
  type ProgramStore,
} from "./made-conversation.ts";

export const vibeStore: ProgramStore = {
  lacks: ["times"],
  write(home, conversations) {
    for (const conversation of conversations) {
      const { id, turns } = conversation;
      const started = isoTime(turns[0]!.at)
        .replaceAll(/[-:]|\..*$/g, "")
        .replace("T", "_");
      const session = join(home, ".vibe", "logs", "session", `session_${started}_${id.slice(0, 8)}`);
      writeJsonLines(join(session, "messages.jsonl"), messagesOf(conversation));
      writeStoreFile(join(session, "meta.json"), JSON.stringify(metaOf(conversation), undefined, 2));
    }
  },
};

function messagesOf({ id, turns }: MadeConversation): object[] {
  return turns.flatMap(({ prompt, thinking, tool, answer }, i) => {
    const call = `call${i}${id.slice(0, 4)}`;
    const read = { name: "read_file", arguments: JSON.stringify({ path: tool.file }) };
    const result = { role: "tool", content: tool.output, injected: false, name: "read_file", tool_call_id: call };
    return [
      { role: "user", content: prompt, injected: false, message_id: derivedId(id, i, "user") },
      {
        role: "user",
        content: "<system_reminder>Plan mode is on.</system_reminder>",
        injected: true,
        message_id: derivedId(id, i, "injected"),
      },
      {
        role: "assistant",
        content: "",
        injected: false,
        reasoning_content: thinking,
        reasoning_message_id: derivedId(id, i, "reasoning"),
        tool_calls: [{ id: call, index: 0, function: read, type: "function" }],
        message_id: derivedId(id, i, "call"),
      },
      result,
      { role: "assistant", content: answer, injected: false, message_id: derivedId(id, i, "answer") },
    ];
  });
}

function metaOf({ id, folder, branch, title, model, turns }: MadeConversation): object {
  return {
    session_id: id,
    parent_session_id: null,
    start_time: isoTime(turns[0]!.at).replace("Z", "000+00:00"),
    end_time: isoTime(turns.at(-1)!.at + 1000).replace("Z", "000+00:00"),
    git_commit: "ac8f1a09fdfbadb6d4508a555ba6607fd05eb0dc",
    git_branch: branch,
    environment: { working_directory: folder },
    username: "anna",
    loops: [],
    title,
    title_source: "manual",
    experiments: null,
    stats: { steps: turns.length, session_prompt_tokens: 1200, session_completion_tokens: 42 },
    total_messages: turns.length * 5,
    tools_available: [],
    config: { active_model: model },
    agent_profile: { name: "default", overrides: {} },
    system_prompt: { role: "system", content: "You are Mistral Vibe." },
  };
}
