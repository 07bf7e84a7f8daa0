// Which projects a person shares, per store and space, and which conversations of
// them they have taken back: kept in `<data>/shared-projects.json`, so that a push by
// the system goes on with them. Nothing is pushed of any other project. Used by
// app/shared-conversations.ts and shared-rows.ts.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { makeOwnFolder, readText, replaceWhole } from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";

/** A project, by its identity (`git:host/owner/name`, `path:/folder`), and what it was called when it was chosen. */
export interface SharedProject {
  readonly project: string;
  readonly name: string;
}

/** What is shared with a space. */
export interface SharedChoice {
  readonly projects: readonly SharedProject[];
  /** Conversations (`source/id`) that were unshared: they stay here until their project is named again. */
  readonly without: readonly string[];
}

interface Choice extends Pick<SharedChoice, "projects"> {
  readonly store: string;
  readonly space: string;
  readonly without?: readonly string[];
}

export function sharedChoice(file: string, store: string, space: string): SharedChoice {
  const { projects = [], without = [] } =
    choicesIn(file).find((one) => one.store === store && one.space === space) ?? {};
  return { projects, without };
}

/** Projects in the order of their names. A choice without any is no choice. */
export function keepSharedChoice(file: string, store: string, space: string, choice: SharedChoice): void {
  const projects = choice.projects.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const without = [...new Set(choice.without)].toSorted();
  const others = choicesIn(file).filter((one) => one.store !== store || one.space !== space);
  const kept = { store, space, projects, ...(without.length > 0 && { without }) };
  makeOwnFolder(dirname(file));
  replaceWhole(file, `${JSON.stringify(projects.length === 0 ? others : [...others, kept], null, 2)}\n`);
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
