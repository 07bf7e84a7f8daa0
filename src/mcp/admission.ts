// The door for messages that are not even requests. The SDK drops some of them
// without a word and answers others in words of its own; here each gets the
// JSON-RPC error that the contract asks for. Used by stdio and by HTTP.

export type Id = string | number;

/** A JSON-RPC error response. Without an id where the message had none that could be read. */
export interface Refusal {
  readonly jsonrpc: "2.0";
  readonly id?: Id;
  readonly error: { readonly code: number; readonly message: string };
}

export const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

/** The one parameter that a method cannot do without. */
const REQUIRED_PARAMETERS: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

export function refusal(code: number, message: string, id?: Id): Refusal {
  return { jsonrpc: "2.0", ...(id !== undefined && { id }), error: { code, message } };
}

/** Why this message cannot be taken, or undefined where it can. */
export function refuse(message: unknown): Refusal | undefined {
  if (Array.isArray(message)) {
    return refusal(INVALID_REQUEST, "Invalid request: batches are not supported, send one message at a time");
  }
  if (!isRecord(message)) return refusal(INVALID_REQUEST, "Invalid request: a message must be an object");
  const id = idOf(message);
  if (message["jsonrpc"] !== "2.0") return refusal(INVALID_REQUEST, 'Invalid request: "jsonrpc" must be "2.0"', id);
  const { method, params } = message;
  if (method === undefined) {
    const isResponse = id !== undefined && ("result" in message || "error" in message);
    return isResponse ? undefined : refusal(INVALID_REQUEST, "Invalid request: there is no method", id);
  }
  if (typeof method !== "string") return refusal(INVALID_REQUEST, "Invalid request: the method must be a string", id);
  if ("id" in message && id === undefined)
    return refusal(INVALID_REQUEST, "Invalid request: the id must be a string or a whole number");
  if (params !== undefined && !isRecord(params))
    return refusal(INVALID_PARAMS, "Invalid params: they must be an object", id);
  const required = REQUIRED_PARAMETERS[method];
  if (required !== undefined && typeof params?.[required] !== "string") {
    return refusal(INVALID_PARAMS, `Invalid params: missing required parameter '${required}'`, id);
  }
  if (params?.["cursor"] !== undefined && typeof params["cursor"] !== "string") {
    return refusal(INVALID_PARAMS, "Invalid params: cursor must be a string", id);
  }
  return undefined;
}

export function idOf(message: unknown): Id | undefined {
  const id = isRecord(message) ? message["id"] : undefined;
  return typeof id === "string" || Number.isInteger(id) ? (id as Id) : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
