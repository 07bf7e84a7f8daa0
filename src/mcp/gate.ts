// Back pressure: which messages need a place, over stdio and HTTP, and for HTTP
// the places. The requests that find none wait in the order in which they came,
// and when too many wait the next one is refused.
import type { JSONRPCMessage } from "@modelcontextprotocol/server";

/** Requests that are answered at once, however many calls wait. */
const URGENT: ReadonlySet<string> = new Set(["initialize", "ping"]);
/** A subscription is answered only by its end: it would keep its place for as long as its client is there. */
export const SUBSCRIPTION = "subscriptions/listen";

export const isUrgent = (method: string): boolean => URGENT.has(method);

/** Whether a message makes work that has to be limited: notifications and answers do not. */
export function needsPlace(message: JSONRPCMessage): boolean {
  return "method" in message && "id" in message && message.method !== SUBSCRIPTION && !isUrgent(message.method);
}

export class Gate {
  readonly #waiting: (() => void)[] = [];
  readonly #places: number;
  readonly #mostWaiting: number;
  #taken = 0;

  constructor(places: number, mostWaiting: number) {
    this.#places = places;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Waits for a place.
   * @param done settles when the request needs it no longer
   * @returns false where too many wait already
   */
  async enter(done: Promise<unknown>): Promise<boolean> {
    if (this.#taken >= this.#places) {
      if (this.#waiting.length >= this.#mostWaiting) return false;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#taken++;
    void done.finally(() => this.#leave());
    return true;
  }

  /** The place goes to the next one that waits, or is free again. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken--;
    else next();
  }
}
