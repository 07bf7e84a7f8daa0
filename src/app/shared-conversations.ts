// Brings the conversations of the projects that a person named into the shared
// store, and remembers which these are. What the person has unshared, on whichever
// machine, is left out until its project is named again. Used by app.ts, for the
// commands `push` and `store`.
import { join } from "node:path";
import type { Conversations, PushedProjects, SharedProject } from "../conversations/conversations.ts";
import { Problem } from "../kernel/kernel.ts";
import type { Space, Store } from "../shared/shared.ts";
import type { Settings } from "../settings.ts";
import type { VaultParts } from "./vault-parts.ts";

export interface ConversationPushOptions {
  /** The name of the space; undefined if there is only one. */
  readonly space: string | undefined;
  /** Further projects to share from now on, by name or folder. */
  readonly projects: readonly string[];
  /** Says what would be sent: nothing is, and the projects are not remembered. */
  readonly isPreview?: boolean | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export type PushedToSpace = PushedProjects & {
  readonly space: string;
  /** Projects that were pushed from here, and that the person has unshared since, on another machine: by name. */
  readonly unsharedProjects: readonly string[];
};

export interface SharingParts {
  readonly settings: Settings;
  readonly vaults: readonly VaultParts[];
  readonly isHiddenFile: ((absolute: string) => boolean) | undefined;
  readonly store: Store;
  readonly conversations: Conversations;
}

export async function pushConversations(
  { settings, vaults, isHiddenFile, store, conversations }: SharingParts,
  { space: wanted, projects: named, isPreview = false, onProgress }: ConversationPushOptions,
): Promise<PushedToSpace> {
  const [{ shareAgain, spaceNamed, unsharedAmong, unsharedConversation, unsharedProject }, choices] = await Promise.all(
    [import("../shared/shared.ts"), import("../conversations/conversations.ts")],
  );
  const space = await spaceNamed(store, wanted);
  if (space.role === "reader")
    throw new Problem("denied", `You may read the space ${space.name}, but not add anything to it.`);
  const file = choicesOf(settings);
  const { shown: address } = store.address;
  const kept = choices.sharedProjects(file, address, space.name);
  const added = (await Promise.all(named.map((name) => conversations.projectsToShare(name)))).flat();
  const chosen = distinct([...kept, ...added]);
  // Naming a project again shares all of it again.
  const again = new Set(added.length > 0 ? await conversations.namesToShare(added) : []);
  if (added.length > 0 && !isPreview) {
    const names = [...again].map((name) => unsharedConversation(name));
    await shareAgain(store, space, [...added.map(({ project }) => unsharedProject(project)), ...names]);
    choices.keepSharedProjects(file, address, space.name, chosen);
  }
  const unshared = await store.reading((sql) =>
    unsharedAmong(
      sql,
      space,
      chosen.filter((one) => !added.includes(one)).map(({ project }) => unsharedProject(project)),
    ),
  );
  const isShared = ({ project }: SharedProject) => !unshared.has(unsharedProject(project));
  const projects = chosen.filter(isShared);
  const isHidden =
    isHiddenFile === undefined
      ? undefined
      : (path: string) => isHiddenFile(path) || vaults.some(({ access }) => access.hides && access.isHidden(path));
  const pushed = await conversations.push({
    store,
    space,
    projects,
    again: isPreview ? again : undefined,
    isHidden,
    isPreview,
    onProgress,
  });
  const left = chosen.filter((one) => !isShared(one)).map(({ name }) => name);
  return { space: space.name, ...pushed, unsharedProjects: left };
}

function distinct(projects: readonly SharedProject[]): SharedProject[] {
  return [...new Map(projects.map((one) => [one.project, one])).values()];
}

/** The projects that this machine pushes to a space: those of this name, or all. */
export async function projectsSharedHere(
  settings: Settings,
  store: Store,
  space: Space,
  name: string | undefined,
): Promise<readonly SharedProject[]> {
  const { sharedProjects } = await import("../conversations/conversations.ts");
  const shared = sharedProjects(choicesOf(settings), store.address.shown, space.name);
  return shared.filter((one) => name === undefined || one.name === name);
}

/** The next push of this machine leaves these projects out. */
export async function stopSharing(
  settings: Settings,
  store: Store,
  space: Space,
  stopped: readonly SharedProject[],
): Promise<void> {
  if (stopped.length === 0) return;
  const { keepSharedProjects } = await import("../conversations/conversations.ts");
  const all = await projectsSharedHere(settings, store, space, undefined);
  const left = all.filter(({ project }) => !stopped.some((one) => one.project === project));
  keepSharedProjects(choicesOf(settings), store.address.shown, space.name, left);
}

function choicesOf({ folders }: Settings): string {
  return join(folders.data, "shared-projects.json");
}
