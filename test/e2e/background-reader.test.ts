// Reading in a background thread: the packed thread yields the same events as
// this one, each once, whatever happens to the thread.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, inject, it } from "vitest";
import { readInBackground } from "../../src/conversations/ingest/reading/background-reader.ts";
import { readTranscripts, type Read, type Reading } from "../../src/conversations/ingest/reading/transcript-reader.ts";
import { transcriptFileAt, type ConversationSource } from "../../src/conversations/sources/source.ts";
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

function asDocument(reading: Reading): Reading {
  const path = join(temporaryFolder(), "session.json");
  copyFileSync(reading.transcript.path, path);
  return { ...reading, transcript: { ...reading.transcript, path } };
}

interface EventsRead {
  readonly kind: string;
  readonly reading: number;
  readonly events?: readonly unknown[];
}

/** The events of each transcript, and how it ended. */
async function all(reads: AsyncIterable<Read>) {
  const events: unknown[] = [];
  for await (const read of reads) events.push(read.kind === "end" ? { ...read } : { ...read, events: read.events() });
  return JSON.parse(JSON.stringify(events)) as EventsRead[];
}

function threadThat(does: string): string {
  const file = join(temporaryFolder(), "thread.cjs");
  writeFileSync(file, `const { parentPort } = require("node:worker_threads");\n${does}`);
  return file;
}

/** A thread that takes the first folder, posts this of it, and then does the rest; and sources that wait for it to have done so. */
function threadAfterPosting(message: object, does = "") {
  const isPosted = join(temporaryFolder(), "posted");
  const thread = threadThat(
    `Atomics.store(require("node:worker_threads").workerData.taken, 0, 1);
     parentPort.postMessage([${JSON.stringify(message)}]);
     require("node:fs").writeFileSync(${JSON.stringify(isPosted)}, "");
     ${does}`,
  );
  const waiting = SOURCES.map((source): ConversationSource => ({
    ...source,
    read: async function* (...sent) {
      while (!existsSync(isPosted)) await pause(5);
      yield* source.read(...sent);
    },
  }));
  return { thread, waiting };
}

describe("a background reader", () => {
  it("and this thread share folders, and yield the same events as one thread alone", async () => {
    const list = Array.from({ length: 4 }, readings).flat();
    const background = await all(readInBackground(THREAD, SOURCES, list, never));
    // Each folder is read in its order, whichever thread takes it.
    expect(background.toSorted((a, b) => a.reading - b.reading)).toEqual(
      await all(readTranscripts(SOURCES, list, never)),
    );
    expect(background.length).toBeGreaterThan(32);
    expect(background).toContainEqual({ kind: "end", reading: 3, unreadable: "deleted" });
  });

  it("leaves to this thread what it has not begun, and gets no folder that this one has", async () => {
    const list = [...readings(), ...readings()];
    const own = await all(readInBackground(threadThat("setTimeout(() => {}, 2000);"), SOURCES, list, never));
    expect(own.toSorted((a, b) => a.reading - b.reading)).toEqual(await all(readTranscripts(SOURCES, list, never)));
    // From the end: the thread begins at the beginning.
    expect(own[0]!.reading).toBeGreaterThan(3);
    const named = [...readings(), ...readings().slice(0, 1)].map((one, i) =>
      i === 4 ? { ...one, transcript: { ...one.transcript, path: `${one.transcript.path}.json` } } : one,
    );
    const logs = await all(readInBackground(threadThat(""), SOURCES, named, never));
    // A document is left to the thread, and read last if that has ended.
    expect(logs.at(-1)!.reading).toBe(4);
  });

  it("reads a document though this thread has read all logs, before it in the list and behind it", async () => {
    const list = Array.from({ length: 3 }, readings).flatMap((folder, i) =>
      i === 1 ? folder.slice(0, 1).map(asDocument) : folder.slice(0, 1),
    );
    const readHere: string[] = [];
    const here = SOURCES.map((source): ConversationSource => ({
      ...source,
      read: (transcript, ...sent) => {
        readHere.push(transcript.path);
        return source.read(transcript, ...sent);
      },
    }));
    const background = await all(readInBackground(THREAD, here, list, never));
    expect(background.filter(({ kind }) => kind === "end").map(({ reading }) => reading)).toHaveLength(3);
    expect(readHere).not.toContain(list[1]!.transcript.path);
  });

  it.each([
    ["cannot be started", "this is no program"],
    ["ends at once", ""],
    ["fails", `throw new Error("out of memory");`],
  ])("is done without where it %s", async (_, does) => {
    const list = readings();
    const background = await all(readInBackground(threadThat(does), SOURCES, list, never));
    const inThisThread = await all(readTranscripts(SOURCES, list, never));
    expect(background.toSorted((a, b) => a.reading - b.reading)).toEqual(inThisThread);
  });

  it("is done without where it has read one file of a folder", async () => {
    const list = [...readings(), ...readings()];
    const { thread, waiting } = threadAfterPosting({ kind: "end", reading: 0 });
    const background = await all(readInBackground(thread, waiting, list, never));
    const inThisThread = await all(readTranscripts(SOURCES, list, never));
    expect(background.toSorted((a, b) => a.reading - b.reading)).toEqual([
      { kind: "end", reading: 0 },
      ...inThisThread.filter(({ reading }) => reading !== 0),
    ]);
  });

  it("is continued from its last checkpoint if it dies in the middle of a file", async () => {
    const list = [...readings().slice(1, 2), ...readings()];
    const inThisThread = await all(readTranscripts(SOURCES, list, never));
    const ofFirst = inThisThread.filter(({ kind, reading }) => kind === "events" && reading === 0);
    expect(ofFirst.length).toBeGreaterThan(2);
    const first = { ...ofFirst[0]!, events: JSON.stringify(ofFirst[0]!.events) };
    const { thread, waiting } = threadAfterPosting(first, "setTimeout(() => { throw 1; }, 20);");
    const background = await all(readInBackground(thread, waiting, list, never));
    const texts = (reads: readonly EventsRead[]) =>
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
