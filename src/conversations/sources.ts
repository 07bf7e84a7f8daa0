// The table of all sources. A further program is a file in sources/, its name
// in source.ts, and a line here.
import type { ConversationSource } from "./source.ts";
import { claudeCode } from "./sources/claude-code.ts";
import { codex } from "./sources/codex.ts";
import { cursor } from "./sources/cursor.ts";
import { gemini } from "./sources/gemini.ts";
import { windsurf } from "./sources/windsurf.ts";

export const SOURCES: readonly ConversationSource[] = [claudeCode, cursor, windsurf, codex, gemini];
