// A request as somebody makes it, and how its outcome is judged: by the answers and
// by the documents on disk.
import type { Chats } from "./home/conversations.ts";
import type { Line } from "./lines.ts";
import type { Answer, Call } from "./program.ts";

/** The fields that every tool of the vault takes, as a host may send them. */
export const context = {
  sessionId: "",
  workspaceId: "",
  sessionDescription: "",
  sessionMemory: "",
  toolContext: "",
  primaryGoal: "",
  subgoal: "",
};

/** A state of the home after some calls, compared with that before the first. */
export interface Outcome {
  readonly answers: readonly Answer[];
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
}

/** Returns why the outcome is wrong; undefined if it is right. */
export type Check = (outcome: Outcome) => string | undefined;

export interface OutcomeRequest {
  readonly id: string;
  readonly ask: string;
  readonly about: readonly Line[];
  readonly check: Check;
  /** The conversations in the home; the usual ones by default. */
  readonly chats?: Chats;
  /** How many calls the goal needs at most if the first one is right, such as a look and an edit; 2 by default. */
  readonly steps?: number;
  /** Words by which an answer admits that it is not whole. An error always admits it. */
  readonly admits?: RegExp;
  /** Calls that a program makes, to the letter of a contract: no reader is asked for them. */
  readonly calls?: readonly Call[];
}

/** All facts of an answer, as structure and as text. */
function wordsOf({ structure, text }: Answer): string {
  return `${JSON.stringify(structure)}\n${text}`;
}

const named = (pattern: RegExp | string): string => (typeof pattern === "string" ? pattern : String(pattern));
const isIn = (text: string, pattern: RegExp | string): boolean =>
  typeof pattern === "string" ? text.includes(pattern) : pattern.test(text);

export const all =
  (...checks: readonly Check[]): Check =>
  (outcome) => {
    for (const check of checks) {
      const fault = check(outcome);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };

export const either =
  (...checks: readonly Check[]): Check =>
  (outcome) => {
    const faults = checks.map((check) => check(outcome));
    return faults.includes(undefined) ? undefined : faults.join("; or ");
  };

/** The answers together have all of these. */
export const says =
  (...patterns: readonly (RegExp | string)[]): Check =>
  ({ answers }) => {
    const text = answers
      .filter(({ isError }) => !isError)
      .map(wordsOf)
      .join("\n");
    const missing = patterns.filter((pattern) => !isIn(text, pattern));
    return missing.length === 0 ? undefined : `the answers lack ${missing.map(named).join(", ")}`;
  };

/** An answer, an error included, has all of these. */
export const mentions =
  (...patterns: readonly (RegExp | string)[]): Check =>
  ({ answers }) =>
    answers.some((answer) => patterns.every((pattern) => isIn(wordsOf(answer), pattern)))
      ? undefined
      : `no answer has ${patterns.map(named).join(", ")}`;

/** The last answer has none of these. */
export const hides =
  (...patterns: readonly (RegExp | string)[]): Check =>
  ({ answers }) => {
    const found = patterns.filter((pattern) => isIn(wordsOf(answers.at(-1)!), pattern));
    return found.length === 0 ? undefined : `the last answer has ${found.map(named).join(", ")}`;
  };

/** Both the structure and the text of one answer have all of these: hosts show the model one of the two. */
export const saysInBoth =
  (...patterns: readonly (RegExp | string)[]): Check =>
  ({ answers }) =>
    answers.some(({ structure, text }) =>
      patterns.every((pattern) => isIn(JSON.stringify(structure), pattern) && isIn(text, pattern)),
    )
      ? undefined
      : `no answer has ${patterns.map(named).join(", ")} in its structure and in its text`;

/** The structure of an answer. A check that expects another shape throws, and so fails. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers of all tools, right or wrong
export type Shape = any;

/** The last answer's structure passes this. */
export const answered =
  (passes: (structure: Shape) => boolean, fault: string): Check =>
  ({ answers }) => {
    try {
      return passes(answers.at(-1)!.structure) ? undefined : fault;
    } catch {
      return fault;
    }
  };

/** The last answer is a refusal with these words. */
export const refuses =
  (...patterns: readonly (RegExp | string)[]): Check =>
  (outcome) =>
    outcome.answers.at(-1)!.isError ? mentions(...patterns)(outcome) : "the last call was not refused";

export const has =
  (path: string, ...patterns: readonly (RegExp | string)[]): Check =>
  ({ after }) => {
    const text = after.get(path);
    if (text === undefined) return `${path} does not exist`;
    const missing = patterns.filter((pattern) => !isIn(text, pattern));
    return missing.length === 0 ? undefined : `${path} lacks ${missing.map(named).join(", ")}`;
  };

export const lacks =
  (path: string, ...patterns: readonly (RegExp | string)[]): Check =>
  ({ after }) => {
    const found = patterns.filter((pattern) => isIn(after.get(path) ?? "", pattern));
    return found.length === 0 ? undefined : `${path} has ${found.map(named).join(", ")}`;
  };

export const gone =
  (path: string): Check =>
  ({ after }) =>
    after.has(path) ? `${path} still exists` : undefined;

/** These documents were changed, made or removed, and no others; the trash does not count. */
export const changes =
  (...expected: readonly string[]): Check =>
  ({ before, after }) => {
    const changed = [...new Set([...before.keys(), ...after.keys()])]
      .filter((path) => before.get(path) !== after.get(path) && !/\/\.[^/]+\//.test(path))
      .toSorted();
    return changed.join("\n") === expected.toSorted().join("\n")
      ? undefined
      : `changed ${changed.join(", ") || "nothing"}, not ${expected.join(", ") || "nothing"}`;
  };

/** Nothing was changed. */
export const changesNothing: Check = changes();
