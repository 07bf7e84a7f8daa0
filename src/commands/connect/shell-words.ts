// Words of a command as a person pastes them into a shell: sh and its kin, or
// on Windows both PowerShell and cmd as far as one form fits both. Pure; used
// for the command that `connect` shows.

export function shellWords(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map(platform === "win32" ? forWindows : forPosix).join(" ");
}

function forPosix(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A comma makes a list in PowerShell, where a path with a dollar sign or a backtick is literal in single quotes only. */
function forWindows(word: string): string {
  if (/^[\w+=:./\\-]+$/.test(word)) return word;
  if (/[$`]/.test(word)) return `'${word.replaceAll("'", "''")}'`;
  // A backslash before the closing quote would be taken for its escape.
  return `"${word.replace(/\\+$/, "$&$&")}"`;
}
