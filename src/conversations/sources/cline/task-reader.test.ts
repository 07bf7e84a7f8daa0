// Tasks of Cline, Roo Code and Kilo Code, row by row as their published code
// writes them (cline/cline before June 2026, RooCodeInc/Roo-Code of April 2026).
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../../test/conversation-store.ts";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { kiloCode } from "../kilo-code/kilo-code.ts";
import { roo } from "../roo/roo.ts";
import type { ConversationSource } from "../source.ts";
import { cline } from "./cline.ts";

const CLINE = ".config/Code/User/globalStorage/saoudrizwan.claude-dev";
const ROO = ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline";
const AT = Date.UTC(2026, 2, 1, 12);

function write(home: string, path: string, content: unknown): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

let after = 0;
const say = (kind: string, text?: unknown, more: object = {}) => row("say", kind, text, more);
const ask = (kind: string, text?: unknown, more: object = {}) => row("ask", kind, text, more);
function row(type: "say" | "ask", kind: string, text: unknown, more: object) {
  const shown = text === undefined ? {} : { text: typeof text === "string" ? text : JSON.stringify(text) };
  return { ts: AT + ++after, type, [type]: kind, ...shown, ...more };
}

async function readRows(rows: readonly unknown[], source = cline, storage = CLINE): Promise<Reading> {
  const home = temporaryFolder();
  write(home, `${storage}/tasks/t1/ui_messages.json`, rows);
  return new Reading().read(source, homeIn(home));
}

describe("a task", () => {
  it("is told apart into what was typed, answered, thought and done", async () => {
    const reading = await readRows([
      say("task", "Why is it slow?", { images: ["data:image/png;base64,AAAA"], files: ["/code/log.txt"] }),
      say("api_req_started", { request: "<task>\nWhy is it slow?\n</task>" }),
      say("reasoning", "Let me think."),
      say("text", "I look at the file."),
      ask("tool", { tool: "readFile", path: "src/a.ts", content: "/code/src/a.ts" }),
      say("checkpoint_created"),
      say("api_req_started", {}),
      ask("command", "npm testREQ_APP"),
      say("command_output", "1 failed"),
      say("error", "The model did not answer."),
      say("api_req_started", {}),
      say("tool", { tool: "editedExistingFile", path: "src/a.ts", diff: "- slow\n+ fast" }),
      say("user_feedback_diff", { tool: "editedExistingFile", path: "src/a.ts", diff: "+ faster" }),
      say("api_req_started", {}),
      say("completion_result", "It was the loop.HAS_CHANGES"),
      ask("completion_result", "It was the loop."),
      say("user_feedback", "Thanks, and the test?"),
    ]);
    expect(reading.prose("t1")).toEqual([
      "user: Why is it slow?\n\n[image]",
      "assistant: I look at the file.",
      "assistant: It was the loop.",
      "user: Thanks, and the test?",
    ]);
    const { parts } = reading.conversation("t1");
    expect(parts.filter(({ kind }) => kind === "thinking").map(({ text }) => text)).toEqual(["Let me think."]);
    expect(parts.filter(({ kind }) => kind === "tool").map(({ tool, text, role }) => [tool, text, role])).toEqual([
      ["readFile", "readFile src/a.ts\n/code/src/a.ts", "assistant"],
      ["command", "npm test", "assistant"],
      ["command_output", "1 failed", "assistant"],
      ["editedExistingFile", "editedExistingFile src/a.ts\n- slow\n+ fast", "assistant"],
      ["editedExistingFile", "editedExistingFile src/a.ts\n+ faster", "user"],
    ]);
    expect(parts.flatMap(({ files = [] }) => files)).toEqual(["/code/log.txt", "src/a.ts", "src/a.ts", "src/a.ts"]);
    expect(reading.notices).toEqual({});
  });

  it("counts the answer to a request once, and none that only called a tool", async () => {
    const home = temporaryFolder();
    write(home, `${CLINE}/tasks/t1/ui_messages.json`, [
      say("task", "Go"),
      say("api_req_started", {}),
      say("text", "One moment."),
      ask("tool", { tool: "listFilesTopLevel", path: ".", content: "a.ts" }),
      say("api_req_started", {}),
      ask("command", "ls"),
      say("command_output", "a.ts"),
      say("api_req_started", {}),
      say("text", "There is one file."),
      say("completion_result", "Done."),
    ]);
    const [found] = await everythingIn(home, [cline]);
    expect(found).toMatchObject({ messages: 3, title: "Go" });
  });

  it("has questions with their options, and the option that was chosen as an answer", async () => {
    const reading = await readRows([
      say("task", "Plan it"),
      say("api_req_started", {}),
      ask("plan_mode_respond", { response: "Here is the plan.", options: ["Do it", "Change it"], selected: "Do it" }),
      say("api_req_started", {}),
      ask("followup", { question: "Which one?", suggest: [{ answer: "The first" }, { answer: "Both", mode: "code" }] }),
      say("user_feedback", "Both"),
      say("api_req_started", {}),
      ask("followup", "Plain question?"),
    ]);
    expect(reading.prose("t1").slice(1)).toEqual([
      "assistant: Here is the plan.\n\n- Do it\n- Change it",
      "user: Do it",
      "assistant: Which one?\n\n- The first\n- Both",
      "user: Both",
      "assistant: Plain question?",
    ]);
  });

  it("tells summaries and sub-agents from what was said", async () => {
    const reading = await readRows([
      say("task", "Go"),
      say("condense_context", "", { contextCondense: { summary: "So far.", cost: 0, condenseId: "c" } }),
      ask("condense", "The user wants to go."),
      say("tool", { tool: "summarizeTask", content: "We went." }),
      say("subagent", { status: "completed", items: [{ index: 0, prompt: "Look", result: "Nothing there" }] }),
      say("subtask_result", "The subtask is done."),
    ]);
    const { parts } = reading.conversation("t1");
    expect(parts.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      "prose: Go",
      "summary: So far.",
      "summary: The user wants to go.",
      "summary: We went.",
      "subagent: Look",
      "subagent: Nothing there",
      "subagent: The subtask is done.",
    ]);
  });

  it("keeps no screenshot, and names MCP tools", async () => {
    const reading = await readRows([
      say("task", "Go"),
      say("browser_action_result", { screenshot: "data:image/webp;base64,UklGRg", logs: "ok", currentUrl: "http://a" }),
      ask("use_mcp_server", { serverName: "db", type: "use_mcp_tool", toolName: "query", arguments: '{"sql":"x"}' }),
      say("mcp_server_response", "one row"),
    ]);
    const tools = reading.conversation("t1").parts.filter(({ kind }) => kind === "tool");
    expect(tools.map(({ text }) => text)).toEqual(["http://a\nok", 'query db {"sql":"x"}', "one row"]);
  });

  it("reports rows that it does not know, and no others", async () => {
    const silent = ["api_req_retried", "deleted_api_reqs", "hook_status", "clineignore_error", "compaction", "info"];
    const reading = await readRows([
      say("task", "Go"),
      ...silent.map((kind) => say(kind, "x")),
      ...["resume_task", "api_req_failed", "payment_required_prompt"].map((kind) => ask(kind, "x")),
      say("telepathy", "x"),
      "no row",
    ]);
    expect(reading.notices).toEqual({ "skipped: rows in a form that is not known": 2 });
    expect(reading.conversation("t1").parts).toHaveLength(1);
  });

  it("is not cut if screenshots make it large", async () => {
    const picture = `data:image/png;base64,${"A".repeat(900_000)}`;
    const reading = await readRows([
      say("task", "Go", { images: [picture] }),
      ...Array.from({ length: 12 }, () => say("browser_action_result", { screenshot: picture, logs: "" })),
      say("completion_result", "After twelve pictures."),
    ]);
    expect(reading.prose("t1")).toEqual(["user: Go\n\n[image]", "assistant: After twelve pictures."]);
  });
});

