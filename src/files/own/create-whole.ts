// Creates or replaces a small file of our own that several processes may write at
// the same time. Used for the token, the device's name, the embedded outline and the
// projects that are shared.
import { linkSync, renameSync, rmSync } from "node:fs";
import { nodeCrypto } from "../../kernel/kernel.ts";
import { codeOf } from "../disk/system-errors.ts";
import { writeOwnFile } from "./own-files.ts";

/** Private, and complete as soon as it exists; on disks without links, at least never created twice. An existing file stays. */
export function createWhole(path: string, content: string): void {
  const draft = draftOf(path);
  writeOwnFile(draft, content);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") createInPlace(path, content);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Private, and at any moment either as it was or as it will be. */
export function replaceWhole(path: string, content: string): void {
  const draft = draftOf(path);
  try {
    writeOwnFile(draft, content, true);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

function draftOf(path: string): string {
  return `${path}.${process.pid}.${nodeCrypto().randomBytes(4).toString("hex")}`;
}

function createInPlace(path: string, content: string): void {
  try {
    writeOwnFile(path, content);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
