// The front door of tools/: what other rooms may use of it.
export { callTool, type CallResult } from "./call/call.ts";
export type { Choices } from "./call/other-vaults.ts";
export { ASKERS, type Asker, type Caller } from "./call/caller.ts";
export { ConnectionContext } from "./call/connection-context.ts";
export { markedText } from "./call/data-marks.ts";
export { startOf } from "./definition/dates.ts";
export { conversationResult, resumeField } from "./recall/fields.ts";
export { messageResult, positionNear } from "./recall/conversation-pages.ts";
export { readingHint } from "./recall/conversation-reading.ts";
export { CONTRACTS } from "./definition/contracts.ts";
export { requiresContext } from "./definition/context-fields.ts";
export type { JsonSchema } from "./definition/field.ts";
export { describe, inputOf, listingOf, type ResultOf, type Services, type Tool } from "./definition/define-tool.ts";
export { IN_WORDS as LINKS_IN_WORDS, LINK_TYPES, linkLine, OF_THE_VAULT as LINKS_OF_VAULT } from "./vault/links.ts";
export { TASK_GROUPS, taskInWords } from "./vault/tasks.ts";
export { TOOLS, selectTools, type ResultNamed, type Toolbox, type ToolName, type ToolNamed } from "./toolbox.ts";
