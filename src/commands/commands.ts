// The front door of commands/: the table of commands. Each is loaded only when
// it is used, since most starts are those of a server.
import type { Command } from "./command.ts";

export type { Command, KeepCompiled } from "./command.ts";

export interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  serve: { summary: "speak MCP over stdio or HTTP", load: () => import("./serve/serve.ts") },
  call: { summary: "call one tool, and print its result as JSON", load: () => import("./call.ts") },
  search: {
    summary: "find notes, outline rows and conversations by their words",
    load: () => import("./search.ts"),
  },
  read: { summary: "show a past conversation", load: () => import("./conversations/read.ts") },
  index: { summary: "bring the index up to date", load: () => import("./build-index.ts") },
  export: { summary: "write conversations to files, one each", load: () => import("./conversations/export.ts") },
  undo: {
    summary: "take back the last change, or the one named",
    load: async () => ({ command: (await import("./changes/undo.ts")).undo }),
  },
  redo: {
    summary: "bring back what was undone",
    load: async () => ({ command: (await import("./changes/undo.ts")).redo }),
  },
  history: { summary: "what was changed, newest first", load: () => import("./changes/history.ts") },
  backup: {
    summary: "write what exists only here to one file",
    load: () => import("./backup/backup.ts"),
  },
  restore: { summary: "bring back a backup, into an empty folder", load: () => import("./backup/restore.ts") },
  doctor: { summary: "what was found, and what is wrong with it", load: () => import("./doctor/doctor.ts") },
  connect: { summary: "enter this server into Claude, Cursor, VS Code …", load: () => import("./connect/connect.ts") },
  version: { summary: "show the version", load: () => import("./version.ts") },
};

/** What a person gets who starts the program in a terminal without a command. */
export const OVERVIEW: CommandEntry = { summary: "", load: () => import("./overview.ts") };

/** The program as the person called it; looked up only where it is printed. */
export async function programName(): Promise<string> {
  return (await import("./program-name.ts")).commandLine();
}
