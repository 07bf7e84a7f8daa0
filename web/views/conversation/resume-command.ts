// The command that resumes a conversation, to be copied into a shell. Pure.

interface Resumable {
  readonly id: string;
  readonly source_tool: string;
  readonly project?: string | null;
}

/** What resumes a conversation in its own program, in a shell; undefined where there is no such command. */
export function resumeCommand({ id, source_tool: source, project }: Resumable): string | undefined {
  const commands: Readonly<Record<string, string>> = {
    "claude-code": `claude --resume ${quoted(id)}`,
    codex: `codex resume ${quoted(id)}`,
  };
  const command = commands[source];
  if (command === undefined) return undefined;
  return project ? `cd ${quoted(project)} && ${command}` : command;
}

/** A word for a shell. Foreign text is copied to be run: nothing in it may be more than a word. */
function quoted(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
