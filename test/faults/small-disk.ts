// A small disk in memory, for tests of a full disk: only if the system lets us
// mount one.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";

export const isRoot = process.getuid?.() === 0;

const mounted: string[] = [];

/** Whether the disk is there now. It stays until `unmountAll`. */
export function mountSmallDisk(at: string, megabytes: number): boolean {
  if (!isRoot || process.platform !== "linux") return false;
  mkdirSync(at);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", at], { stdio: "ignore" });
    mounted.push(at);
    return true;
  } catch {
    return false;
  }
}

/** Only when nothing has a file open there any more. */
export function unmountAll(): void {
  for (const disk of mounted.splice(0)) execFileSync("umount", [disk]);
}
