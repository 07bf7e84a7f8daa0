// What a program asks a model for and what the stub answers, without the protocol
// around it. Each file beside this one translates one protocol.

export interface AskedTurn {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
}

export interface Asked {
  readonly model: string;
  readonly system: string;
  readonly turns: readonly AskedTurn[];
  /** Names of the tools that the program offers. */
  readonly tools: readonly string[];
  readonly isStream: boolean;
  /** How long the request is: programs decide by that whether a compaction pays. */
  readonly inputTokens: number;
}

export interface ToolCall {
  readonly name: string;
  /** Of the Responses protocol: the group of tools that it is in. */
  readonly namespace?: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly thinking?: string | undefined;
  readonly text?: string | undefined;
  readonly call?: ToolCall | undefined;
}

export interface Protocol {
  /** Whether a request to this path is of this protocol, and asks for an answer. */
  readonly serves: (path: string) => boolean;
  readonly read: (body: Json, path: string) => Omit<Asked, "inputTokens">;
  /** The body of an answer that is not streamed. */
  readonly whole: (reply: Reply, asked: Asked) => object;
  /** The events of an answer that is streamed. */
  readonly events: (reply: Reply, asked: Asked) => readonly ServerEvent[];
}

export interface ServerEvent {
  /** Left out by protocols whose events have no names. */
  readonly name?: string;
  readonly data: object | "[DONE]";
}

// Requests are what other programs send: of any shape.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

/** The text in a message's content: a string, or parts of which some have text. */
export function textIn(content: Json): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return typeof content?.text === "string" ? content.text : "";
  return content.map((part) => textIn(part?.text ?? part?.content ?? part)).join("\n");
}

let made = 0;

/** An id that no other answer of this process has. */
export function newId(prefix: string): string {
  return `${prefix}${Date.now().toString(36)}${(++made).toString(36).padStart(6, "0")}`;
}

/** What every answer is said to cost. */
export const OUTPUT_TOKENS = 20;
