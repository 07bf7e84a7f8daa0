// Windsurf's state database: cached trajectories in protobuf, a list of titles
// beside. It keeps the active one of each workspace, so each conversation is in
// a workspace of its own.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { derivedId, writeStoreFile, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

export const windsurfStore: ProgramStore = {
  lacks: ["branch", "model"],
  write(home, conversations) {
    const user = join(home, ".config", "Windsurf", "User");
    const values: Record<string, unknown> = {};
    for (const conversation of conversations) {
      const workspace = derivedId(conversation.id, "workspace").replaceAll("-", "");
      const folder = join(user, "workspaceStorage", workspace);
      writeStoreFile(join(folder, "workspace.json"), JSON.stringify({ folder: `file://${conversation.folder}` }));
      values[`windsurf.state.cachedActiveTrajectory:${workspace}`] = trajectoryOf(conversation);
      values[`windsurf.state.cachedTrajectorySummaries:${workspace}`] = field(1, [
        field(1, conversation.id),
        field(2, [field(7, 3), field(1, conversation.title)]),
      ]).toString("base64");
    }
    mkdirSync(join(user, "globalStorage"), { recursive: true });
    const database = new DatabaseSync(join(user, "globalStorage", "state.vscdb"));
    database.exec("CREATE TABLE IF NOT EXISTS ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
    database.prepare("INSERT INTO ItemTable VALUES (?, ?)").run("codeium.windsurf", JSON.stringify(values));
    database.close();
  },
};

function trajectoryOf({ id, turns }: MadeConversation): string {
  const steps = turns.flatMap(({ at, prompt, thinking, tool, answer }, i) => {
    const step = (offset: number, kind: number, time: number, content: Buffer) =>
      field(1, [
        field(1, i * 4 + offset),
        field(4, kind),
        field(5, [field(1, [field(1, Math.floor(time / 1000))])]),
        content,
      ]);
    const call = [field(1, `call_${i}`), field(2, "view_file"), field(3, JSON.stringify({ AbsolutePath: tool.file }))];
    return [
      step(1, 14, at, field(19, [field(2, prompt)])),
      step(2, 15, at + 300, field(20, [field(3, thinking), field(7, call)])),
      step(3, 21, at + 400, field(28, [field(1, tool.output)])),
      step(4, 15, at + 1000, field(20, [field(8, answer)])),
    ];
  });
  return Buffer.concat([field(1, id), field(2, steps), field(3, 1)]).toString("base64");
}

/** A field of a protobuf message: a number, a text, or a message made of fields. */
function field(number: number, value: number | string | readonly Buffer[]): Buffer {
  if (typeof value === "number") return Buffer.concat([varint(number * 8), varint(value)]);
  const bytes = typeof value === "string" ? Buffer.from(value) : Buffer.concat(value);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
}
