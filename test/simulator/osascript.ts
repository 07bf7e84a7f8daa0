// An osascript that is none: takes the same arguments, runs the same scripts,
// and has nothing behind it but the simulated OmniOutliner. Started by the
// executable that simulator.ts puts on the PATH of the program under test.
import { appendFileSync, readFileSync } from "node:fs";
import { runScript } from "./run-script.ts";
import { readState, writeState } from "./state.ts";

const [stateFile = "", ...args] = process.argv.slice(2);
const { language, script } = argumentsOf(args);
if (language !== "JavaScript") fail("osascript: only JavaScript is simulated");

const state = readState(stateFile);
const input = readFileSync(0, "utf8");
appendFileSync(`${stateFile}.calls`, `${(JSON.parse(input) as { do: string }).do}\n`);

const { output, error, isChanged } = runScript(script, input, state);
if (isChanged) writeState(stateFile, state);
if (error !== undefined) fail(`execution error: Error: Error: ${error.message} (${error.number})`);
process.stdout.write(`${output}\n`);

function argumentsOf(given: readonly string[]): { language: string | undefined; script: string } {
  const lines: string[] = [];
  let language: string | undefined;
  let at = 0;
  for (; at < given.length && given[at]!.startsWith("-"); at += 2) {
    if (given[at] === "-l") language = given[at + 1];
    else if (given[at] === "-e") lines.push(given[at + 1]!);
    else fail(`osascript: illegal option ${given[at]}`);
  }
  return { language, script: lines.length > 0 ? lines.join("\n") : readFileSync(given[at]!, "utf8") };
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
