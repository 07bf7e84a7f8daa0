// Ids in the form of the contract: kind, time of creation, and something unique.
// Callers may send any text as an id. Used by all of this room.
import { createHash, randomBytes } from "node:crypto";

const PREFIXES = { session: "session", workspace: "ws", state: "state" } as const;

export function newId(kind: keyof typeof PREFIXES): string {
  const random = BigInt(`0x${randomBytes(7).toString("hex")}`)
    .toString(36)
    .padStart(11, "0")
    .slice(-9);
  return `${PREFIXES[kind]}_${Date.now()}_${random}`;
}

const MAX_LENGTH = 200;

/** An id as it is stored: unchanged, unless it is longer than any id. */
export function keptId(sent: string): string {
  if (sent.length <= MAX_LENGTH) return sent.toWellFormed();
  const hash = createHash("sha256").update(sent).digest("base64url").slice(0, 22);
  return `${sent.slice(0, MAX_LENGTH - 30).toWellFormed()}…${hash}`;
}
