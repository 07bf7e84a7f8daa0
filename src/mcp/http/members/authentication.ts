// Finds the member of a request: by the token in its Authorization header, and
// by nothing else. Used by members-http.ts.
import { createHash } from "node:crypto";
import { type Entered, hashOfToken, isPersonalToken } from "../../../shared/shared.ts";
import type { Members } from "../../../app/app.ts";
import type { OAuthSettings } from "../../../settings.ts";
import { Gate } from "../../gate.ts";
import type { AccessTokens } from "./access-tokens.ts";

export type Authenticated = { readonly entered: Entered; readonly proof: Proof } | { readonly refused: Refusal };

/** By what somebody proved who they are: a personal token, of which this is the hash, or an access token. */
export interface Proof {
  readonly token: string | undefined;
  /** When it is no longer good, in milliseconds; that of a personal token is known to the store. */
  readonly ends: number | undefined;
}

/**
 * - missing: no token was sent
 * - invalid: it is wrong, was revoked or has expired
 * - unknown: it is good, but its groups give nothing here
 * - repeated: it is wrong, and too many wrong ones came from there before
 * - crowded: too many tokens from such addresses are being looked up
 */
export type Refusal = "missing" | "invalid" | "unknown" | "repeated" | "crowded";

/** Three parts, of any length that a header has room for. */
const IS_SIGNED = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** Wrong tokens that one address may send in a minute before it is doubted. */
const MAX_WRONG = 60;
/**
 * Each token is a question to the store. Those of addresses in doubt are looked up so many at a time: behind one
 * address there may be a whole office, whose good tokens are let in all the same.
 */
const DOUBTFUL_AT_ONCE = 2;
const MAX_DOUBTFUL = 200;
const MINUTE = 60_000;
/** Addresses and tokens that are remembered. */
const MAX_KNOWN = 10_000;

export class Authentication {
  readonly #members: Members;
  readonly #oauth: OAuthSettings | undefined;
  #accessTokens: Promise<AccessTokens> | undefined;
  readonly #wrong = new Map<string, { count: number; readonly ends: number }>();
  /** Hashes of tokens that were good on this server: who has one does not wait for others at the same address. */
  readonly #good = new Map<string, true>();
  readonly #doubtful = new Gate(DOUBTFUL_AT_ONCE, MAX_DOUBTFUL);

  /** @param oauth whose access tokens are taken, beside personal ones */
  constructor(members: Members, oauth: OAuthSettings | undefined) {
    this.#members = members;
    this.#oauth = oauth;
  }

  /** @param address where the request comes from */
  async memberOf(header: string | undefined, address: string): Promise<Authenticated> {
    const token = /^Bearer +([\w.~+/=-]+)$/i.exec(header ?? "")?.[1];
    if (token === undefined) return { refused: header === undefined ? "missing" : "invalid" };
    const key = createHash("sha256").update(token).digest("base64url");
    const lookUp = () => (isPersonalToken(token) ? this.#byPersonalToken(token) : this.#byAccessToken(token));
    const isDoubtful = this.#isInDoubt(address) && !this.#good.has(key);
    const found = isDoubtful ? await this.#inTurn(lookUp) : await lookUp();
    if (!("refused" in found)) {
      remember(this.#good, key, true);
      return found;
    }
    this.#good.delete(key);
    if (found.refused === "crowded") return found;
    const count = this.#wrong.get(address);
    if (count === undefined) remember(this.#wrong, address, { count: 1, ends: performance.now() + MINUTE });
    else count.count++;
    return isDoubtful && found.refused === "invalid" ? { refused: "repeated" } : found;
  }

  #isInDoubt(address: string): boolean {
    const wrong = this.#wrong.get(address);
    if (wrong === undefined || wrong.ends > performance.now()) return wrong !== undefined && wrong.count >= MAX_WRONG;
    this.#wrong.delete(address);
    return false;
  }

  async #inTurn(lookUp: () => Promise<Authenticated>): Promise<Authenticated> {
    const { promise: done, resolve: leave } = Promise.withResolvers<void>();
    if (!(await this.#doubtful.enter(done))) return { refused: "crowded" };
    return lookUp().finally(leave);
  }

  async #byPersonalToken(token: string): Promise<Authenticated> {
    const entered = await this.#members.memberOfToken(token);
    if (entered === undefined) return { refused: "invalid" };
    return { entered, proof: { token: hashOfToken(token), ends: undefined } };
  }

  async #byAccessToken(token: string): Promise<Authenticated> {
    const oauth = this.#oauth;
    if (oauth === undefined || !IS_SIGNED.test(token)) return { refused: "invalid" };
    this.#accessTokens ??= import("./access-tokens.ts").then(({ AccessTokens }) => new AccessTokens(oauth));
    const found = await (await this.#accessTokens).identityOf(token);
    if (found === undefined) return { refused: "invalid" };
    const entered = await this.#members.memberOfIdentity(found.identity);
    if (entered === undefined) return { refused: "unknown" };
    return { entered, proof: { token: undefined, ends: found.ends } };
  }
}

function remember<T>(known: Map<string, T>, key: string, value: T): void {
  known.delete(key);
  known.set(key, value);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
}
