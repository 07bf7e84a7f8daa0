// Programs that append a line for each message: records as their source, or
// published sessions, have them.
import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  isoTime,
  writeJsonLines,
  writeStoreFile,
  type MadeConversation,
  type MadeTurn,
  type ProgramStore,
} from "./made-conversation.ts";

type Records = (turn: MadeTurn, conversation: MadeConversation, at: number) => readonly object[];

function recordsOf(conversation: MadeConversation, records: Records): object[] {
  return conversation.turns.flatMap((turn, at) => records(turn, conversation, at));
}

const callId = ({ id }: MadeConversation, at: number) => `call_${at}_${id.slice(0, 8)}`;
const text = (value: string) => ({ type: "text", text: value });

/** As the Vercel AI SDK has blocks of a message; each with the time of its line. */
const sdkRecords =
  (time: string): Records =>
  (turn, conversation, at) => {
    const call = { toolCallId: callId(conversation, at), toolName: "Read" };
    const said = (later: number, role: string, content: unknown) => ({
      role,
      content,
      [time]: isoTime(turn.at + later),
    });
    return [
      said(0, "user", [text(turn.prompt)]),
      said(200, "assistant", [
        { type: "reasoning", text: turn.thinking },
        { type: "tool-call", ...call, input: { path: turn.tool.file } },
      ]),
      said(400, "tool", [{ type: "tool-result", ...call, content: [text(turn.tool.output)] }]),
      said(1000, "assistant", [text(turn.answer)]),
    ];
  };

export const zencoderStore: ProgramStore = {
  lacks: ["branch", "model"],
  write(home, conversations) {
    for (const made of conversations) {
      const createdAt = isoTime(made.turns[0]!.at);
      const environment = `You are Zencoder.\nWorking directory: ${made.folder}\nPlatform: linux`;
      writeJsonLines(join(home, ".zencoder/sessions", `${made.id}.jsonl`), [
        { id: made.id, title: made.title, createdAt, updatedAt: createdAt },
        { role: "system", content: environment, createdAt },
        ...recordsOf(made, (turn, ...rest) => {
          const [asked, ...others] = sdkRecords("createdAt")(turn, ...rest);
          const tagged = [
            { ...text("Use tabs."), tag: "instructions" },
            { ...text(turn.prompt), tag: "user-input" },
          ];
          return [{ ...asked, content: tagged }, ...others, { role: "finish", reason: "stop" }];
        }),
      ]);
    }
  },
};

export const commandcodeStore: ProgramStore = {
  lacks: ["branch", "model"],
  write(home, conversations) {
    for (const made of conversations) {
      const path = join(home, ".commandcode/projects", made.folder.replaceAll("/", "-"), made.id);
      writeJsonLines(`${path}.jsonl`, recordsOf(made, sdkRecords("timestamp")));
      writeStoreFile(`${path}.meta.json`, JSON.stringify({ title: made.title, cwd: made.folder }));
    }
  },
};

export const gptmeStore: ProgramStore = {
  lacks: ["branch", "files", "thinking"],
  write(home, conversations) {
    for (const made of conversations) {
      const folder = join(home, ".local/share/gptme/logs", `2026-10-01-${made.id}`);
      const timestamp = isoTime(made.turns[0]!.at);
      writeJsonLines(join(folder, "conversation.jsonl"), [
        { role: "system", content: "You are gptme.", timestamp, pinned: true, hide: true },
        ...recordsOf(made, (turn) => {
          const said = (later: number, role: string, content: string, metadata?: object) => ({
            role,
            content,
            timestamp: isoTime(turn.at + later),
            metadata,
          });
          return [
            said(0, "user", turn.prompt),
            said(400, "tool", turn.tool.output),
            said(1000, "assistant", turn.answer, {
              model: made.model,
              usage: { input_tokens: 120, output_tokens: 42 },
            }),
          ];
        }),
      ]);
      writeStoreFile(join(folder, "config.toml"), `[chat]\nname = "${made.title}"\nworkspace = "${made.folder}"\n`);
    }
  },
};

function textBlock(type: string, value: string): object[] {
  return [{ type, text: value }];
}

