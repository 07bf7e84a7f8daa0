// An endpoint on loopback for tests: it answers as its script says, in either
// protocol, and keeps what it was sent.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { ProtocolName } from "./protocols.ts";

/** A model's answer: prose, calls, or an answer of the endpoint itself. */
export interface Scripted {
  readonly prose?: string;
  /** A text as arguments is written as it is, JSON or not. */
  readonly calls?: readonly (readonly [tool: string, args: object | string])[];
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly tools: readonly Record<string, unknown>[];
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly system?: string;
  };
}

/** @param script what to answer to this question when it is asked for the nth time, from 1 */
export async function startStub(protocol: ProtocolName, script: (words: string, nth: number) => Scripted) {
  const received: Received[] = [];
  const times = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Received["body"];
      received.push({ path: request.url ?? "", headers: request.headers, body });
      const words = body.messages.at(-1)!.content;
      times.set(words, (times.get(words) ?? 0) + 1);
      const { status = 200, headers = {}, ...scripted } = script(words, times.get(words)!);
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(scripted.body ?? JSON.stringify(WRITERS[protocol](scripted)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const WRITERS: Record<ProtocolName, (scripted: Scripted) => object> = {
  openai: ({ prose, calls = [] }) => ({
    choices: [
      {
        message: {
          role: "assistant",
          content: prose ?? null,
          tool_calls: calls.map(([name, args], i) => ({
            id: `call_${i}`,
            type: "function",
            function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
          })),
        },
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
  }),
  anthropic: ({ prose, calls = [] }) => ({
    type: "message",
    content: [
      ...(prose === undefined ? [] : [{ type: "text", text: prose }]),
      ...calls.map(([name, input], i) => ({ type: "tool_use", id: `toolu_${i}`, name, input })),
    ],
    usage: { input_tokens: 70, cache_read_input_tokens: 30, output_tokens: 10 },
  }),
};
