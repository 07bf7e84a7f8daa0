// The programs that are verified, by the names that the command takes.
import type { Program } from "../program.ts";
import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { continueCli } from "./continue.ts";
import { copilotCli } from "./copilot-cli.ts";
import { droid } from "./droid.ts";
import { gemini } from "./gemini.ts";
import { kilo, opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwen } from "./qwen.ts";

export const PROGRAMS: Readonly<Record<string, Program>> = {
  "claude-code": claudeCode,
  codex,
  gemini,
  qwen,
  opencode,
  kilo,
  "copilot-cli": copilotCli,
  cline,
  pi,
  continue: continueCli,
  droid,
};
