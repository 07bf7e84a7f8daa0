// The front door of tools/: what other rooms may use of it.
export { callTool, type CallResult, type Caller } from "./call.ts";
export { ConnectionContext } from "./context-of-calls.ts";
export { markedText } from "./data-marks.ts";
export { shownSummary } from "./recall/fields.ts";
export { hintOf, positionNear, shownMessage } from "./recall/read-conversation.ts";
export type { JsonSchema } from "./schema.ts";
export { listingOf, type Services, type Tool } from "./tool.ts";
export { TOOLS, selectTools, type Toolbox } from "./toolbox.ts";
