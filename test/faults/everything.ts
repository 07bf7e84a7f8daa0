// The content of a vault, byte by byte, for the tests and their child processes.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Every file by its path, and every folder by its path with "/"; without the trash unless requested. */
export function everythingIn(folder: string, { withTrash = false } = {}): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (below: string) => {
    for (const entry of readdirSync(below, { withFileTypes: true })) {
      const path = join(below, entry.name);
      if (entry.name === ".trash" && !withTrash) continue;
      if (entry.isDirectory()) {
        found[`${relative(folder, path)}/`] = "";
        walk(path);
      } else found[relative(folder, path)] = readFileSync(path, "latin1");
    }
  };
  walk(folder);
  return found;
}
