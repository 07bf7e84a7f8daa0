// Creates a small file of our own that several processes may create at the same
// time. Used for the token, the device's name and the embedded outline.
import { linkSync, rmSync } from "node:fs";
import { nodeCrypto } from "../../kernel/kernel.ts";
import { codeOf } from "../disk/system-errors.ts";
import { writeOwnFile } from "./own-files.ts";

/** Private, and complete as soon as it exists; on disks without links, at least never created twice. An existing file stays. */
export function createWhole(path: string, content: string): void {
  const draft = `${path}.${process.pid}.${nodeCrypto().randomBytes(4).toString("hex")}`;
  writeOwnFile(draft, content);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") createInPlace(path, content);
  } finally {
    rmSync(draft, { force: true });
  }
}

function createInPlace(path: string, content: string): void {
  try {
    writeOwnFile(path, content);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
