// The programs that are verified, by the names that the command takes.
import type { Program } from "../program.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { qwen } from "./qwen.ts";

export const PROGRAMS: Readonly<Record<string, Program>> = {
  "claude-code": claudeCode,
  codex,
  gemini,
  qwen,
};
