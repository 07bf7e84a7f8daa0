// The requests of requests.jsonl, one a line: what somebody asks, and the call
// that is right. They were written from the names of tools and arguments alone.
// If a request is missed, mend the description, not the request.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Request {
  readonly id: string;
  /** What it can be mistaken for: requests of one pair sound alike and need different tools. */
  readonly pair?: string;
  readonly ask: string;
  /** What is known when it is asked, such as which note is open. */
  readonly context?: string;
  /** The right tool, or several that are equally right. */
  readonly tools: readonly string[];
  /**
   * The arguments that matter, by name; `a|b` is an argument that has one of two
   * names, depending on the tool. A text between slashes is a pattern of the
   * value (as JSON, if it is no text); anything else is the value itself.
   */
  readonly args?: Readonly<Record<string, unknown>>;
  /** Tools that would be harmful, or a waste: worse than no call. */
  readonly not?: readonly string[];
}

export function readRequests(file = join(import.meta.dirname, "requests.jsonl")): Request[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Request);
}

/** A request as it is put to a model or to a search for tools. */
export function wordsOf({ ask, context }: Request): string {
  return context === undefined ? ask : `${context}\n\n${ask}`;
}

/** @returns the pattern, if this is one: a text between slashes, perhaps with flags */
export function patternOf(expected: unknown): RegExp | undefined {
  const match = typeof expected === "string" ? /^\/(.+)\/([a-z]*)$/s.exec(expected) : null;
  return match === null ? undefined : new RegExp(match[1]!, match[2]);
}
