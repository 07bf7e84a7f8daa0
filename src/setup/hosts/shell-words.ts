// Quotes the words of a command for pasting into a shell: a POSIX shell, or on
// Windows PowerShell and cmd, as far as one form works in both. Used for the
// commands in hints.
import { operatingSystem } from "../../kernel/kernel.ts";

export function shellWords(words: readonly string[], { family } = operatingSystem()): string {
  return words.map(family === "win32" ? forWindows : forPosix).join(" ");
}

function forPosix(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** In PowerShell a comma creates a list, and only single quotes keep dollar signs and backticks literal. */
function forWindows(word: string): string {
  if (/^[\w+=:./\\-]+$/.test(word)) return word;
  if (/[$`]/.test(word)) return `'${word.replaceAll("'", "''")}'`;
  // A backslash before the closing quote would escape it.
  return `"${word.replace(/\\+$/, "$&$&")}"`;
}
