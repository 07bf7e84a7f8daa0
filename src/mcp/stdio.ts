// MCP over standard input and output, one JSON message a line. Nothing that
// comes in ends the server: a line that cannot be taken is answered with an
// error, noted on standard error, and the next line is read.
import { isUtf8 } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { serveStdio as serveWith } from "@modelcontextprotocol/server/stdio";
import type { Commonplace } from "../commonplace.ts";
import { MOST_MESSAGE_BYTES } from "../protocol.ts";
import { admit, idInBeginning, idOf, PARSE_ERROR, refusal, type Id } from "./admission.ts";
import { createServer } from "./server.ts";

/** How long answers that are still being made are waited for once the client has closed its end. */
const LAST_ANSWERS = 5_000;

/** Serves until the client closes standard input, or the process is told to stop. */
export async function serveStdio(
  commonplace: Commonplace,
  input: Readable = process.stdin,
  output: Writable = process.stdout,
): Promise<void> {
  const transport = new LineTransport(input, output, commonplace.log);
  const handle = serveWith(() => createServer(commonplace), {
    transport,
    onerror: (error) => commonplace.log(oneLine(error.message)),
  });
  const stop = () => void transport.close();
  process.once("SIGTERM", stop).once("SIGINT", stop);
  await transport.closed;
  process.off("SIGTERM", stop).off("SIGINT", stop);
  await handle.close();
  await commonplace.close();
}

class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly closed: Promise<void>;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #log: (message: string) => void;
  readonly #unanswered = new Set<Id>();
  #settle: () => void = () => {};
  #line: Buffer[] = [];
  #lineBytes = 0;
  #isOpen = true;
  #inputEnded = false;

  constructor(input: Readable, output: Writable, log: (message: string) => void) {
    this.#input = input;
    this.#output = output;
    this.#log = log;
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#take);
    this.#input.on("end", this.#end).on("close", this.#end);
    this.#input.on("error", (error) => this.#fail("standard input", error));
    this.#output.on("error", (error) => this.#fail("standard output", error));
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message)) this.#answered(idOf(message));
    return this.#write(message);
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#input.off("data", this.#take).pause();
    this.#input.destroy();
    this.onclose?.();
    this.#settle();
  }

  #write(message: object): Promise<void> {
    if (!this.#isOpen) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#output.write(lineOf(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  readonly #take = (chunk: Buffer): void => {
    let from = 0;
    for (let to = chunk.indexOf(0x0a); to !== -1; to = chunk.indexOf(0x0a, from)) {
      this.#collect(chunk.subarray(from, to));
      this.#finishLine();
      from = to + 1;
    }
    this.#collect(chunk.subarray(from));
  };

  /** Keeps a part of a line; of one that is too long only the beginning, to find its id in. */
  #collect(part: Buffer): void {
    if (part.length === 0) return;
    this.#lineBytes += part.length;
    if (this.#lineBytes <= MOST_MESSAGE_BYTES || this.#line.length === 0) this.#line.push(part);
    else this.#line.length = 1;
  }

  #finishLine(): void {
    const bytes = this.#lineBytes;
    const line = this.#line.length === 1 ? this.#line[0]! : Buffer.concat(this.#line);
    this.#line = [];
    this.#lineBytes = 0;
    if (bytes > MOST_MESSAGE_BYTES) {
      const id = idInBeginning(line.toString("utf8", 0, 1024));
      this.#refuse(refusal(PARSE_ERROR, `A message may be ${MOST_MESSAGE_BYTES} bytes long, and this is ${bytes}`, id));
    } else if (!isUtf8(line)) {
      this.#refuse(refusal(PARSE_ERROR, "Parse error: the message is not valid UTF-8"));
    } else {
      const text = line.toString("utf8").trim();
      if (text !== "") this.#takeMessage(text);
    }
  }

  #takeMessage(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.#refuse(refusal(PARSE_ERROR, "Parse error: the line is not JSON"));
      return;
    }
    const admission = admit(message);
    if (admission.refusal) {
      this.#refuse(admission.refusal);
      return;
    }
    this.#expect(admission.message);
    this.onmessage?.(admission.message);
  }

  /** Remembers which requests still need an answer. A subscription is answered only by its end. */
  #expect(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if (message.method === "notifications/cancelled") this.#answered(message.params?.["requestId"] as Id | undefined);
    else if ("id" in message && message.method !== "subscriptions/listen") this.#unanswered.add(message.id);
  }

  #answered(id: Id | undefined): void {
    if (id !== undefined) this.#unanswered.delete(id);
    if (this.#inputEnded && this.#unanswered.size === 0) setImmediate(() => void this.close());
  }

  #refuse(refused: ReturnType<typeof refusal>): void {
    this.#log(`refused a message on standard input: ${refused.error.message}`);
    this.#write(refused).catch(() => {});
  }

  /** The client closed its end: what it asked is still answered, for as long as it can be read. */
  readonly #end = (): void => {
    if (this.#inputEnded) return;
    this.#inputEnded = true;
    // A last line need not end in a line break; what is cut off in the middle is nobody's question any more.
    if (isWhole(Buffer.concat(this.#line))) this.#finishLine();
    this.#answered(undefined);
    setTimeout(() => void this.close(), LAST_ANSWERS).unref();
  };

  #fail(stream: string, error: Error): void {
    if (!this.#isOpen) return;
    this.#log(`${stream} failed (${error.message}): stopping`);
    void this.close();
  }
}

/** As bytes: a stream would first copy a long text once more to put it into one piece. */
function lineOf(message: object): Buffer {
  const text = JSON.stringify(message);
  const line = Buffer.allocUnsafe(Buffer.byteLength(text) + 1);
  line[line.write(text)] = 0x0a;
  return line;
}

function isWhole(line: Buffer): boolean {
  try {
    JSON.parse(line.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, 500);
}
