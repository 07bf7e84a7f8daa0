// What commands print, for a person and for a program: JSON on request, colour
// only if it is wanted, and the exit code.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NODE } from "../../processes/child.ts";
import { collect, environmentIn, PROGRAM, runProgram, temporaryFolder } from "../../processes/program.ts";
import { hasTerminal, inTerminal } from "../../processes/terminal.ts";
import { callContext } from "../../fixtures/call-context.ts";

const home = temporaryFolder();
const vault = join(home, "notes");
mkdirSync(vault);
writeFileSync(join(vault, "Apples.md"), "# Apples\n\nA pie of apples.\n");
writeFileSync(join(vault, "broken.md"), Buffer.of(0xff, 0xfe, 0xff));

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runProgram([...args, "--vault", vault], { home, env });

const CONTEXT = callContext();
const create = (name: string) => [
  "call",
  "contentManager_createContent",
  JSON.stringify({ filePath: name, content: "new", context: CONTEXT }),
  "--json",
];

describe("--json", () => {
  it.each([
    [["index"], { total: 2, unread: [{ path: "broken.md" }] }],
    [["search", "apples"], { totalResults: 1, results: [{ id: "Apples.md" }] }],
    [create("a"), { success: true }],
    [["history"], { entries: [{ tool: "contentManager_createContent" }] }],
    [["undo"], { message: expect.any(String) }],
    [["redo"], { message: expect.any(String) }],
    [["doctor"], { findings: expect.any(Array), summary: expect.any(String) }],
    [["version"], { name: "commonplace", version: expect.any(String) }],
    [["connect"], { hosts: expect.any(Array) }],
    [["history", "--purge", "--yes"], { purged: 3 }],
    [["index", "--forget", "--yes"], { forgotten: 0 }],
  ])("of %j is one line that a program reads", async (args, shape) => {
    const { stdout, stderr, code } = await run(args.includes("--json") ? args : [...args, "--json"]);
    expect(stdout.endsWith("\n") && !stdout.trimEnd().includes("\n")).toBe(true);
    expect(JSON.parse(stdout)).toMatchObject(shape);
    expect(stderr).toBe("");
    expect(code).toBe(0);
  });

  it.each([
    [["read", "no-such-conversation"], 1, { code: "not_found" }],
    [["undo", "no-such-change"], 1, { code: "not_found" }],
    [["call", "no_such_tool"], 2, { code: "invalid_params" }],
    [
      ["store", "status"],
      2,
      { error: "No shared store is named.", hint: expect.stringContaining("COMMONPLACE_STORE") },
    ],
    [["search", "apples", "--limt", "3"], 2, { error: "Unknown option --limt.", hint: "Did you mean --limit?" }],
    [["indx"], 2, { error: "Unknown command 'indx'.", hint: "Did you mean index?" }],
  ])("of %j, which fails, is one line that a program reads, too", async (args, exit, shape) => {
    const { stdout, stderr, code } = await run([...args, "--json"]);
    expect(stdout.endsWith("\n") && !stdout.trimEnd().includes("\n")).toBe(true);
    expect(JSON.parse(stdout)).toMatchObject(shape);
    expect(stderr).toBe("");
    expect(code).toBe(exit);
  });
});

describe("without a terminal", () => {
  const ESCAPE = "\u001B";

  it.each([["search", "apples"], ["index"], ["history"], ["doctor"], ["connect"], ["--help"]])(
    "%s prints plain text",
    async (...args) => {
      const { stdout, stderr } = await run(args);
      expect(stdout).not.toBe("");
      expect(stdout + stderr).not.toContain(ESCAPE);
    },
  );

  it("FORCE_COLOR marks the matches, NO_COLOR and JSON never", async () => {
    expect((await run(["search", "apples"], { FORCE_COLOR: "1" })).stdout).toContain(`${ESCAPE}[7mapples${ESCAPE}[27m`);
    expect((await run(["search", "apples"], { FORCE_COLOR: "0" })).stdout).not.toContain(ESCAPE);
    expect((await run(["search", "apples"], { NO_COLOR: "1" })).stdout).not.toContain(ESCAPE);
    expect((await run(["search", "apples", "--json"], { FORCE_COLOR: "1" })).stdout).not.toContain(ESCAPE);
  });
});

