// Runs the program in a terminal, for tests, by `script` of util-linux; other
// systems have nothing like it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { NODE } from "./child.ts";
import { collect, environmentIn, PROGRAM, type Ended } from "./program.ts";

export const hasTerminal = process.platform === "linux" && existsSync("/usr/bin/script");

/** Starts it with a line of arguments; what a terminal would show is its standard output. */
export function startInTerminal(home: string, args: string, env: Record<string, string> = {}) {
  return spawn("/usr/bin/script", ["-qec", `'${NODE}' '${PROGRAM}' ${args}`, "/dev/null"], {
    cwd: home,
    env: { ...environmentIn(home), TERM: "xterm", ...env },
  });
}

/** Runs it with a line of arguments, and answers its questions: which notes, a line each time, and whether it shall be done. */
export function inTerminal(
  home: string,
  answer: string,
  args: string,
  env: Record<string, string> = {},
  notes = "",
): Promise<Ended> {
  const child = startInTerminal(home, args, env);
  let seen = "";
  const waiting: [string, () => unknown][] = [
    ...notes
      .split("\n")
      .map((line): [string, () => unknown] => ["the folder of your notes [", () => child.stdin.write(`${line}\n`)]),
    ["[y/N]", () => child.stdin.end(answer)],
  ];
  child.stdout.on("data", (text: Buffer) => {
    seen += text.toString();
    const at = waiting.findIndex(([prompt]) => seen.includes(prompt));
    if (at === -1) return;
    seen = "";
    waiting.splice(at, 1)[0]![1]();
  });
  return collect(child);
}
