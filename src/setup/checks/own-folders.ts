// Checks our own folders and files: whether they can be written, and whether other
// users can read what is private.
import { constants, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { operatingSystem } from "../../kernel/kernel.ts";
import type { Check, Finding } from "./finding.ts";
import { look, may } from "./inspection.ts";

const READ_OR_WRITTEN_BY_OTHERS = 0o077;
const WRITTEN_BY_OTHERS = 0o022;

/** It has the journal, the conversations and the token, which other users must not read. */
export const checkData: Check = ({ folders: { data } }) => ownFolder("data", data, READ_OR_WRITTEN_BY_OTHERS);

/** Indexes are private by their own mode, but the program runs the compiled code in this folder. */
export const checkCache: Check = ({ folders: { cache } }) => ownFolder("cache", cache, WRITTEN_BY_OTHERS);

export const checkToken: Check = ({ folders: { data }, token }) => {
  if (token !== undefined) return { part: "token", state: "ok", note: "set by COMMONPLACE_TOKEN" };
  const path = join(data, "token");
  const stats = look(path);
  if (stats === undefined) return { part: "token", state: "missing", path, note: "created when HTTP is first served" };
  if (isOpenTo(stats, READ_OR_WRITTEN_BY_OTHERS))
    return {
      part: "token",
      state: "problem",
      path,
      note: `mode ${modeOf(stats)}: others can read it`,
      hint: `chmod 600 '${path}'`,
    };
  return { part: "token", state: "ok", path, note: "stored" };
};

/** A folder that is writable and closed to other users, or that can be created. */
function ownFolder(part: string, path: string, others: number): Finding {
  const existing = deepestExisting(path);
  const stats = look(existing);
  if (!stats?.isDirectory())
    return { part, state: "problem", path, note: `${existing} is not a folder`, hint: "move it away" };
  if (!may(existing, constants.W_OK))
    return { part, state: "problem", path, note: "not writable", hint: `check the permissions of ${existing}` };
  if (existing !== path) return { part, state: "missing", path, note: "created on first use" };
  if (isOpenTo(stats, others))
    return {
      part,
      state: "problem",
      path,
      note: `mode ${modeOf(stats)}: open to other users`,
      hint: `chmod 700 '${path}'`,
    };
  return { part, state: "ok", path, note: "writable" };
}

/** Windows has no such modes; the folders of a user's profile are closed to others. */
function isOpenTo(stats: Stats, others: number): boolean {
  return operatingSystem().hasModes && (stats.mode & others) !== 0;
}

function modeOf(stats: Stats): string {
  return (stats.mode & 0o777).toString(8).padStart(4, "0");
}

function deepestExisting(path: string): string {
  return look(path) || path === dirname(path) ? path : deepestExisting(dirname(path));
}
