// The name of this device, which is random: devices that share a vault through a
// sync program each append to files of their own. Used by app/vault-parts.ts and
// doctor.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createWhole, makeOwnFolder, readText } from "../../files/files.ts";

/** Created on first use. If it cannot be stored, this process has its own name: one more file, and nothing lost. */
export function deviceName(dataFolder: string): string {
  const file = fileIn(dataFolder);
  const stored = storedName(file);
  if (stored !== undefined) return stored;
  const name = randomBytes(4).toString("hex");
  try {
    makeOwnFolder(dataFolder);
    createWhole(file, `${name}\n`);
  } catch {
    return name;
  }
  return storedName(file) ?? name;
}

/** The stored name; undefined if there is none yet. */
export function knownDevice(dataFolder: string): string | undefined {
  return storedName(fileIn(dataFolder));
}

function fileIn(dataFolder: string): string {
  return join(dataFolder, "device");
}

function storedName(file: string): string | undefined {
  try {
    const name = readText(file, { followsLinks: true }).trim();
    return /^[0-9a-f]{8}$/.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}
