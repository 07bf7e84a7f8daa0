// The metadata of an OpenID Connect issuer, and where its keys are. Used by the server
// for members, which takes its access tokens, and by doctor, which says what is wrong.
import { isLoopback } from "./text/loopback.ts";
import { isRecord } from "./json.ts";

const MAX_BYTES = 256 * 1024;

/** Of an address: why it cannot be used. */
export class IssuerFault extends Error {}

/**
 * Returns the address of the issuer's keys, from its metadata at the addresses that OpenID Connect and RFC 8414 name. It
 * must be that of this issuer. Throws an IssuerFault.
 * @param timeout milliseconds for each address
 */
export async function issuerKeysAddress(issuer: string, timeout: number): Promise<URL> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const faults: string[] = [];
  for (const address of [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ]) {
    try {
      const found = await documentAt(address, timeout);
      if (found["issuer"] !== issuer)
        throw new IssuerFault(`names another issuer: ${JSON.stringify(found["issuer"])?.slice(0, 200)}`);
      return safeAddress(found["jwks_uri"]);
    } catch (error) {
      faults.push(`${address} ${(error as Error).message}`);
    }
  }
  throw new IssuerFault(faults.join("; "));
}

/** How many keys the issuer publishes. Throws an IssuerFault. */
export async function countIssuerKeys(address: URL, timeout: number): Promise<number> {
  const { keys } = await documentAt(address.href, timeout).catch((error: unknown) => {
    throw new IssuerFault(`${address.href} ${(error as Error).message}`);
  });
  if (Array.isArray(keys) && keys.length > 0) return keys.length;
  throw new IssuerFault(`${address.href} has no keys`);
}

function safeAddress(sent: unknown): URL {
  const url = typeof sent === "string" ? URL.parse(sent) : null;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url !== null && isSafe) return url;
  throw new IssuerFault("names no address of its keys (jwks_uri) with https");
}

async function documentAt(address: string, timeout: number): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(timeout) }).catch(
    (error: unknown) => {
      const { name, cause } = error as Error;
      const code = isRecord(cause) ? String(cause["code"] ?? "") : "";
      throw new IssuerFault(
        name === "TimeoutError" ? "does not answer in time" : `cannot be reached${code === "" ? "" : ` (${code})`}`,
      );
    },
  );
  if (!answer.ok) throw new IssuerFault(`answers ${answer.status}`);
  const text = await answer.text();
  try {
    const found: unknown = text.length > MAX_BYTES ? undefined : JSON.parse(text);
    if (isRecord(found)) return found;
  } catch {
    // Thrown below.
  }
  throw new IssuerFault("is not a JSON object");
}
