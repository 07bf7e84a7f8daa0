// The address of a store and its login, read from the setting and the variables that
// every program for PostgreSQL knows. Used by store.ts.
import { userInfo } from "node:os";
import { databaseUrl, Problem } from "../kernel/kernel.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How the connection is encrypted: not at all, with any certificate, or with one that is checked. */
type Encryption = "none" | "unverified" | "verified";

export interface StoreAddress {
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly login: string;
  readonly encryption: Encryption;
  /** The one that the address itself has: see password.ts. */
  readonly password: string | undefined;
  /** The same without the password, for messages. */
  readonly shown: string;
}

const EXAMPLE = "It has the form postgres://LOGIN@HOST/DATABASE.";
const SSL_MODES: Readonly<Record<string, Encryption>> = {
  disable: "none",
  require: "unverified",
  "verify-full": "verified",
};

/** Throws a problem that repeats nothing of the address: it may contain a password. */
export function parseStoreAddress(text: string, environment: Environment = process.env): StoreAddress {
  const url = databaseUrl(text, "The address of the store");
  const host = decoded(url.hostname).replace(/^\[|\]$/g, "") || environment["PGHOST"] || "localhost";
  const mode = url.searchParams.get("sslmode") ?? environment["PGSSLMODE"];
  if (mode !== undefined && !Object.hasOwn(SSL_MODES, mode))
    throw new Problem("invalid", `sslmode must be one of ${Object.keys(SSL_MODES).join(", ")}.`);
  const login = decoded(url.username) || environment["PGUSER"] || userInfo().username;
  const database = decoded(url.pathname.slice(1)) || environment["PGDATABASE"] || login;
  const port = Number(url.port || environment["PGPORT"] || 5432);
  return {
    host,
    port,
    database,
    login,
    encryption: mode === undefined ? (isLocal(host) ? "none" : "verified") : SSL_MODES[mode]!,
    password: decoded(url.password) || undefined,
    shown: `postgres://${login}@${host}${port === 5432 ? "" : `:${port}`}/${database}`,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Problem("invalid", "The address of the store is not valid: write % as %25.", EXAMPLE);
  }
}

function isLocal(host: string): boolean {
  return host.startsWith("/") || host === "localhost" || host === "::1" || host.startsWith("127.");
}
