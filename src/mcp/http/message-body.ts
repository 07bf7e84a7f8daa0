// Reads the message in the body of an HTTP request, within the limits on its size,
// and answers the request if it is invalid. Used by http.ts.
import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isJsonContentType, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { MAX_MESSAGE_BYTES } from "../../kernel/kernel.ts";
import { errorResponse, PARSE_ERROR, validateMessage, type Validation } from "../message-validation.ts";
import { refuse, refuseBusy, reply } from "./replies.ts";

/** Longer messages wait for each other: each is in memory four times, as bytes, text and values. */
const LONG_MESSAGE_BYTES = 256 * 1024;

/** The message in a request's body, or undefined if it is invalid and has been answered. */
export async function messageOf(
  request: IncomingMessage,
  response: ServerResponse,
  isLong: () => Promise<boolean>,
): Promise<JSONRPCMessage | undefined> {
  if (!isJsonContentType(request.headers["content-type"] ?? "")) {
    refuse(response, 415, "Unsupported media type: send application/json.");
    return undefined;
  }
  const body = await bodyOf(request, isLong);
  if (body === "busy") {
    refuseBusy(response);
    return void request.resume();
  }
  if (body === undefined) {
    refuse(response, 413, `The message is longer than ${MAX_MESSAGE_BYTES} bytes.`);
    // Some clients read the answer only after they have sent everything.
    return void request.resume();
  }
  const parsed = parse(body);
  const validation: Validation =
    parsed === undefined
      ? { error: errorResponse(PARSE_ERROR, "Parse error: the body is not JSON in UTF-8") }
      : validateMessage(parsed);
  if (validation.error) reply(response, 400, validation.error);
  return validation.message;
}

/**
 * The body, or undefined if it is too long.
 * @param isLong called once the body turns out to be long; resolves to whether to read on
 */
async function bodyOf(request: IncomingMessage, isLong: () => Promise<boolean>): Promise<Buffer | "busy" | undefined> {
  const length = Number(request.headers["content-length"] ?? 0);
  if (length > MAX_MESSAGE_BYTES) return undefined;
  if (length > LONG_MESSAGE_BYTES) return (await isLong()) ? wholeOf(request, length) : "busy";
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of partsOf(request)) {
    const isLongSoFar = size > LONG_MESSAGE_BYTES;
    size += part.length;
    if (size > MAX_MESSAGE_BYTES) return undefined;
    if (!isLongSoFar && size > LONG_MESSAGE_BYTES && !(await isLong())) return "busy";
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** A body of known length, which is in memory once instead of in parts and as a whole. */
async function wholeOf(request: IncomingMessage, length: number): Promise<Buffer> {
  const body = Buffer.allocUnsafeSlow(length);
  let size = 0;
  for await (const part of partsOf(request)) size += part.copy(body, size);
  return body.subarray(0, size);
}

function partsOf(request: IncomingMessage): AsyncIterable<Buffer> {
  return request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

function parse(body: Buffer): unknown {
  try {
    if (!isUtf8(body)) return undefined;
    const text = body.toString("utf8");
    // Long bodies come one after the other, faster than garbage is collected.
    if (body.length > LONG_MESSAGE_BYTES) (body.buffer as ArrayBuffer).transfer(0);
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
