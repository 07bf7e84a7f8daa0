// Programs that were made from others and keep sessions as these do: what each
// has of its own.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeJsonLines } from "../../../test/program-stores/made-conversation.ts";
import { homeIn, Reading } from "../../../test/source-reader.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { cowork, qoder } from "./claude-code/descendants.ts";
import { omp, openclaw } from "./pi/pi.ts";

const ID = "0a1b2c3d-5e6f-4a7b-8c9d-000000000001";
const AT = "2026-06-01T10:00:00.000Z";

function write(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
}

const said = (uuid: string, type: string, content: string) => ({
  type,
  uuid,
  sessionId: ID,
  timestamp: AT,
  cwd: "/sessions/quiet-fox",
  message: { role: type, content },
});

describe("a session of Claude Cowork", () => {
  it("has the title and the folder that the app shows, also after it was renamed", async () => {
    const home = temporaryFolder();
    const session = join(home, ".config/Claude/local-agent-mode-sessions/org/space/local_7");
    writeJsonLines(join(session, ".claude/projects/-sessions-quiet-fox", `${ID}.jsonl`), [
      said("u1", "user", "Sort the receipts"),
      said("u2", "assistant", "They are sorted."),
    ]);
    write(`${session}.json`, {
      title: "Receipts",
      userSelectedFolders: ["/home/ada/receipts"],
      createdAt: 1_780_000_000_000,
    });
    const reading = await new Reading().read(cowork, homeIn(home));
    expect(reading.conversation(ID).facts).toMatchObject({ title: "Receipts", folder: "/home/ada/receipts" });
    write(`${session}.json`, { title: "Receipts of May" });
    await reading.read(cowork, homeIn(home));
    expect(reading.conversation(ID).facts.title).toBe("Receipts of May");
    expect(reading.prose(ID)).toEqual(["user: Sort the receipts", "assistant: They are sorted."]);
  });
});

describe("a session of Qoder", () => {
  it("is found in the folder of its editor, without one for the project, with the facts beside it", async () => {
    const home = temporaryFolder();
    const projects = join(home, ".config/Qoder/SharedClientCache/cli/projects");
    writeJsonLines(join(projects, `${ID}.jsonl`), [said("u1", "user", "Rename it")]);
    write(join(projects, `${ID}-session.json`), { title: "Renaming", fork_from: "earlier" });
    const reading = await new Reading().read(qoder, homeIn(home));
    expect(reading.conversation(ID).facts).toMatchObject({ title: "Renaming", continues: "earlier" });
  });
});

const entry = (id: string, role: string, text: string) => ({
  type: "message",
  id,
  parentId: null,
  timestamp: AT,
  message: { role, content: [{ type: "text", text }] },
});

describe("a session of Oh My Pi", () => {
  it("has the title of its first line, which changes in place, and its sub-agents", async () => {
    const home = temporaryFolder();
    const project = join(home, ".omp/agent/sessions/--code-shop--");
    const name = `2026-06-01T10-00-00-000Z_${ID}`;
    const header = { type: "session", version: 3, id: ID, timestamp: AT, cwd: "/code/shop" };
    const titled = (title: string) => [{ type: "title", title }, header, entry("a", "user", "Look around")];
    writeJsonLines(join(project, `${name}.jsonl`), titled("First title"));
    writeJsonLines(join(project, name, "explore.jsonl"), [
      { type: "title", title: "" },
      { ...header, id: "0a1b2c3d-5e6f-4a7b-8c9d-000000000002" },
      entry("b", "user", "List the files"),
    ]);
    const reading = await new Reading().read(omp, homeIn(home));
    expect(reading.prose(ID)).toEqual(["user: Look around"]);
    expect(reading.conversation(ID).facts).toMatchObject({ title: "First title", folder: "/code/shop" });
    expect(reading.conversation(ID).parts.find(({ kind }) => kind === "subagent")?.text).toBe("List the files");
    writeJsonLines(join(project, `${name}.jsonl`), titled("Other title"));
    await reading.read(omp, homeIn(home));
    expect(reading.conversation(ID).facts.title).toBe("Other title");
    expect([...reading.conversations.keys()]).toEqual([ID]);
  });
});

describe("a session of OpenClaw", () => {
  it("is read after it was reset, without the time that a messenger put before the words", async () => {
    const home = temporaryFolder();
    writeJsonLines(join(home, `.openclaw/agents/main/sessions/${ID}.jsonl.reset.2026-06-02T08-00-00.000Z`), [
      { type: "session", version: 3, id: ID, timestamp: AT, cwd: "/home/ada" },
      entry("a", "user", "[Mon 2026-06-01 10:00 UTC] Water the [old] plants"),
      entry("b", "assistant", "[2] is done"),
    ]);
    const reading = await new Reading().read(openclaw, homeIn(home));
    expect(reading.prose(ID)).toEqual(["user: Water the [old] plants", "assistant: [2] is done"]);
  });
});
