// A Mac with OmniOutliner, for the program under test: what to start it with,
// what the application holds, and what the person does in it meanwhile.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

export interface Simulator {
  /** For node, before the program. */
  readonly nodeArgs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly state: () => SimulatedState;
  /** What the person, or the system, changes. */
  readonly change: (change: (state: SimulatedState) => void) => void;
  /** The rows of the document in front, as lines. */
  readonly lines: () => string[];
  /** What each osascript since the last question was asked for. */
  readonly calls: () => string[];
}

export function openSimulator(folder: string, given: Partial<SimulatedState> = {}): Simulator {
  const file = join(folder, "omnioutliner.json");
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  const script = join(import.meta.dirname, "osascript.ts");
  const command = [process.execPath, "--experimental-strip-types", "--no-warnings", script, file]
    .map((word) => `'${word}'`)
    .join(" ");
  writeFileSync(join(bin, "osascript"), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
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
