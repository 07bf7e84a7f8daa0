// The stores of other programs, while these write them: the built program
// reads what it can, says what it cannot, and leaves everything as it was.
import { cpSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { connectStdio, ERAS, temporaryFolder } from "../../processes/program.ts";
import { HOMES } from "../../samples.ts";
import { databaseWriter } from "../../processes/database-writer.ts";

const STATE = ".config/Cursor/User/globalStorage/state.vscdb";
const ID = "019a2d7a-41c4-78b1-b7cc-a45d62a89cd5";

function writeCodex(home: string): void {
  const file = join(home, `.codex/sessions/2026/01/15/rollout-2026-01-15T10-00-00-${ID}.jsonl`);
  const said = {
    timestamp: "2026-01-15T10:00:05Z",
    type: "response_item",
    payload: { type: "message", role: "user", content: [{ type: "input_text", text: "About sailing" }] },
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ type: "session_meta", payload: { id: ID } })}\n${JSON.stringify(said)}\n`);
}

const bubble = (text: string) => JSON.stringify({ bubbleId: "b1", type: 1, text });

function writeCursor(home: string, mode: "WAL" | "DELETE"): string {
  const path = join(home, STATE);
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(
    `PRAGMA journal_mode = ${mode}; CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`,
  );
  const insert = database.prepare("INSERT INTO cursorDiskKV VALUES (?, ?)");
  insert.run(
    "composerData:c1",
    JSON.stringify({
      composerId: "c1",
      name: "Knots",
      createdAt: 1_760_000_000_000,
      fullConversationHeadersOnly: [{ bubbleId: "b1", type: 1 }],
    }),
  );
  insert.run("bubbleId:c1:b1", bubble("About knots"));
  database.close();
  return path;
}

interface Answer {
  readonly conversations: readonly { readonly id: string; readonly title: string; readonly snippet: string }[];
  readonly sources: Readonly<
    Record<string, { readonly found: number; readonly unreadable: number; readonly reasons?: readonly string[] }>
  >;
}

async function recall(client: Client, sent: object = {}): Promise<Answer> {
  const sentAll = { since: "all", min_score: 0, fast_mode: false, ...sent };
  return (await client.callTool({ name: "recall_conversations", arguments: sentAll }))
    .structuredContent as unknown as Answer;
}

const connect = (home: string) => connectStdio(home, ERAS["2025-11-25 and before"]);

/** Of every file but our own below the home folder. */
function stateOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => !/-shm$|^\.(?:local|cache)\//.test(name) && statSync(join(folder, name)).isFile(),
  );
  return Object.fromEntries(
    files.map((name) => [
      name,
      `${statSync(join(folder, name)).mtimeMs} ${readFileSync(join(folder, name)).toString("base64")}`,
    ]),
  );
}

describe("a store that another program holds", () => {
  it("exclusively is reported as locked, the others are read, and it is read when it is free", async () => {
    const home = temporaryFolder();
    writeCodex(home);
    const { run } = await databaseWriter(writeCursor(home, "DELETE"), "BEGIN EXCLUSIVE");
    const client = await connect(home);
    const locked = await recall(client);
    expect(locked.conversations.map(({ id }) => id)).toEqual([ID]);
    expect(locked.sources["cursor"]).toMatchObject({ found: 0, unreadable: 1, reasons: ["1: locked by its program"] });
    await run("COMMIT");
    const free = await recall(client);
    expect(free.conversations.map(({ id }) => id).toSorted()).toEqual([ID, "c1"].toSorted());
    expect(free.sources["cursor"]).toMatchObject({ found: 1, unreadable: 0 });
  });

  it("in WAL mode is read with its newest commits, and without what is not committed", async () => {
    const home = temporaryFolder();
    const { run } = await databaseWriter(
      writeCursor(home, "WAL"),
      `INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b1', '${bubble("About bowlines")}')`,
      `BEGIN IMMEDIATE; INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b1', '${bubble("About hitches")}')`,
    );
    const client = await connect(home);
    expect((await recall(client, { search_query: "bowlines" })).conversations).toHaveLength(1);
    expect((await recall(client, { search_query: "hitches" })).conversations).toHaveLength(0);
    await run("COMMIT");
    expect((await recall(client, { search_query: "hitches" })).conversations).toHaveLength(1);
  });
});

describe("stores that were read", () => {
  it("are unchanged: bytes, times, and nothing beside them but a -shm", async () => {
    const home = temporaryFolder();
    writeCodex(home);
    writeCursor(home, "WAL");
    const before = stateOf(home);
    const client = await connect(home);
    expect((await recall(client)).conversations).toHaveLength(2);
    expect(stateOf(home)).toEqual(before);
  });

  it.for(HOMES)("of $of are unchanged, and all of them are found", async ({ folder, isHere, found }, { skip }) => {
    if (!isHere) skip();
    const home = temporaryFolder();
    cpSync(folder, home, { recursive: true, preserveTimestamps: true });
    const before = stateOf(home);
    const { sources } = await recall(await connect(home));
    const counts = Object.entries(sources).map(([name, source]) => [name, source.found] as const);
    expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual(
      Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0)),
    );
    expect(stateOf(home)).toEqual(before);
  });
});
