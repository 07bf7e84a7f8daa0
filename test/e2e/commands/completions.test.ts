// Completion scripts in the shells that they are for, as far as they are installed.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../../../src/commands/commands.ts";
import { programOnPath } from "../../../src/kernel/kernel.ts";
import { collect, environmentIn, runProgram, temporaryFolder } from "../../processes/program.ts";

const home = temporaryFolder();
const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];
const scriptOf = (shell: Shell) => join(home, shell);

beforeAll(async () => {
  for (const shell of SHELLS)
    writeFileSync(scriptOf(shell), (await runProgram(["completions", shell], { home })).stdout);
});

/** The words that a shell offers for the last one. */
const OFFERS: Readonly<Record<Shell, (words: readonly string[]) => readonly string[]>> = {
  bash: (words) => [
    "--norc",
    "-c",
    `source '${scriptOf("bash")}'; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _commonplace; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // A completion needs a terminal: what it would add is printed instead.
  zsh: (words) => [
    "-f",
    "-c",
    `compdef() { : }; compadd() { shift; print -l -- $@ }; _files() { : }; _describe() { print -l -- \${\${(P)2}%%:*} }; source '${scriptOf("zsh")}'; words=(${words.map((word) => `'${word}'`).join(" ")}); CURRENT=${words.length}; _commonplace`,
  ],
  fish: (words) => ["--no-config", "-c", `source '${scriptOf("fish")}'; complete -C '${words.join(" ")}'`],
};

async function offered(shell: Shell, words: readonly string[]): Promise<string[]> {
  const child = spawn(shell, OFFERS[shell](words), { cwd: home, env: environmentIn(home) });
  const { stdout, stderr } = await collect(child);
  expect(stderr).toBe("");
  return stdout.split("\n").map((line) => line.split("\t")[0]!);
}

for (const shell of SHELLS) {
  describe.skipIf(programOnPath(shell) === undefined)(`completion in ${shell}`, () => {
    it("offers every command", async () => {
      expect(await offered(shell, ["commonplace", ""])).toEqual(expect.arrayContaining(Object.keys(COMMANDS)));
    });

    it("offers the flags of the command, wherever settings stand, and those of settings", async () => {
      const flags = await offered(shell, ["commonplace", "--vault", "today", "search", "--"]);
      expect(flags).toEqual(expect.arrayContaining(["--kind", "--paths", "--limit", "--vault", "--read-only"]));
      expect(flags).not.toContain("--around");
    });

    it("offers the values of a flag, and the words of a command", async () => {
      const kinds = (await offered(shell, ["commonplace", "read", "--kind", ""])).filter((word) => word !== "");
      expect(kinds.toSorted()).toEqual(["conversation", "note", "outline"]);
      expect(await offered(shell, ["commonplace", "connect", ""])).toEqual(
        expect.arrayContaining(["cursor", "gemini"]),
      );
    });
  });
}

it("refuses other shells", async () => {
  const { code, stderr } = await runProgram(["completions", "tcsh"], { home });
  expect(stderr).toContain("Name a shell: ");
  expect(code).toBe(2);
});
