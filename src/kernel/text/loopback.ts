// Recognises the addresses of this machine. Used before text of notes is sent to a server.

/** Takes an IP address without brackets. A host name never counts. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^127(?:\.\d{1,3}){3}$/.test(address);
}
