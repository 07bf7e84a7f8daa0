// What the program has to say beside its answers goes to standard error:
// over stdio, standard output belongs to the protocol.
import { multiline, printable, printError } from "./terminal.ts";

export type Log = (message: string) => void;

export const log: Log = (message) => {
  // Further lines are indented, so that foreign text cannot pass for a message of ours.
  printError(printable`commonplace: ${multiline(message.replaceAll("\n", "\n  "))}`);
};
