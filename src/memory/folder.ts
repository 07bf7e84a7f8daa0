// Where the log of a vault's memory is kept: in the vault, so that it goes
// where the notes go, or among this program's own data.
import { createHash } from "node:crypto";
import { join } from "node:path";

interface Place {
  readonly memory: "vault" | "home";
  /** The real path of the vault's folder. */
  readonly vaultFolder: string;
  readonly dataFolder: string;
}

export function memoryFolder({ memory, vaultFolder, dataFolder }: Place): string {
  if (memory === "vault") return join(vaultFolder, ".commonplace", "memory");
  return join(dataFolder, "memory", createHash("sha256").update(vaultFolder).digest("hex").slice(0, 16));
}
