// A home folder with the stores of every program whose conversations are read,
// written as those programs write them. Used by the benchmark of a mixed home.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { MadeConversation, MadeTurn } from "../../test/program-stores/made-conversation.ts";
import { PROGRAM_STORES } from "../../test/program-stores/program-stores.ts";
import { Chance } from "./chance.ts";
import { WORDS } from "./words.ts";

export const PROGRAMS: readonly string[] = Object.keys(PROGRAM_STORES);

interface Share {
  /** Of all bytes. */
  readonly percent: number;
  /** Bytes in the files for each character of a conversation: some programs keep texts twice. Of Zed, before it compresses them. */
  readonly stored: number;
}

/** Somebody who works with Claude Code, Cursor and Codex, and who has tried all the others. */
const SHARES: Readonly<Record<string, Share>> = {
  "claude-code": { percent: 30, stored: 2.5 },
  cursor: { percent: 14, stored: 1.5 },
  codex: { percent: 14, stored: 1.3 },
  "copilot-chat": { percent: 6, stored: 1.5 },
  gemini: { percent: 5, stored: 1.25 },
  opencode: { percent: 5, stored: 2.7 },
  cline: { percent: 4, stored: 1.3 },
  "copilot-cli": { percent: 3, stored: 2.5 },
  roo: { percent: 3, stored: 1.35 },
  "kilo-code": { percent: 2, stored: 1.35 },
  kilo: { percent: 2, stored: 2.7 },
  goose: { percent: 2, stored: 1.3 },
  qwen: { percent: 2, stored: 1.35 },
  zed: { percent: 2, stored: 1.3 },
  droid: { percent: 1.5, stored: 1.3 },
  pi: { percent: 1.5, stored: 1.25 },
  continue: { percent: 1, stored: 1.3 },
  crush: { percent: 1, stored: 1.4 },
  aider: { percent: 0.5, stored: 1.1 },
  windsurf: { percent: 0.5, stored: 1.4 },
};

/** Programs that keep all conversations, or all of a project, in one file. */
const DATABASES = new Set(["aider", "crush", "cursor", "goose", "kilo", "opencode", "windsurf", "zed"]);

const PROJECTS = 40;
const TURNS = 24;
const DAY = 24 * 60 * 60 * 1000;

/** The stores of all programs, about so many bytes together; returns the characters of prose. */
export function makeMixedHome(home: string, bytes: number): number {
  let prose = 0;
  for (const program of PROGRAMS) prose += makeProgram(home, program, (bytes * SHARES[program]!.percent) / 100);
  return prose;
}

/** The store of one program, about so many bytes; returns the characters of prose. */
export function makeProgram(home: string, program: string, bytes: number): number {
  const made: MadeConversation[] = [];
  let prose = 0;
  for (let characters = 0; characters * SHARES[program]!.stored < bytes;) {
    const conversation = makeConversation(home, program, made.length, TURNS);
    made.push(conversation);
    for (const { prompt, thinking, tool, answer } of conversation.turns) {
      prose += prompt.length + answer.length;
      characters += prompt.length + thinking.length + tool.output.length + answer.length;
    }
  }
  write(home, program, made);
  return prose;
}

/** So many transcripts of the programs that keep a file for each conversation, which are short, and a few of the others. */
export function makeManyFiles(home: string, files: number): void {
  const each = Math.ceil(files / (PROGRAMS.length - DATABASES.size));
  for (const program of PROGRAMS) {
    const count = DATABASES.has(program) ? PROJECTS : each;
    const made = Array.from({ length: count }, (_, i) => makeConversation(home, program, i, 1, 200));
    write(home, program, made);
  }
}

function write(home: string, program: string, made: readonly MadeConversation[]): void {
  for (const project of projectsIn(home)) mkdirSync(project, { recursive: true });
  PROGRAM_STORES[program]!.write(home, program === "aider" ? ofProjects(made) : made);
}

const projectAt = (i: number) => join("/code", `project${i % PROJECTS}`);

/** All projects of a home that was made: Aider and Crush keep conversations in them. */
export const projectsIn = (home: string): string[] =>
  Array.from({ length: PROJECTS }, (_, i) => join(home, projectAt(i)));

/** Aider has one log in each project, and its writer takes the project as a path below the home. */
function ofProjects(made: readonly MadeConversation[]): MadeConversation[] {
  return made.slice(0, PROJECTS).map((first, i) => ({
    ...first,
    folder: projectAt(i),
    turns: made.filter((_, j) => j % PROJECTS === i).flatMap(({ turns }) => turns),
  }));
}

/** @param longest of what a tool gave, in characters */
function makeConversation(
  home: string,
  program: string,
  i: number,
  turns: number,
  longest = Number.POSITIVE_INFINITY,
): MadeConversation {
  const chance = new Chance(1_000_000 * (1 + PROGRAMS.indexOf(program)) + i);
  const folder = join(home, projectAt(i));
  const start = Date.now() - (i % 50) * DAY - DAY / 2;
  return {
    id: chance.uuid(),
    folder,
    branch: "main",
    title: chance.prose(30),
    model: "claude-opus-4-5",
    turns: Array.from({ length: turns }, (_, turn) => makeTurn(chance, folder, start + turn * 60_000, longest)),
  };
}

/** As in real transcripts, 3 % of it is prose: there, a prompt has seven calls of tools, and every other one comes with an answer. */
function makeTurn(chance: Chance, folder: string, at: number, longest: number): MadeTurn {
  const [short, long] = chance.sizesOfResult();
  return {
    at,
    prompt: chance.prose(80),
    thinking: chance.prose(180),
    tool: {
      file: join(folder, "src", `${WORDS[chance.below(400)]}.ts`),
      output: chance.code(Math.min(longest, short + long)),
    },
    answer: chance.prose(220),
  };
}
