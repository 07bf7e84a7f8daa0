// How much room the program's own files take, by what they are for. Used by the
// page.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../settings.ts";

export interface DiskUse {
  readonly what: string;
  /** The consequence of deleting it. */
  readonly note: string;
  readonly bytes: number;
}

interface Part extends Omit<DiskUse, "bytes"> {
  readonly folder: "data" | "cache";
  /** The names of its files and folders. */
  readonly names: RegExp;
}

const PARTS: readonly Part[] = [
  {
    what: "Conversations",
    note: "kept here even if their programs delete them",
    folder: "data",
    names: /^conversations/,
  },
  {
    what: "History of changes",
    note: "what can be undone: 30 days, or the last 1,000 changes",
    folder: "data",
    names: /^journal$/,
  },
  { what: "Memory", note: "sessions and workspaces of assistants", folder: "data", names: /^memory$/ },
  { what: "Backups", note: "configurations of hosts before each change", folder: "data", names: /^backups$/ },
  { what: "Index of notes", note: "built again if it is deleted", folder: "cache", names: /^notes-/ },
  { what: "Compiled program", note: "made again if it is deleted", folder: "cache", names: /^compiled$/ },
];

export function diskUse({ folders }: Pick<Settings, "folders">): readonly DiskUse[] {
  return PARTS.map(({ folder, names, what, note }) => {
    const within = folders[folder];
    const bytes = namesIn(within)
      .filter((name) => names.test(name))
      .reduce((sum, name) => sum + bytesOf(join(within, name)), 0);
    return { what, note, bytes };
  }).filter(({ bytes }) => bytes > 0);
}

function bytesOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.size;
  return namesIn(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
