// Who made a change, in words for a person: hosts introduce themselves with names
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
}

export function whoName(by: Who | undefined): string {
  if (by === undefined) return "Somebody";
  if (by.asker === "person") return "You";
  if (by.asker === "program") return "A script";
  const { client } = by;
  if (client === undefined) return "An assistant";
  return HOSTS.find(([pattern]) => pattern.test(client))?.[1] ?? client;
}
