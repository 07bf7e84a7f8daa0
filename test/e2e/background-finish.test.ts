// Whole tool texts are read, redacted and compressed in the packed thread if
// there are many; whatever happens to it, all of them are kept, each once.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { openConversations } from "../../src/conversations/conversation-library.ts";
import { loadSources } from "../../src/conversations/sources/sources.ts";
import { redact } from "../../src/redaction/redaction.ts";
import { ClaudeHome, prompt, toolResult } from "../claude-home.ts";
import { temporaryFolder } from "../processes/program.ts";

const SOURCES = await loadSources();
const DIST = join(inject("packageFolder"), "dist");
const THREAD = join(DIST, "reader-thread.cjs");
const SESSIONS = 12;

const textOf = (i: number) => `Output ${i}: ${`walrus${i} and `.repeat(60_000)}`.trim();

/** 9 MB of tool output. */
function homeWithOutput(): ClaudeHome {
  const home = new ClaudeHome();
  for (let i = 0; i < SESSIONS; i++)
    home.write(`session-${i}`, [prompt(`p${i}`, `Question ${i}`), toolResult(`t${i}`, textOf(i))]);
  return home;
}

function open(home: ClaudeHome, thread: string) {
  const logged: string[] = [];
  const file = join(home.folder, "data", "conversations.db");
  const log = (line: string) => void logged.push(line);
  const conversations = openConversations({ file, sources: SOURCES, homes: [home], redact, log, thread });
  onTestFinished(() => conversations.close());
  const texts = async () => {
    const all: string[] = [];
    for (let i = 0; i < SESSIONS; i++) {
      const conversation = await conversations.find(`session-${i}`, { withTools: true });
      const messages = [...conversations.messages(conversation)].flat();
      all.push(...messages.filter(({ kind }) => kind === "tool").map(({ text }) => text));
    }
    return all;
  };
  return { ...conversations, file, logged, texts };
}

function blocksIn(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(database.prepare("SELECT count(*) AS count FROM block").get()!["count"]);
  } finally {
    database.close();
  }
}

/** A thread that does something else. */
function threadThat(does: string): string {
  const file = join(temporaryFolder(), "thread.cjs");
  writeFileSync(file, `const { parentPort } = require("node:worker_threads");\n${does}`);
  return file;
}

const ALL = Array.from({ length: SESSIONS }, (_, i) => textOf(i));

describe("many tool texts", () => {
  it("are kept by the thread", async () => {
    expect(existsSync(THREAD)).toBe(true);
    const home = homeWithOutput();
    // It reports that it ran by what it prints nowhere else.
    const thread = threadThat(`parentPort.postMessage("ran"); require(${JSON.stringify(THREAD)});`);
    const { texts, logged, file, refresh } = open(home, thread);
    await refresh();
    expect(await texts()).toEqual(ALL);
    expect(logged).toEqual(["ran"]);
    expect(blocksIn(file)).toBe(SESSIONS);
  });

  it.each([
    ["cannot be started", "this is no program"],
    ["ends at once", "process.exit(1);"],
    ["fails", `throw new Error("out of memory");`],
    ["dies on the way", `setTimeout(() => process.exit(1), 150); require(${JSON.stringify(THREAD)});`],
  ])("are kept if the thread %s", async (_, does) => {
    const { texts, file, refresh } = open(homeWithOutput(), threadThat(does));
    await refresh();
    expect(await texts()).toEqual(ALL);
    expect(blocksIn(file)).toBe(SESSIONS);
  });

  it("are kept by the next process if this one ends", async () => {
    const home = homeWithOutput();
    const first = open(home, THREAD);
    await first.refresh();
    const finishing = first.find("session-0", { withTools: true }).catch(() => undefined);
    await pause(100);
    await first.close();
    await finishing;
    const { texts, file } = open(home, THREAD);
    expect(await texts()).toEqual(ALL);
    expect(blocksIn(file)).toBe(SESSIONS);
  });
});
