// Tickets for files of the vault: <img>, <video> and <audio> send no header with
// the token, so the page asks for an address that is good for one file and for
// some hours. Nothing is stored: a ticket is a signature. Used by media.ts.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Milliseconds: a paused video goes on after lunch. */
const VALID = 12 * 60 * 60 * 1000;

export class MediaTickets {
  /** Of this process alone: after a restart the page asks again. */
  readonly #key = randomBytes(32);
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @param address what the ticket is good for */
  issue(address: string): string {
    const end = (this.#now() + VALID).toString(36);
    return `${end}.${this.#signature(address, end)}`;
  }

  isGood(address: string, ticket: string): boolean {
    const [end = "", signature = ""] = ticket.split(".");
    const expected = Buffer.from(this.#signature(address, end));
    const sent = Buffer.from(signature);
    if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return false;
    return Number.parseInt(end, 36) > this.#now();
  }

  #signature(address: string, end: string): string {
    return createHmac("sha256", this.#key).update(`${end}\n${address}`).digest("base64url");
  }
}
