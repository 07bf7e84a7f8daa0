// The context of a call that has none of its own: what its connection sent
// last, with the newest session that was begun on it. Used by call.ts, so that
// tools need not ask for a context in every call.
import type { Fields } from "./schema.ts";

type Values = Readonly<Record<string, unknown>>;

/** One for each connection; what it holds is gone with that. */
export class ConnectionContext {
  #last: Values | undefined;

  /** What was sent, with the last context where the tool takes one and none was sent. */
  completed(fields: Fields, sent: Values): Values {
    const isTaken = fields["context"]?.presence === "unlisted";
    return isTaken && sent["context"] === undefined && this.#last !== undefined
      ? { ...sent, context: this.#last }
      : sent;
  }

  /** After a call that succeeded: its context, with the session that it began. */
  learn({ context }: Values, session: string | undefined): void {
    if (typeof context !== "object" || context === null || Array.isArray(context)) return;
    this.#last = { ...context, ...(session !== undefined && { sessionId: session }) };
  }
}
