// A process that renames a tag again and again, each time to the next of its
// names, and reports each when it is done.
import { join } from "node:path";
import { openVault, renameTag } from "../../../src/vault/vault.ts";

export interface RenameOrders {
  readonly home: string;
  /** The first is the tag that is there. */
  readonly names: readonly string[];
}

const { home, names } = JSON.parse(process.argv[2] ?? "{}") as RenameOrders;
const vault = openVault({
  folder: join(home, "vault"),
  isEmbedded: false,
  journals: join(home, "journal"),
  cache: join(home, "cache"),
  log: () => {},
});
for (const [i, newName] of names.slice(1).entries()) {
  await renameTag(vault, { tool: "tags" }, { rename: names[i]!, newName });
  process.stdout.write(`${newName}\n`);
}
await vault.close();
