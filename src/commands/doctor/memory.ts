// Memory: how much of it there is, of how many devices, and whether it can be
// written.
import { constants, readdirSync } from "node:fs";
import { join } from "node:path";
import { realPath } from "../../files/real-path.ts";
import { memoryFolder } from "../../memory/folder.ts";
import { counted } from "../command.ts";
import type { Check } from "./finding.ts";
import { look, may } from "./looking.ts";

export const checkMemory: Check = ({ memory, vault, folders, sources }) => {
  const part = "memory";
  if (memory === "off") return { part, state: "ok", note: `off, set by ${sources.memory}` };
  const vaultFolder = look(vault)?.isDirectory() ? realPath(vault) : vault;
  const path = memoryFolder({ memory, vaultFolder, dataFolder: folders.data });
  if (look(path) === undefined) return { part, state: "missing", path, note: "made by the first call" };
  if (!may(path, constants.W_OK))
    return {
      part,
      state: "problem",
      path,
      note: "may not be written: calls leave no trace",
      hint: "check its permissions",
    };
  const files = readdirSync(path).filter((name) => name.endsWith(".jsonl"));
  const devices = new Set(files.map((name) => name.slice(0, 8))).size;
  const stats = files.map((name) => look(join(path, name)));
  const bytes = stats.reduce((sum, each) => sum + (each?.size ?? 0), 0);
  const newest = Math.max(0, ...stats.map((each) => each?.mtimeMs ?? 0));
  const note = `${counted(files.length, "file")} of ${counted(devices, "device")}, ${(bytes / 1e6).toFixed(1)} MB`;
  const past = [".nexus", ".workspaces"].filter((name) => look(join(vaultFolder, name))?.isDirectory());
  return {
    part,
    state: "ok",
    path,
    note: [note, ...past.map((name) => `reads ${name} too`)].join(", "),
    counts: { files: files.length, devices, bytes },
    ...(newest === 0 ? {} : { updated: new Date(newest).toISOString() }),
  };
};
