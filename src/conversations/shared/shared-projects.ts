// The projects that a person shares from this machine, per store and space: kept in
// `<data>/shared-projects.json`, so that a push by the system goes on with them.
// Nothing is pushed of any other project. Used by app/shared-conversations.ts and
// shared-rows.ts.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { makeOwnFolder, readText, replaceWhole } from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";

/** A project, by its identity (`git:host/owner/name`, `path:/folder`), and what it was called when it was chosen. */
export interface SharedProject {
  readonly project: string;
  readonly name: string;
}

/** The projects that are shared with a space. */
interface Choice {
  readonly store: string;
  readonly space: string;
  readonly projects: readonly SharedProject[];
}

export function sharedProjects(file: string, store: string, space: string): readonly SharedProject[] {
  return choicesIn(file).find((one) => one.store === store && one.space === space)?.projects ?? [];
}

/** In the order of their names. A choice without any is no choice. */
export function keepSharedProjects(file: string, store: string, space: string, chosen: readonly SharedProject[]): void {
  const projects = chosen.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const others = choicesIn(file).filter((one) => one.store !== store || one.space !== space);
  makeOwnFolder(dirname(file));
  const kept = projects.length === 0 ? others : [...others, { store, space, projects }];
  replaceWhole(file, `${JSON.stringify(kept, null, 2)}\n`);
}

/** A file that cannot be read is not taken for "nothing is shared": the next choice would replace it. */
function choicesIn(file: string): readonly Choice[] {
  if (!existsSync(file)) return [];
  try {
    const choices: unknown = JSON.parse(readText(file));
    if (Array.isArray(choices)) return choices as Choice[];
  } catch {
    // Below.
  }
  throw new Problem("invalid", `${file} is damaged.`, "Delete it, and name the projects again.");
}
