// Which of a person's devices this is: a random name, so that the devices that
// share a vault through a sync program each append to a file of their own.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createWhole, makeOwnFolder, readText } from "../../files/files.ts";

/** Made on first use. Where it cannot be kept, this process has a name of its own: one file more, and nothing lost. */
export function deviceName(dataFolder: string): string {
  const file = fileIn(dataFolder);
  const kept = keptName(file);
  if (kept !== undefined) return kept;
  const name = randomBytes(4).toString("hex");
  try {
    makeOwnFolder(dataFolder);
    createWhole(file, `${name}\n`);
  } catch {
    return name;
  }
  return keptName(file) ?? name;
}

/** The one that was made; undefined where there is none yet. */
export function knownDevice(dataFolder: string): string | undefined {
  return keptName(fileIn(dataFolder));
}

function fileIn(dataFolder: string): string {
  return join(dataFolder, "device");
}

function keptName(file: string): string | undefined {
  try {
    const name = readText(file, { followsLinks: true }).trim();
    return /^[0-9a-f]{8}$/.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}
