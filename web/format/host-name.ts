// Names the maker of a change for a person: hosts introduce themselves with names
// of their own. Pure.

const HOSTS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^claude-code/i, "Claude Code"],
  [/^claude/i, "Claude"],
  [/cursor/i, "Cursor"],
  [/windsurf|codeium/i, "Windsurf"],
  [/visual studio code|vscode|copilot-chat/i, "VS Code"],
  [/copilot/i, "Copilot CLI"],
  [/codex/i, "Codex"],
  [/gemini/i, "Gemini CLI"],
  [/qwen/i, "Qwen Code"],
  [/opencode/i, "opencode"],
];

interface Who {
  readonly asker: string;
  readonly client?: string;
  /** In a shared store: for whom. */
  readonly member?: string;
}

export function whoName(by: Who | undefined): string {
  if (by === undefined) return "Unknown program";
  const { asker, member } = by;
  if (asker === "person") return member ?? "You";
  if (asker === "program") return member ?? "A script";
  const host = hostName(by.client);
  return member === undefined ? host : `${member}, ${host}`;
}

function hostName(client: string | undefined): string {
  if (client === undefined) return "An assistant";
  return HOSTS.find(([pattern]) => pattern.test(client))?.[1] ?? client;
}
