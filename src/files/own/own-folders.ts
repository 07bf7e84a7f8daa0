// The folders of the program's own files, by the conventions of each system.
// Creates nothing: whatever writes creates the folder that it needs. Used by the
// settings.
import { homedir } from "node:os";
import { operatingSystem, systemFolders, type UserPlace } from "../../kernel/kernel.ts";

export interface Folders {
  /** Data that must not be lost: journal, conversations, token, the embedded vault. */
  readonly data: string;
  /** Data that can be deleted: indexes. */
  readonly cache: string;
  /** The config file itself. */
  readonly config: string;
}

const NAME = "commonplace";

/** @param home stores everything below this folder */
export function foldersOf(
  environment: UserPlace["environment"],
  home?: string,
  { user = homedir(), system = operatingSystem() } = {},
): Folders {
  const { join } = system.path;
  if (home !== undefined) {
    return { data: join(home, "data"), cache: join(home, "cache"), config: join(home, "config.json") };
  }
  const { settings, data, cache } = systemFolders({ home: user, environment }, system);
  const config = join(settings, NAME, "config.json");
  // Data and caches share a folder there.
  if (system.family === "win32") return { data: join(data, NAME, "Data"), cache: join(data, NAME, "Cache"), config };
  return { data: join(data, NAME), cache: join(cache, NAME), config };
}
