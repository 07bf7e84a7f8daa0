// Tickets for files of the vault: <img>, <video> and <audio> send no header with
// the token, so the page asks for an address that is good for one file and for
// some time. Nothing is stored: a ticket is a signature. Used by media.ts, and by
// members/member-tickets.ts, whose tickets also say whom they were given to.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Milliseconds: a paused video goes on after lunch. */
const VALID = 12 * 60 * 60 * 1000;

interface Ticket {
  /** The address it opens. */
  readonly address: string;
  /** Whom it was given to, in letters, digits, - and _. */
  readonly holder: string;
  /** In milliseconds. */
  readonly ends: number;
}

export function ticketText({ address, holder, ends }: Ticket, key: Buffer): string {
  const end = ends.toString(36);
  return `${end}.${holder}.${signature({ address, holder, end }, key)}`;
}

/** Whom a ticket for this address was given to; undefined if it is not good now. */
export function ticketHolder(address: string, text: string, keys: readonly Buffer[], now: number): string | undefined {
  const [end = "", holder = "", sent = ""] = text.split(".", 3);
  const given = Buffer.from(sent);
  const isSigned = keys.some((key) => {
    const expected = Buffer.from(signature({ address, holder, end }, key));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned && Number.parseInt(end, 36) > now && text === `${end}.${holder}.${sent}` ? holder : undefined;
}

function signature(signed: { readonly address: string; readonly holder: string; readonly end: string }, key: Buffer) {
  const { address, holder, end } = signed;
  return createHmac("sha256", key).update(`${end}\n${holder}\n${address}`).digest("base64url");
}

/** Those of a server for one person. */
export class MediaTickets {
  /** Of this process alone: after a restart the page asks again. */
  readonly #key = randomBytes(32);
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  issue(address: string): string {
    return ticketText({ address, holder: "", ends: this.#now() + VALID }, this.#key);
  }

  isGood(address: string, ticket: string): boolean {
    return ticketHolder(address, ticket, [this.#key], this.#now()) !== undefined;
  }
}
