// Finds failed tool calls by their output. Some programs store a call
// and its output as one part, others as two; none of the parts has the id of its
// call. Pure; used by file-authors.ts.
import type { Message } from "../store/conversation-reader.ts";
import { textAfterArguments } from "./file-edits.ts";

/** How the output of an edit begins that changed nothing: errors, refusals of the person, of a hook or of the system. */
const FAILURE = new RegExp(
  [
    String.raw`^\s*[[(<"'{]*(?:tool_use_error|error|failed|failure|fail)\b`,
    String.raw`^\s*(?:could not|cannot|can't|unable to|permission denied|access denied|no match|no replacement|no changes)\b`,
    String.raw`^\s*(?:string to replace|string|old_?str(?:ing)?|text to replace)\b.{0,40}\bnot found\b`,
    String.raw`^.{0,60}\bverification failed\b`,
    String.raw`^.{0,60}\bhook (?:error|returned)\b|^.{0,60}\bblocked by\b`,
    String.raw`^.{0,40}\brequested permissions? to\b`,
    String.raw`^\s*(?:the )?user (?:doesn.t want|does not want|rejected|denied|declined|cancell?ed)\b`,
    String.raw`^\s*(?:the )?(?:tool|edit|operation|command|request)\b.{0,40}\b(?:rejected|denied|declined|cancell?ed|interrupted|failed)\b`,
    String.raw`^[^]{0,200}?\bexit(?:ed with)? code:? [1-9]`,
    // Of our own tools.
    String.raw`^\s*\{\s*"success"\s*:\s*false\b`,
  ].join("|"),
  "i",
);

/** Returns whether the output of an edit says that it changed nothing. */
export function saysFailure(output: string): boolean {
  return FAILURE.test(output.slice(0, 400));
}

/** Returns whether a message is a call, maybe with its output. Of outputs alone some programs keep the tool's name, too. */
export function isCall({ tool, text }: Pick<Message, "tool" | "text">): boolean {
  return tool !== undefined && text.startsWith(tool) && !/^\w/.test(text.slice(tool.length));
}

/** The outcome of a call. */
export interface Outcome {
  readonly output: string;
  readonly hasFailed: boolean;
}

interface WaitingCall {
  readonly kind: Message["kind"];
  readonly tool: string;
  readonly done: (outcome: Outcome) => void;
}

/** Assigns outputs to the calls before them. */
export class CallOutcomes {
  #waiting: WaitingCall[] = [];

  /** A person has said something: what was called before has ended. */
  end(): void {
    this.#waiting = [];
  }

  /** @param done called with its output, if that is there */
  add({ kind, tool = "", text }: Pick<Message, "kind" | "tool" | "text">, done: (outcome: Outcome) => void): void {
    const [beginning, mark] = /^( \(error\))?:?\s*(?=\{)/.exec(text.slice(tool.length)) ?? [];
    const isMarked = mark !== undefined;
    const output = beginning === undefined ? "" : textAfterArguments(text.slice(tool.length + beginning.length));
    if (isMarked || output !== "") done({ output, hasFailed: isMarked || saysFailure(output) });
    else this.#waiting.push({ kind, tool, done });
  }

  /** A message that is no call. Outputs come in the order of their calls, except those of sub-agents that work side by side. */
  output({ kind, role, tool, text }: Message): void {
    if (kind !== "tool" && kind !== "subagent") return;
    if (tool === undefined && role !== "user") return;
    const fitting = this.#waiting.filter((call) => call.kind === kind && (tool === undefined || call.tool === tool));
    const [first] = fitting;
    if (first === undefined || (kind === "subagent" && fitting.length > 1)) return;
    this.#waiting.splice(this.#waiting.indexOf(first), 1);
    first.done({ output: text, hasFailed: saysFailure(text) });
  }
}
