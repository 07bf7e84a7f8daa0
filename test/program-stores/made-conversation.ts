// Conversations that never took place, and what a writer of a program's store
// makes of them. Each file beside this one writes the store of one program as
// that program writes it, by its published serializer or its real files, never
// by what our reader expects. Used by the tests that hold for every source, and
// by benchmarks.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** A prompt, and what came of it: a thought, a file that a tool read, an answer. */
export interface MadeTurn {
  /** When it was asked, in milliseconds. The answer came a second later. */
  readonly at: number;
  readonly prompt: string;
  readonly thinking: string;
  readonly tool: { readonly file: string; readonly output: string };
  readonly answer: string;
}

export interface MadeConversation {
  /** A UUID. A program with ids of another form derives its own from it. */
  readonly id: string;
  /** The project, as an absolute path of Linux. */
  readonly folder: string;
  readonly branch: string;
  readonly title: string;
  readonly model: string;
  readonly turns: readonly MadeTurn[];
}

/** What a program may not keep. `files` are those that tools touched, `times` those of messages. */
export type MissingFact =
  | "answers"
  | "branch"
  | "files"
  | "folder"
  | "model"
  | "thinking"
  | "times"
  | "title"
  | "tools";

export interface ProgramStore {
  readonly lacks?: readonly MissingFact[];
  /**
   * Writes the store into a home folder of Linux. Called again with more turns
   * or conversations, it leaves what the program would have after these.
   */
  readonly write: (home: string, conversations: readonly MadeConversation[]) => void;
}

/** The same ones at every call. Each turn of each conversation has words of its own: `prompt3x1` is the second prompt of the fourth. */
export function madeConversations(count: number, turns: number): MadeConversation[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `${(0x0a1b2c3d + i).toString(16).padStart(8, "0")}-5e6f-4a7b-8c9d-0e1f2a3b4c5d`,
    folder: `/code/project${i}`,
    branch: "main",
    title: `Title${i} of a conversation`,
    model: "model-of-the-test",
    turns: Array.from({ length: turns }, (__, j) => ({
      at: Date.UTC(2026, 9, 1, 12 + i, j),
      prompt: `Why does prompt${i}x${j} fail – größe?`,
      thinking: `Let me consider thinking${i}x${j} first.`,
      tool: { file: `/code/project${i}/src/file${j}.ts`, output: `line one\noutput${i}x${j} "quoted" \\ end` },
      answer: `Because of answer${i}x${j}.\n\n\`\`\`ts\nconst x = "日本語";\n\`\`\``,
    })),
  }));
}

/** An id that is derived from other ones, in the form of a UUID. */
export function derivedId(id: string, ...parts: readonly (string | number)[]): string {
  let hash = 0;
  for (const letter of `${id} ${parts.join(" ")}`) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
  return `${hash.toString(16).padStart(8, "0")}${id.slice(8)}`;
}

export function writeStoreFile(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

export function writeJsonLines(path: string, records: readonly unknown[]): void {
  writeStoreFile(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

export const isoTime = (at: number): string => new Date(at).toISOString();
