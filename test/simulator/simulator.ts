// A simulated Mac with OmniOutliner for the program under test: how to start it,
// what the application contains, and what the person does in it.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parsedLine } from "../contract/outline-files.ts";
import {
  readState,
  RUNNING,
  writeState,
  type SimulatedDocument,
  type SimulatedRow,
  type SimulatedState,
} from "./state.ts";
import { atTheEnd } from "../temporary-folder.ts";

export interface Simulator {
  /** For node, before the program. */
  readonly nodeArgs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly state: () => SimulatedState;
  /** Changes the state as the person or the system would. */
  readonly change: (change: (state: SimulatedState) => void) => void;
  /** The rows of the frontmost document, as lines. */
  readonly lines: () => string[];
  /** The requests of all osascript processes since the last call. */
  readonly calls: () => string[];
}

/** The folder of the answering process; one for all simulators of a test file. */
let answering: { readonly folder: string; readonly process: ChildProcess } | undefined;

/** Starts the process that answers every osascript: one Node per osascript would take most of the tests' time. */
function answeringFolder(): string {
  if (answering !== undefined) return answering.folder;
  const folder = mkdtempSync(join(tmpdir(), "commonplace-simulator-"));
  const calls = join(folder, "calls");
  execFileSync("mkfifo", [calls]);
  const script = join(import.meta.dirname, "osascript.ts");
  const args = ["--experimental-strip-types", "--no-warnings", script, calls];
  // Should this process be killed, it ends with its standard input.
  const child = spawn(process.execPath, args, { stdio: ["pipe", "ignore", "inherit"] });
  answering = { folder, process: child };
  atTheEnd(() => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
    answering = undefined;
  });
  return folder;
}

/** An osascript that passes on its arguments and its input, and waits for the answer. */
function osascriptFor(stateFile: string): string {
  const folder = answeringFolder();
  return `#!/bin/sh
call='${folder}'/$$
mkdir "$call"
mkfifo "$call/ended"
printf '%s\\0' '${stateFile}' "$@" > "$call/arguments"
cat > "$call/input"
exec 3<> "$call/ended"
echo "$call" > '${folder}/calls'
read -r code <&3
cat "$call/output"
cat "$call/errors" >&2
rm -r "$call"
exit "$code"
`;
}

export function openSimulator(folder: string, given: Partial<SimulatedState> = {}): Simulator {
  const file = join(folder, "omnioutliner.json");
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "osascript"), osascriptFor(file), { mode: 0o755 });
  writeState(file, { ...RUNNING, ...given });
  return {
    nodeArgs: ["--import", new URL("as-macos.mjs", import.meta.url).href],
    env: { PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}` },
    state: () => readState(file),
    change: (change) => {
      const state = readState(file);
      change(state);
      writeState(file, state);
    },
    lines: () => linesOfRows(readState(file).documents[0]!.rows, ""),
    calls: () => {
      const log = `${file}.calls`;
      const calls = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
      rmSync(log, { force: true });
      return calls;
    },
  };
}

/** A document of these lines; see outline-files.ts for their form. */
export function documentOf(name: string, path: string | null, lines: readonly string[]): SimulatedDocument {
  const rows: SimulatedRow[] = [];
  const above: SimulatedRow[] = [];
  for (const [at, line] of lines.entries()) {
    const { level, mark, topic, note = "" } = parsedLine(line);
    const state = mark === undefined ? null : mark === "x" ? "checked" : "unchecked";
    const row: SimulatedRow = { id: `b${String(at).padStart(10, "0")}`, topic, note, state, children: [] };
    (level === 0 ? rows : above[level - 1]!.children).push(row);
    above[level] = row;
  }
  return { name, path, rows, undo: [], redo: [] };
}

export function rowNamed(rows: readonly SimulatedRow[], topic: string): SimulatedRow | undefined {
  for (const row of rows) {
    const found = row.topic === topic ? row : rowNamed(row.children, topic);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Of rows whose topics differ. */
export function idsByTopic(rows: readonly SimulatedRow[]): Map<string, string> {
  return new Map(rows.flatMap(({ id, topic, children }) => [[topic, id] as const, ...idsByTopic(children)]));
}

function linesOfRows(rows: readonly SimulatedRow[], indent: string): string[] {
  return rows.flatMap(({ topic, note, state, children }) => {
    const mark = state === null ? "" : state === "checked" ? "[x] " : "[ ] ";
    return [`${indent}${mark}${topic}${note === "" ? "" : ` | ${note}`}`, ...linesOfRows(children, `${indent}  `)];
  });
}
