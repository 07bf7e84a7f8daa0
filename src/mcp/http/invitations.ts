// One-time keys that open the page. Every user of the machine can see the
// arguments of a browser in the process list, so its address holds such a key
// instead of the token: the page exchanges it, and then it is invalid. Used by
// http.ts.
import { randomBytes } from "node:crypto";

/** Milliseconds that a browser may take to start. */
const LIFETIME = 60_000;

export class Invitations {
  readonly #keys = new Map<string, number>();

  invite(): string {
    const key = randomBytes(24).toString("base64url");
    this.#keys.set(key, Date.now() + LIFETIME);
    return key;
  }

  /** @returns whether the key was valid; it no longer is afterwards */
  redeem(key: string): boolean {
    const expires = this.#keys.get(key);
    this.#keys.delete(key);
    return expires !== undefined && expires > Date.now();
  }
}
