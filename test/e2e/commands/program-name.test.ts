// Hints name the program as it was called: in a checkout nothing is called
// `commonplace`, and a command that is pasted into a shell must be there.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { collect, environmentIn, PROGRAM, temporaryFolder } from "../../processes/program.ts";

const home = temporaryFolder();
const checkout = join(realpathSync(temporaryFolder()), "a checkout");
const program = join(checkout, "bin", "commonplace.js");

beforeAll(() => {
  cpSync(dirname(dirname(PROGRAM)), checkout, { recursive: true });
  mkdirSync(join(checkout, "scripts"));
  writeFileSync(join(checkout, "scripts", "run.mjs"), "");
  mkdirSync(join(home, ".cursor"));
});

const run = (script: string, args: readonly string[]) =>
  collect(spawn(process.execPath, [script, ...args], { cwd: home, env: environmentIn(home), stdio: "pipe" }));

const HINTS: readonly (readonly string[])[] = [
  ["doctor"],
  ["connect"],
  ["search"],
  ["call"],
  ["call", "undo", "{}", "{}"],
  ["undo", "a", "b"],
  ["xyzzy-nothing-like-it"],
  ["--help"],
  ["search", "--help"],
  ["undo", "--help"],
];

/** A command of the program by a name that is on no PATH. */
const BARE = /(?:^|[\s'`])commonplace (?:call|connect|doctor|export|history|index|redo|search|serve|undo|COMMAND|--)/m;

describe("a hint", () => {
  it.each(HINTS)("in a checkout names the script: %s", async (...args) => {
    const { stdout, stderr } = await run(program, args);
    expect(stdout + stderr).not.toMatch(BARE);
  });

  it.each(HINTS)("of an installed program names the command: %s", async (...args) => {
    const { stdout, stderr } = await run(PROGRAM, args);
    expect(stdout + stderr).not.toContain(PROGRAM);
  });

  it.skipIf(process.platform === "win32")("can be pasted into a shell", async () => {
    const { stdout } = await run(program, ["doctor"]);
    const hint = /→ '(node .* connect cursor)'$/m.exec(stdout)![1]!;
    expect(hint).toContain(program);
    const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
    const shown = execFileSync("sh", ["-c", `${hint} --json --yes`], {
      cwd: home,
      encoding: "utf8",
      env: { ...environmentIn(home), PATH: path },
    });
    expect(JSON.parse(shown)).toMatchObject({ hosts: [{ host: "cursor", result: "written" }] });
  });
});
