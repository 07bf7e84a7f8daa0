// The state of the simulated OmniOutliner, in a file: it survives from one osascript
// to the next, and a test can change it as the person would.
import { readFileSync, renameSync, writeFileSync } from "node:fs";

export interface SimulatedRow {
  readonly id: string;
  topic: string;
  note: string;
  state: "checked" | "unchecked" | "mixed" | null;
  /** Known only to the application: a copied row has it, a new row does not. */
  style?: string;
  children: SimulatedRow[];
}

export interface SimulatedDocument {
  readonly name: string;
  readonly path: string | null;
  rows: SimulatedRow[];
  /** The content before each step that can be undone, and after each that was undone. */
  undo: SimulatedRow[][];
  redo: SimulatedRow[][];
}

export interface SimulatedState {
  isInstalled: boolean;
  isRunning: boolean;
  /** Whether a script sent it something while it was not running, which would have started it. */
  wasLaunched: boolean;
  /** Whether the person allowed it to be controlled. */
  isAllowed: boolean;
  isPro: boolean;
  answersAutomation: boolean;
  /** Whether the dictionary's `move` accepts rows. */
  movesRows: boolean;
  /** Whether a status can be set at all. */
  takesStates: boolean;
  /** The application fails at this change of a value, counted from now; 0: never. */
  failsAt: number;
  /** Frontmost first. */
  documents: SimulatedDocument[];
}

export const RUNNING: SimulatedState = {
  isInstalled: true,
  isRunning: true,
  wasLaunched: false,
  isAllowed: true,
  isPro: true,
  answersAutomation: true,
  movesRows: true,
  takesStates: true,
  failsAt: 0,
  documents: [],
};

export function readState(file: string): SimulatedState {
  return JSON.parse(readFileSync(file, "utf8")) as SimulatedState;
}

export function writeState(file: string, state: SimulatedState): void {
  writeFileSync(`${file}.new`, JSON.stringify(state));
  renameSync(`${file}.new`, file);
}
