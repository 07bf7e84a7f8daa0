// An osascript that is none: takes the same arguments, runs the same scripts,
// and has nothing behind it but the simulated OmniOutliner. Started by the
// executable that simulator.ts puts on the PATH of the program under test.
import { appendFileSync, readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { applicationOf } from "./dictionary.ts";
import { AppleEventError } from "./model.ts";
import { readState, writeState } from "./state.ts";

const [stateFile = "", ...args] = process.argv.slice(2);
const { language, script } = argumentsOf(args);
if (language !== "JavaScript") fail("osascript: only JavaScript is simulated");

const state = readState(stateFile);
const input = readFileSync(0, "utf8");
appendFileSync(`${stateFile}.calls`, `${(JSON.parse(input) as { do: string }).do}\n`);
if (state.delay > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, state.delay);

const { application, models } = applicationOf(state);
const context = createContext({
  Application: (name: string) => {
    if (name !== "OmniOutliner" || !state.isInstalled) throw new AppleEventError(-2700, "Application can't be found.");
    return application;
  },
  ObjC: { import: () => {}, unwrap: (value: { text: string }) => value.text },
  $: {
    NSUTF8StringEncoding: 4,
    NSFileHandle: { fileHandleWithStandardInput: { readDataToEndOfFile: { bytes: input } } },
    NSString: { alloc: { initWithDataEncoding: ({ bytes }: { bytes: string }) => ({ text: bytes }) } },
  },
});
try {
  const result: unknown = runInContext(`${script}\n;run([])`, context);
  keep();
  process.stdout.write(`${String(result)}\n`);
} catch (error) {
  keep();
  const { message, errorNumber = -2700 } = error as Partial<AppleEventError>;
  fail(`execution error: Error: Error: ${message} (${errorNumber})`);
}

function keep(): void {
  if (state.wasLaunched || [...models.values()].some(({ isChanged }) => isChanged)) writeState(stateFile, state);
}

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
