// The shell command that resumes a conversation in its own program. Pure; shown in
// the head of a thread.

interface Resumable {
  readonly id: string;
  readonly source_tool: string;
  readonly folder?: string | undefined;
}

/** Undefined if the source has no such command. */
export function resumeCommand({ id, source_tool: source, folder }: Resumable): string | undefined {
  const commands: Readonly<Record<string, string>> = {
    "claude-code": `claude --resume ${quoted(id)}`,
    codex: `codex resume ${quoted(id)}`,
  };
  const command = commands[source];
  if (command === undefined) return undefined;
  return folder ? `cd ${quoted(folder)} && ${command}` : command;
}

/** Quotes text of the conversation, which must never become more than one word of the command. */
function quoted(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
