// The way back into a conversation: the command by which its own program opens it
// again, and the folder in which to run it. Used by conversation-library.ts.
import { operatingSystem, type OperatingSystem } from "../kernel/kernel.ts";
import type { ConversationSource } from "./sources/source.ts";
import type { ConversationSummary } from "./store/conversation-reader.ts";

export interface WayBack {
  /** The program and its arguments. */
  readonly command: readonly [program: string, ...args: string[]];
  /** The folder in which the program has to be started; undefined if the conversation has none. */
  readonly folder: string | undefined;
  /** Both as one line for a shell: PowerShell on Windows, elsewhere any. */
  readonly line: string;
}

type Resumable = Pick<ConversationSummary, "id" | "source" | "folder" | "isArchived" | "shared">;

/** @returns why there is no way back, if there is none */
export function wayBack(
  { id, source: name, folder, isArchived, shared }: Resumable,
  sources: readonly ConversationSource[],
  system: OperatingSystem = operatingSystem(),
): WayBack | { readonly reason: string } {
  if (shared !== undefined) return { reason: `It is on a machine of ${shared.member}` };
  const source = sources.find((one) => one.name === name);
  const title = source?.title ?? name;
  if (source?.resume === undefined) return { reason: `${title} has no command that opens a conversation by its id` };
  if (isArchived) return { reason: `${title} has deleted it` };
  const { command, idPattern } = source.resume;
  if (!idPattern.test(id)) return { reason: `Its id is not one that ${title} makes` };
  if (folder !== undefined && !isPlainFolder(folder, system))
    return { reason: "Its folder is not on this system, or has control characters in its name" };
  const [program = "", ...args] = command.map((word) => word.replace("ID", id));
  const start = [program, ...args].map((word) => quoted(word, system)).join(" ");
  const [change, then] = system.family === "win32" ? ["Set-Location -LiteralPath", ";"] : ["cd", " &&"];
  const line = folder === undefined ? start : `${change} ${quoted(folder, system)}${then} ${start}`;
  return { command: [program, ...args], folder, line };
}

/** A pasted control character can end the paste, and what follows it would run. */
function isPlainFolder(folder: string, { path }: OperatingSystem): boolean {
  return path.isAbsolute(folder) && !/\p{Cc}/u.test(folder);
}

/** Quotes text of a conversation, which must never become more than one word. PowerShell takes curly quotes for straight ones. */
function quoted(word: string, system: OperatingSystem): string {
  if (/^[\w./:@%+=-]+$/.test(word)) return word;
  return system.family === "win32"
    ? `'${word.replaceAll(/['\u2018-\u201B]/g, "$&$&")}'`
    : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
