// The table of all sources. A further program is a file in sources/, its name
// in source.ts, and a line here.
import type { ConversationSource } from "./source.ts";
import { claudeCode } from "./claude-code/claude-code.ts";
import { codex } from "./codex/codex.ts";
import { cursor } from "./cursor/cursor.ts";
import { gemini } from "./gemini/gemini.ts";
import { windsurf } from "./windsurf/windsurf.ts";

export const SOURCES: readonly ConversationSource[] = [claudeCode, cursor, windsurf, codex, gemini];
