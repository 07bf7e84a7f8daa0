// The transport of stdio: one JSON message per line. No input ends it: an invalid
// line is answered with an error, logged, and the next line is read. If a client
// sends calls faster than they are answered, a limited number run at a time and
// the others wait as unparsed bytes. If too many bytes wait, or the client does not
// read its answers, reading pauses. Used by stdio.ts.
import { isUtf8 } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { type Log, MAX_CALLS_AT_ONCE, MAX_MESSAGE_BYTES } from "../kernel/kernel.ts";
import { isUrgent, SUBSCRIPTION } from "./gate.ts";
import { validateMessage, idInBeginning, idOf, PARSE_ERROR, errorResponse, type Id } from "./message-validation.ts";

/** Milliseconds to wait for each further answer after the client has closed its end. */
const FINAL_ANSWERS_TIMEOUT = 5_000;
/** Limit for all running calls together. A single call may use all of it. */
const MAX_RUNNING_BYTES = MAX_MESSAGE_BYTES;
/** Reading pauses above this many bytes of waiting calls, or of answers that the client has not read. */
const MAX_WAITING_BYTES = MAX_MESSAGE_BYTES;
/** Bytes that a waiting call costs besides its text. */
const WAITING_COST = 200;

type Request = JSONRPCMessage & { readonly id: Id };

interface RunningCall {
  readonly id: Id;
  readonly bytes: number;
}

/** A request that waits for a slot, unparsed: parsed it would take several times the memory. */
interface WaitingCall {
  readonly id: Id;
  readonly text: Buffer;
}