describe("rows that a restored checkpoint or an edit removed", () => {
  it("are abandoned, if they were read before", async () => {
    const home = temporaryFolder();
    const rows = [
      say("task", "Go"),
      say("api_req_started", {}),
      say("text", "Which way?"),
      say("user_feedback", "Left"),
      say("api_req_started", {}),
      say("text", "Left it is."),
    ];
    const path = `${CLINE}/tasks/t1/ui_messages.json`;
    write(home, path, rows);
    const reading = await new Reading().read(cline, homeIn(home));
    write(home, path, [...rows.slice(0, 3), say("user_feedback", "Right"), say("text", "Right it is.")]);
    await reading.read(cline, homeIn(home));
    const gone = reading.events.flatMap((event) => (event.kind === "abandoned" ? [event.abandoned] : []));
    expect(gone).toEqual([{ message: `t1:${rows[3]!.ts}` }, { message: `t1:${rows[4]!.ts}` }]);
    expect(reading.prose("t1").slice(-1)).toEqual(["assistant: Right it is."]);
    await reading.read(cline, homeIn(home));
    expect(reading.events).toEqual([]);
  });

  it("stay, if the file has none at all: it is damaged", async () => {
    const home = temporaryFolder();
    write(home, `${CLINE}/tasks/t1/ui_messages.json`, [say("task", "Go")]);
    const reading = await new Reading().read(cline, homeIn(home));
    write(home, `${CLINE}/tasks/t1/ui_messages.json`, []);
    await reading.read(cline, homeIn(home));
    expect(reading.events.filter(({ kind }) => kind === "abandoned")).toEqual([]);
  });
});

