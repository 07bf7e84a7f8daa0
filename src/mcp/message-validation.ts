// Validates messages before the SDK sees them: it drops some malformed ones
// silently and answers others with a dump of its validator. Here each gets the
// JSON-RPC error that the contract requires. Used by stdio and HTTP.
import {
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import { ENVELOPE_VERSIONS, isRecord, shortened } from "../kernel/kernel.ts";

export type Id = string | number;

/** A JSON-RPC error response, without an id if the message had no readable one. */
interface ErrorResponse {
  readonly jsonrpc: "2.0";
  readonly id?: Id;
  readonly error: { readonly code: number; readonly message: string; readonly data?: object };
}

export type Validation =
  | { readonly message: JSONRPCMessage; readonly error?: undefined }
  | { readonly message?: undefined; readonly error: ErrorResponse };

export const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

type Params = Readonly<Record<string, unknown>>;

/** Faults in the parameters of a method that the SDK would report badly. */
const CHECKS: ReadonlyMap<string, (params: Params) => string | undefined> = new Map([
  ["initialize", initializeFault],
  ...["tools/list", "resources/list", "resources/templates/list", "prompts/list"].map(
    // Every list is one page, so there are no valid cursors.
    (method) => [method, ({ cursor }: Params) => (cursor ? "invalid cursor" : undefined)] as const,
  ),
  [
    "tools/call",
    (params) =>
      missing(params, "name") ?? (isRecord(params["arguments"] ?? {}) ? undefined : "arguments must be an object"),
  ],
  ["resources/read", (params) => missing(params, "uri")],
  [
    "prompts/get",
    (params) => {
      const values = params["arguments"] ?? {};
      const areTexts = isRecord(values) && Object.values(values).every((value) => typeof value === "string");
      return missing(params, "name") ?? (areTexts ? undefined : "arguments must be an object of strings");
    },
  ],
  [
    "completion/complete",
    ({ ref, argument, context }) => {
      if (!isRecord(context ?? {})) return "context must be an object";
      if (!isRecord(ref) || missing(ref, ref["type"] === "ref/prompt" ? "name" : "uri") !== undefined)
        return "missing required parameter 'ref'";
      return isRecord(argument) && typeof argument["name"] === "string" && typeof argument["value"] === "string"
        ? undefined
        : "missing required parameter 'argument'";
    },
  ],
]);

function initializeFault(params: Params): string | undefined {
  const { capabilities, clientInfo } = params;
  const named = missing(params, "protocolVersion");
  if (named !== undefined) return named;
  if (!isRecord(capabilities)) return "missing required parameter 'capabilities', an object";
  if (!isRecord(clientInfo) || typeof clientInfo["name"] !== "string" || typeof clientInfo["version"] !== "string")
    return "missing required parameter 'clientInfo', an object with the strings 'name' and 'version'";
  // The SDK's validator takes milliseconds to load, so ordinary parameters pass without it.
  if (isUsual(capabilities) && Object.values(clientInfo).every((value) => typeof value === "string")) return undefined;
  if (isInitializeRequest({ jsonrpc: "2.0", id: 0, method: "initialize", params })) return undefined;
  const isAtFault = (name: string) =>
    !isInitializeRequest({ method: "initialize", params: { ...PLAIN, [name]: params[name] } });
  return `a member of ${["capabilities", "clientInfo"].find(isAtFault) ?? "params"} has the wrong type`;
}

/** Capabilities are nested objects whose only other values are flags. */
function isUsual(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(value).every(([name, inner]) =>
    name === "listChanged" ? typeof inner === "boolean" : isUsual(inner),
  );
}

const PLAIN = { protocolVersion: "", capabilities: {}, clientInfo: { name: "", version: "" } };

export function errorResponse(code: number, message: string, id?: Id, data?: object): ErrorResponse {
  return { jsonrpc: "2.0", ...(id !== undefined && { id }), error: { code, message, ...(data && { data }) } };
}

/** The message as the SDK accepts it, or the error to answer with. */
export function validateMessage(received: unknown): Validation {
  if (Array.isArray(received)) return invalidRequest("batches are not supported, send one message at a time");
  if (!isRecord(received)) return invalidRequest("a message must be an object");
  const id = idOf(received);
  const { jsonrpc, method, params } = received;
  if (jsonrpc !== "2.0") return invalidRequest('"jsonrpc" must be "2.0"', id);
  if (method === undefined) {
    return isJSONRPCResponse(received) ? { message: received } : invalidRequest("there is no method", id);
  }
  if (typeof method !== "string") return invalidRequest("the method must be a string", id);
  if ("id" in received && id === undefined) return invalidRequest("the id must be a string or a whole number");
  if (params !== undefined && !isRecord(params)) return invalidParams("they must be an object", id);
  const claimed = claimedVersion(params ?? {});
  if (id !== undefined && claimed !== undefined && !ENVELOPE_VERSIONS.includes(claimed))
    return { error: unsupportedVersion(claimed, id) };
  const fault = faultIn(method, params ?? {});
  if (fault !== undefined) return invalidParams(fault, id);

  // Other members of the message are ignored, like unknown arguments of a tool.
  const message = { jsonrpc, method, ...(id !== undefined && { id }), ...(params && { params: withoutNulls(params) }) };
  if (isJSONRPCRequest(message) || isJSONRPCNotification(message)) return { message };
  return invalidRequest("it is not a message of the Model Context Protocol", id);
}

/** The version in a request's envelope; requests of versions before 2026-07-28 have none. */
function claimedVersion({ _meta: meta }: Params): string | undefined {
  const claimed = isRecord(meta) ? meta[PROTOCOL_VERSION_META_KEY] : undefined;
  return typeof claimed === "string" ? claimed : undefined;
}

/** Checked here because the SDK checks only the first request of a connection. */
function unsupportedVersion(requested: string, id: Id): ErrorResponse {
  return errorResponse(
    ProtocolErrorCode.UnsupportedProtocolVersion,
    `Unsupported protocol version: ${shortened(requested)}`,
    id,
    { supported: ENVELOPE_VERSIONS, requested },
  );
}

function faultIn(method: string, params: Params): string | undefined {
  const { cursor, _meta: meta } = params;
  if (cursor !== undefined && typeof cursor !== "string") return "cursor must be a string";
  if (meta !== undefined && !isRecord(meta)) return "_meta must be an object";
  const token = meta?.["progressToken"];
  if (token !== undefined && typeof token !== "string" && !Number.isInteger(token))
    return "progressToken must be a string or a whole number";
  return CHECKS.get(method)?.(params);
}

/** Some callers send null instead of no arguments. */
function withoutNulls(params: Params): Params {
  return params["arguments"] === null ? { ...params, arguments: {} } : params;
}

function missing(params: Params, name: string): string | undefined {
  return typeof params[name] === "string" ? undefined : `missing required parameter '${name}'`;
}

function invalidRequest(fault: string, id?: Id): Validation {
  return { error: errorResponse(INVALID_REQUEST, `Invalid request: ${fault}`, id) };
}

function invalidParams(fault: string, id?: Id): Validation {
  return { error: errorResponse(INVALID_PARAMS, `Invalid params: ${fault}`, id) };
}

export function idOf(message: unknown): Id | undefined {
  const id = isRecord(message) ? message["id"] : undefined;
  return typeof id === "string" || Number.isInteger(id) ? (id as Id) : undefined;
}

/** The id of a message of which only the beginning was kept, if it is among the first plain members. */
export function idInBeginning(beginning: string): Id | undefined {
  const members =
    /^\s*\{(?:\s*"[^"\\]*"\s*:\s*(?:"[^"\\]*"|\d+)\s*,)*?\s*"id"\s*:\s*(0|[1-9]\d{0,14}|"[^"\\\p{Cc}]{0,200}")\s*[,}]/u;
  const [, id] = members.exec(beginning) ?? [];
  return id === undefined ? undefined : (JSON.parse(id) as Id);
}
