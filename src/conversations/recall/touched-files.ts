// The files that conversations of a project touched or named, weighted. Used for
// scores, and by the ranking of project files.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import type { ProjectFolder } from "../store/projects.ts";

const DAY = 24 * 60 * 60 * 1000;
const HALF_LIFE = 14 * DAY;
const MAX_TOUCHED = 500;
/** Only so many of the newest conversations count: older ones weigh little, and there may be thousands. */
const MAX_ASKED = 200;

/** Files that conversations in these folders touched or named since a time, with a weight for how often and how recently. */
export function touchedFiles(
  database: IndexDatabase,
  folders: readonly ProjectFolder[],
  since: number,
  now: number,
  most = MAX_ASKED,
): Map<string, number> {
  const weights = new Map<string, number>();
  if (folders.length === 0) return weights;
  const prefixes = new Map(folders.map(({ folder, prefix }) => [folder, prefix]));
  const rows = database.all(
    `SELECT folder, path, count, updated FROM (
       SELECT id, folder, updated FROM conversation
       WHERE is_listed AND folder IN (SELECT value FROM json_each(?)) AND updated >= ? ORDER BY updated DESC LIMIT ?
     ) AS newest JOIN file ON file.conversation = newest.id`,
    JSON.stringify([...prefixes.keys()]),
    since,
    most,
  );
  for (const { folder, path, count, updated } of rows) {
    const file = String(path);
    // Files outside of the folder do not belong to its project.
    if (/^(?:[/~]|[a-z]:|\.\.\/)/i.test(file)) continue;
    const within = prefixes.get(String(folder)) + file;
    const weight = Number(count) * 0.5 ** (Math.max(0, now - Number(updated)) / HALF_LIFE);
    weights.set(within, (weights.get(within) ?? 0) + weight);
  }
  return new Map([...weights].toSorted(([, a], [, b]) => b - a).slice(0, MAX_TOUCHED));
}
