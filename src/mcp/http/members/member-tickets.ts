// Tickets for files of a space (media-tickets.ts): any server behind the proxy takes
// those of any other, since their keys are in the store. A ticket says by which proof
// its member had come, and the store is asked again whenever it is used: it is of no
// use once the member was removed, or the token revoked. Used by member-page.ts.
import type { Members } from "../../../app/app.ts";
import type { Entered } from "../../../shared/shared.ts";
import { ticketHolder, ticketText } from "../media-tickets.ts";
import type { Proof } from "./authentication.ts";

/** Milliseconds: the page asks for another one. */
const VALID = 10 * 60_000;
/** Milliseconds for which keys are kept before one that was made since can be the newest. */
const KEYS_LAST = 60_000;
/** Milliseconds between two questions for keys, however many tickets are wrong. */
const COOL_DOWN = 2_000;

/** A holder is the hash of a personal token, or the name of a member who came with an access token. */
const [BY_TOKEN, BY_NAME] = ["t", "n"];

interface Keys {
  readonly at: number;
  readonly keys: Promise<readonly Buffer[]>;
}

export class MemberTickets {
  readonly #members: Members;
  #known: Keys | undefined;

  constructor(members: Members) {
    this.#members = members;
  }

  async issue(address: string, { member }: Entered, { token, ends }: Proof): Promise<string> {
    const holder = token === undefined ? BY_NAME + encoded(member, "utf8") : BY_TOKEN + encoded(token.slice(2), "hex");
    const [newest] = await this.#keys(KEYS_LAST);
    return ticketText({ address, holder, ends: Math.min(Date.now() + VALID, ends ?? Infinity) }, newest!);
  }

  /** The member that a ticket for this address was given to, as it is now; undefined if it is not good any more. */
  async memberOf(address: string, ticket: string): Promise<Entered | undefined> {
    // Another server may have made a key since.
    const holder =
      ticketHolder(address, ticket, await this.#keys(KEYS_LAST), Date.now()) ??
      ticketHolder(address, ticket, await this.#keys(COOL_DOWN), Date.now());
    if (holder === undefined) return undefined;
    const named = Buffer.from(holder.slice(1), "base64url");
    return holder.startsWith(BY_TOKEN)
      ? this.#members.memberOfTokenHash(`\\x${named.toString("hex")}`)
      : this.#members.memberNamed(named.toString("utf8"));
  }

  /** @param last how old they may be */
  #keys(last: number): Promise<readonly Buffer[]> {
    const now = performance.now();
    if (this.#known === undefined || now - this.#known.at > last) {
      const made: Keys = { at: now, keys: this.#members.ticketKeys() };
      this.#known = made;
      made.keys.catch(() => {
        if (this.#known === made) this.#known = undefined;
      });
    }
    return this.#known.keys;
  }
}

function encoded(text: string, encoding: "utf8" | "hex"): string {
  return Buffer.from(text, encoding).toString("base64url");
}
