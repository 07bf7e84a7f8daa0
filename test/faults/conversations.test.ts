// Several processes share one store of conversations: they are killed while they
// read, they read what a program is writing, and what they may not read.
import { spawn } from "node:child_process";
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { AS_NOBODY, bundled, NODE, NOBODY, nodeForNobody } from "../processes/child.ts";
import { ClaudeHome, prompt, said, toolResult } from "../claude-home.ts";
import { separateTexts } from "../conversation-store.ts";
import type { ConversationOrders, ConversationReport } from "./children/conversation-indexer.ts";
import { partsIn } from "../../src/conversations/store/pages.ts";
import { textsIn } from "../../src/conversations/store/tool-texts/text-blocks.ts";
import { randomFrom } from "./children/operations.ts";
import { reportOf } from "./children/reporting-child.ts";

const CHILD = bundled(join(import.meta.dirname, "children", "conversation-indexer.ts"));

function start(home: ClaudeHome, orders: Partial<ConversationOrders> = {}, isNobody = false) {
  const given: ConversationOrders = { home: home.folder, data: join(home.folder, "data"), ...orders };
  const args = [...CHILD, JSON.stringify(given)];
  const child = isNobody ? spawn(nodeForNobody(), args, AS_NOBODY) : spawn(NODE, args);
  return reportOf<ConversationReport>(child);
}

function fill(home: ClaudeHome, sessions: number, turns: number): void {
  for (let i = 0; i < sessions; i++) {
    const records = Array.from({ length: turns }, (_, turn) => [
      prompt(`p${i}-${turn}`, `Question number${turn} about ${"walruses and ".repeat(20)} session${i}`),
      said(`a${i}-${turn}`, `m${i}-${turn}`, `Answer${turn} ${"which explains it ".repeat(20)}`),
      toolResult(`t${i}-${turn}`, "tool output ".repeat(200), { stdout: "tool output ".repeat(400) }),
    ]);
    home.write(`session-${i}`, records.flat(), `-work-${i % 5}`);
  }
}

/** Every part of the database is whole, and its parts agree. */
function check(home: ClaudeHome, messages: number, texts: number): void {
  const database = new DatabaseSync(join(home.folder, "data", "conversations.db"));
  try {
    expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    for (const table of ["text", "tool_text"])
      database.exec(`INSERT INTO ${table}(${table}) VALUES ('integrity-check')`);
    const number = (sql: string) => Number(Object.values(database.prepare(sql).get()!)[0]);
    expect(number("SELECT sum(messages) FROM conversation")).toBe(messages);
    const stored = "SELECT page FROM content UNION ALL SELECT page FROM waiting";
    expect(number(`SELECT count(*) FROM page WHERE id NOT IN (${stored})`)).toBe(0);
    expect(number(`SELECT count(*) FROM (${stored}) WHERE page NOT IN (SELECT id FROM page)`)).toBe(0);
    expect(number("SELECT count(*) FROM known WHERE page NOT IN (SELECT id FROM page)")).toBe(0);
    checkTexts(database, texts);
  } finally {
    database.close();
  }
}

/** Every long text is whole and there once, and there are no others. */
function checkTexts(store: DatabaseSync, count: number): void {
  const blocks = new Map(
    store
      .prepare("SELECT id, texts FROM block")
      .all()
      .map(({ id, texts }) => [Number(id), textsIn(texts as Uint8Array)]),
  );
  const known = store.prepare("SELECT id FROM tool_block WHERE NOT is_dropped").all();
  expect([...blocks.keys()].toSorted()).toEqual(known.map(({ id }) => Number(id)).toSorted());
  const pages = store.prepare("SELECT parts FROM page JOIN content ON content.page = page.id WHERE is_rest").all();
  const parts = pages.flatMap((page) => partsIn(page["parts"]));
  expect(parts).toHaveLength(count);
  for (const { whole } of parts)
    expect(blocks.get(whole!.block)![whole!.index]).toBe("tool output ".repeat(200).trim());
}

/** 0 before the store is migrated. */
function movedBlocks(store: string): number {
  const database = new DatabaseSync(store);
  try {
    const isMigrated = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'block'").get() !== undefined;
    return isMigrated ? Number(database.prepare("SELECT count(*) AS count FROM block").get()!["count"]) : 0;
  } finally {
    database.close();
  }
}

