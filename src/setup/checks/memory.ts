// Checks memory: where it is kept, its size, from how many devices, and whether it
// can be written.
import { constants } from "node:fs";
import { join } from "node:path";
import { counted } from "../../kernel/kernel.ts";
import { realPath } from "../../files/files.ts";
import { filesIn, filesToMove, knownDevice, memoryPlaces, nexusFoldersIn } from "../../memory/memory.ts";
import type { Check } from "./finding.ts";
import { look, may } from "./inspection.ts";

export const checkMemory: Check = ({ memory: set, readOnly, vault, vaults: [{ space }], folders, origins }) => {
  // That of a space in a shared store is never kept there.
  const memory = space === undefined || set === "off" ? set : "home";
  const part = "memory";
  if (memory === "off") return { part, state: "ok", note: `off, set by ${origins.memory}` };
  const vaultFolder = look(vault)?.isDirectory() ? realPath(vault) : vault;
  const { log, other } = memoryPlaces({ memory, vaultFolder, dataFolder: folders.data });
  const { path } = log;
  const where = log.isInVault ? "in the vault" : "in the data folder";
  const elsewhere = filesIn(other);
  const willMove = memory === undefined || readOnly ? [] : filesToMove(other, knownDevice(folders.data));
  const otherwise = [
    ...(elsewhere.length > willMove.length
      ? [`reads ${counted(elsewhere.length - willMove.length, "file")} in ${other.path} too`]
      : []),
    ...(willMove.length > 0 ? [`the next call moves ${counted(willMove.length, "file")} here from ${other.path}`] : []),
    ...nexusFoldersIn(vaultFolder).map((name) => `reads ${name} too`),
  ];
  const noteOf = (what: string) => [`${where}: ${what}`, ...otherwise].join(", ");
  if (look(path) === undefined) return { part, state: "missing", path, note: noteOf("created by the first call") };
  if (!may(path, constants.W_OK))
    return {
      part,
      state: "problem",
      path,
      note: noteOf("not writable, so calls leave no trace"),
      hint: "check its permissions",
    };
  const files = filesIn(log);
  const devices = new Set(files.map((name) => name.slice(0, 8))).size;
  const stats = files.map((name) => look(join(path, name)));
  const bytes = stats.reduce((sum, each) => sum + (each?.size ?? 0), 0);
  const newest = Math.max(0, ...stats.map((each) => each?.mtimeMs ?? 0));
  return {
    part,
    state: "ok",
    path,
    note: noteOf(`${counted(files.length, "file")} of ${counted(devices, "device")}, ${(bytes / 1e6).toFixed(1)} MB`),
    counts: { files: files.length, devices, bytes },
    ...(newest === 0 ? {} : { updated: new Date(newest).toISOString() }),
  };
};
