// Where the program stores its own files, by the conventions of each system.
// Creates nothing: whatever writes creates the folder that it needs. Used by the
// settings.
import { homedir } from "node:os";
import { join } from "node:path";

export interface Folders {
  /** What must not be lost: journal, conversations, token, the embedded vault. */
  readonly data: string;
  /** What can be deleted: indexes. */
  readonly cache: string;
  /** The config file itself. */
  readonly config: string;
}

const NAME = "commonplace";

/** @param home stores everything below this folder */
export function foldersOf(environment: Readonly<Record<string, string | undefined>>, home?: string): Folders {
  if (home !== undefined) {
    return { data: join(home, "data"), cache: join(home, "cache"), config: join(home, "config.json") };
  }
  const user = homedir();
  const named = (variable: string, fallback: string) => environment[variable] || fallback;
  switch (process.platform) {
    case "darwin": {
      const data = join(user, "Library", "Application Support", NAME);
      return { data, cache: join(user, "Library", "Caches", NAME), config: join(data, "config.json") };
    }
    case "win32": {
      const local = join(named("LOCALAPPDATA", join(user, "AppData", "Local")), NAME);
      const roaming = join(named("APPDATA", join(user, "AppData", "Roaming")), NAME);
      return { data: join(local, "Data"), cache: join(local, "Cache"), config: join(roaming, "config.json") };
    }
    default:
      return {
        data: join(named("XDG_DATA_HOME", join(user, ".local", "share")), NAME),
        cache: join(named("XDG_CACHE_HOME", join(user, ".cache")), NAME),
        config: join(named("XDG_CONFIG_HOME", join(user, ".config")), NAME, "config.json"),
      };
  }
}
