// A process that changes one outline concurrently with others, and may be killed:
// it adds, moves and checks rows and reports each completed change. On request it
// undoes and redoes every third one.
import fs from "node:fs";
import { join } from "node:path";
import { openFileDocument } from "../../../src/outline/file/file-document.ts";
import { parseVaultPath } from "../../../src/files/vault/vault-path.ts";
import { folderFiles } from "../../../src/files/files.ts";
import { openVaultRoot } from "../../../src/files/vault/vault-root.ts";
import { openJournal } from "../../../src/journal/journal.ts";
import type { Edit, Outline } from "../../../src/outline/model.ts";

export interface OutlineOrders {
  readonly folder: string;
  readonly home: string;
  readonly file: string;
  readonly name: string;
  readonly from: number;
  readonly count: number;
  /** Whether to undo and redo some changes. */
  readonly undoes?: boolean;
}

const orders = JSON.parse(process.argv[2] ?? "{}") as OutlineOrders;
const root = openVaultRoot(orders.folder);
const path = parseVaultPath(orders.file);
const journal = openJournal(join(orders.home, "data", "journal"), root, {
  log: () => {},
  subject: join(root.folder, path),
});
const document = openFileDocument({
  root: folderFiles(root),
  path,
  journal,
  idFolder: join(orders.home, "ids"),
  log: () => {},
});

/** Adds a row, and sometimes moves the first row to the end, which shifts the rows of others. */
function plan(outline: Outline, number: number): Edit[] {
  const edits: Edit[] = [
    {
      kind: "add",
      rows: [{ topic: `${orders.name} ${number}`, note: "one & two" }],
      position: { parentId: null, index: number % 3 },
    },
  ];
  const [first] = outline.topIds;
  if (number % 4 === 3 && first !== undefined)
    edits.push({ kind: "move", id: first, position: { parentId: null, index: outline.topIds.length } });
  return edits;
}

fs.writeSync(1, "ready\n");
for (let number = orders.from; number < orders.from + orders.count; number++) {
  const { added } = await document.change({ tool: "fault" }, (outline) => ({
    edits: plan(outline, number),
    message: `${orders.name} ${number}`,
  }));
  fs.writeSync(1, `${number} ${added[0]}\n`);
  if (!orders.undoes || number % 3 !== 2) continue;
  await journal.undo();
  await journal.redo();
}
await journal.close();
