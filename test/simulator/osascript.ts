// Answers for every osascript of a test file: takes the same arguments, runs the
// same scripts, and has nothing behind it but the simulated OmniOutliner. The
// osascript on the PATH of the program under test (simulator.ts) writes what it
// was given into a folder, names that folder in the pipe, and waits for its end.
import { appendFileSync, createReadStream, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { runScript } from "./run-script.ts";
import { readState, writeState } from "./state.ts";

interface Ended {
  readonly output?: string;
  readonly error?: string;
}

const [calls = ""] = process.argv.slice(2);
process.stdin.on("end", () => process.exit()).resume();
// Opened for writing too, so that it does not end with the first call.
for await (const folder of createInterface({ input: createReadStream("", { fd: openSync(calls, "r+") }) })) {
  const { output = "", error = "" } = answer(folder);
  // A program that gave up has removed nothing, but nobody may be there to read.
  if (!existsSync(folder)) continue;
  writeFileSync(join(folder, "output"), output);
  writeFileSync(join(folder, "errors"), error);
  writeFileSync(join(folder, "ended"), error === "" ? "0\n" : "1\n", { flag: "r+" });
}

function answer(folder: string): Ended {
  const [stateFile = "", ...args] = readFileSync(join(folder, "arguments"), "utf8").split("\0").slice(0, -1);
  const asked = argumentsOf(args);
  if ("error" in asked) return asked;
  if (asked.language !== "JavaScript") return { error: "osascript: only JavaScript is simulated\n" };
  const state = readState(stateFile);
  const input = readFileSync(join(folder, "input"), "utf8");
  appendFileSync(`${stateFile}.calls`, `${(JSON.parse(input) as { do: string }).do}\n`);
  const { output, error, isChanged } = runScript(asked.script, input, state);
  if (isChanged) writeState(stateFile, state);
  if (error !== undefined) return { error: `execution error: Error: Error: ${error.message} (${error.number})\n` };
  return { output: `${output}\n` };
}

function argumentsOf(given: readonly string[]): { language: string | undefined; script: string } | { error: string } {
  const lines: string[] = [];
  let language: string | undefined;
  let at = 0;
  for (; at < given.length && given[at]!.startsWith("-"); at += 2) {
    if (given[at] === "-l") language = given[at + 1];
    else if (given[at] === "-e") lines.push(given[at + 1]!);
    else return { error: `osascript: illegal option ${given[at]}\n` };
  }
  return { language, script: lines.length > 0 ? lines.join("\n") : readFileSync(given[at]!, "utf8") };
}
