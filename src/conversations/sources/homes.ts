// The home folders that are searched for conversations: the user's own, those of
// Windows under WSL, and those from the settings. Sources know what to look for in
// each. Used by app/parts.ts.
import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readText } from "../../files/files.ts";
import { operatingSystem } from "../../kernel/kernel.ts";
import type { Home, System } from "./source.ts";

export interface HomeSettings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Further folders, each laid out like a home folder of any system. */
  readonly further: readonly string[];
  /** Folders of projects that may have conversations in them. */
  readonly projects: readonly string[];
}

const EVERY_SYSTEM: readonly System[] = ["linux", "darwin", "win32"];

/** The user's own home is the first. */
export function homesOf({ environment, further, projects }: HomeSettings): Home[] {
  const own: Home = { folder: homedir(), systems: [operatingSystem().family], environment, projects };
  const windows = isWsl() ? windowsHomes("/mnt/c/Users") : [];
  return [
    own,
    ...windows.map((folder): Home => ({ folder, systems: ["win32"], environment: {}, projects: [] })),
    ...further.map((folder): Home => ({ folder, systems: EVERY_SYSTEM, environment: {}, projects: [] })),
  ];
}

function isWsl(): boolean {
  if (!operatingSystem().hasProc) return false;
  try {
    return /microsoft/i.test(readText("/proc/sys/kernel/osrelease"));
  } catch {
    return false;
  }
}

/** Folders of people, without those that Windows creates for itself. */
function windowsHomes(users: string): string[] {
  try {
    return readdirSync(users, { withFileTypes: true })
      .filter(
        (entry) =>
          entry.isDirectory() && !/^(?:Public|Default|Default User|All Users|WDAGUtilityAccount)$/i.test(entry.name),
      )
      .map(({ name }) => join(users, name));
  } catch {
    return [];
  }
}
