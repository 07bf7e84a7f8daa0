// Node's crypto module, loaded on first use. Loading it takes 6 to 9 ms, a tenth
// of the time from spawn to `initialize`, and a server that only starts never
// needs it. For the modules that every start loads; others import it.
import type * as crypto from "node:crypto";

export function nodeCrypto(): typeof crypto {
  return process.getBuiltinModule("node:crypto");
}
