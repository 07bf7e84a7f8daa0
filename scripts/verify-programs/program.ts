// What is known of a program that is verified: how it is set up and what it is
// made to do. One file per program in programs/.
import type { ToolNames } from "./stub/script.ts";
import type { Running } from "./running.ts";

/**
 * What a program is made to do, in this order:
 * - talk: prompt 1, for which the model thinks and calls a tool
 * - resume: prompt 2 in the same conversation, by another process
 * - helper: prompt 3 there, for which the model asks a sub-agent
 * - fork: prompt 4 in a copy of that conversation
 * - compaction: the first conversation is summarised, then prompt 5
 * - edit: prompts 6 and 7 in a new conversation, then 7 is replaced by 8
 */
export const STEPS = ["talk", "resume", "helper", "fork", "compaction", "edit"] as const;
export type Step = (typeof STEPS)[number];

export type UnkeptFact = "model" | "times" | "folder" | "edited prompts";

/** Where a program is run. */
export interface Place {
  readonly home: string;
  /** A git repository in the home; the programs run in it. */
  readonly project: string;
  /** http://127.0.0.1:PORT */
  readonly stub: string;
}

export interface Program {
  /** The name of the source that reads it. */
  readonly source: string;
  readonly title: string;
  readonly package: string;
  /** The package of this system, where the program is no JavaScript. */
  readonly platformPackage?: string;
  /** The program, relative to node_modules. */
  readonly executable: string;
  readonly model: string;
  readonly tools: ToolNames;
  /** Writes its settings. @returns its environment */
  readonly setUp: (place: Place) => Readonly<Record<string, string>>;
  readonly steps: Readonly<Partial<Record<Step, (running: Running) => Promise<void>>>>;
  /** Why it has no such step: "not in this program", or what was not tried. */
  readonly without?: Readonly<Partial<Record<Step | "thinking", string>>>;
  /** What its store does not keep, so nothing can be made of it. */
  readonly keepsNo?: readonly UnkeptFact[];
}
