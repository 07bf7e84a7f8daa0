// Temporary folders for tests, and the clean-up after the tests of a file.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Vitest ignores an afterAll that is called in another hook, and this module is
// loaded once for many test files: test/each-file.ts runs every clean-up after
// each of them, the last one first.
const endings: (() => unknown)[] = [];
export const atTheEnd = (ending: () => unknown): unknown => endings.push(ending);
export async function cleanUp(): Promise<void> {
  for (const ending of endings.splice(0).toReversed()) await ending();
}

/** A folder that is deleted after the tests of this file. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, "commonplace-test-"));
  atTheEnd(() => {
    makeRemovable(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Folders that a test has closed can only be removed by root as they are. */
function makeRemovable(folder: string): void {
  if (process.platform === "win32" || process.getuid?.() === 0 || !existsSync(folder)) return;
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) makeRemovable(join(folder, entry.name));
}
