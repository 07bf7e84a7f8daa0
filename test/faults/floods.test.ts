// Hostile and huge notes, outlines, bases and transcripts, beside long arguments:
// every call is answered, no task of the main thread computes for long, so that
// other clients are served, and memory stays within bounds.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { LineClient } from "../../bench/measurement/line-client.ts";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { callContext } from "../fixtures/call-context.ts";
import { atTheEnd, environmentIn, PROGRAM, temporaryFolder } from "../processes/program.ts";
import { FLOODS } from "./flood-inputs.ts";

/** Characters of each file. */
const SIZE = repeats({ short: 60_000, long: 250_000 });
/** The short form asks every fourth question of each file, and others of the next. */
const EACH = repeats({ short: 4, long: 1 });
/** Characters of a part that is sent as an argument; what is remembered is searched for secrets, at 5 µs each. */
const PART = 20_000;
const REMEMBERED = 4_000;
/** Milliseconds of the processor. A busy machine adds to them, too: the least of several tries counts. */
const MAX_TASK = 250;
const MAX_TRIES = 4;
const MAX_MEGABYTES = 400;
/** Four times the input takes four times as long in linear time, and 16 times in quadratic time. */
const MAX_GROWTH = 5;

const PROBE = pathToFileURL(join(import.meta.dirname, "..", "processes", "longest-task.mjs")).href;

interface Answer {
  readonly result?: {
    readonly isError?: true;
    readonly content: readonly { readonly text: string }[];
    readonly structuredContent?: Record<string, unknown>;
  };
  readonly error?: { readonly message: string };
}

/** A program whose long tasks are recorded. */
async function start() {
  const home = temporaryFolder();
  const vault = join(home, "vault");
  const log = join(home, "tasks");
  mkdirSync(vault);
  writeFileSync(log, "");
  writeFileSync(join(vault, "a.md"), "# A\n\nalpha [[h]]\n");
  const env = { ...environmentIn(home), NODE_OPTIONS: `--import ${PROBE}`, LONG_TASKS: log };
  const client = new LineClient([PROGRAM, "--vault", vault, "--toolsets", "all"], env, home);
  atTheEnd(() => client.close());
  await client.initialize();
  const context = callContext({ sessionId: "floods" });
  const call = (name: string, sent: object) =>
    client.request("tools/call", { name, arguments: { ...sent, context } }) as Promise<Answer>;
  // What is loaded by the first call is no part of what is measured.
  for (const [name, sent] of callsOn("a.md", "alpha", "alpha")) await call(name, sent);
  await call("vaultManager_deleteNote", { path: "h.md" });
  let read = 0;
  /** The longest task since the last question. */
  const longest = async (): Promise<number> => {
    // A task before an answer is recorded by a tick after it.
    await client.request("ping");
    await new Promise((resolve) => setTimeout(resolve, 10));
    await client.request("ping");
    const all = readFileSync(log, "utf8");
    const tasks = all.slice(read).split("\n").map(Number);
    read = all.length;
    return Math.max(...tasks);
  };
  await longest();
  return { client, vault, home, call, longest };
}

type Call = readonly [tool: string, sent: object];

/** What is asked about a file of this text. @param part a part of it, as an argument */
function callsOn(path: string, part: string, text: string): readonly Call[] {
  const moved = `moved/${path}`;
  const remembered = part.slice(0, REMEMBERED);
  return [
    ["search", { query: "alpha" }],
    ["search", { query: part }],
    ["vaultLibrarian_searchContent", { query: `"${part.slice(0, 300).replace(/["\n]/g, " ")}"` }],
    ["vaultLibrarian_searchContent", { query: "h", snippetLength: 2_000 }],
    ["vaultLibrarian_searchContent", { query: `path:h ${"x".repeat(1_500)}` }],
    ["contentManager_readContent", { filePath: path, includeProperties: true }],
    ["contentManager_readContent", { filePath: path, heading: "Nope" }],
    ["contentManager_readContent", { filePath: path, block: "^nope" }],
    ["contentManager_appendContent", { filePath: path, content: "\nmore\n" }],
    ["contentManager_replaceContent", { filePath: path, oldContent: `${part}Z`, newContent: "x" }],
    ["contentManager_findReplaceContent", { filePath: path, findText: "a", replaceText: "b", replaceAll: true }],
    ["contentManager_updateProperties", { filePath: path, set: { b: 1, tags: ["x"] } }],
    ["contentManager_batchContent", { operations: [{ type: "append", filePath: path, content: part }] }],
    ["vaultLibrarian_links", { path, type: "outgoing" }],
    ["vaultLibrarian_links", { path, type: "mentions" }],
    ["vaultLibrarian_links", { path: "/", type: "unresolved" }],
    ["vaultLibrarian_links", { path, type: "similar" }],
    ["vaultLibrarian_tags", { rename: "tag1", newName: "other", confirmed: true }],
    ["vaultLibrarian_query", { where: part.slice(0, 900) }],
    ["vaultLibrarian_query", { base: path }],
    ["list_tasks", { text: "same" }],
    ["contentManager_createContent", { filePath: `copy of ${path}`, content: text }],
    ["contentManager_createContent", { filePath: `from ${path}`, content: "", template: path }],
    ["vaultManager_moveNote", { path, newPath: moved }],
    ["undo", {}],
    ["history", { limit: 20 }],
    ["open_document", { path }],
    ["get_outline_structure", { maxRows: 100 }],
    ["search_outline", { query: part }],
    ["search_outline", { query: "^(a|a)+$", regex: true }],
    ["add_row", { topic: "a row" }],
    ["get_section_content", { format: "markdown" }],
    [
      "memoryManager_createState",
      {
        name: "s",
        conversationContext: remembered,
        activeTask: remembered,
        activeFiles: [path],
        nextSteps: [remembered],
        reasoning: remembered,
      },
    ],
    ["vaultLibrarian_searchMemory", { query: part }],
    ["recall_conversations", { search_query: part }],
    ["list_project_files", { pattern: part }],
    ["vaultLibrarian_searchDirectory", { query: part, paths: ["/"], pattern: "*a*a*a*a*a*a*b" }],
  ];
}

