// The files of memory, read in any order and in any parts, are one memory.
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CAMPAIGN, repeats } from "../../../test/campaign.ts";
import { everythingIn, newMemory } from "../../../test/fixtures/memories.ts";
import { parseQuery } from "../../search/query.ts";
import { lineOf, type MemoryEvent } from "../log/event.ts";

const word = fc.constantFrom("garden", "budget", "letter", "week", "plan");
const session = fc.constantFrom("s1", "s2", "s3");
const workspace = fc.constantFrom("default", "ws_1");
const at = fc.integer({ min: 1, max: 50 });

/** Events of two devices; ids are given when the list is known. */
const event = fc.oneof(
  fc.record({
    type: fc.constant("trace" as const),
    at,
    session,
    workspace,
    tool: fc.constant("tool"),
    why: word,
    paths: fc.array(word, { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constantFrom("session" as const, "state" as const, "workspace" as const),
    at,
    of: session,
    set: fc.dictionary(fc.constantFrom("name", "description", "goal", "session", "workspace", "#tag"), word, {
      noNullPrototype: true,
    }),
    weight: fc.constantFrom("said" as const, "assumed" as const),
  }),
);

const histories = fc
  .array(event, { minLength: 1, maxLength: 40 })
  .map((events) => events.map((each, i) => lineOf({ ...each, id: `e${i}` } as MemoryEvent)));

/** The lines in some files, some of them twice, with rubbish between, in an order of their own. */
const scattered = histories.chain((lines) =>
  fc.record({
    lines: fc.constant(lines),
    order: fc.shuffledSubarray(
      [...lines, ...lines.slice(0, 5), "", "rubbish", '{"v":1,"id":"to', '{"v":9,"type":"unknown"}'],
      {
        minLength: lines.length,
      },
    ),
    files: fc.array(
      fc.constantFrom("aaaaaaaa-2026-01.jsonl", "bbbbbbbb-2026-01.jsonl", "aaaaaaaa-2026-01 (conflicted copy).jsonl"),
      {
        minLength: 1,
        maxLength: 8,
      },
    ),
  }),
);

describe("the files of memory", () => {
  it(
    "give the same memory however the events are spread over them, and in whatever parts they are read",
    CAMPAIGN,
    async () => {
      await fc.assert(
        fc.asyncProperty(scattered, async ({ lines, order, files }) => {
          const plain = newMemory();
          plain.write("aaaaaaaa-2026-01.jsonl", lines);
          const whole = plain.index();
          await whole.refresh();

          const memory = newMemory();
          const missing = lines.filter((line) => !order.includes(line));
          const live = memory.index("live");
          // A part is written, and taken in, and then the next: as calls and sync programs do it.
          const all = [...order, ...missing];
          const size = Math.ceil(all.length / files.length);
          for (const [i, file] of files.entries()) {
            memory.write(file, all.slice(i * size, (i + 1) * size));
            await live.refresh();
          }
          const rebuilt = memory.index("rebuilt");
          await rebuilt.refresh();
          expect(everythingIn(live)).toEqual(everythingIn(whole));
          expect(everythingIn(rebuilt)).toEqual(everythingIn(whole));
          for (const query of ["garden", "plan week", "s1"]) {
            const found = [whole, live, rebuilt].map((index) =>
              index
                .search(parseQuery(query), { kinds: ["session", "state", "trace"], limit: 100 })
                .hits.map(({ path, mtime }) => `${path} ${mtime}`)
                .toSorted(),
            );
            expect(found[1]).toEqual(found[0]);
            expect(found[2]).toEqual(found[0]);
          }
          for (const index of [whole, live, rebuilt]) index.close();
          for (const { home } of [plain, memory]) rmSync(home, { recursive: true, force: true });
        }),
        { numRuns: repeats({ short: 25, long: 1_000 }) },
      );
    },
  );

  const trace = (id: string, why = "something") =>
    lineOf({ type: "trace", id, at: 1, session: "s", workspace: "default", tool: "t", why });
  const ids = (index: ReturnType<ReturnType<typeof newMemory>["index"]>) =>
    index
      .traces({ limit: 100 })
      .map(({ id }) => id)
      .toSorted();

  it("are read from where the last read ended", async () => {
    const memory = newMemory();
    memory.write("a.jsonl", [trace("1"), trace("2")]);
    const index = memory.index();
    await index.refresh();
    expect(await index.refresh()).toBe(false);
    // Only the end of what was read is compared again: a different id far before it would go unnoticed.
    memory.write("a.jsonl", [trace("3", "x".repeat(300))]);
    await index.refresh();
    const file = join(memory.logFolder, "a.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").replace('"id":"1"', '"id":"9"'));
    memory.write("a.jsonl", [trace("4")]);
    expect(await index.refresh()).toBe(true);
    expect(ids(index)).toEqual(["1", "2", "3", "4"]);
  });

  it("give a last line without a line break at once, and its rest when it is there", async () => {
    const memory = newMemory();
    memory.write("a.jsonl", [trace("1")]);
    appendFileSync(join(memory.logFolder, "a.jsonl"), trace("2"));
    const index = memory.index();
    await index.refresh();
    expect(ids(index)).toEqual(["1", "2"]);
    truncateSync(join(memory.logFolder, "a.jsonl"), trace("1").length + 1);
    await index.refresh();
    expect(ids(index)).toEqual(["1"]);
    appendFileSync(join(memory.logFolder, "a.jsonl"), trace("2"));
    const third = trace("3");
    appendFileSync(join(memory.logFolder, "a.jsonl"), `\n${third.slice(0, 20)}`);
    await index.refresh();
    appendFileSync(join(memory.logFolder, "a.jsonl"), `${third.slice(20)}\n`);
    await index.refresh();
    expect(ids(index)).toEqual(["1", "2", "3"]);
  });

  it("are forgotten when they are deleted, cut or replaced, and read again when they come back", async () => {
    const memory = newMemory();
    const [a, b] = [join(memory.logFolder, "a.jsonl"), join(memory.logFolder, "b.jsonl")];
    memory.write("a.jsonl", [trace("1", "first words"), trace("2")]);
    memory.write("b.jsonl", [trace("3")]);
    const index = memory.index();
    await index.refresh();
    renameSync(b, join(memory.home, "away"));
    await index.refresh();
    expect(ids(index)).toEqual(["1", "2"]);
    renameSync(join(memory.home, "away"), b);
    await index.refresh();
    expect(ids(index)).toEqual(["1", "2", "3"]);
    truncateSync(a, trace("1", "first words").length + 1);
    await index.refresh();
    expect(ids(index)).toEqual(["1", "3"]);
    writeFileSync(a, `${trace("4")}\n${trace("5")}\n${trace("6")}\n`);
    await index.refresh();
    expect(ids(index)).toEqual(["3", "4", "5", "6"]);
    expect(index.search(parseQuery("first words"), { kinds: ["trace"], limit: 5 }).hits).toEqual([]);
  });

  it("are still known while they are only in the cloud", async () => {
    const memory = newMemory();
    memory.write("a.jsonl", [trace("1")]);
    const index = memory.index();
    await index.refresh();
    renameSync(join(memory.logFolder, "a.jsonl"), join(memory.home, "away"));
    writeFileSync(join(memory.logFolder, ".a.jsonl.icloud"), "a placeholder");
    expect(await index.refresh()).toBe(false);
    expect(ids(index)).toEqual(["1"]);
  });

  it("may be copied by a sync program under any name", async () => {
    const memory = newMemory();
    memory.write("aaaaaaaa-2026-01.jsonl", [trace("1")]);
    const original = join(memory.logFolder, "aaaaaaaa-2026-01.jsonl");
    for (const name of [
      "aaaaaaaa-2026-01.sync-conflict-20260102-101112-ABCDEFG.jsonl",
      "aaaaaaaa-2026-01 (Ann's conflicted copy 2026-01-02).jsonl",
    ]) {
      copyFileSync(original, join(memory.logFolder, name));
      memory.write(name, [trace(name)]);
    }
    const index = memory.index();
    await index.refresh();
    expect(ids(index)).toHaveLength(3);
  });

  it("may be large: they are ingested in pieces", async () => {
    const memory = newMemory();
    memory.write(
      "a.jsonl",
      Array.from({ length: 3000 }, (_, i) => trace(`t${i}`, `number ${i} of many words in a row`)),
    );
    const long = "x".repeat(300_000);
    memory.write("a.jsonl", [long, trace("after the long line"), trace("long", "y".repeat(200_000))]);
    const index = memory.index();
    await index.refresh();
    expect(index.callsIn("s")).toBe(3002);
    expect(index.trace("after the long line")).toBeDefined();
  });

  it("may contain invalid lines, and are read all the same", async () => {
    const memory = newMemory();
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const odd = (set: string, of = "s") =>
      `{"v":1,"id":"${set.length}${of}","at":1.5,"type":"session","of":${JSON.stringify(of)},"set":${set}}`;
    memory.write("a.jsonl", [
      odd(`{"name":${deep}}`),
      odd(`{"name":{"a":{"b":[1,{"c":"d"}]}},"isDeleted":"yes","#t":5}`),
      odd(`{"name":"\\ud800 \\u0000","description":7,"workspace":[]}`, "\ud800"),
      odd(`{"name":"${"long ".repeat(50_000)}"}`, "__proto__"),
      '{"v":1,"id":"x","at":-5,"type":"trace"}',
      "\u0000\u0001",
      "{".repeat(10_000),
      trace("good"),
    ]);
    const index = memory.index();
    await index.refresh();
    expect(ids(index)).toEqual(["good"]);
    expect(index.list("session", { limit: 10 }).total).toBe(3);
    expect(index.find("session", "nothing")).toBeUndefined();
    expect(index.search(parseQuery("long"), { kinds: ["session"], limit: 5 }).hits).toHaveLength(1);
  });

  it("include those of Nexus, which count less than what was said since", async () => {
    const memory = newMemory();
    const workspaces = join(memory.vaultFolder, ".workspaces");
    const nexus = join(memory.vaultFolder, ".nexus", "workspaces");
    mkdirSync(workspaces);
    mkdirSync(nexus, { recursive: true });
    const file = {
      id: "ws_1",
      name: "Old",
      rootFolder: "Old",
      created: 10,
      sessions: {
        s1: {
          name: "Then",
          startTime: 20,
          states: {},
          memoryTraces: { t1: { timestamp: 30, type: "x", content: "c" } },
        },
      },
    };
    writeFileSync(join(workspaces, "ws_1.json"), JSON.stringify(file));
    writeFileSync(join(workspaces, "index.json"), JSON.stringify({ id: "ws_bad", name: "The index is no workspace" }));
    writeFileSync(
      join(nexus, "ws_2.jsonl"),
      `${JSON.stringify({ id: "e", type: "session_created", timestamp: 40, workspaceId: "ws_2", data: { id: "s2", name: "Nexus" } })}\n`,
    );
    const before = readFileSync(join(workspaces, "ws_1.json"), "utf8");
    const index = memory.index();
    await index.refresh();
    expect(index.find("session", "then")?.id).toBe("s1");
    expect(index.find("session", "Nexus")?.id).toBe("s2");
    expect(
      index
        .list("workspace", { limit: 9 })
        .items.map(({ id }) => id)
        .toSorted(),
    ).toEqual(["ws_1", "ws_2"].slice(0, 1));
    memory.write("a.jsonl", [
      lineOf({ type: "session", id: "1", at: 5, of: "s1", set: { name: "Now" }, weight: "said" }),
    ]);
    await index.refresh();
    expect(index.find("session", "Now")?.id).toBe("s1");
    // Claudesidian writes its whole file again at every call.
    writeFileSync(join(workspaces, "ws_1.json"), JSON.stringify({ ...file, name: "Renamed", sessions: {} }));
    await index.refresh();
    expect(index.find("workspace", "Renamed")?.id).toBe("ws_1");
    expect(index.trace("t1")).toBeUndefined();
    expect(index.find("session", "Now")?.id).toBe("s1");
    expect(before).toContain("Old");
  });
});
