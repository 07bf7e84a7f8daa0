// A process that appends its lines to the note of a day that may not exist yet,
// and reports each when it is done.
import { join } from "node:path";
import { append, editNote, openVault } from "../../../src/vault/vault.ts";

export interface DayOrders {
  readonly home: string;
  readonly name: string;
  /** One line for each. */
  readonly days: readonly string[];
}

const { home, name, days } = JSON.parse(process.argv[2] ?? "{}") as DayOrders;
const vault = openVault({
  folder: join(home, "vault"),
  isEmbedded: false,
  journals: join(home, "journal"),
  cache: join(home, "cache"),
  log: () => {},
});
for (const day of days) {
  await editNote(vault, { tool: "append" }, { filePath: `daily:${day}`, change: append(`${name} ${day}\n`) });
  process.stdout.write(`${day}\n`);
}
await vault.close();
