// Codex CLI 0.166: a rollout for each thread, and the titles in an index.
import { join } from "node:path";
import { derivedId, isoTime, writeJsonLines, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

export const codexStore: ProgramStore = {
  lacks: ["files"],
  write(home, conversations) {
    writeRollouts(join(home, ".codex"), conversations);
    writeJsonLines(
      join(home, ".codex", "session_index.jsonl"),
      conversations.map(({ id, title, turns }) => ({ id, thread_name: title, updated_at: isoTime(turns[0]!.at) })),
    );
  },
};

/** Made from Codex; without its index. */
export const traexStore: ProgramStore = {
  lacks: ["files", "title"],
  write: (home, conversations) => writeRollouts(join(home, ".trae", "cli"), conversations),
};

function writeRollouts(root: string, conversations: readonly MadeConversation[]): void {
  for (const conversation of conversations) {
    const time = isoTime(conversation.turns[0]!.at);
    const name = `rollout-${time.slice(0, 19).replaceAll(":", "-")}-${conversation.id}.jsonl`;
    const day = time.slice(0, 10).split("-");
    writeJsonLines(join(root, "sessions", ...day, name), recordsOf(conversation));
  }
}

function recordsOf({ id, folder, branch, model, turns }: MadeConversation): object[] {
  const records: object[] = [];
  const add = (at: number, type: string, payload: object): unknown =>
    records.push({ timestamp: isoTime(at), ordinal: records.length, type, payload });
  const message = (at: number, role: string, kind: string, text: string): unknown =>
    add(at, "response_item", {
      type: "message",
      id: `msg_${derivedId(id, records.length)}`,
      role,
      content: [{ type: kind, text }],
    });
  add(turns[0]!.at, "session_meta", {
    session_id: id,
    id,
    timestamp: isoTime(turns[0]!.at),
    cwd: folder,
    originator: "codex_exec",
    cli_version: "0.166.0",
    source: "exec",
    model_provider: "openai",
    history_mode: "paginated",
    git: { branch },
  });
  for (const [i, { at, prompt, thinking, tool, answer }] of turns.entries()) {
    const call = `call_${derivedId(id, i)}`;
    add(at, "turn_context", { turn_id: derivedId(id, i, "turn"), cwd: folder, approval_policy: "never", model });
    message(at, "user", "input_text", `<environment_context>\n  <cwd>${folder}</cwd>\n</environment_context>`);
    message(at, "user", "input_text", prompt);
    add(at, "event_msg", {
      type: "item_completed",
      thread_id: id,
      item: { type: "UserMessage", content: [{ type: "text", text: prompt }] },
    });
    add(at + 200, "response_item", {
      type: "reasoning",
      id: `rs_${i}`,
      summary: [{ type: "summary_text", text: thinking }],
      content: null,
      encrypted_content: "ZW5jcnlwdGVk",
    });
    add(at + 300, "response_item", {
      type: "function_call",
      name: "exec_command",
      arguments: JSON.stringify({ cmd: `cat ${tool.file}` }),
      call_id: call,
    });
    add(at + 400, "response_item", { type: "function_call_output", call_id: call, output: tool.output });
    message(at + 1000, "assistant", "output_text", answer);
    add(at + 1000, "event_msg", { type: "token_count", info: null });
  }
  return records;
}
