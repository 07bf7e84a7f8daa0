// The front door of tools/: what other rooms may use of it.
export { callTool, type CallResult, type Caller } from "./call.ts";
export { ConnectionContext } from "./connection-context.ts";
export { markedText } from "./data-marks.ts";
export { shownSummary } from "./recall/fields.ts";
export { hintOf, positionNear, shownMessage } from "./recall/conversation-reading.ts";
export type { JsonSchema } from "./schema.ts";
export { listingOf, type Services, type Tool } from "./define-tool.ts";
export { TOOLS, selectTools, type Toolbox } from "./toolbox.ts";
