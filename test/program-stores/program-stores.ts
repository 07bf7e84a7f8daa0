// The writers of programs' stores, by the name of the source that reads them.
import { aiderStore } from "./aider.ts";
import { claudeCodeStore, coworkStore, openclaudeStore, qoderStore } from "./claude-code.ts";
import { clineStore } from "./cline.ts";
import { kiloCodeStore, rooStore } from "./cline-tasks.ts";
import { codexStore, traexStore } from "./codex.ts";
import { continueStore } from "./continue.ts";
import { copilotChatStore } from "./copilot-chat.ts";
import { copilotCliStore } from "./copilot-cli.ts";
import { crushStore } from "./crush.ts";
import { cursorStore } from "./cursor.ts";
import { droidStore } from "./droid.ts";
import { geminiStore } from "./gemini.ts";
import { gooseStore } from "./goose.ts";
import { iflowStore } from "./iflow.ts";
import { ampStore, cortexStore, deepseekTuiStore, openhandsStore } from "./documents.ts";
import { commandcodeStore, gptmeStore, grokStore, kimiStore, workbuddyStore, zencoderStore } from "./message-logs.ts";
import { devinStore, forgeStore, hermesStore, kiroStore, warpStore } from "./rows.ts";
import type { ProgramStore } from "./made-conversation.ts";
import { ompStore, openclawStore, piStore, primeStore, qclawStore } from "./pi.ts";
import { qwenStore } from "./qwen.ts";
import { kiloStore, mimocodeStore, opencodeStore } from "./opencode.ts";
import { vibeStore } from "./vibe.ts";
import { windsurfStore } from "./windsurf.ts";
import { zedStore } from "./zed.ts";

/** A line for each source of src/conversations/sources/sources.ts: a test compares them. */
export const PROGRAM_STORES: Readonly<Record<string, ProgramStore>> = {
  "claude-code": claudeCodeStore,
  openclaude: openclaudeStore,
  cowork: coworkStore,
  qoder: qoderStore,
  iflow: iflowStore,
  cursor: cursorStore,
  windsurf: windsurfStore,
  aider: aiderStore,
  cline: clineStore,
  continue: continueStore,
  roo: rooStore,
  "kilo-code": kiloCodeStore,
  codex: codexStore,
  traex: traexStore,
  gemini: geminiStore,
  qwen: qwenStore,
  "copilot-chat": copilotChatStore,
  "copilot-cli": copilotCliStore,
  pi: piStore,
  omp: ompStore,
  prime: primeStore,
  openclaw: openclawStore,
  qclaw: qclawStore,
  droid: droidStore,
  vibe: vibeStore,
  opencode: opencodeStore,
  kilo: kiloStore,
  mimocode: mimocodeStore,
  zed: zedStore,
  amp: ampStore,
  commandcode: commandcodeStore,
  cortex: cortexStore,
  "deepseek-tui": deepseekTuiStore,
  devin: devinStore,
  forge: forgeStore,
  gptme: gptmeStore,
  grok: grokStore,
  hermes: hermesStore,
  kimi: kimiStore,
  kiro: kiroStore,
  openhands: openhandsStore,
  warp: warpStore,
  workbuddy: workbuddyStore,
  zencoder: zencoderStore,
  goose: gooseStore,
  crush: crushStore,
};
