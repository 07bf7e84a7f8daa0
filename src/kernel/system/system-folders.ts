// The folders in which each system keeps what programs store for a user. Used for our own
// folders, and to find the files of hosts and editors.
import { operatingSystem, type OperatingSystem } from "./operating-system.ts";

export interface UserPlace {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface SystemFolders {
  /** Settings of applications: %APPDATA%, ~/Library/Application Support, $XDG_CONFIG_HOME. */
  readonly settings: string;
  /** Their data on this machine: %LOCALAPPDATA%, ~/Library/Application Support, $XDG_DATA_HOME. */
  readonly data: string;
  /** Data that can be deleted: %LOCALAPPDATA%, ~/Library/Caches, $XDG_CACHE_HOME. */
  readonly cache: string;
}

/** @param join of another system, for folders of it that are on a disk of this one */
export function systemFolders(
  { home, environment }: UserPlace,
  { family, path }: OperatingSystem = operatingSystem(),
  join: (...names: string[]) => string = path.join,
): SystemFolders {
  const named = (variable: string, ...usual: string[]) => environment[variable] || join(home, ...usual);
  switch (family) {
    case "darwin": {
      const settings = join(home, "Library", "Application Support");
      return { settings, data: settings, cache: join(home, "Library", "Caches") };
    }
    case "win32": {
      const local = named("LOCALAPPDATA", "AppData", "Local");
      return { settings: named("APPDATA", "AppData", "Roaming"), data: local, cache: local };
    }
    case "linux":
      return {
        settings: named("XDG_CONFIG_HOME", ".config"),
        data: named("XDG_DATA_HOME", ".local", "share"),
        cache: named("XDG_CACHE_HOME", ".cache"),
      };
  }
}
