// Access tokens of an OpenID Connect issuer (OAuth 2.1, as MCP defines it for a
// resource server): who a token is about, if the issuer signed it for this server
// and it is valid now. Loaded only if an issuer is named; used by
// authentication.ts.
import type { createRemoteJWKSet as CreateRemoteJWKSet, JWTPayload } from "jose";
import { isRecord, issuerKeysAddress } from "../../../kernel/kernel.ts";
import { type Identity, isName, StoreUnavailable } from "../../../shared/shared.ts";
import type { OAuthSettings } from "../../../settings.ts";

/** Signed with a key that only the issuer has: never with a secret that both sides know. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** Seconds by which clocks may differ. */
const CLOCK_SKEW = 30;
/** Milliseconds: to wait for the issuer, between two looks for a new key, and until its keys and addresses are read again. */
const ISSUER_TIMEOUT = 5_000;
const COOL_DOWN = 5_000;
const KEYS_LAST = 10 * 60_000;
const METADATA_LASTS = 60 * 60_000;
const ROLES = ["reader", "writer", "owner"] as const;

type Keys = ReturnType<typeof CreateRemoteJWKSet>;

/** The subject of a token. */
interface About {
  readonly identity: Identity;
  /** When it is no longer good, in milliseconds. */
  readonly ends: number;
}

export class AccessTokens {
  readonly #oauth: OAuthSettings;
  #keys: { readonly at: number; readonly keys: Promise<Keys> } | undefined;

  constructor(oauth: OAuthSettings) {
    this.#oauth = oauth;
  }

  /** Undefined if the token is not good. Throws if the issuer cannot be asked for its keys. */
  async identityOf(token: string): Promise<About | undefined> {
    const { errors, jwtVerify } = await import("jose");
    const keys = await this.#currentKeys();
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: this.#oauth.issuer,
        audience: this.#oauth.audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_SKEW,
        requiredClaims: ["sub", "exp", "iat"],
      });
      // A token from the future would outlive every later one.
      if (payload.iat! > Date.now() / 1000 + CLOCK_SKEW) return undefined;
      const identity = identityIn(payload, this.#oauth);
      return identity && { identity, ends: payload.exp! * 1000 };
    } catch (error) {
      if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) throw issuerAway();
      return undefined;
    }
  }

  #currentKeys(): Promise<Keys> {
    const now = performance.now();
    if (this.#keys === undefined || now - this.#keys.at > METADATA_LASTS) {
      const keys = keysOf(this.#oauth.issuer);
      this.#keys = { at: now, keys };
      keys.catch(() => (this.#keys = undefined));
    }
    return this.#keys.keys;
  }
}

function issuerAway(): StoreUnavailable {
  return new StoreUnavailable("The issuer of access tokens cannot be reached.", "Try again.");
}

async function keysOf(issuer: string): Promise<Keys> {
  const { createRemoteJWKSet } = await import("jose");
  const url = await issuerKeysAddress(issuer, ISSUER_TIMEOUT).catch(() => {
    throw issuerAway();
  });
  return createRemoteJWKSet(url, {
    timeoutDuration: ISSUER_TIMEOUT,
    cooldownDuration: COOL_DOWN,
    cacheMaxAge: KEYS_LAST,
  });
}

function identityIn(payload: JWTPayload, oauth: OAuthSettings): Identity | undefined {
  const { issuer, memberClaim, groupsClaim } = oauth;
  const name = claimAt(payload, memberClaim);
  const isUnverified = memberClaim === "email" && payload["email_verified"] === false;
  if (typeof name !== "string" || isUnverified || !isName(name, "member") || payload.sub === "") return undefined;
  const given = claimAt(payload, groupsClaim);
  const groups = (Array.isArray(given) ? (given as unknown[]) : [given]).filter((each) => typeof each === "string");
  return { issuer, subject: payload.sub!, name, grants: grantsOf(groups, oauth.groups), issued: payload.iat! };
}

/** A claim, or one within another: `realm_access.roles`. */
function claimAt(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  let at: unknown = payload;
  for (const part of name.split(".")) at = isRecord(at) && Object.hasOwn(at, part) ? at[part] : undefined;
  return at;
}

/** Of several groups that give the same space, the one that gives most counts. */
function grantsOf(groups: readonly string[], mapped: OAuthSettings["groups"]): Identity["grants"] {
  const grants = new Map<string, Identity["grants"][number]>();
  for (const group of new Set(groups))
    for (const grant of mapped.get(group) ?? []) {
      const known = grants.get(grant.space);
      if (known === undefined || ROLES.indexOf(grant.role) > ROLES.indexOf(known.role)) grants.set(grant.space, grant);
    }
  return [...grants.values()];
}
