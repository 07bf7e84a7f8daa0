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

  /** After a call that was done: its context, and the session that it began. */
  learn({ context }: Values, result: Values): void {
    if (typeof context !== "object" || context === null || Array.isArray(context)) return;
    const { sessionId } = { ...(result["data"] as Values | undefined), ...result };
    this.#last = { ...context, ...(typeof sessionId === "string" && { sessionId }) };
  }
}
