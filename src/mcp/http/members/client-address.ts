// Finds the origin of a request. Behind a proxy every connection is the proxy's;
// an X-Forwarded-For header counts only if it is one of those that the settings
// trust: anybody can send it. Used by members-http.ts.
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { addNetwork } from "../../../settings.ts";

export function clientAddresses(trusted: readonly string[]): (request: IncomingMessage) => string {
  const proxies = new BlockList();
  for (const network of trusted) addNetwork(proxies, network);
  const isProxy = (address: string) => proxies.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  return ({ socket, headers }) => {
    let address = plain(socket.remoteAddress ?? "");
    const header = headers["x-forwarded-for"] ?? [];
    const hops = [header].flat().join(",").split(",").map(plain).filter(Boolean);
    // From the last proxy backwards: what a client has put in front of them is not believed.
    while (isIP(address) !== 0 && isProxy(address)) {
      const before = hops.pop();
      if (before === undefined || isIP(before) === 0) break;
      address = before;
    }
    return address;
  };
}

/** An IPv4 address as one, also on a socket of IPv6. */
function plain(address: string): string {
  return address.trim().replace(/^::ffff:(?=\d+\.)/i, "");
}