describe("a time", () => {
  it("is in the user's time zone", async () => {
    await run(create("clock"));
    const [entry] = JSON.parse((await run(["history", "--json"])).stdout).entries as { time: string }[];
    const utc = (hours: number) =>
      new Date(Date.parse(entry!.time) + hours * 3_600_000).toISOString().slice(0, 16).replace("T", " ");
    // The names of these zones have the sign of POSIX, west of Greenwich positive.
    expect((await run(["history"], { TZ: "Etc/GMT-14" })).stdout).toContain(`  ${utc(14)}  `);
    expect((await run(["history"], { TZ: "Etc/GMT+12" })).stdout).toContain(`  ${utc(-12)}  `);
  });
});

describe("what cannot be undone", () => {
  const remembered = async () => JSON.parse((await run(["history", "--json"])).stdout).entries.length as number;

  it("is not done without --yes", async () => {
    await run(create("b"));
    const before = await remembered();
    expect(before).toBeGreaterThan(0);
    expect(await run(["history", "--purge"])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^There is no terminal to ask in: --yes forgets .*\nNothing was forgotten\.\n$/),
    });
    for (const args of [
      ["history", "--purge"],
      ["index", "--forget"],
    ]) {
      const { stdout, code } = await run([...args, "--json"]);
      expect(JSON.parse(stdout)).toMatchObject({ message: expect.stringContaining("--yes forgets") });
      expect(code).toBe(1);
    }
    expect(await remembered()).toBe(before);
  });

  it.skipIf(!hasTerminal)("is confirmed in a terminal", async () => {
    const purge = (answer: string) => inTerminal(home, answer, `history --purge --vault '${vault}'`);
    const before = await remembered();
    const refused = await purge("n\n");
    expect(refused.stdout).toContain("Forget everything that could be undone? [y/N]");
    expect(refused.stdout).toContain("Nothing was forgotten.");
    expect([refused.code, await remembered()]).toEqual([1, before]);
    const done = await purge("y\n");
    expect(done.stdout).toMatch(/Forgot \d+ changes?\./);
    expect([done.code, await remembered()]).toEqual([0, 0]);
  });
});

describe("the exit code", () => {
  it.each([
    [["search", "apples"], 0],
    [["search", "nothing-of-the-kind"], 1],
    [["undo", "no-such-id"], 1],
    [["history", "--limit", "x"], 2],
    [["search"], 2],
    [["search", "x", "--jsn"], 2],
    [["undo", "a", "b"], 2],
    [["undo", "--read-only"], 2],
    [["history", "--purge", "--read-only"], 2],
    [["history", "--purge"], 1],
    [["history", "--yes"], 2],
    [["index", "--yes"], 2],
    [["version"], 0],
    [["version", "extra"], 2],
  ])("of %j is %i", async (args, code) => {
    expect((await run(args)).code).toBe(code);
  });

  it.each([["search", "x"], ["index"], ["history"], ["undo"], ["doctor"]])(
    "of %s is 1 where the vault is missing",
    async (...args) => {
      const { code, stdout, stderr } = await runProgram([...args, "--vault", "/nowhere/notes"], { home });
      expect(stdout + stderr).toMatch(/missing|not there/);
      expect(code).toBe(1);
    },
  );

  it("is not changed if the reader of the output stops early", async () => {
    const child = spawn(NODE, [PROGRAM, "doctor", "--vault", vault], {
      cwd: home,
      env: environmentIn(home),
    });
    child.stdout.destroy();
    const { code, stderr } = await collect(child);
    expect(stderr).toBe("");
    expect(code).toBe(0);
  });
});
