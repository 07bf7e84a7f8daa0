// Keys that open the page once. The address that a browser is started with can
// be seen by every user of the machine in the list of processes, so it holds
// such a key and not the token: the page trades it in, and then it is worth
// nothing. Used by http.ts.
import { randomBytes } from "node:crypto";

/** How long a browser may take to start, in milliseconds. */
const LIFETIME = 60_000;

export class Invitations {
  readonly #keys = new Map<string, number>();

  invite(): string {
    const key = randomBytes(24).toString("base64url");
    this.#keys.set(key, Date.now() + LIFETIME);
    return key;
  }

  /** @returns whether the key was good; it is not a second time */
  redeem(key: string): boolean {
    const expires = this.#keys.get(key);
    this.#keys.delete(key);
    return expires !== undefined && expires > Date.now();
  }
}