describe("what was sent to the model", () => {
  const sent = [
    {
      role: "user",
      content: [
        { type: "text", text: "<task>\nWhy?\n</task>" },
        {
          type: "text",
          text: "<environment_details>\n# Current Working Directory (/code/x) Files\n</environment_details>",
        },
      ],
      ts: AT,
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "s" },
        { type: "text", text: "Because. <thinking>or not</thinking>" },
        { type: "tool_use", id: "c1", name: "read_file", input: { path: "a.ts" } },
      ],
      ts: AT + 1,
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "c1",
          content: `${"line\n".repeat(100)}The user said:\n<feedback>\nLook at b.ts\n</feedback>`,
        },
      ],
    },
  ];

  it("is read if there are no rows", async () => {
    const home = temporaryFolder();
    write(home, `${CLINE}/tasks/t1/api_conversation_history.json`, sent);
    write(home, `${CLINE}/tasks/t2/ui_messages.json`, []);
    write(home, `${CLINE}/tasks/t2/api_conversation_history.json`, sent);
    const reading = await new Reading().read(cline, homeIn(home));
    for (const id of ["t1", "t2"]) {
      expect(reading.prose(id)).toEqual(["user: Why?", "assistant: Because.", "user: Look at b.ts"]);
      expect(reading.conversation(id).facts.folder).toBe("/code/x");
      expect(reading.conversation(id).parts.map(({ kind }) => kind)).toEqual([
        "prose",
        "thinking",
        "prose",
        "tool",
        "prose",
        "tool",
      ]);
    }
  });

  it("is not read twice if there are", async () => {
    const home = temporaryFolder();
    write(home, `${CLINE}/tasks/t1/ui_messages.json`, [say("task", "Why?")]);
    write(home, `${CLINE}/tasks/t1/api_conversation_history.json`, sent);
    const reading = await new Reading().read(cline, homeIn(home));
    expect(reading.prose("t1")).toEqual(["user: Why?"]);
  });
});

describe("project and model of a task", () => {
  it.each([
    ["Cline's list of tasks", { "state/taskHistory.json": [{ id: "t1", cwdOnTaskInitialization: "c:/code/x" }] }],
    ["Roo's note", { "tasks/t1/history_item.json": { id: "t1", workspace: "C:\\code\\x" } }],
    ["Roo's list of tasks", { "tasks/_index.json": { version: 1, entries: [{ id: "t1", workspace: "c:\\code\\x" }] } }],
    [
      "what was sent to the model",
      {
        "tasks/t1/api_conversation_history.json": [
          { role: "user", content: [{ type: "text", text: "# Current Workspace Directory (c:/code/x) Files\n" }] },
        ],
      },
    ],
  ])("are in %s", async (_, files) => {
    const home = temporaryFolder();
    write(home, `${CLINE}/tasks/t1/ui_messages.json`, [say("task", "Go")]);
    for (const [path, content] of Object.entries(files)) write(home, `${CLINE}/${path}`, content);
    const reading = await new Reading().read(cline, homeIn(home));
    expect(reading.conversation("t1").facts.folder).toBe("C:\\code\\x");
  });

  it("are in a row's request, or in the row", async () => {
    const request =
      "<environment_details>\n# Current Working Directory (/home/u/x (2)) Files\na.ts\n</environment_details>";
    const reading = await readRows([
      say("task", "Go", { modelInfo: { modelId: "old-model", providerId: "p", mode: "act" } }),
      say("api_req_started", { request }),
      say("text", "Yes", { modelInfo: { modelId: "new-model", providerId: "p", mode: "act" } }),
    ]);
    expect(reading.conversation("t1").facts).toMatchObject({ folder: "/home/u/x (2)", model: "new-model" });
  });

  it("are in the list of models that were used", async () => {
    const home = temporaryFolder();
    write(home, `${CLINE}/tasks/t1/ui_messages.json`, [say("task", "Go")]);
    const used = [
      { ts: AT, model_id: "first" },
      { ts: AT, model_id: "last", model_provider_id: "p", mode: "act" },
    ];
    write(home, `${CLINE}/tasks/t1/task_metadata.json`, { files_in_context: [], model_usage: used });
    const reading = await new Reading().read(cline, homeIn(home));
    expect(reading.conversation("t1").facts.model).toBe("last");
  });
});

