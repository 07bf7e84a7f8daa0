// The two ways in which a request fails that the page handles. Used by the client.

/** An error that the person can do something about, as a tool reports it. */
export class Problem extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** The server does not accept the token, or no longer does. */
export class Unauthorized extends Error {}