export const workbuddyStore: ProgramStore = {
  lacks: ["branch", "title"],
  write(home, conversations) {
    for (const made of conversations) {
      const path = join(home, ".workbuddy/projects", made.folder.replaceAll("/", "-"), `${made.id}.jsonl`);
      const records = recordsOf(made, (turn, _, at) => {
        const callId_ = { callId: callId(made, at), name: "Read" };
        const item = (later: number, type: string, more: object) => ({
          type,
          ...more,
          cwd: made.folder,
          timestamp: turn.at + later,
          providerData: { model: made.model },
        });
        return [
          item(0, "message", { role: "user", content: textBlock("input_text", turn.prompt) }),
          item(200, "reasoning", { rawContent: textBlock("reasoning_text", turn.thinking) }),
          item(300, "function_call", { ...callId_, arguments: JSON.stringify({ file_path: turn.tool.file }) }),
          item(400, "function_call_result", { ...callId_, output: { type: "text", text: turn.tool.output } }),
          item(1000, "message", { role: "assistant", content: textBlock("output_text", turn.answer) }),
        ];
      });
      writeJsonLines(path, records);
    }
  },
};

export const grokStore: ProgramStore = {
  lacks: ["times"],
  write(home, conversations) {
    for (const made of conversations) {
      const folder = join(home, ".grok/sessions", encodeURIComponent(made.folder), made.id);
      writeJsonLines(join(folder, "chat_history.jsonl"), [
        { type: "system", content: "You are Grok" },
        { type: "user", content: [text("project policy")], synthetic_reason: "project_instructions" },
        ...recordsOf(made, (turn, _, at) => {
          const call = { id: callId(made, at), name: "read_file" };
          const args = JSON.stringify({ target_file: turn.tool.file, path: turn.tool.file });
          return [
            { type: "user", content: [text(turn.prompt)], prompt_index: at },
            { type: "reasoning", id: `rs_${at}`, summary: [{ type: "summary_text", text: turn.thinking }] },
            { type: "assistant", content: "", tool_calls: [{ ...call, arguments: args }], model_id: made.model },
            { type: "tool_result", tool_call_id: call.id, content: turn.tool.output },
            { type: "assistant", content: turn.answer, model_id: made.model },
          ];
        }),
      ]);
      const summary = {
        info: { id: made.id, cwd: made.folder },
        generated_title: made.title,
        created_at: isoTime(made.turns[0]!.at),
        updated_at: isoTime(made.turns.at(-1)!.at),
        current_model_id: made.model,
        head_branch: made.branch,
      };
      writeStoreFile(join(folder, "summary.json"), JSON.stringify(summary));
    }
  },
};

export const kimiStore: ProgramStore = {
  lacks: ["branch", "model"],
  write(home, conversations) {
    const share = join(home, ".kimi");
    for (const made of conversations) {
      const folder = join(share, "sessions", createHash("md5").update(made.folder).digest("hex"), made.id);
      writeJsonLines(join(folder, "wire.jsonl"), [
        { type: "metadata", protocol_version: "1.3" },
        ...recordsOf(made, (turn, _, at) => {
          const sent = (later: number, type: string, payload: object) => ({
            timestamp: (turn.at + later) / 1000,
            message: { type, payload },
          });
          const id = callId(made, at);
          const called = { name: "ReadFile", arguments: JSON.stringify({ path: turn.tool.file }) };
          return [
            sent(0, "TurnBegin", { user_input: [text(turn.prompt)] }),
            sent(10, "StepBegin", { n: 1 }),
            sent(200, "ContentPart", { type: "think", think: turn.thinking, encrypted: null }),
            sent(300, "ToolCall", { type: "function", id, function: called, extras: null }),
            sent(400, "ToolResult", { tool_call_id: id, return_value: { is_error: false, output: turn.tool.output } }),
            sent(1000, "ContentPart", text(turn.answer)),
            sent(1100, "TurnEnd", {}),
          ];
        }),
      ]);
      writeStoreFile(join(folder, "state.json"), JSON.stringify({ version: 1, custom_title: made.title }));
    }
    const work_dirs = conversations.map(({ folder }) => ({ path: folder, kaos: "local", last_session_id: null }));
    writeStoreFile(join(share, "kimi.json"), JSON.stringify({ work_dirs }));
  },
};