describe("Roo Code", () => {
  it("calls the task a text, as it calls answers", async () => {
    const reading = await readRows([say("text", "Why?"), say("api_req_started", {}), say("text", "So.")], roo, ROO);
    expect(reading.prose("t1")).toEqual(["user: Why?", "assistant: So."]);
  });

  it("has tasks that another task gave: not typed, but a title", async () => {
    const home = temporaryFolder();
    write(home, `${ROO}/tasks/t1/ui_messages.json`, [
      say("text", "Write the tests\nfor a.ts"),
      say("api_req_started", {}),
      say("completion_result", "Written."),
    ]);
    const item = {
      id: "t1",
      rootTaskId: "t0",
      parentTaskId: "t0",
      task: "Write the tests\nfor a.ts",
      workspace: "/code",
    };
    write(home, `${ROO}/tasks/t1/history_item.json`, item);
    const reading = await new Reading().read(roo, homeIn(home));
    expect(reading.conversation("t1").facts.title).toBe("Write the tests");
    expect(reading.conversation("t1").parts.map(({ kind, role }) => [kind, role])).toEqual([
      ["subagent", "user"],
      ["prose", "assistant"],
    ]);
  });
});

describe("tasks are found", () => {
  const rows = (prompt: string) => [say("text", prompt), say("text", "Yes.")];

  it.each<[string, ConversationSource, string]>([
    ["an editor of any name", roo, ".config/Some Fork of Code/User/globalStorage/rooveterinaryinc.roo-cline"],
    ["a remote server", roo, ".vscode-server-insiders/data/User/globalStorage/rooveterinaryinc.roo-cline"],
    ["a container", cline, ".vscode-remote/data/User/globalStorage/saoudrizwan.claude-dev"],
    ["code-server", kiloCode, ".local/share/code-server/User/globalStorage/kilocode.kilo-code"],
    ["Flatpak", cline, ".var/app/com.vscodium.codium/config/VSCodium/User/globalStorage/saoudrizwan.claude-dev"],
    ["Cline's own folder", cline, ".cline/data"],
    ["Roo's CLI", roo, ".vscode-mock/global-storage"],
    ["Kilo Code's CLI", kiloCode, ".kilocode/cli/global"],
  ])("in %s", async (_, source, storage) => {
    const reading = await readRows(rows("Go"), source, storage);
    expect(reading.prose("t1")).toEqual(["user: Go", "assistant: Yes."]);
  });

  it("on Windows and macOS", async () => {
    const home = temporaryFolder();
    write(home, "AppData/Roaming/Cursor/User/globalStorage/kilocode.kilo-code/tasks/t1/ui_messages.json", rows("A"));
    write(
      home,
      "Library/Application Support/Trae/User/globalStorage/kilocode.kilo-code/tasks/t2/claude_messages.json",
      rows("B"),
    );
    const both = { ...homeIn(home), systems: ["win32", "darwin"] as const };
    const reading = await new Reading().read(kiloCode, both);
    expect([...reading.conversations.keys()]).toEqual(["t2", "t1"].toSorted());
  });

  it("where the settings moved them", async () => {
    const home = temporaryFolder();
    write(home, ".config/Code/User/globalStorage/state.vscdb", "");
    const settings = `{\n  // moved\n  "roo-cline.customStoragePath": ${JSON.stringify(join(home, "moved"))},\n}`;
    write(home, ".config/Code/User/settings.json", settings);
    write(home, "moved/tasks/t1/ui_messages.json", rows("Go"));
    expect((await new Reading().read(roo, homeIn(home))).prose("t1")).toHaveLength(2);
  });
});

it("a task that was deleted is archived, and its restored rows are marked in the store", async () => {
  const home = temporaryFolder();
  const path = `${CLINE}/tasks/t1/ui_messages.json`;
  const kept = [say("task", "Go"), say("api_req_started", {}), say("text", "Which way?")];
  write(home, path, [...kept, say("user_feedback", "Left"), say("api_req_started", {}), say("text", "Left it is.")]);
  const conversations = open(home, [cline]);
  const shown = async () => {
    const { answer } = await conversations.recall({ limit: 10 }, { complete: true });
    const [found] = answer.conversations;
    const messages = [...conversations.messages(found!)].flat();
    return {
      isArchived: found!.isArchived,
      said: messages.map((one) => (one.isAbandoned ? `(${one.text})` : one.text)),
    };
  };
  expect((await shown()).said).toEqual(["Go", "Which way?", "Left", "Left it is."]);
  write(home, path, [...kept, say("user_feedback", "Right")]);
  expect((await shown()).said).toEqual(["Go", "Which way?", "(Left)", "(Left it is.)", "Right"]);
  rmSync(join(home, CLINE, "tasks", "t1"), { recursive: true });
  expect(await shown()).toMatchObject({ isArchived: true });
});

function open(home: string, sources: readonly ConversationSource[]) {
  return openStore(home, sources);
}

async function everythingIn(home: string, sources: readonly ConversationSource[]) {
  return (await open(home, sources).recall({ limit: 10 }, { complete: true })).answer.conversations;
}