describe("a process that reads conversations", () => {
  test("and is killed at any moment leaves a store that the next one completes", CAMPAIGN, async () => {
    const home = new ClaudeHome();
    fill(home, 60, 25);
    const random = randomFrom(8);
    let killed = 0;
    for (let round = 0; round < repeats({ short: 12, long: 120 }); round++) {
      const { child, ready, report } = start(home);
      await ready;
      await pause(random() * 250);
      if (child.exitCode === null) killed++;
      child.kill("SIGKILL");
      await report;
    }
    expect(killed).toBeGreaterThan(3);
    const report = await start(home, { queries: ["session17", "number24"] }).report;
    expect(report).toMatchObject({ found: { session17: 1, number24: 60 }, messages: 60 * 25 * 2, logged: [] });
    check(home, 60 * 25 * 2, 60 * 25);
  });

  test("and is killed while it moves the texts of 0.1.0 into the store loses none", CAMPAIGN, async () => {
    const home = new ClaudeHome();
    const sessions = 500;
    fill(home, sessions, 1);
    await start(home).report;
    const [store, texts] = ["conversations.db", "conversations-tools.db"].map((name) =>
      join(home.folder, "data", name),
    );
    separateTexts(store!, texts!);
    // Their programs have deleted half of them: those texts are nowhere else.
    for (let i = 0; i < sessions; i += 2) rmSync(home.path(`session-${i}`, `-work-${i % 5}`));
    let kills = 0;
    while (kills < repeats({ short: 2, long: 20 })) {
      // A child that was too fast has moved everything: once more.
      if (!existsSync(texts!)) separateTexts(store!, texts!);
      const { child, report } = start(home);
      const before = movedBlocks(store!);
      let moved = before;
      while (moved === before && child.exitCode === null && existsSync(texts!)) {
        await nextTurn();
        moved = movedBlocks(store!);
      }
      child.kill("SIGKILL");
      await report;
      if (movedBlocks(store!) > before && movedBlocks(store!) < sessions) kills++;
    }
    await start(home).report;
    expect(existsSync(texts!)).toBe(false);
    check(home, sessions * 2, sessions);
  });

  test("shares the work with others, and none ingests anything twice", async () => {
    const home = new ClaudeHome();
    fill(home, 40, 20);
    const reports = await Promise.all(Array.from({ length: 4 }, () => start(home, { queries: ["session17"] }).report));
    for (const report of reports)
      expect(report).toMatchObject({ found: { session17: 1 }, messages: 40 * 20 * 2, logged: [] });
    check(home, 40 * 20 * 2, 40 * 20);
  });

  test("while a program appends ingests every line once, and none torn", async () => {
    const home = new ClaudeHome();
    home.write("live", [prompt("p0", "The beginning")]);
    let lines = 1;
    const writing = (async () => {
      for (; lines < 300; lines++) {
        const line = `${JSON.stringify(prompt(`p${lines}`, `Line ${lines}`))}\n`;
        appendFileSync(home.path("live"), line.slice(0, lines % line.length));
        await pause(1);
        appendFileSync(home.path("live"), line.slice(lines % line.length));
      }
    })();
    for (let reader = 0; reader < 4; reader++) {
      const report = await start(home).report;
      expect(report!.messages).toBeLessThanOrEqual(lines + 1);
    }
    await writing;
    expect(await start(home).report).toMatchObject({ messages: 300, unreadable: [] });
    check(home, 300, 0);
  });

  test.skipIf(process.getuid?.() !== 0)("reads what it can, and reports what it cannot (needs root)", async () => {
    const home = new ClaudeHome();
    fill(home, 5, 2);
    chmodSync(home.folder, 0o755);
    mkdirSync(join(home.folder, "data"));
    chownSync(join(home.folder, "data"), NOBODY, NOBODY);
    const before = await start(home, {}, true).report;
    expect(before).toMatchObject({ messages: 20, unreadable: [], archived: 0 });
    const projects = join(home.folder, ".claude", "projects");
    chmodSync(join(projects, "-work-1"), 0o000);
    chmodSync(home.path("session-2", "-work-2"), 0o000);
    appendFileSync(home.path("session-2", "-work-2"), `${JSON.stringify(prompt("unseen", "y"))}\n`);
    const after = await start(home, { queries: ["session1", "session2"] }, true).report;
    expect(after).toMatchObject({
      found: { session1: 1, session2: 1 },
      messages: 20,
      archived: 0,
      unreadable: [{ count: 2, reason: "permission denied" }],
    });
    chmodSync(join(projects, "-work-1"), 0o755);
    expect(readdirSync(join(projects, "-work-1"))).toEqual(["session-1.jsonl"]);
  });
});
