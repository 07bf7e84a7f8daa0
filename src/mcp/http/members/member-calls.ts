// How many requests of one member are answered at a time: who sends many waits for
// their own, and nobody else does. Used by members-http.ts and member-page.ts.
import { Gate } from "../../gate.ts";

/** Calls: a quarter of what runs at a time for all members together. */
const AT_ONCE = 8;
/** More calls of one member that wait are a mistake in a program. */
export const MAX_WAITING_OF_MEMBER = 100;

export class MemberCalls {
  readonly #gates = new Map<string, { readonly gate: Gate; users: number }>();
  readonly #atOnce: number;

  constructor(atOnce: number = AT_ONCE) {
    this.#atOnce = atOnce;
  }

  /**
   * Waits for the member's turn.
   * @param done settles when the call has been answered
   * @returns false if too many calls of the member wait already
   */
  async enter(member: string, done: Promise<unknown>): Promise<boolean> {
    const own = this.#gates.get(member) ?? { gate: new Gate(this.#atOnce, MAX_WAITING_OF_MEMBER), users: 0 };
    this.#gates.set(member, own);
    own.users++;
    void done.finally(() => {
      if (--own.users === 0) this.#gates.delete(member);
    });
    return own.gate.enter(done);
  }
}