describe("a flood", CAMPAIGN, () => {
  it("holds up nobody, whatever the file and the argument", async () => {
    const { client, vault, call, longest } = await start();
    const faults: string[] = [];
    for (const [turn, [kind, { extension, text }]] of Object.entries(FLOODS).entries()) {
      const path = `h.${extension}`;
      const content = text(SIZE);
      const remove = () => {
        for (const each of [path, `copy of ${path}`, `from ${path}`]) rmSync(join(vault, each), { force: true });
      };
      const reset = () => {
        remove();
        writeFileSync(join(vault, path), content);
      };
      reset();
      const calls = callsOn(path, content.slice(100, PART), content);
      for (const [name, sent] of calls.filter((_, i) => (i + turn) % EACH === 0)) {
        let least = Infinity;
        for (let tries = 0; least > MAX_TASK && tries < MAX_TRIES; tries++) {
          if (tries > 0) reset();
          const { result, error } = await call(name, sent);
          const answer = error?.message ?? result!.content[0]!.text;
          if (/mistake in the server|has ended/.test(answer)) faults.push(`${kind}, ${name}: ${answer}`);
          least = Math.min(least, await longest());
        }
        if (least > MAX_TASK) faults.push(`${kind}, ${name}: a task of ${least} ms`);
      }
      remove();
    }
    const memory = client.peakMemory() ?? 0;
    if (memory > MAX_MEGABYTES) faults.push(`${memory} MB of memory`);
    expect(faults).toEqual([]);
  });

  it("of a megabyte holds up nobody, where that took seconds", async () => {
    const { vault, call, longest } = await start();
    const faults: string[] = [];
    for (const kind of ['"- [ ] a\\n"', '"$"', "deep YAML"]) {
      const path = "h.md";
      const content = FLOODS[kind]!.text(1_000_000);
      writeFileSync(join(vault, path), content);
      // Its rows are searched, too. To read 100,000 at once takes longer than it should.
      await call("open_document", { path });
      await expect
        .poll(async () => JSON.stringify((await call("list_tasks", {})).result), { timeout: 240_000, interval: 500 })
        .not.toMatch(/being indexed|"stale":true/);
      await longest();
      for (const [name, sent] of [
        ["search", { query: content.slice(100, PART) }],
        ["list_tasks", { text: "a" }],
        ["contentManager_readContent", { filePath: path, includeProperties: true }],
        ["contentManager_appendContent", { filePath: path, content: "\nmore\n" }],
        ["vaultLibrarian_links", { path, type: "outgoing" }],
      ] as const) {
        await call(name, sent);
        const task = await longest();
        if (task > MAX_TASK) faults.push(`${kind}, ${name}: a task of ${task} ms`);
      }
    }
    expect(faults).toEqual([]);
  });

  it("of four times the size takes about four times as long", async () => {
    const { client, vault, call } = await start();
    const faults: string[] = [];
    const kinds = ["nested equal tasks", "headings", "anchors", '"![[h]]\\n"', '"x"', "a deep outline"];
    for (const kind of kinds) {
      const { extension, text } = FLOODS[kind]!;
      const path = `h.${extension}`;
      const costOf = async (size: number): Promise<number> => {
        const content = text(size);
        writeFileSync(join(vault, path), content);
        const before = client.processorTime() ?? 0;
        for (const [name, sent] of callsOn(path, content.slice(100, PART), content)) await call(name, sent);
        const cost = (client.processorTime() ?? 0) - before;
        for (const each of [path, `copy of ${path}`, `from ${path}`]) rmSync(join(vault, each), { force: true });
        return cost;
      };
      const small = await costOf(SIZE / 4);
      let large = Infinity;
      for (let tries = 0; large > MAX_GROWTH * small && tries < MAX_TRIES; tries++)
        large = Math.min(large, await costOf(SIZE));
      if (large > MAX_GROWTH * small) faults.push(`${kind}: ${small} ms, then ${large} ms`);
    }
    expect(faults).toEqual([]);
  });

  it("of one line of a transcript is passed over", async () => {
    const { client, home, call, longest } = await start();
    const folder = join(home, ".claude", "projects", "-code-shop");
    mkdirSync(folder, { recursive: true });
    const record = (text: string, i: number) => {
      const uuid = `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`;
      const message = { role: "user", content: text };
      return `${JSON.stringify({ type: "user", uuid, sessionId: "flood", cwd: "/code/shop", timestamp: new Date().toISOString(), message })}\n`;
    };
    const long = "x".repeat(repeats({ short: 20_000_000, long: 200_000_000 }));
    writeFileSync(join(folder, "flood.jsonl"), record("about whales", 1) + record(long, 2) + record("about squids", 3));
    await expect
      .poll(async () => (await call("recall_conversations", { search_query: "squids" })).result!.content[0]!.text, {
        timeout: 240_000,
      })
      .toContain("squids");
    expect(await longest()).toBeLessThan(MAX_TASK);
    expect(client.peakMemory() ?? 0).toBeLessThan(MAX_MEGABYTES);
  });
});
