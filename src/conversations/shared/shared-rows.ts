// The conversations of this machine that are shared: those of the projects that the
// person named, except those that mention hidden files. Used by
// conversation-library.ts, for the command `push`.
import { join } from "node:path";
import { Problem, shortened } from "../../kernel/kernel.ts";
import type { IndexDatabase, Row } from "../../sqlite/sqlite.ts";
import { projectNamed } from "../store/projects.ts";
import type { SharedProject } from "./shared-projects.ts";

/** The projects with this name or folder. Throws a problem if there is none. */
export function projectsToShare(database: IndexDatabase, name: string): SharedProject[] {
  const { folders, similar } = projectNamed(database, name);
  const rows = database.all(
    "SELECT DISTINCT project, coalesce(name, project) AS name FROM place WHERE folder IN (SELECT value FROM json_each(?)) ORDER BY name",
    JSON.stringify(folders.map(({ folder }) => folder)),
  );
  if (rows.length === 0)
    throw new Problem(
      "not_found",
      `No conversation was in a project called ${shortened(name)}.`,
      similar.length > 0 ? `Similar names: ${similar.join(", ")}.` : "The field project of any result has its name.",
    );
  return rows.map((row) => ({ project: String(row["project"]), name: String(row["name"]) }));
}

export interface RowsToShare {
  readonly rows: readonly number[];
  /** By the name of the project, how many are shared. */
  readonly projects: readonly { readonly name: string; readonly conversations: number }[];
  /** How many stay here because they mention hidden files. */
  readonly hidden: number;
}

/** The conversations of projects, as `source/id`. */
export function namesToShare(database: IndexDatabase, projects: readonly SharedProject[]): string[] {
  return listedIn(database, projects).map(({ source, key }) => `${String(source)}/${String(key)}`);
}

function listedIn(database: IndexDatabase, projects: readonly SharedProject[]): Row[] {
  return database.all(
    `SELECT conversation.id, source, key, conversation.folder, place.project FROM conversation
     JOIN place ON place.folder = conversation.folder
     WHERE is_listed AND place.project IN (SELECT value FROM json_each(?)) ORDER BY conversation.id`,
    JSON.stringify(projects.map(({ project }) => project)),
  );
}

/** @param isHidden whether the settings hide a file, by its absolute path or by its path in a vault */
export function rowsToShare(
  database: IndexDatabase,
  projects: readonly SharedProject[],
  isHidden: ((path: string) => boolean) | undefined,
): RowsToShare {
  const found = listedIn(database, projects);
  const shown =
    isHidden === undefined
      ? found
      : found.filter(({ id, folder }) => !mentionsHidden(database, Number(id), String(folder), isHidden));
  const counts = Map.groupBy(shown, ({ project }) => String(project));
  return {
    rows: shown.map(({ id }) => Number(id)),
    projects: projects.map(({ project, name }) => ({ name, conversations: counts.get(project)?.length ?? 0 })),
    hidden: found.length - shown.length,
  };
}

function mentionsHidden(
  database: IndexDatabase,
  row: number,
  folder: string,
  isHidden: (path: string) => boolean,
): boolean {
  return database
    .all("SELECT path FROM file WHERE conversation = ?", row)
    .some(({ path }) => isHidden(String(path)) || isHidden(join(folder, String(path))));
}
