// The front door of commands/: the table of commands. Each is loaded only when
// it is used, since most starts are those of a server.
import type { Command } from "./command.ts";

export type { Command, CommandFlag, KeepCompiled } from "./command.ts";

export interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  serve: { summary: "serve MCP over stdio or HTTP", load: () => import("./serve/serve.ts") },
  call: { summary: "call one tool, and print its result as JSON", load: () => import("./call.ts") },
  search: {
    summary: "find notes, outline rows and conversations by their words",
    load: () => import("./search.ts"),
  },
  read: { summary: "show a note, a row or a past conversation", load: () => import("./read/read.ts") },
  today: { summary: "show the note of today, and what is due", load: () => import("./notes/today.ts") },
  add: { summary: "add a line to the note of today, or to another", load: () => import("./notes/add.ts") },
  tasks: { summary: "list the tasks of notes and outlines", load: () => import("./notes/tasks.ts") },
  links: { summary: "list the links of a note", load: () => import("./notes/links.ts") },
  resume: {
    summary: "open a past conversation again in its own program",
    load: () => import("./conversations/resume.ts"),
  },
  handoff: {
    summary: "go on with a past conversation in another assistant",
    load: () => import("./conversations/handoff.ts"),
  },
  holds: {
    summary: "list who wrote a file in which conversation, and what of it is gone",
    load: () => import("./conversations/holds.ts"),
  },
  index: { summary: "bring the index up to date", load: () => import("./build-index.ts") },
  briefing: { summary: "show what was last done in this project", load: () => import("./briefing.ts") },
  export: { summary: "write each conversation to a file", load: () => import("./conversations/export.ts") },
  import: {
    summary: "take in the archive that claude.ai, ChatGPT, DeepSeek or Gemini sends",
    load: () => import("./conversations/import.ts"),
  },
  forget: {
    summary: "take past conversations out of everything here, for good",
    load: () => import("./conversations/forget.ts"),
  },
  undo: {
    summary: "undo the last change, or one by its id",
    load: async () => ({ command: (await import("./changes/undo.ts")).undo }),
  },
  redo: {
    summary: "apply an undone change again",
    load: async () => ({ command: (await import("./changes/undo.ts")).redo }),
  },
  history: { summary: "list changes, newest first", load: () => import("./changes/history.ts") },
  backup: {
    summary: "write what exists only here to one file",
    load: () => import("./backup/backup.ts"),
  },
  restore: { summary: "bring back a backup", load: () => import("./backup/restore.ts") },
  store: { summary: "set up a store that several machines share", load: () => import("./store/store.ts") },
  push: { summary: "add the memory of this machine to the shared store", load: () => import("./store/push.ts") },
  doctor: { summary: "check everything, and say how to fix problems", load: () => import("./doctor/doctor.ts") },
  connect: { summary: "add this server to Claude, Cursor, VS Code …", load: () => import("./connect/connect.ts") },
  uninstall: {
    summary: "take everything of Commonplace off this machine; notes stay",
    load: () => import("./uninstall.ts"),
  },
  completions: {
    summary: "print the completion script of bash, zsh or fish",
    load: () => import("./completions/completions.ts"),
  },
  version: { summary: "show the version", load: () => import("./version.ts") },
};

/** Runs if the program is started in a terminal without a command. */
export const OVERVIEW: CommandEntry = { summary: "", load: () => import("./overview.ts") };

/** The words by which the user ran the program; found only if they are printed. */
export async function programName(): Promise<string> {
  return (await import("../setup/setup.ts")).commandLine();
}
