// Checks the vault: whether its folder exists and can be read, and what is in it.
import { constants, statSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../../kernel/kernel.ts";
import { openVaultRoot, type VaultPath } from "../../files/files.ts";
import type { Check, Finding } from "./finding.ts";
import { look, may } from "./inspection.ts";

export const checkVault: Check = ({ vault: path, origins }) => {
  const about = { part: "vault", path } as const;
  const stats = look(path);
  if (stats === undefined) {
    if (origins.vault === "default")
      return {
        ...about,
        state: "missing",
        note: "the built-in one, created on first use",
        hint: "name your own notes with --vault DIR",
      };
    return {
      ...about,
      state: "problem",
      note: `does not exist, set by ${origins.vault}`,
      hint: "mount it, or correct the path",
    };
  }
  if (!stats.isDirectory())
    return {
      ...about,
      state: "problem",
      note: `not a folder, set by ${origins.vault}`,
      hint: "name the folder of your notes",
    };
  if (!may(path, constants.R_OK | constants.X_OK))
    return { ...about, state: "problem", note: "not readable", hint: "check the permissions of the folder" };
  return { ...about, ...contentOf(path) };
};

function contentOf(path: string): Pick<Finding, "state" | "note" | "hint" | "counts" | "updated"> {
  const root = openVaultRoot(path);
  const closed: string[] = [];
  let [notes, otherFiles, newest] = [0, 0, 0];
  for (const entry of root.list("" as VaultPath, { onUnreadable: (folder) => closed.push(folder) })) {
    if (entry.kind === "folder") continue;
    if (entry.name.toLowerCase().endsWith(".md")) notes++;
    else otherFiles++;
    newest = Math.max(newest, statSync(join(root.folder, entry.path), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  }
  const counts = { notes, otherFiles, unreadableFolders: closed.length };
  const note = `${counted(notes, "note")}, ${counted(otherFiles, "other file")}`;
  const updated = newest === 0 ? {} : { updated: new Date(newest).toISOString() };
  if (closed.length > 0)
    return {
      state: "problem",
      note: `${note}, and ${counted(closed.length, "folder")} that cannot be read: ${closed.slice(0, 3).join(", ")}`,
      hint: "check the permissions of these folders",
      counts,
      ...updated,
    };
  const isWritable = may(path, constants.W_OK);
  return { state: "ok", note: isWritable ? note : `${note}, but not writable`, counts, ...updated };
}
