// The tokens that programs counted, through the store: each answer once, however
// often its program says it, with sub-agents, without what a copy repeats.
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { answer, ClaudeHome, prompt, said } from "../../test/claude-home.ts";
import { openStore } from "../../test/conversation-store.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Conversations } from "./conversation-library.ts";
import { claudeCode } from "./sources/claude-code/claude-code.ts";
import type { Tokens } from "./sources/source.ts";

async function tokensOf(conversations: Conversations, id: string): Promise<Tokens | undefined> {
  await conversations.recall({ limit: 10 }, { complete: true, withTools: true });
  return conversations.tokens(await conversations.find(id, { complete: true, withTools: true }));
}

/** Adds what Claude Code counts to a record of an answer. */
function counted(record: ReturnType<typeof answer>, input: number, output: number, cached = 0, written = 0) {
  const usage = {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
  };
  return { ...record, message: { ...(record as unknown as { message: object }).message, usage } };
}

describe("the tokens of a Claude Code session", () => {
  const beginning = [
    prompt("p1", "Explain otters"),
    counted(answer("a1", "m1", { type: "thinking", thinking: "Fur." }), 10, 2, 300, 50),
    counted(answer("a2", "m1", { type: "tool_use", name: "Read", input: { file_path: "/a" } }), 10, 2, 300, 50),
    counted(said("a3", "m1", "They swim."), 10, 25, 300, 50),
  ];

  it("count each answer once, with the last count of it, and what came from and went into the cache", async () => {
    const home = new ClaudeHome();
    home.write("one", beginning);
    const store = openStore(home, [claudeCode]);
    expect(await tokensOf(store, "one")).toEqual({ input: 360, output: 25, cached: 300 });
  });

  it("go on where the last reading stopped, within an answer too", async () => {
    const home = new ClaudeHome();
    home.write("one", beginning.slice(0, 2));
    const store = openStore(home, [claudeCode]);
    await store.recall({ limit: 10 }, { complete: true, withTools: true });
    home.append("one", ...beginning.slice(2), prompt("p2", "And seals?"), counted(said("a4", "m2", "Too."), 100, 5));
    expect(await tokensOf(store, "one")).toEqual({ input: 460, output: 30, cached: 300 });
  });

  it("are counted again from the beginning if the file was rewritten", async () => {
    const home = new ClaudeHome();
    home.write("one", beginning);
    const store = openStore(home, [claudeCode]);
    await tokensOf(store, "one");
    home.write("one", [prompt("q1", "Explain voles"), counted(said("b1", "m9", "They burrow."), 7, 3)]);
    expect(await tokensOf(store, "one")).toEqual({ input: 7, output: 3, cached: 0 });
  });

  it("are those of the original, not of the session that repeats it", async () => {
    const home = new ClaudeHome();
    home.write("original", beginning);
    const store = openStore(home, [claudeCode]);
    await tokensOf(store, "original");
    home.write("resumed", [...beginning, prompt("p3", "And stoats?"), counted(said("a5", "m3", "Small."), 40, 4)]);
    expect(await tokensOf(store, "resumed")).toEqual({ input: 40, output: 4, cached: 0 });
    expect(await tokensOf(store, "original")).toEqual({ input: 360, output: 25, cached: 300 });
  });

  it("include those of its sub-agents", async () => {
    const home = new ClaudeHome();
    home.write("one", beginning);
    const agent = join(dirname(home.path("one")), "one", "subagents", "agent-x.jsonl");
    mkdirSync(dirname(agent), { recursive: true });
    const side = { isSidechain: true, sessionId: "one" };
    const record = counted(said("s1", "ms", "Found it.", side), 1000, 50);
    writeFileSync(agent, `${JSON.stringify(prompt("sp", "Find it", side))}\n${JSON.stringify(record)}\n`);
    const store = openStore(home, [claudeCode]);
    expect(await tokensOf(store, "one")).toEqual({ input: 1360, output: 75, cached: 300 });
    appendFileSync(agent, `${JSON.stringify(counted(said("s2", "mt", "Done.", side), 2000, 5))}\n`);
    expect(await tokensOf(store, "one")).toEqual({ input: 3360, output: 80, cached: 300 });
  });

  it("stay when the program deletes the transcript, and go when the conversation is forgotten", async () => {
    const home = new ClaudeHome();
    const path = home.write("one", beginning);
    const file = join(temporaryFolder(), "conversations.db");
    const store = openStore(home, [claudeCode], file);
    await tokensOf(store, "one");
    rmSync(path);
    expect(await tokensOf(store, "one")).toEqual({ input: 360, output: 25, cached: 300 });
    await store.forgetArchived();
    const database = new DatabaseSync(file, { readOnly: true });
    expect(database.prepare("SELECT * FROM usage").all()).toEqual([]);
    database.close();
  });

  it("are not known of a session that has no counts", async () => {
    const home = new ClaudeHome();
    home.write("one", [prompt("p1", "Explain otters"), said("a1", "m1", "They swim.")]);
    expect(await tokensOf(openStore(home, [claudeCode]), "one")).toBeUndefined();
  });
});
