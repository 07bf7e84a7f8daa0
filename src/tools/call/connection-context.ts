// The context for calls that send none: the last one of the same connection, with
// the session that was begun last. So models need not repeat the context in every
// call. Used by caller.ts.
import type { Fields } from "../definition/field.ts";

type Values = Readonly<Record<string, unknown>>;

/** One per connection; forgotten when the connection ends. */
export class ConnectionContext {
  #last: Values | undefined;

  /** The arguments, with the last context if the tool accepts one and none was sent. */
  completed(fields: Fields, sent: Values): Values {
    const isAccepted = fields["context"]?.presence === "unlisted";
    return isAccepted && sent["context"] === undefined && this.#last !== undefined
      ? { ...sent, context: this.#last }
      : sent;
  }

  /** After a call that succeeded: its context, with the session that it began. */
  learn({ context }: Values, session: string | undefined): void {
    if (typeof context !== "object" || context === null || Array.isArray(context)) return;
    this.#last = { ...context, ...(session !== undefined && { sessionId: session }) };
  }
}
