// The two ways in which a request fails that the page handles. Used by the client.

/** An error that the person can do something about, as a tool reports it. */
export class Problem extends Error {
  readonly hint: string | undefined;
  /** As the contract of the tool has it, in lower case: `conflict`, `not_found` … */
  readonly code: string | undefined;

  constructor(message: string, hint?: string, code?: string) {
    super(message);
    this.hint = hint;
    this.code = code?.toLowerCase();
  }
}

/** The server does not accept the token, or no longer does. */
export class Unauthorized extends Error {}
