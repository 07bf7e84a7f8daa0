// How the members of a shared store are served over HTTP: an object in the config
// file, or a JSON file that a flag or a variable names (a variable may also have
// the JSON itself). It contains no secrets. Used by settings.ts.
import { BlockList, isIP } from "node:net";
import { readText } from "../files/files.ts";
import { isLoopback, isRecord, Problem } from "../kernel/kernel.ts";
import { type Given, pathFrom, unknown } from "./values.ts";

export interface ServerSettings {
  /** The address under which clients reach the server, as its proxy has it, without a slash at the end. */
  readonly publicUrl: string | undefined;
  /** Addresses and networks of proxies: what they say about where a request comes from is believed. */
  readonly trustedProxies: readonly string[];
  /** How much a member may ask in a minute, on all servers together. */
  readonly requestsPerMinute: number;
  /** The largest number of connections to the database. */
  readonly connections: number;
  /** The issuer whose access tokens are taken, beside personal tokens. */
  readonly oauth: OAuthSettings | undefined;
}

export interface OAuthSettings {
  /** As its tokens name it, to the letter. */
  readonly issuer: string;
  /** The address of the MCP endpoint, as clients have it. */
  readonly resource: string;
  /** The audience of tokens for this server. */
  readonly audience: string;
  /** The claim after which a new member is called. */
  readonly memberClaim: string;
  readonly groupsClaim: string;
  /** The scopes that clients request; some issuers grant nothing without them. */
  readonly scopes: readonly string[];
  /** The grants of each group. */
  readonly groups: ReadonlyMap<string, readonly Grant[]>;
}

interface Grant {
  readonly space: string;
  readonly role: "reader" | "writer" | "owner";
}

const KEYS = ["publicUrl", "trustedProxies", "requestsPerMinute", "connections", "oauth"];
const OAUTH_KEYS = ["issuer", "audience", "memberClaim", "groupsClaim", "scopes", "groups"];
const ENDPOINT = "/mcp";

export const DEFAULT_SERVER: ServerSettings = {
  publicUrl: undefined,
  trustedProxies: [],
  requestsPerMinute: 600,
  connections: 10,
  oauth: undefined,
};

export function serverFrom(given: Given): ServerSettings {
  const { value, origin } = valueOf(given);
  checkKeys(value, KEYS, origin);
  const publicUrl =
    value["publicUrl"] === undefined ? undefined : addressFrom(value["publicUrl"], `${origin}: publicUrl`);
  return {
    publicUrl,
    oauth: value["oauth"] === undefined ? undefined : oauthFrom(value["oauth"], publicUrl, `${origin}: oauth`),
    trustedProxies: networksFrom(value["trustedProxies"] ?? [], `${origin}: trustedProxies`),
    requestsPerMinute: countFrom(value["requestsPerMinute"] ?? DEFAULT_SERVER.requestsPerMinute, {
      origin: `${origin}: requestsPerMinute`,
      most: 1_000_000,
    }),
    connections: countFrom(value["connections"] ?? DEFAULT_SERVER.connections, {
      origin: `${origin}: connections`,
      most: 1_000,
    }),
  };
}

function checkKeys(value: Readonly<Record<string, unknown>>, known: readonly string[], origin: string): void {
  for (const key of Object.keys(value))
    if (!known.includes(key)) throw unknown(`${origin}: unknown key '${key}'.`, key, known);
}

function oauthFrom(value: unknown, publicUrl: string | undefined, origin: string): OAuthSettings {
  if (!isRecord(value)) throw new Problem("invalid", `${origin} must be an object.`);
  checkKeys(value, OAUTH_KEYS, origin);
  if (publicUrl === undefined) throw new Problem("invalid", `${origin} needs publicUrl: tokens are made for it.`);
  addressFrom(value["issuer"], `${origin}.issuer`);
  const resource = `${publicUrl}${ENDPOINT}`;
  const text = (key: string, otherwise: string) => {
    const found = value[key] ?? otherwise;
    if (typeof found === "string" && found !== "") return found;
    throw new Problem("invalid", `${origin}.${key} must be a non-empty string.`);
  };
  return {
    issuer: String(value["issuer"]),
    resource,
    audience: text("audience", resource),
    memberClaim: text("memberClaim", "sub"),
    groupsClaim: text("groupsClaim", "groups"),
    scopes: scopesFrom(value["scopes"] ?? [], `${origin}.scopes`),
    groups: groupsFrom(value["groups"] ?? {}, `${origin}.groups`),
  };
}

