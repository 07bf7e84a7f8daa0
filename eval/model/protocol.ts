// How a request is put to a model, and its answer read.
import type { ToolListing } from "../../src/tools/definition/define-tool.ts";

export interface Question {
  readonly model: string;
  /** The server's instructions, which a host gives to its model. */
  readonly instructions: string;
  readonly words: string;
  readonly listing: readonly ToolListing[];
}

export interface Call {
  readonly tool: string;
  /** undefined: what the model wrote is no object in JSON. */
  readonly args: Readonly<Record<string, unknown>> | undefined;
}

export interface Answer {
  /** In the order in which the model made them; none if it answered in prose. */
  readonly calls: readonly Call[];
  readonly tokensIn: number;
  readonly tokensOut: number;
}

export interface Protocol {
  /** Where to send questions, below the address that somebody gives. */
  readonly path: string;
  readonly headers: (key: string | undefined) => Record<string, string>;
  readonly body: (question: Question) => unknown;
  /** @throws if this is no answer of the protocol */
  readonly read: (body: unknown) => Answer;
}
