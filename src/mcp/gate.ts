// Backpressure: which messages need one of a limited number of slots (stdio and
// HTTP), and for HTTP the slots themselves. Requests without a slot wait in order
// of arrival; if too many wait, the next one is refused.
import type { JSONRPCMessage } from "@modelcontextprotocol/server";

/** Requests that are answered at once, even if calls wait. */
const URGENT: ReadonlySet<string> = new Set(["initialize", "ping"]);
/** A subscription is answered only when it ends: it would keep its slot as long as its client is connected. */
export const SUBSCRIPTION = "subscriptions/listen";

export const isUrgent = (method: string): boolean => URGENT.has(method);

/** Notifications and answers need no slot. */
export function needsSlot(message: JSONRPCMessage): boolean {
  return "method" in message && "id" in message && message.method !== SUBSCRIPTION && !isUrgent(message.method);
}

export class Gate {
  readonly #waiting: (() => void)[] = [];
  readonly #slots: number;
  readonly #mostWaiting: number;
  #taken = 0;

  constructor(slots: number, mostWaiting: number) {
    this.#slots = slots;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Waits for a slot.
   * @param done settles when the request no longer needs it
   * @returns false if too many wait already
   */
  async enter(done: Promise<unknown>): Promise<boolean> {
    if (this.#taken >= this.#slots) {
      if (this.#waiting.length >= this.#mostWaiting) return false;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#taken++;
    void done.finally(() => this.#leave());
    return true;
  }

  /** Passes the slot to the next request, or frees it. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken--;
    else next();
  }
}
