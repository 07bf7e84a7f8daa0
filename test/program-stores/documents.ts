// Programs that write a document for each session: fields as descriptions of
// their files have them.
import { join } from "node:path";
import { isoTime, writeStoreFile, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

const text = (value: string) => ({ type: "text", text: value });
const callId = ({ id }: MadeConversation, at: number) => `toolu_${at}${id.slice(0, 8)}`;

export const ampStore: ProgramStore = {
  lacks: ["branch", "times"],
  write(home, conversations) {
    for (const made of conversations) {
      const messages = made.turns.flatMap((turn, at) => {
        const use = { type: "tool_use", id: callId(made, at), name: "Read", input: { path: turn.tool.file } };
        const run = { status: "done", result: { content: turn.tool.output } };
        const usage = { model: made.model, inputTokens: 4, outputTokens: 26 };
        return [
          { role: "user", content: [text(turn.prompt)] },
          { role: "assistant", content: [{ type: "thinking", thinking: turn.thinking }, use], usage },
          { role: "user", content: [{ type: "tool_result", toolUseID: use.id, run }] },
          { role: "assistant", content: [text(turn.answer)], usage },
        ];
      });
      const trees = [{ displayName: "project", uri: `file://${made.folder}` }];
      const thread = { v: 1, id: `T-${made.id}`, created: made.turns[0]!.at, title: made.title, messages };
      const path = join(home, ".local/share/amp/threads", `T-${made.id}.json`);
      writeStoreFile(path, JSON.stringify({ ...thread, env: { initial: { trees } } }));
    }
  },
};

export const openhandsStore: ProgramStore = {
  lacks: ["branch", "title"],
  write(home, conversations) {
    for (const made of conversations) {
      const folder = join(home, ".openhands/conversations", made.id);
      const base = { id: made.id, agent: { llm: { model: made.model } }, workspace: { working_dir: made.folder } };
      writeStoreFile(join(folder, "base_state.json"), JSON.stringify(base));
      const events = made.turns.flatMap((turn, at) => {
        const tool_call_id = callId(made, at);
        const called = { tool_name: "file_editor", tool_call_id };
        const said = (role: string, value: string) => ({ llm_message: { role, content: [text(value)] } });
        const path = turn.tool.file;
        return [
          { kind: "MessageEvent", at: turn.at, source: "user", ...said("user", turn.prompt) },
          {
            kind: "ActionEvent",
            at: turn.at + 300,
            ...called,
            thought: [],
            reasoning_content: turn.thinking,
            action: { command: "view", path },
            tool_call: { name: "file_editor", arguments: JSON.stringify({ command: "view", path }) },
          },
          {
            kind: "ObservationEvent",
            at: turn.at + 400,
            ...called,
            observation: { content: [text(turn.tool.output)] },
          },
          { kind: "MessageEvent", at: turn.at + 1000, source: "agent", ...said("assistant", turn.answer) },
        ];
      });
      for (const [number, { at, ...event }] of events.entries()) {
        const id = `${String(number).padStart(5, "0")}-${made.id}`;
        const stored = { id: `${number}-${made.id}`, timestamp: isoTime(at), ...event };
        writeStoreFile(join(folder, "events", `event-${id}.json`), JSON.stringify(stored));
      }
    }
  },
};

export const deepseekTuiStore: ProgramStore = {
  lacks: ["branch"],
  write(home, conversations) {
    for (const made of conversations) {
      const messages = made.turns.flatMap((turn, at) => {
        const said = (later: number, role: string, content: object[]) => ({
          role,
          content,
          timestamp: isoTime(turn.at + later),
        });
        const use = { type: "tool_use", id: callId(made, at), name: "read_file", input: { path: turn.tool.file } };
        return [
          said(0, "user", [text(turn.prompt)]),
          said(300, "assistant", [{ type: "thinking", thinking: turn.thinking }, use]),
          said(400, "user", [{ type: "tool_result", tool_use_id: use.id, content: turn.tool.output }]),
          said(1000, "assistant", [text(turn.answer)]),
        ];
      });
      const { id, title, folder: workspace, model } = made;
      const metadata = { id, title, workspace, model, created_at: isoTime(made.turns[0]!.at) };
      writeStoreFile(join(home, ".deepseek/sessions", `${id}.json`), JSON.stringify({ metadata, messages }));
    }
  },
};

export const cortexStore: ProgramStore = {
  lacks: ["model", "thinking"],
  write(home, conversations) {
    for (const made of conversations) {
      const history = made.turns.flatMap((turn, at) => {
        const said = (id: string, role: string, content: object[]) => ({ role, id: `${id}${at}${made.id}`, content });
        const tool_use = { tool_use_id: callId(made, at), name: "read", input: { file_path: turn.tool.file } };
        const tool_result = { name: "read", tool_use_id: tool_use.tool_use_id, content: [text(turn.tool.output)] };
        const reminder = { ...text("Today is Thursday."), internalOnly: true };
        return [
          { ...said("u", "user", [reminder, text(turn.prompt)]), user_sent_time: isoTime(turn.at) },
          said("c", "assistant", [{ type: "tool_use", tool_use }]),
          said("r", "user", [{ type: "tool_result", tool_result }]),
          said("a", "assistant", [text(turn.answer)]),
        ];
      });
      const { id: session_id, title, folder: working_directory, branch: git_branch } = made;
      const session = {
        session_id,
        title,
        working_directory,
        git_branch,
        history,
        created_at: isoTime(made.turns[0]!.at),
      };
      writeStoreFile(join(home, ".snowflake/cortex/conversations", `${session_id}.json`), JSON.stringify(session));
    }
  },
};
