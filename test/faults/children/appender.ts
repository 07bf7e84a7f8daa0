// A process that appends its lines to a note that others append to as well.
import { openVaultRoot } from "../../../src/files/vault/vault-root.ts";
import { parseNotePath } from "../../../src/files/vault/vault-path.ts";
import { openJournal } from "../../../src/journal/journal.ts";

interface Orders {
  readonly folder: string;
  readonly journals: string;
  readonly name: string;
  readonly count: number;
}

const orders = JSON.parse(process.argv[2] ?? "{}") as Orders;
const root = openVaultRoot(orders.folder);
const journal = openJournal(orders.journals, root, { log: () => {} });
const path = parseNotePath("shared");
for (let index = 0; index < orders.count; index++) {
  await journal.change({ tool: "append" }, async (read) => {
    const { bytes, hash } = (await read(path))!;
    const added = { offset: bytes.length, length: 0, bytes: Buffer.from(`${orders.name} ${index}\n`) };
    return { message: "Appended", steps: [{ kind: "replace", path, before: hash, edits: [added] }] };
  });
}
await journal.close();
