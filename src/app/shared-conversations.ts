// Brings the conversations of the projects that a person named into the shared
// store, and remembers which these are, and which of them were unshared. Used by
// app.ts, for the commands `push` and `store`.
import { join } from "node:path";
import type { Conversations, PushedProjects, SharedProject } from "../conversations/conversations.ts";
import { Problem } from "../kernel/kernel.ts";
import type { Space, Store } from "../postgres/postgres.ts";
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

export type PushedToSpace = PushedProjects & { readonly space: string };

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
  const [{ spaceNamed }, { keepSharedChoice, sharedChoice }] = await Promise.all([
    import("../postgres/postgres.ts"),
    import("../conversations/conversations.ts"),
  ]);
  const space = await spaceNamed(store, wanted);
  if (space.role === "reader")
    throw new Problem("denied", `You may read the space ${space.name}, but not add anything to it.`);
  const file = choicesOf(settings);
  const { shown: address } = store.address;
  const kept = sharedChoice(file, address, space.name);
  const added = (await Promise.all(named.map((name) => conversations.projectsToShare(name)))).flat();
  // Who names a project again shares all of it again.
  const again = new Set(kept.without.length > 0 ? await conversations.namesToShare(added) : []);
  const choice = {
    projects: distinct([...kept.projects, ...added]),
    without: kept.without.filter((name) => !again.has(name)),
  };
  if (added.length > 0 && !isPreview) keepSharedChoice(file, address, space.name, choice);
  const isHidden =
    isHiddenFile === undefined
      ? undefined
      : (path: string) => isHiddenFile(path) || vaults.some(({ access }) => access.hides && access.isHidden(path));
  const pushed = await conversations.push({ store, space, choice, isHidden, isPreview, onProgress });
  return { space: space.name, ...pushed };
}

function distinct(projects: readonly SharedProject[]): SharedProject[] {
  return [...new Map(projects.map((one) => [one.project, one])).values()];
}

/** A project by its name, or a conversation as `source/id`; without either, everything. */
export interface StoppedSharing {
  readonly project?: string | undefined;
  readonly conversation?: string | undefined;
}

/** The next push of this machine leaves these out. */
export async function stopSharing(
  settings: Settings,
  store: Store,
  space: Space,
  { project, conversation }: StoppedSharing = {},
): Promise<void> {
  const { keepSharedChoice, sharedChoice } = await import("../conversations/conversations.ts");
  const file = choicesOf(settings);
  const { shown: address } = store.address;
  const { projects, without } = sharedChoice(file, address, space.name);
  // Nothing is shared from here: there is nothing to leave out.
  if (projects.length === 0) return;
  if (conversation !== undefined)
    keepSharedChoice(file, address, space.name, { projects, without: [...without, conversation] });
  else {
    const left = project === undefined ? [] : projects.filter(({ name }) => name !== project);
    if (left.length !== projects.length) keepSharedChoice(file, address, space.name, { projects: left, without });
  }
}

function choicesOf({ folders }: Settings): string {
  return join(folders.data, "shared-projects.json");
}
