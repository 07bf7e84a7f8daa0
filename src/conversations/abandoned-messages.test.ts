// Messages that a person went back before, and titles that a program keeps
// apart, in the store: whichever of a conversation's files is read first.
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../test/conversation-store.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { type Conversations } from "./conversation-library.ts";
import { loadSources } from "./sources/sources.ts";

const SOURCES = await loadSources();
const ID = "019a2d7a-41c4-78b1-b7cc-a45d62a89cd5";
const SEGMENT = "019a2d7b-0000-7000-8000-00000000000b";

function write(home: string, name: string, lines: readonly object[], changed: number): void {
  const file = join(home, ".codex", name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  utimesSync(file, changed, changed);
}

const at = (second: number) => new Date(Date.UTC(2026, 0, 15, 10, 0, second)).toISOString();
const message = (role: string, text: string, second: number, ordinal: number) => ({
  timestamp: at(second),
  ordinal,
  type: "response_item",
  payload: { type: "message", role, content: [{ type: role === "user" ? "input_text" : "output_text", text }] },
});
const meta = (second: number, more: object = {}) => ({
  timestamp: at(second),
  type: "session_meta",
  payload: { id: ID, timestamp: at(second), cwd: "/code/shop", ...more },
});

function open(home: string): Conversations {
  return openStore(home, SOURCES, join(home, "data", "conversations.db"));
}

describe.each([
  ["before", 1_700_000_000],
  ["after", 1_700_000_200],
])("a session of which an earlier prompt was edited, its first file read %s the second", (_, changed) => {
  function home(): string {
    const folder = temporaryFolder();
    write(
      folder,
      `sessions/2026/01/15/rollout-2026-01-15T10-00-00-${ID}.jsonl`,
      [
        meta(0),
        message("user", "One otter", 1, 1),
        message("assistant", "First", 2, 2),
        message("user", "Two otters", 3, 3),
        message("assistant", "Second", 4, 4),
        message("user", "Three otters", 5, 5),
      ],
      changed,
    );
    write(
      folder,
      `sessions/2026/01/15/rollout-2026-01-15T10-00-10-${ID}_${SEGMENT}.jsonl`,
      [
        meta(10, { history_base: { thread_id: ID, end_ordinal_exclusive: 3 } }),
        message("user", "Two badgers", 11, 4),
        message("assistant", "Second again", 12, 5),
      ],
      1_700_000_100,
    );
    return folder;
  }

  it("has all messages in order, and marks only those of abandoned branches as abandoned", async () => {
    const conversations = open(home());
    const conversation = await conversations.find(ID, { complete: true, withTools: true });
    const messages = [...conversations.messages(conversation)].flat();
    expect(messages.map(({ text, isAbandoned }) => (isAbandoned ? `(${text})` : text))).toEqual([
      "One otter",
      "First",
      "(Two otters)",
      "(Second)",
      "(Three otters)",
      "Two badgers",
      "Second again",
    ]);
    expect(conversation).toMatchObject({ messages: 7, created: Date.parse(at(0)), updated: Date.parse(at(12)) });
  });

  it("has the last title of the program's list, now and when another one is added", async () => {
    const folder = home();
    const titled = (name: string) => ({ id: ID, thread_name: name });
    write(folder, "session_index.jsonl", [titled("Made"), titled("Given")], changed);
    const conversations = open(folder);
    expect(await conversations.find(ID, { complete: true })).toMatchObject({ title: "Given" });
    write(folder, "session_index.jsonl", [titled("Made"), titled("Given"), titled("Later")], changed + 500);
    expect(await conversations.find(ID, { complete: true })).toMatchObject({ title: "Later" });
  });
});

describe("a branch that a person went back to", () => {
  it("is no longer abandoned, and the one that they left is", async () => {
    const folder = temporaryFolder();
    const file = join(folder, ".qwen", "projects", "x", "chats", `${ID}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    const record = (uuid: string, parentUuid: string | null, second: number) => ({
      uuid,
      parentUuid,
      sessionId: ID,
      timestamp: at(second),
      type: "user",
      cwd: "/code/shop",
      message: { role: "user", parts: [{ text: `Otter ${uuid}` }] },
    });
    const records = [record("a", null, 1), record("b", "a", 2), record("c", "a", 3), record("d", "b", 4)];
    const conversations = open(folder);
    const read = async (count: number) => {
      writeFileSync(
        file,
        records
          .slice(0, count)
          .map((one) => `${JSON.stringify(one)}\n`)
          .join(""),
      );
      const conversation = await conversations.find(ID, { complete: true });
      const messages = [...conversations.messages(conversation)].flat();
      return messages.map(({ id, isAbandoned }) => (isAbandoned ? `(${id})` : id)).join(" ");
    };
    expect(await read(3)).toBe("a (b) c");
    expect(await read(4)).toBe("a b (c) d");
  });
});
