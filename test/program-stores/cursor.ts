// Cursor's global database of 2025: a row for each composer and each bubble, and
// the workspaces' lists of theirs.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { mkdirSync } from "node:fs";
import { derivedId, isoTime, writeStoreFile, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

export const cursorStore: ProgramStore = {
  lacks: ["branch"],
  write(home, conversations) {
    const user = join(home, ".config", "Cursor", "User");
    const global = openState(join(user, "globalStorage"));
    global.exec("BEGIN");
    for (const conversation of conversations) {
      for (const [key, value] of rowsOf(conversation))
        global.prepare("INSERT OR REPLACE INTO cursorDiskKV VALUES (?, ?)").run(key, JSON.stringify(value));
      const { id, folder, title, turns } = conversation;
      const workspace = join(user, "workspaceStorage", derivedId(id, "workspace").replaceAll("-", ""));
      writeStoreFile(join(workspace, "workspace.json"), JSON.stringify({ folder: `file://${folder}` }));
      const state = openState(workspace);
      const allComposers = [
        { type: "head", composerId: id, name: title, createdAt: turns[0]!.at, unifiedMode: "agent" },
      ];
      state
        .prepare("INSERT OR REPLACE INTO ItemTable VALUES (?, ?)")
        .run("composer.composerData", JSON.stringify({ allComposers, selectedComposerIds: [id] }));
      state.close();
    }
    global.exec("COMMIT");
    global.close();
  },
};

function openState(folder: string): DatabaseSync {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, "state.vscdb"));
  for (const table of ["ItemTable", "cursorDiskKV"])
    database.exec(`CREATE TABLE IF NOT EXISTS ${table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`);
  return database;
}

function rowsOf({ id, title, model, turns }: MadeConversation): [key: string, value: object][] {
  const bubbles = turns.flatMap(({ at, prompt, thinking, tool, answer }, i) => {
    const bubble = (name: string, type: number, rest: object) => ({
      _v: 3,
      type,
      bubbleId: derivedId(id, i, name),
      createdAt: isoTime(type === 1 ? at : at + 1000),
      ...rest,
    });
    return [
      bubble("prompt", 1, { text: prompt }),
      bubble("thinking", 2, { text: "", capabilityType: 30, thinking: { text: thinking } }),
      bubble("tool", 2, {
        text: "",
        capabilityType: 15,
        toolFormerData: {
          toolCallId: `call_${i}`,
          name: "read_file",
          rawArgs: JSON.stringify({ target_file: tool.file }),
          params: JSON.stringify({ relativeWorkspacePath: tool.file }),
          result: JSON.stringify({ contents: tool.output }),
          status: "completed",
        },
      }),
      bubble("answer", 2, { text: answer, modelInfo: { modelName: model } }),
    ];
  });
  const composer = {
    _v: 10,
    composerId: id,
    name: title,
    createdAt: turns[0]!.at,
    lastUpdatedAt: turns.at(-1)!.at + 1000,
    modelConfig: { modelName: model },
    fullConversationHeadersOnly: bubbles.map(({ bubbleId, type }) => ({ bubbleId, type })),
  };
  return [
    [`composerData:${id}`, composer],
    ...bubbles.map((bubble): [string, object] => [`bubbleId:${id}:${bubble.bubbleId}`, bubble]),
  ];
}
