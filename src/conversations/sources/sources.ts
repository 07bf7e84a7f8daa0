// The table of the programs whose conversations are read. A further program is
// a folder here and a line in this table. Readers are loaded when they are
// first used: the list of tools needs only names.
import type { ConversationSource, SourceName } from "./source.ts";

/** By the name that results and ids have. The contract's three come first. */
const TABLE: Readonly<Record<SourceName, () => Promise<ConversationSource>>> = {
  "claude-code": async () => (await import("./claude-code/claude-code.ts")).claudeCode,
  cursor: async () => (await import("./cursor/cursor.ts")).cursor,
  windsurf: async () => (await import("./windsurf/windsurf.ts")).windsurf,
  codex: async () => (await import("./codex/codex.ts")).codex,
  gemini: async () => (await import("./gemini/gemini.ts")).gemini,
  qwen: async () => (await import("./qwen/qwen.ts")).qwen,
  openclaude: async () => (await import("./claude-code/descendants.ts")).openclaude,
  cowork: async () => (await import("./claude-code/descendants.ts")).cowork,
  qoder: async () => (await import("./claude-code/descendants.ts")).qoder,
  iflow: async () => (await import("./iflow/iflow.ts")).iflow,
  traex: async () => (await import("./codex/codex.ts")).traex,
  "copilot-chat": async () => (await import("./copilot-chat/copilot-chat.ts")).copilotChat,
  "copilot-cli": async () => (await import("./copilot-cli/copilot-cli.ts")).copilotCli,
  pi: async () => (await import("./pi/pi.ts")).pi,
  omp: async () => (await import("./pi/pi.ts")).omp,
  prime: async () => (await import("./pi/pi.ts")).prime,
  openclaw: async () => (await import("./pi/pi.ts")).openclaw,
  qclaw: async () => (await import("./pi/pi.ts")).qclaw,
  droid: async () => (await import("./droid/droid.ts")).droid,
  vibe: async () => (await import("./vibe/vibe.ts")).vibe,
  opencode: async () => (await import("./opencode/opencode.ts")).opencode,
  kilo: async () => (await import("./opencode/opencode.ts")).kilo,
  mimocode: async () => (await import("./opencode/opencode.ts")).mimocode,
  zed: async () => (await import("./zed/zed.ts")).zed,
  cline: async () => (await import("./cline/cline.ts")).cline,
  roo: async () => (await import("./roo/roo.ts")).roo,
  "kilo-code": async () => (await import("./kilo-code/kilo-code.ts")).kiloCode,
  continue: async () => (await import("./continue/continue.ts")).continueSource,
  aider: async () => (await import("./aider/aider.ts")).aider,
  goose: async () => (await import("./goose/goose.ts")).goose,
  crush: async () => (await import("./crush/crush.ts")).crush,
  amp: async () => (await import("./programs/amp.ts")).amp,
  commandcode: async () => (await import("./programs/commandcode.ts")).commandcode,
  cortex: async () => (await import("./programs/cortex.ts")).cortex,
  "deepseek-tui": async () => (await import("./programs/deepseek-tui.ts")).deepseekTui,
  devin: async () => (await import("./programs/devin.ts")).devin,
  forge: async () => (await import("./programs/forge.ts")).forge,
  gptme: async () => (await import("./programs/gptme.ts")).gptme,
  grok: async () => (await import("./programs/grok.ts")).grok,
  hermes: async () => (await import("./programs/hermes.ts")).hermes,
  kimi: async () => (await import("./programs/kimi.ts")).kimi,
  kiro: async () => (await import("./programs/kiro.ts")).kiro,
  openhands: async () => (await import("./programs/openhands.ts")).openhands,
  warp: async () => (await import("./programs/warp.ts")).warp,
  workbuddy: async () => (await import("./programs/workbuddy.ts")).workbuddy,
  zencoder: async () => (await import("./programs/zencoder.ts")).zencoder,
  "claude-ai": async () => (await import("./claude-ai/claude-ai.ts")).claudeAi,
  deepseek: async () => (await import("./deepseek/deepseek.ts")).deepseek,
  "gemini-apps": async () => (await import("./gemini-apps/gemini-apps.ts")).geminiApps,
  chatgpt: async () => (await import("./chatgpt/chatgpt.ts")).chatgpt,
};

export const SOURCE_NAMES: readonly SourceName[] = Object.keys(TABLE);

/** Those of version 0.1.0. */
export const FIRST_SOURCES: ReadonlySet<SourceName> = new Set(["claude-code", "cursor", "windsurf", "codex", "gemini"]);

export async function loadSources(): Promise<readonly ConversationSource[]> {
  return Promise.all(Object.values(TABLE).map((load) => load()));
}
