// Which projects the conversations of a shared store belong to. Machines agree on a
// project by the address of its repository, else by its path. The rules are those
// of store/projects.ts. Used by shared-filter.ts.
import { nameIn, nearest } from "../../kernel/kernel.ts";
import type { TaggedQuery } from "../../postgres/postgres.ts";
import type { Place } from "../ingest/projects/project-folders.ts";

/** The project of a folder of this machine; undefined on a server, whose disk is no matter of members. */
export type PlaceAt = (folder: string) => Place | undefined;

/** A project as a member has pushed it. */
interface SharedPlace {
  readonly project: string;
  readonly root: string;
  readonly name: string;
}

async function placesIn(sql: TaggedQuery): Promise<SharedPlace[]> {
  const rows = await sql`
    SELECT project, root, coalesce(project_name, '') AS name FROM commonplace.conversation
    WHERE project IS NOT NULL GROUP BY project, root, project_name`;
  return rows.map((row) => ({
    project: String(row["project"]),
    root: String(row["root"]),
    name: String(row["name"]),
  }));
}

/** The identities of the project with this folder. */
export async function projectsAt(sql: TaggedQuery, folder: string, placeAt: PlaceAt): Promise<string[]> {
  const here = placeAt(folder);
  if (here === undefined) return [];
  const own = (await placesIn(sql)).filter(
    ({ project, root }) =>
      project === here.project ||
      root === here.root ||
      (here.project.startsWith("path:") && project.startsWith("path:") && root.startsWith(`${here.root}/`)),
  );
  return [...new Set(own.map(({ project }) => project))];
}

/** The identities of the projects with this name, else of those whose path or address ends so, else with this folder. */
export async function projectsNamed(sql: TaggedQuery, name: string, placeAt: PlaceAt): Promise<string[]> {
  const wanted = name.toLowerCase().replace(/(?<!\/)\/+$/, "");
  const places = await placesIn(sql);
  const named = places.filter((place) => place.name.toLowerCase() === wanted);
  const ending = places.filter(({ project, root }) =>
    [root, project.replace(/^\w+:/, "")].some((one) => {
      const path = one.toLowerCase();
      return path === wanted || path.endsWith(`/${wanted}`);
    }),
  );
  if (named.length + ending.length === 0) return projectsAt(sql, name, placeAt);
  return [...new Set((named.length > 0 ? named : ending).map(({ project }) => project))];
}

const MAX_SIMILAR = 3;

export async function similarProjects(sql: TaggedQuery, name: string): Promise<string[]> {
  const wanted = name.toLowerCase();
  const names = [...new Set((await placesIn(sql)).map((place) => place.name))].filter((one) => one !== "");
  const typed = names.filter((one) => nearest(wanted, [one, nameIn(one)]) !== undefined);
  const parts = names.filter((one) => one.toLowerCase().includes(wanted) || wanted.includes(one.toLowerCase()));
  return [...new Set([...typed, ...parts])].slice(0, MAX_SIMILAR);
}
