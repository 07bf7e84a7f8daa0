// Ids in the form of the contract: what it is, when it was made, and something
// that nothing else has.
import { randomBytes } from "node:crypto";

const PREFIXES = { session: "session", workspace: "ws", state: "state" } as const;

export function newId(kind: keyof typeof PREFIXES): string {
  const random = BigInt(`0x${randomBytes(7).toString("hex")}`)
    .toString(36)
    .padStart(11, "0")
    .slice(-9);
  return `${PREFIXES[kind]}_${Date.now()}_${random}`;
}
