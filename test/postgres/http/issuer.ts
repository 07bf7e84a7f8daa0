// A real OpenID Connect issuer (oidc-provider) on loopback, and a person with a
// browser who signs in there. Used by oauth.test.ts.
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from "jose";
import { Provider } from "oidc-provider";
import { atTheEnd } from "../../temporary-folder.ts";

export interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

let keys = 0;

export async function newKey(alg = "RS256"): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(privateKey)), kid: `key-${keys++}`, use: "sig", alg } };
}

export interface Issuer {
  readonly url: string;
  /** A token as the issuer would make it, with anything changed. */
  readonly sign: (claims: JWTPayload, key?: SigningKey) => Promise<string>;
  /** The groups that people have in tokens from now on. */
  readonly setGroups: (groups: readonly string[]) => void;
  /** From now on it signs with another key, and publishes that one alone. */
  readonly rotate: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** @param resource the only one that it makes tokens for */
export async function startIssuer(port: number, resource: string): Promise<Issuer> {
  const url = `http://127.0.0.1:${port}`;
  let groups: readonly string[] = [];
  let key = await newKey();
  let server: Server | undefined;
  const start = async () => {
    const provider = new Provider(url, {
      jwks: { keys: [key.jwk] },
      cookies: { keys: ["only for tests"] },
      pkce: { required: () => true },
      findAccount: async (_ctx: unknown, id: string) => ({ accountId: id, claims: async () => ({ sub: id }) }),
      extraTokenClaims: async () => ({ groups, preferred_username: "Frida" }),
      features: {
        devInteractions: { enabled: true },
        registration: { enabled: true },
        resourceIndicators: {
          enabled: true,
          defaultResource: async () => resource,
          useGrantedResource: async () => true,
          getResourceServerInfo: async () => ({
            scope: "",
            audience: resource,
            accessTokenTTL: 600,
            accessTokenFormat: "jwt",
            jwt: { sign: { alg: "RS256" } },
          }),
        },
      },
    });
    server = createServer(provider.callback()).listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  const stop = async () => {
    if (server?.listening !== true) return;
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  await start();
  atTheEnd(stop);
  return {
    url,
    sign: async (claims, by = key) => {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: url, aud: resource, sub: "signed", preferred_username: "signed", iat: now, exp: now + 600 };
      return new SignJWT({ ...usual, groups, ...claims })
        .setProtectedHeader({ alg: by.jwk.alg!, kid: by.jwk.kid!, typ: "at+jwt" })
        .sign(by.privateKey);
    },
    setGroups: (next) => (groups = next),
    rotate: async () => {
      key = await newKey();
      await stop();
      await start();
    },
    stop,
  };
}

/** Signs in and agrees, as a person does in a browser. @returns what the client gets */
export async function signIn(authorization: URL, login: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let at = authorization;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step++) {
    if (at.pathname === "/callback") {
      if (!at.searchParams.has("code")) throw new Error(`The issuer refused: ${at.search}`);
      return at.searchParams;
    }
    const answer = await fetch(at, {
      method: form === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form !== undefined && { body: form }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = cookie.split(";")[0]!.split(/=(.*)/);
      cookies.set(name, value);
    }
    form = undefined;
    const next = answer.headers.get("location");
    if (next !== null) {
      at = new URL(next, at);
      continue;
    }
    const page = await answer.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
    if (prompt === undefined || action === undefined) throw new Error(`The issuer answered ${answer.status}: ${page}`);
    at = new URL(action, at);
    form = new URLSearchParams({ prompt, login, password: "any" });
  }
  throw new Error("The sign-in did not come to an end.");
}
