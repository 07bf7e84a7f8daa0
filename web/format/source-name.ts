// The names of the sources of conversations. Pure.

const SOURCES: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  openclaude: "OpenClaude",
  cowork: "Claude Cowork",
  qoder: "Qoder",
  iflow: "iFlow",
  cursor: "Cursor",
  windsurf: "Windsurf",
  cline: "Cline",
  roo: "Roo Code",
  "kilo-code": "Kilo Code",
  continue: "Continue",
  aider: "Aider",
  codex: "Codex",
  traex: "TraeX",
  gemini: "Gemini",
  qwen: "Qwen Code",
  "copilot-chat": "Copilot Chat",
  "copilot-cli": "Copilot CLI",
  pi: "pi",
  omp: "Oh My Pi",
  prime: "Prime Agent",
  openclaw: "OpenClaw",
  qclaw: "QClaw",
  droid: "Factory droid",
  vibe: "Mistral Vibe",
  opencode: "opencode",
  kilo: "Kilo CLI",
  mimocode: "MiMoCode",
  zed: "Zed",
  goose: "Goose",
  crush: "Crush",
  "claude-ai": "claude.ai",
  chatgpt: "ChatGPT",
};

export function sourceName(source: string): string {
  return SOURCES[source] ?? source;
}
