// The one kind of error that is meant to be read: by a model, or by a person.
// Every domain throws problems (or a subclass of its own); anything else that
// is thrown is a mistake in this program.

/** What went wrong, in the words that all domains share. A domain adds its own. */
export type ProblemCode = "invalid" | "not_found" | "denied" | "conflict" | "timeout" | "too_large" | (string & {});

export class Problem extends Error {
  readonly code: ProblemCode;
  /** What to do next, where the message alone does not say it. */
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
    super("conflict", `File already exists: ${path}`, hint);
  }
}
