// Programs that write notes of a space are killed, and the database under them is
// stopped and started: what was acknowledged is there, once, and of no change is
// there a half.
import type { Client } from "@modelcontextprotocol/client";
import type { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, inject, it } from "vitest";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { connectStdio, runProgram, temporaryFolder } from "../processes/program.ts";
import { atTheEnd } from "../temporary-folder.ts";
import { startCluster, SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase } from "./store-fixture.ts";

const ROUNDS = repeats({ short: 6, long: 300 });
const WRITERS = 2;
const NOTES = ["a.md", "b.md"] as const;

const context = Object.fromEntries(
  ["sessionId", "workspaceId", "sessionDescription", "sessionMemory", "toolContext", "primaryGoal", "subgoal"].map(
    (name) => [name, "x"],
  ),
);

/** Adds the line to both notes, in one change. */
const append = (client: Client, line: string) => {
  const operations = NOTES.map((filePath) => ({ type: "append", filePath, content: line }));
  return client.callTool({ name: "contentManager_batchContent", arguments: { operations, context } });
};

describe.runIf(HAS_POSTGRESQL)("programs that write a shared vault", () => {
  it("lose no acknowledged change and leave no half of one, killed or without their database", CAMPAIGN, async () => {
    const cluster = await startCluster(inject("postgresql")!.programs);
    atTheEnd(cluster.remove);
    const database = await newDatabase(cluster);
    const env = { COMMONPLACE_STORE: database.address(SUPERUSER) };
    await runProgram(["store", "init", "--space", "team"], { home: temporaryFolder(), env });
    const homes = Array.from({ length: WRITERS }, () => temporaryFolder());
    const start = (writer: number) =>
      connectStdio(homes[writer]!, {}, ["--toolsets", "all", "--vault", "store:team"], { env });
    const clients = await Promise.all(homes.map((_, writer) => start(writer)));
    const made = NOTES.map((filePath) => ({ type: "create", filePath, content: "" }));
    await clients[0]!.callTool({
      name: "contentManager_batchContent",
      arguments: { operations: made, context },
    });

    const acknowledged = new Set<string>();
    const refused = new Set<string>();
    const over = new AbortController();
    let count = 0;
    const write = async (writer: number) => {
      while (!over.signal.aborted) {
        const line = `line ${count++} of ${writer}`;
        try {
          const result = await append(clients[writer]!, line);
          const isMade = (result.structuredContent as { success: boolean }).success;
          if (isMade) acknowledged.add(line);
          else if (!JSON.stringify(result.structuredContent).includes("not known")) refused.add(line);
        } catch {
          // The program was killed: whether the change was made is not known.
          await pause(20);
        }
      }
    };
    const writing = homes.map((_, writer) => write(writer));
    const texts = async () => {
      const rows = await database.superuser`
        SELECT convert_from(bytes, 'UTF8') AS text FROM commonplace.file WHERE path = ANY(${[...NOTES]}) ORDER BY path`;
      return rows.map((row) => String(row["text"]));
    };
    /** Until each writer may have written again. */
    const goesOn = async () => {
      const until = acknowledged.size + 2 * WRITERS;
      await expect.poll(() => acknowledged.size, { interval: 10 }).toBeGreaterThan(until);
    };
    const kill = async (writer: number) => {
      const client = clients[writer]!;
      process.kill((client.transport as StdioClientTransport).pid!, "SIGKILL");
      await client.close();
      clients[writer] = await start(writer);
    };
    for (let round = 0; round < ROUNDS; round++) {
      await goesOn();
      await pause(Math.random() * 60);
      if (round % 3 < 2) await kill(round % WRITERS);
      else {
        await cluster.stop(round % 2 === 0 ? "immediate" : "fast");
        // In the longer outages a program gives up, in the shorter ones it waits.
        await pause(Math.random() * (round % 4 < 2 ? 200 : 1_500));
        if (round % 4 === 1) await kill(round % WRITERS);
        await cluster.start();
      }
      const [a, b] = await texts();
      expect(a).toBe(b);
    }
    await goesOn();
    over.abort();
    await Promise.all(writing);

    const lines = (await texts())[0]!.split("\n").filter((line) => line !== "");
    expect(new Set(lines).size).toBe(lines.length);
    expect([...acknowledged].filter((line) => !lines.includes(line))).toEqual([]);
    expect(lines.filter((line) => refused.has(line))).toEqual([]);
    const [entries] = await database.superuser`SELECT count(*)::int AS count FROM commonplace.file_change`;
    expect(entries).toEqual({ count: lines.length + 1 });
  });
});
