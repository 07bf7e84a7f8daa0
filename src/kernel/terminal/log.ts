// Messages of the program besides its answers go to standard error: over stdio,
// standard output belongs to the protocol. Used by every room.
import { multiline, printable, printError } from "./terminal.ts";

export type Log = (message: string) => void;

export const log: Log = (message) => {
  // Further lines are indented, so that foreign text cannot look like a message of ours.
  printError(printable`commonplace: ${multiline(message.replaceAll("\n", "\n  "))}`);
};
