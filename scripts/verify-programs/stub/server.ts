// The stub model: one HTTP server on loopback that speaks every protocol.
import { appendFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { anthropic } from "./anthropic.ts";
import { chatCompletions } from "./chat-completions.ts";
import { type Json, type Protocol, type ServerEvent } from "./exchange.ts";
import { gemini } from "./gemini.ts";
import { responses } from "./responses.ts";
import { replyTo, type ToolNames } from "./script.ts";

export const PROTOCOLS: readonly Protocol[] = [anthropic, chatCompletions, responses, gemini];

export interface Stub {
  readonly port: number;
  readonly close: () => void;
}

/** @param log a file that gets a line for each request */
export async function startStub(tools: ToolNames, model: string, log: string): Promise<Stub> {
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const path = (request.url ?? "/").replace(/\?.*/, "");
      appendFileSync(log, `${JSON.stringify({ method: request.method, path, body })}\n`);
      answer(path, body, response, tools, model);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(path: string, body: Json, response: ServerResponse, tools: ToolNames, model: string): void {
  const protocol = PROTOCOLS.find(({ serves }) => serves(path));
  if (protocol === undefined) {
    const other = otherAnswer(path, body, model);
    response.writeHead(other === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(other ?? { error: { message: "not found" } }));
    return;
  }
  const asked = { ...protocol.read(body, path), inputTokens: tokensIn(body) };
  const reply = replyTo(asked, tools);
  if (asked.isStream) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    for (const event of protocol.events(reply, asked)) response.write(eventText(event));
    response.end();
  } else {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(protocol.whole(reply, asked)));
  }
}

/** Which models there are, and how long a request is. */
function otherAnswer(path: string, body: Json, model: string): object | undefined {
  if (path.endsWith("/models"))
    return { object: "list", data: [{ id: model, object: "model", type: "model", display_name: model }] };
  if (path.endsWith("/count_tokens")) return { input_tokens: tokensIn(body) };
  if (path.endsWith(":countTokens")) return { totalTokens: tokensIn(body) };
  return undefined;
}

function tokensIn(body: Json): number {
  return Math.ceil(JSON.stringify(body).length / 4);
}

export function eventText({ name, data }: ServerEvent): string {
  const line = `data: ${data === "[DONE]" ? data : JSON.stringify(data)}\n\n`;
  return name === undefined ? line : `event: ${name}\n${line}`;
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const encoding = request.headers["content-encoding"];
  const plain = encoding === "gzip" ? gunzipSync(bytes) : encoding === "zstd" ? zstdDecompressSync(bytes) : bytes;
  try {
    return JSON.parse(plain.toString("utf8"));
  } catch {
    return {};
  }
}
