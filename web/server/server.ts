// The front door of server/: the MCP client, the connection that all views share,
// and the results of tool calls.
export { IS_FOR_MEMBERS, visits } from "./audience.ts";
export type { ImportProgress } from "./archive-upload.ts";
export { Client, type InputOf } from "./client.ts";
export { Problem, Unauthorized } from "./failures.ts";
export { useFileText, useMedia } from "./media.ts";
export { ServerProvider, useServer } from "./server-provider.tsx";
export { usePages, type Pages } from "./use-pages.ts";
export { usePersonCall } from "./use-person-call.ts";
export { asProblem, useToolCall, type ToolCall } from "./use-tool-call.ts";
