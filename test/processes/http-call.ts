// One tool call over HTTP in the newest protocol, which needs no session: without
// a client, so that thousands can be sent at a time. Used by the tests of load.
import { type Agent, request } from "node:http";

interface ToolCall {
  readonly name: string;
  readonly arguments: object;
}

/** The answer to a call, with the headers and the status of HTTP. */
export interface PostedAnswer<A> {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: A;
}

const VERSION = "2026-07-28";

export function postCall<A>(
  server: { readonly url: string; readonly token: string; readonly agent: Agent },
  id: number,
  call: ToolCall,
): Promise<PostedAnswer<A>> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const headers = {
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${server.token}`,
    "content-type": "application/json",
    "mcp-method": "tools/call",
    "mcp-protocol-version": VERSION,
    "mcp-name": call.name,
  };
  return new Promise((resolve, reject) => {
    const sent = request(server.url, { method: "POST", headers, agent: server.agent }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (part: string) => (body += part));
      // Also if the server is killed while it answers: there is no end then.
      response.on("close", () => {
        if (!response.complete) return reject(new Error("The answer was cut off."));
        try {
          resolve({
            status: response.statusCode!,
            retryAfter: response.headers["retry-after"],
            body: JSON.parse(body) as A,
          });
        } catch (error) {
          reject(error as Error);
        }
      });
    });
    sent.on("error", reject);
    sent.end(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { ...call, _meta } }));
  });
}