function scopesFrom(value: unknown, origin: string): readonly string[] {
  const scopes = Array.isArray(value) ? (value as unknown[]) : [value];
  if (scopes.every((scope) => typeof scope === "string" && /^[!#-[\]-~]+$/.test(scope))) return scopes as string[];
  throw new Problem("invalid", `${origin} must be a list such as ["openid"].`);
}

function groupsFrom(value: unknown, origin: string): OAuthSettings["groups"] {
  if (!isRecord(value))
    throw new Problem("invalid", `${origin} must be an object such as {"developers": "team:writer"}.`);
  return new Map(
    Object.entries(value).map(([group, given]) => [
      group,
      (Array.isArray(given) ? (given as unknown[]) : [given]).map((each) => {
        const [, space, role] = /^(.+):(reader|writer|owner)$/.exec(String(each)) ?? [];
        if (space !== undefined) return { space, role: role as Grant["role"] };
        throw new Problem("invalid", `${origin}: '${String(each)}' is not SPACE:ROLE, such as team:writer.`);
      }),
    ]),
  );
}

function valueOf(given: Given): { readonly value: Readonly<Record<string, unknown>>; readonly origin: string } {
  if (isRecord(given.value)) return { value: given.value, origin: given.origin };
  const isText = typeof given.value === "string" && given.value.trimStart().startsWith("{");
  const path = isText ? undefined : pathFrom(given);
  const origin = path === undefined ? given.origin : `${given.origin} (${path})`;
  try {
    const value: unknown = JSON.parse(
      path === undefined ? String(given.value) : readText(path, { followsLinks: true }),
    );
    if (isRecord(value)) return { value, origin };
  } catch (error) {
    throw new Problem("invalid", `${origin} cannot be read: ${(error as Error).message}`);
  }
  throw new Problem("invalid", `${origin} must contain an object, such as {"publicUrl": "https://notes.example"}.`);
}

/** Encrypted, unless it is of this machine: tokens are sent there. */
export function addressFrom(value: unknown, origin: string): string {
  const url = typeof value === "string" ? URL.parse(value) : null;
  const isHere = url !== null && (url.hostname === "localhost" || isLoopback(url.hostname.replace(/^\[|\]$/g, "")));
  if (url === null || !(url.protocol === "https:" || (url.protocol === "http:" && isHere)))
    throw new Problem("invalid", `${origin} must be an address such as https://notes.example.`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new Problem("invalid", `${origin} must have no login, query or fragment.`);
  return url.href.replace(/\/+$/, "");
}

function networksFrom(value: unknown, origin: string): readonly string[] {
  const networks = Array.isArray(value) ? (value as unknown[]) : [value];
  for (const network of networks) {
    try {
      addNetwork(new BlockList(), String(network));
    } catch {
      throw new Problem(
        "invalid",
        `${origin} must be addresses or networks such as 10.0.0.0/8, not '${String(network)}'.`,
      );
    }
  }
  return networks.map(String);
}

/** Throws if it is not a network. */
export function addNetwork(list: BlockList, network: string): void {
  const [address = "", prefix] = network.split("/");
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (prefix === undefined) list.addAddress(address, family);
  else list.addSubnet(address, /^\d+$/.test(prefix) ? Number(prefix) : -1, family);
}

function countFrom(value: unknown, { origin, most }: { readonly origin: string; readonly most: number }): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new Problem("invalid", `${origin} must be a whole number from 1 to ${most}.`);
}
