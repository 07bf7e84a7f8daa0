// The table of all sources. A further program is a file in sources/, its name
// in source.ts, and a line here.
import type { ConversationSource } from "./source.ts";
import { claudeCode } from "./sources/claude-code.ts";

export const SOURCES: readonly ConversationSource[] = [claudeCode];
