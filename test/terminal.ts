// The program in a terminal, for tests: util-linux's `script` lends it one;
// there is none of its kind elsewhere.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { collect, environmentIn, PROGRAM, type Ended } from "./program.ts";

export const hasTerminal = process.platform === "linux" && existsSync("/usr/bin/script");

/** Runs it with a line of arguments, and answers its question. */
export function inTerminal(
  home: string,
  answer: string,
  args: string,
  env: Record<string, string> = {},
): Promise<Ended> {
  const line = `'${process.execPath}' '${PROGRAM}' ${args}`;
  const child = spawn("/usr/bin/script", ["-qec", line, "/dev/null"], {
    cwd: home,
    env: { ...environmentIn(home), TERM: "xterm", ...env },
  });
  child.stdout.on("data", (text: Buffer) => text.includes("[y/N]") && child.stdin.end(answer));
  return collect(child);
}
