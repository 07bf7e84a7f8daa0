// Sessions of Mistral Vibe with what few of them have: compactions, forks,
// sub-agents, images. Messages are as its models are dumped (2.18.4).
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { storedIn } from "../../../../test/conversation-store.ts";
import { homeIn, Reading } from "../../../../test/source-reader.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { vibe } from "./vibe.ts";

const id = (n: number) => `0a1b2c3d-5e6f-4a7b-8c9d-00000000000${n}`;
const [FIRST, SECOND] = [id(1), id(2)] as [string, string];

const user = (message: string, content: string, more: object = {}) => ({
  role: "user",
  content,
  injected: false,
  message_id: message,
  ...more,
});
const assistant = (message: string, content: string) => ({
  role: "assistant",
  content,
  injected: false,
  message_id: message,
});

function write(home: string, folder: string, session: string, messages: readonly object[], meta: object = {}): void {
  const path = join(home, ".vibe", "logs", "session", folder, "messages.jsonl");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  const facts = {
    session_id: session,
    parent_session_id: null,
    start_time: "2026-07-01T10:00:00.123456+00:00",
    end_time: "2026-07-01T10:05:00.123456+00:00",
    environment: { working_directory: "/code/shop" },
    title: "Beginning of the first prompt",
    title_source: "auto",
    ...meta,
  };
  writeFileSync(join(dirname(path), "meta.json"), JSON.stringify(facts, undefined, 2));
}

describe("a session of Mistral Vibe", () => {
  it("has what the person typed, with a mark for each image, and nothing that the program injected", async () => {
    const home = temporaryFolder();
    const images = [{ source: { kind: "file" } }];
    write(home, "session_20260701_100000_0a1b2c3d", FIRST, [
      user("m1", "What is this?", { images }),
      user("m2", "<system_reminder>Plan mode is on.</system_reminder>", { injected: true }),
      assistant("m3", "A heron."),
    ]);
    const reading = await new Reading().read(vibe, homeIn(home));
    expect(reading.prose(FIRST)).toEqual(["user: What is this?\n\n[image]", "assistant: A heron."]);
    expect(reading.conversation(FIRST).facts).not.toHaveProperty("title");
    expect(reading.notices).toEqual({});
  });

  it("continues another after a compaction, with the summary as one, and with what a fork repeats once", async () => {
    const home = temporaryFolder();
    write(home, "session_20260701_100000_0a1b2c3d", FIRST, [user("m1", "Round prices"), assistant("m2", "Done.")]);
    const context =
      "You are continuing a trajectory after a context compaction.\n\n<previous_user_messages>\n<previous_user_message>\nRound prices\n</previous_user_message>\n</previous_user_messages>\n\nHere is a summary of what has happened so far:\n\n<compaction_summary>\nPrices are rounded.\n</compaction_summary>";
    write(
      home,
      "session_20260701_110000_0a1b2c3e",
      SECOND,
      [user("c1", context, { injected: true }), user("m4", "And taxes?")],
      { parent_session_id: FIRST },
    );
    write(
      home,
      "session_20260701_120000_0a1b2c3f",
      id(3),
      [user("m1", "Round prices"), assistant("m2", "Done."), user("m5", "Undo it")],
      { parent_session_id: FIRST },
    );
    const reading = await new Reading().read(vibe, homeIn(home));
    const kinds = reading.conversation(SECOND).parts.map(({ role, kind, text }) => `${role} ${kind}: ${text}`);
    expect(kinds).toEqual(["assistant summary: Prices are rounded.", "user prose: And taxes?"]);
    const stored = storedIn(home, vibe);
    expect(await stored(SECOND)).toMatchObject({ prose: ["And taxes?"], found: { continues: FIRST } });
    expect(await stored(id(3))).toMatchObject({ prose: ["Undo it"], found: { continues: FIRST } });
  });

  it("has what its sub-agents did, apart from what was said", async () => {
    const home = temporaryFolder();
    const session = "session_20260701_100000_0a1b2c3d";
    write(home, session, FIRST, [user("m1", "Explore"), assistant("m2", "Three files.")]);
    write(home, `${session}/agents/explore_20260701_100100_0a1b2c40`, id(4), [
      user("s1", "List files"),
      assistant("s2", "a, b, c"),
    ]);
    const reading = await new Reading().read(vibe, homeIn(home));
    expect([...reading.conversations.keys()]).toEqual([FIRST]);
    expect(reading.prose(FIRST)).toEqual(["user: Explore", "assistant: Three files."]);
    const parts = reading.conversation(FIRST).parts.filter(({ kind }) => kind === "subagent");
    expect(parts.map(({ text }) => text)).toEqual(["List files", "a, b, c"]);
  });
});