export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly closed: Promise<void>;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #log: Log;
  /** Requests whose answers have not been written yet. */
  readonly #running: RunningCall[] = [];
  #runningBytes = 0;
  readonly #waiting = new Set<WaitingCall>();
  #waitingBytes = 0;
  #settle: () => void = () => {};
  #line: Buffer[] = [];
  #lineBytes = 0;
  #isOpen = true;
  #inputEnded = false;
  #finalTimer: NodeJS.Timeout | undefined;

  constructor(input: Readable, output: Writable, log: Log) {
    this.#input = input;
    this.#output = output;
    this.#log = log;
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#onData);
    this.#input.on("end", this.#end).on("close", this.#end);
    this.#input.on("error", (error) => this.#fail("standard input", error));
    this.#output.on("error", (error) => this.#fail("standard output", error));
    this.#output.on("drain", () => this.#applyBackpressure());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message)) {
      await this.#write(message);
      this.#answered(idOf(message));
    } else if ("id" in message || !this.#isOutputFull()) await this.#write(message);
    // A client that does not read gets no progress reports.
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#input.off("data", this.#onData).pause();
    this.#input.destroy();
    this.onclose?.();
    this.#settle();
  }

  #write(message: object): Promise<void> {
    if (!this.#isOpen) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#output.write(lineOf(message), (error) => (error ? reject(error) : resolve()));
      this.#applyBackpressure();
    });
  }

  #isOutputFull(): boolean {
    return this.#output.writableLength > MAX_WAITING_BYTES;
  }

  /** Pauses or resumes reading, depending on how much is waiting. */
  #applyBackpressure(): void {
    if (!this.#isOpen || this.#inputEnded) return;
    const bytes = this.#runningBytes + this.#waitingBytes;
    const isFull = bytes > MAX_RUNNING_BYTES + MAX_WAITING_BYTES || this.#isOutputFull();
    if (isFull) this.#input.pause();
    else if (this.#input.isPaused()) this.#input.resume();
  }

  readonly #onData = (chunk: Buffer): void => {
    let from = 0;
    for (let to = chunk.indexOf(0x0a); to !== -1; to = chunk.indexOf(0x0a, from)) {
      this.#collect(chunk.subarray(from, to));
      this.#finishLine();
      from = to + 1;
    }
    this.#collect(chunk.subarray(from));
    this.#applyBackpressure();
  };

  /** Keeps a part of a line; of an overlong line only the beginning, to find its id. */
  #collect(part: Buffer): void {
    if (part.length === 0) return;
    this.#lineBytes += part.length;
    if (this.#lineBytes <= MAX_MESSAGE_BYTES || this.#line.length === 0) this.#line.push(part);
    else this.#line.length = 1;
  }

  #finishLine(): void {
    const bytes = this.#lineBytes;
    const line = this.#line.length === 1 ? this.#line[0]! : Buffer.concat(this.#line);
    this.#line = [];
    this.#lineBytes = 0;
    if (bytes > MAX_MESSAGE_BYTES) {
      const id = idInBeginning(line.toString("utf8", 0, 1024));
      this.#refuse(
        errorResponse(PARSE_ERROR, `A message may be ${MAX_MESSAGE_BYTES} bytes long, and this is ${bytes}`, id),
      );
    } else if (!isUtf8(line)) {
      this.#refuse(errorResponse(PARSE_ERROR, "Parse error: the message is not valid UTF-8"));
    } else {
      const text = line.toString("utf8").trim();
      if (text !== "") this.#handleMessage(text);
    }
  }

  #handleMessage(text: string): void {
    const message = this.#parse(text);
    if (message === undefined) return;
    if ("method" in message && message.method === "notifications/cancelled") {
      const id = message.params?.["requestId"] as Id | undefined;
      if (this.#cancelWaiting(id)) return;
      this.onmessage?.(message);
      this.#answered(id);
    } else if (!("method" in message && "id" in message) || message.method === SUBSCRIPTION) {
      this.onmessage?.(message);
    } else if (isUrgent(message.method) || (this.#waiting.size === 0 && this.#hasSlotFor(text.length))) {
      this.#begin(message, text.length);
    } else {
      const call = { id: message.id, text: Buffer.from(text) };
      this.#waiting.add(call);
      this.#waitingBytes += call.text.length + WAITING_COST;
    }
  }

  #hasSlotFor(bytes: number): boolean {
    if (this.#running.length === 0) return true;
    return this.#running.length < MAX_CALLS_AT_ONCE && this.#runningBytes + bytes <= MAX_RUNNING_BYTES;
  }

  #begin(message: Request, bytes: number): void {
    this.#running.push({ id: message.id, bytes });
    this.#runningBytes += bytes;
    this.onmessage?.(message);
  }

  /** Starts the calls that waited longest, as long as there are slots. */
  #beginWaiting(): void {
    for (const call of this.#waiting) {
      if (!this.#isOpen || !this.#hasSlotFor(call.text.length)) return;
      this.#removeWaiting(call);
      const message = this.#parse(call.text.toString("utf8"));
      if (message !== undefined && "id" in message) this.#begin(message as Request, call.text.length);
    }
  }

  /** Undefined if the message is invalid; it has been answered then. */
  #parse(text: string): JSONRPCMessage | undefined {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.#refuse(errorResponse(PARSE_ERROR, "Parse error: the line is not JSON"));
      return undefined;
    }
    const validation = validateMessage(message);
    if (validation.error) this.#refuse(validation.error);
    return validation.message;
  }

  /** Drops a request that is cancelled before it was started. @returns false if no request with that id waits */
  #cancelWaiting(id: Id | undefined): boolean {
    for (const call of this.#waiting) {
      if (call.id !== id) continue;
      this.#removeWaiting(call);
      this.#applyBackpressure();
      this.#closeWhenDone();
      return true;
    }
    return false;
  }

  #removeWaiting(call: WaitingCall): void {
    this.#waiting.delete(call);
    this.#waitingBytes -= call.text.length + WAITING_COST;
  }

  /** Frees the slot of a request. */
  #answered(id: Id | undefined): void {
    const at = this.#running.findIndex((call) => call.id === id);
    if (at === -1) return;
    const [{ bytes }] = this.#running.splice(at, 1) as [RunningCall];
    this.#runningBytes -= bytes;
    this.#beginWaiting();
    this.#applyBackpressure();
    if (this.#inputEnded) this.#restartFinalTimer();
    this.#closeWhenDone();
  }

  #closeWhenDone(): void {
    if (this.#inputEnded && this.#running.length + this.#waiting.size === 0) setImmediate(() => void this.close());
  }

  #refuse(response: ReturnType<typeof errorResponse>): void {
    this.#log(`refused a message on standard input: ${response.error.message}`);
    this.#write(response).catch(() => {});
  }

  /** The client closed its end. Its requests are still answered, as long as answers keep coming and can be written. */
  readonly #end = (): void => {
    if (this.#inputEnded) return;
    this.#inputEnded = true;
    // The last line need not end with a line break; a partial message is dropped.
    if (isWhole(Buffer.concat(this.#line))) this.#finishLine();
    this.#restartFinalTimer();
    this.#closeWhenDone();
  };

  #restartFinalTimer(): void {
    clearTimeout(this.#finalTimer);
    this.#finalTimer = setTimeout(() => void this.close(), FINAL_ANSWERS_TIMEOUT).unref();
  }

  #fail(stream: string, error: Error): void {
    if (!this.#isOpen) return;
    this.#log(`${stream} failed (${error.message}): stopping`);
    void this.close();
  }
}

/** As bytes: a stream would copy a long text once more. */
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
