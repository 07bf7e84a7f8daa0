// A task of Roo Code 3.5x, and of Kilo Code before version 7, its fork: a folder
// for each, in the storage of the extension. By the published code of Roo Code
// (src/core/task/Task.ts, src/core/task-persistence), April 2026.
import { join } from "node:path";
import { writeStoreFile, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

function taskStore(extension: string): ProgramStore {
  return {
    // Paths of files are relative to the project.
    lacks: ["branch", "title", "files"],
    write(home, conversations) {
      const tasks = join(home, ".config", "Code", "User", "globalStorage", extension, "tasks");
      for (const conversation of conversations) {
        const write = (name: string, content: unknown) =>
          writeStoreFile(join(tasks, conversation.id, name), JSON.stringify(content));
        write("ui_messages.json", rowsOf(conversation));
        write("api_conversation_history.json", sentOf(conversation));
        write("task_metadata.json", { files_in_context: [] });
        write("history_item.json", itemOf(conversation));
      }
      const index = { version: 1, updatedAt: 1_790_000_000_000, entries: conversations.map(itemOf) };
      writeStoreFile(join(tasks, "_index.json"), JSON.stringify(index));
    },
  };
}

export const rooStore = taskStore("rooveterinaryinc.roo-cline");
export const kiloCodeStore = taskStore("kilocode.kilo-code");

function itemOf({ id, folder, turns }: MadeConversation): object {
  return {
    id,
    number: 1,
    ts: turns.at(-1)!.at + 1000,
    task: turns[0]!.prompt,
    tokensIn: 1200,
    tokensOut: 42,
    totalCost: 0.01,
    size: 4096,
    workspace: folder,
    mode: "code",
  };
}

function rowsOf({ folder, turns }: MadeConversation): object[] {
  return turns.flatMap(({ at, prompt, thinking, tool, answer }, i) => {
    const path = tool.file.slice(folder.length + 1);
    const said = (after: number, say: string, text: string, more: object = {}) => ({
      ts: at + after,
      type: "say",
      say,
      text,
      ...more,
    });
    const request = JSON.stringify({ apiProtocol: "anthropic", tokensIn: 1200, tokensOut: 42, cost: 0.01 });
    return [
      said(0, i === 0 ? "text" : "user_feedback", prompt, { images: [] }),
      said(100, "api_req_started", request),
      said(200, "reasoning", thinking, { partial: false }),
      {
        ts: at + 300,
        type: "ask",
        ask: "tool",
        text: JSON.stringify({ tool: "readFile", path, isOutsideWorkspace: false, content: tool.file }),
        isAnswered: true,
      },
      said(400, "api_req_started", request),
      { ts: at + 500, type: "ask", ask: "command", text: `cat ${path}`, isAnswered: true },
      said(600, "command_output", tool.output),
      said(700, "checkpoint_saved", "574c82b4", { checkpoint: { from: "a", to: "574c82b4" } }),
      said(800, "api_req_started", request),
      said(1000, "completion_result", answer, { partial: false }),
      { ts: at + 1100, type: "ask", ask: "completion_result", text: "", partial: false },
    ];
  });
}

function sentOf({ folder, model, turns }: MadeConversation): object[] {
  return turns.flatMap(({ at, prompt, answer }, i) => [
    {
      role: "user",
      content: [
        { type: "text", text: i === 0 ? `<task>\n${prompt}\n</task>` : `<user_message>\n${prompt}\n</user_message>` },
        { type: "text", text: environment(folder, model) },
      ],
      ts: at,
    },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: `toolu_${i}`, name: "attempt_completion", input: { result: answer } }],
      ts: at + 1000,
    },
  ]);
}

function environment(folder: string, model: string): string {
  const mode = `<slug>code</slug>\n<name>Code</name>\n<model>${model}</model>`;
  const files = `# Current Workspace Directory (${folder}) Files\nsrc/`;
  return `<environment_details>\n# VSCode Visible Files\n\n# Current Mode\n${mode}\n\n${files}\n</environment_details>`;
}
