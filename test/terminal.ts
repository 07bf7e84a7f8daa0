// The program in a terminal, for tests: util-linux's `script` lends it one;
// there is none of its kind elsewhere.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { NODE } from "./child.ts";
import { collect, environmentIn, PROGRAM, type Ended } from "./program.ts";

export const hasTerminal = process.platform === "linux" && existsSync("/usr/bin/script");

/**
 * Runs it with a line of arguments, and answers its question. Where memory is
 * to be kept is asked before that, once.
 */
export function inTerminal(
  home: string,
  answer: string,
  args: string,
  env: Record<string, string> = {},
  memory = "",
): Promise<Ended> {
  const line = `'${NODE}' '${PROGRAM}' ${args}`;
  const child = spawn("/usr/bin/script", ["-qec", line, "/dev/null"], {
    cwd: home,
    env: { ...environmentIn(home), TERM: "xterm", ...env },
  });
  let seen = "";
  const waiting: [string, () => unknown][] = [
    ["[home]", () => child.stdin.write(`${memory}\n`)],
    ["[y/N]", () => child.stdin.end(answer)],
  ];
  child.stdout.on("data", (text: Buffer) => {
    seen += text.toString();
    const at = waiting.findIndex(([prompt]) => seen.includes(prompt));
    if (at !== -1) waiting.splice(at, 1)[0]![1]();
  });
  return collect(child);
}
