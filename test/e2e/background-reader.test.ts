// Reading in a background thread: the packed thread yields the same events as
// this one, each once, whatever happens to the thread.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { readInBackground } from "../../src/conversations/ingest/reading/background-reader.ts";
import { readTranscripts, type Read, type Reading } from "../../src/conversations/ingest/reading/transcript-reader.ts";
import { transcriptFileAt } from "../../src/conversations/sources/source.ts";
import { loadSources } from "../../src/conversations/sources/sources.ts";
import { ClaudeHome, prompt, said, toolResult } from "../claude-home.ts";
import { connectStdio, temporaryFolder } from "../processes/program.ts";

const SOURCES = await loadSources();
const THREAD = join(inject("packageFolder"), "dist", "reader-thread.cjs");
const { signal: never } = new AbortController();

/** Three sessions, the second one of several pieces, and a file that is gone when it is read. */
function readings(): Reading[] {
  const home = new ClaudeHome();
  const long = Array.from({ length: 40 }, (_, i) => toolResult(`t${i}`, "out ".repeat(20_000)));
  const files = [
    home.write("one", [prompt("1", "Where is src/cart.ts? It says \ud83d"), said("2", "m1", "In the shop. ⚓")]),
    home.write("two", [prompt("3", "Why does it fail?"), ...long, said("4", "m2", "Because of an exception.")]),
    home.write("three", [prompt("5", "Thanks")]),
  ];
  const transcripts = files.map((file) => transcriptFileAt(file)!);
  const gone = { ...transcripts[0]!, path: join(home.folder, "gone.jsonl") };
  return [...transcripts, gone].map((transcript) => ({ source: "claude-code", transcript, checkpoint: undefined }));
}

/** The events of each transcript, and how it ended. */
async function all(reads: AsyncIterable<Read>) {
  const events: unknown[] = [];
  for await (const read of reads) events.push(read.kind === "end" ? { ...read } : { ...read, events: read.events() });
  return JSON.parse(JSON.stringify(events)) as unknown[];
}

function threadThat(does: string): string {
  const file = join(temporaryFolder(), "thread.cjs");
  writeFileSync(file, `const { parentPort } = require("node:worker_threads");\n${does}`);
  return file;
}

describe("a background reader", () => {
  it.each([
    ["from the beginning", 0],
    ["after a first file that this thread reads while the other starts", 1],
  ])("yields the same events as this thread, %s", async (_, own) => {
    const list = readings();
    const ownBytes = list.slice(0, own).reduce((sum, { transcript }) => sum + transcript.size, 0);
    const background = await all(readInBackground(THREAD, SOURCES, list, never, ownBytes));
    expect(background).toEqual(await all(readTranscripts(SOURCES, list, never)));
    expect(background.length).toBeGreaterThan(8);
    expect(background.at(-1)).toEqual({ kind: "end", reading: 3, unreadable: "deleted" });
  });

  it.each([
    ["cannot be started", "this is no program"],
    ["ends at once", ""],
    ["fails", `throw new Error("out of memory");`],
    ["has reported one", `parentPort.postMessage([{ kind: "end", reading: 0 }]);`],
  ])("is done without where it %s", async (_, does) => {
    const list = readings();
    const background = await all(readInBackground(threadThat(does), SOURCES, list, never));
    const inThisThread = await all(readTranscripts(SOURCES, list, never));
    const isOfFirst = (read: unknown) => (read as Read).reading === 0;
    if (does.includes("reading: 0"))
      expect(background).toEqual([{ kind: "end", reading: 0 }, ...inThisThread.filter((read) => !isOfFirst(read))]);
    else expect(background).toEqual(inThisThread);
  });

  it("is continued from its last checkpoint if it dies in the middle of a file", async () => {
    const list = readings().slice(1, 2);
    const inThisThread = (await all(readTranscripts(SOURCES, list, never))) as { kind: string; events: unknown[] }[];
    expect(inThisThread.filter(({ kind }) => kind === "events").length).toBeGreaterThan(2);
    const first = { ...inThisThread[0]!, events: JSON.stringify(inThisThread[0]!.events) };
    const dies = threadThat(`parentPort.postMessage([${JSON.stringify(first)}]); setTimeout(() => { throw 1; }, 20);`);
    const background = (await all(readInBackground(dies, SOURCES, list, never))) as { events?: unknown[] }[];
    const texts = (reads: readonly { events?: unknown[] }[]) =>
      reads.flatMap(({ events = [] }) => events).filter((one) => (one as { kind: string }).kind === "part");
    expect(texts(background)).toHaveLength(texts(inThisThread).length);
  });

  it("stops with the signal", async () => {
    const stop = new AbortController();
    const reads = readInBackground(threadThat("setInterval(() => {}, 1000);"), SOURCES, readings(), stop.signal);
    const next = reads.next();
    stop.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
  });
});

it("finds everything if there is so much that the program reads it in the background", async () => {
  const home = temporaryFolder();
  const write = (session: string, records: readonly object[]) => {
    const path = join(home, ".claude", "projects", "-code-shop", `${session}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  };
  const output = toolResult("t", "narwhal ".repeat(250_000));
  for (let i = 0; i < 12; i++) {
    const outputs = Array.from({ length: 6 }, (_, j) => ({ ...output, uuid: `t${i}-${j}` }));
    write(`session-${i}`, [prompt(`p${i}`, `Question ${i} about pangolin${i}`), ...outputs]);
  }
  const client = await connectStdio(home, {}, ["--toolsets", "recall", "--project", "/code/shop"]);
  const recall = async (sent: object) => {
    const { structuredContent } = await client.callTool({
      name: "recall_conversations",
      arguments: { fast_mode: false, ...sent },
    });
    return structuredContent as { conversations: { id: string; message_count: number }[] };
  };
  expect((await recall({})).conversations).toHaveLength(12);
  expect((await recall({ search_query: "pangolin7" })).conversations).toMatchObject([{ id: "session-7" }]);
});
