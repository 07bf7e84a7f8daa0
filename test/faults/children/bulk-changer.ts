// A process that changes all notes of a vault in one step, again and again, each
// time to the next of its names: it renames a tag, or sets a property of all notes. It
// reports each name when it is done.
import { join } from "node:path";
import { editNotes, openVault, renameTag, setProperties } from "../../../src/vault/vault.ts";

export interface BulkOrders {
  readonly home: string;
  readonly kind: "tag" | "property";
  /** The first is the one that is there. */
  readonly names: readonly string[];
}

const { home, kind, names } = JSON.parse(process.argv[2] ?? "{}") as BulkOrders;
const vault = openVault({
  folder: join(home, "vault"),
  isEmbedded: false,
  journals: join(home, "journal"),
  cache: join(home, "cache"),
  log: () => {},
});
const author = { tool: kind };
const { answer: paths } = await vault.index.paths();
for (const [i, newName] of names.slice(1).entries()) {
  if (kind === "tag") await renameTag(vault, author, { rename: names[i]!, newName });
  else {
    const change = setProperties({ set: { state: newName } });
    await editNotes(
      vault,
      author,
      paths.map((filePath) => ({ filePath, change })),
    );
  }
  process.stdout.write(`${newName}\n`);
}
await vault.close();
