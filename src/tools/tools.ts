// The front door of tools/: what other rooms may use of it.
export { callTool, type CallResult } from "./call/call.ts";
export type { Choices } from "./call/other-vaults.ts";
export { ASKERS, type Asker, type Caller } from "./call/caller.ts";
export { ConnectionContext } from "./call/connection-context.ts";
export { markedText } from "./call/data-marks.ts";
export { conversationResult } from "./recall/fields.ts";
export { messageResult, positionNear } from "./recall/conversation-pages.ts";
export { readingHint } from "./recall/conversation-reading.ts";
export { CONTRACTS } from "./definition/contracts.ts";
export { requiresContext } from "./definition/context-fields.ts";
export type { JsonSchema } from "./definition/field.ts";
export { describe, listingOf, type ResultOf, type Services, type Tool } from "./definition/define-tool.ts";
export { TOOLS, selectTools, type ResultNamed, type Toolbox, type ToolName, type ToolNamed } from "./toolbox.ts";
