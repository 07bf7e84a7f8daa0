// The folders and files of our own: whether they can be written, and whether
// others can read what is private.
import { constants, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import type { Check, Finding } from "./finding.ts";
import { look, may } from "./inspection.ts";

const READ_OR_WRITTEN_BY_OTHERS = 0o077;
const WRITTEN_BY_OTHERS = 0o022;

/** Journal, conversations, token: nobody else's business. */
export const checkData: Check = ({ folders: { data } }) => ownFolder("data", data, READ_OR_WRITTEN_BY_OTHERS);

/** Indexes have a mode of their own; compiled code that others could write would be run. */
export const checkCache: Check = ({ folders: { cache } }) => ownFolder("cache", cache, WRITTEN_BY_OTHERS);

export const checkToken: Check = ({ folders: { data }, token }) => {
  if (token !== undefined) return { part: "token", state: "ok", note: "set by COMMONPLACE_TOKEN" };
  const path = join(data, "token");
  const stats = look(path);
  if (stats === undefined) return { part: "token", state: "missing", path, note: "made when HTTP is first served" };
  if (isOpenTo(stats, READ_OR_WRITTEN_BY_OTHERS))
    return {
      part: "token",
      state: "problem",
      path,
      note: `mode ${modeOf(stats)}: others can read it`,
      hint: `chmod 600 '${path}'`,
    };
  return { part: "token", state: "ok", path, note: "kept" };
};

/** Either there, writable and closed to others, or one that can be made. */
function ownFolder(part: string, path: string, others: number): Finding {
  const existing = deepestExisting(path);
  const stats = look(existing);
  if (!stats?.isDirectory())
    return { part, state: "problem", path, note: `${existing} is not a folder`, hint: "move it away" };
  if (!may(existing, constants.W_OK))
    return { part, state: "problem", path, note: "may not be written", hint: `check the permissions of ${existing}` };
  if (existing !== path) return { part, state: "missing", path, note: "made on first use" };
  if (isOpenTo(stats, others))
    return { part, state: "problem", path, note: `mode ${modeOf(stats)}: others get in`, hint: `chmod 700 '${path}'` };
  return { part, state: "ok", path, note: "writable" };
}

/** Windows has no such modes: a profile's folders are closed to others there. */
function isOpenTo(stats: Stats, others: number): boolean {
  return process.platform !== "win32" && (stats.mode & others) !== 0;
}

function modeOf(stats: Stats): string {
  return (stats.mode & 0o777).toString(8).padStart(4, "0");
}

function deepestExisting(path: string): string {
  return look(path) || path === dirname(path) ? path : deepestExisting(dirname(path));
}
