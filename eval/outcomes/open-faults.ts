// The requests that are known to fail, each with the reason: open.json. A fix
// removes its lines, which `npm run eval -- outcomes --close` does.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = join(import.meta.dirname, "open.json");

export function readOpenFaults(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(FILE, "utf8")) as Record<string, string>;
}

/** Removes those that are right now; nothing is ever added. @returns what was removed */
export function closeFaults(right: ReadonlySet<string>): string[] {
  const open = Object.entries(readOpenFaults());
  const still = open.filter(([id]) => !right.has(id));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(still), null, 2)}\n`);
  return open.map(([id]) => id).filter((id) => right.has(id));
}
