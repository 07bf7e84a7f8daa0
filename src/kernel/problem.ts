// The one kind of error that the caller can fix, worded for a model or a person.
// Every room throws problems or subclasses; any other error is a bug in this
// program.

/** Codes that all rooms share. A room adds its own. */
export type ProblemCode =
  | "invalid"
  | "not_found"
  | "denied"
  | "exists"
  | "conflict"
  | "timeout"
  | "too_large"
  | (string & {});

export class Problem extends Error {
  readonly code: ProblemCode;
  /** The next step to take, if the message does not name it. */
  readonly hint: string | undefined;

  constructor(code: ProblemCode, message: string, hint?: string) {
    super(message);
    this.name = "Problem";
    this.code = code;
    this.hint = hint;
  }
}

/** Something is at the path already, and would have been overwritten. */
export class AlreadyExists extends Problem {
  constructor(path: string, hint?: string) {
    super("exists", `File already exists: ${path}`, hint);
  }
}

/** Several things are meant by what was sent: a host that can asks the person which. */
export class Ambiguous extends Problem {
  readonly sent: string;
  readonly choices: readonly string[];

  constructor(problem: Problem, sent: string, choices: readonly string[]) {
    super(problem.code, problem.message, problem.hint);
    this.sent = sent;
    this.choices = choices;
  }
}
