// The files of Obsidian's settings that tools of ours follow. A space of a shared
// store has them as well, as rows that no tool reads as files, changes or lists: they
// come and go with `store import` and `store export` alone. The list is what
// src/vault/days/obsidian-settings.ts may read.
import { dirname, join } from "node:path";
import { contentHash, makeFolders, publish, temporaryName, writeTemporary } from "../../files/files.ts";
import type { FileStore } from "../file-store.ts";
import type { SharedFileStore } from "./shared-store.ts";

/** Community plugins whose settings are followed. */
const PLUGINS = ["periodic-notes", "calendar", "obsidian-tasks-plugin"] as const;
export type SettingsPlugin = (typeof PLUGINS)[number];

/** In `.obsidian`. Of a plugin without settings, its manifest says that it is there. */
const FILES = ["app.json", "daily-notes.json", "templates.json", "types.json", "community-plugins.json"] as const;
export type SettingsFile = (typeof FILES)[number] | `plugins/${SettingsPlugin}/${"data" | "manifest"}.json`;

const ALL: readonly SettingsFile[] = [
  ...FILES,
  ...PLUGINS.flatMap((plugin) => [`plugins/${plugin}/data.json`, `plugins/${plugin}/manifest.json`] as const),
];

export interface TransferredSettings {
  /** With those that were replaced. */
  readonly added: readonly string[];
  /** Files that both have with different content. None of them was changed. */
  readonly differing: readonly string[];
}

/** Adds those that are missing in the space. @param replaces those that differ, too */
export async function importSettings(
  from: FileStore,
  { space, root }: SharedFileStore,
  replaces: boolean,
): Promise<TransferredSettings> {
  return transferred(from.root, root, replaces, async (path, text) => {
    const bytes = Buffer.from(text);
    const key = `.obsidian/${path}`;
    await space.write(
      (sql, id) => sql`
        INSERT INTO commonplace.file (space, path, key, folder, kind, hash, size, version, created, modified, member, bytes)
        VALUES (${id}, ${key}, ${key}, ${dirname(key)}, 'file', ${contentHash(bytes)}, ${bytes.length}, 0,
          extract(epoch FROM clock_timestamp()) * 1000, extract(epoch FROM clock_timestamp()) * 1000,
          commonplace.current_member(), ${bytes})
        ON CONFLICT (space, key) DO UPDATE SET hash = excluded.hash, size = excluded.size, modified = excluded.modified,
          member = excluded.member, bytes = excluded.bytes WHERE ${replaces}`,
    );
  });
}

/** Adds those that are missing in the folder. */
export async function exportSettings({ root }: SharedFileStore, to: FileStore): Promise<TransferredSettings> {
  return transferred(root, to.root, false, async (path, text) => {
    const file = join(to.root.folder, ".obsidian", path);
    makeFolders(dirname(file));
    const temporary = join(dirname(file), temporaryName());
    await writeTemporary(temporary, Buffer.from(text), { path: file });
    await publish(temporary, file);
  });
}

async function transferred(
  from: FileStore["root"],
  to: FileStore["root"],
  replaces: boolean,
  add: (path: SettingsFile, text: string) => Promise<void>,
): Promise<TransferredSettings> {
  const [added, differing]: string[][] = [[], []];
  for (const path of ALL) {
    const text = await from.settingsText(path);
    if (text === undefined) continue;
    const there = await to.settingsText(path);
    if (there === text) continue;
    if (there === undefined || replaces) {
      await add(path, text);
      added!.push(`.obsidian/${path}`);
    } else differing!.push(`.obsidian/${path}`);
  }
  return { added: added!, differing: differing! };
}
