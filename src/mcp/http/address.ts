// The address of the server over HTTP: the port that it listens on, and the names
// under which it may be addressed. Used by http.ts.
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { log, Problem } from "../../kernel/kernel.ts";
import { DEFAULT_PORT } from "./default-port.ts";

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

export interface AddressOptions {
  /** The address to listen on; loopback unless the user named another. */
  readonly host: string;
  /** Undefined: the first free one of `usualPorts`, or any. */
  readonly port: number | undefined;
  readonly usualPorts?: readonly number[];
  /** Describes the program that listens on a port. */
  readonly holderOf?: (port: number) => Promise<string>;
}

/** Listens on the requested port; if there is none, on a usual one or on any free one. */
export async function listen(
  server: Server,
  { port, host, usualPorts = [DEFAULT_PORT], holderOf = async () => "another program" }: AddressOptions,
): Promise<AddressInfo> {
  const taken: number[] = [];
  for (const tried of port === undefined ? [...usualPorts, 0] : [port]) {
    try {
      const address = await tryListen(server, tried, host);
      for (const other of taken)
        log(`port ${other} is taken by ${await holderOf(other)}: port ${address.port} is used instead`);
      return address;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE")
        throw new Problem("invalid", `Cannot listen on ${host}: ${(error as Error).message}`);
      taken.push(tried);
    }
  }
  throw new Problem(
    "invalid",
    `Port ${port} is taken by ${await holderOf(port!)}.`,
    "Choose another port, or none to use any free one.",
  );
}

function tryListen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

/** The values of Host that are accepted, without the port. */
export function namesOf(host: string): string[] {
  if (host !== "0.0.0.0" && host !== "::") return [...LOOPBACK_NAMES, bracketed(host).toLowerCase()];
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) =>
    list.map(({ address }) => bracketed(address)),
  );
  return [...LOOPBACK_NAMES, hostname().toLowerCase(), ...addresses];
}

export function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
