// The two protocols that nearly every endpoint speaks, and which one an address
// suggests.
import { anthropic } from "./anthropic.ts";
import { openai } from "./openai.ts";
import type { Protocol } from "./protocol.ts";

export const PROTOCOLS = { openai, anthropic } as const satisfies Record<string, Protocol>;
export type ProtocolName = keyof typeof PROTOCOLS;

/** @param given a base address (`http://localhost:11434/v1`), or that of the endpoint itself */
export function addressOf(given: URL, { path }: Protocol): URL {
  const address = new URL(given);
  const base = address.pathname.replace(/\/+$/, "");
  // Anthropic's base address has no version, but many write it.
  const version = path.split("/")[1];
  const rest = base.endsWith(`/${version}`) ? path.slice(version!.length + 1) : path;
  if (!base.endsWith(rest)) address.pathname = base + rest;
  return address;
}

/** The protocol that an address suggests. */
export function protocolAt(address: URL): ProtocolName {
  return /anthropic/.test(address.hostname) || /\/messages\/?$/.test(address.pathname) ? "anthropic" : "openai";
}
