// Which addresses are this machine's own. Used where text of notes is sent to a server.

/** An IP address without brackets; names are none. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^127(?:\.\d{1,3}){3}$/.test(address);
}
