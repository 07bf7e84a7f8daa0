// Brings the conversations of the projects that a person named into the shared
// store, and remembers which these are. Used by app.ts, for the commands `push` and
// `store`.
import { join } from "node:path";
import type { Conversations, PushedProjects } from "../conversations/conversations.ts";
import { Problem } from "../kernel/kernel.ts";
import type { Space, Store } from "../postgres/postgres.ts";
import type { Settings } from "../settings.ts";
import type { VaultParts } from "./vault-parts.ts";

export interface ConversationPushOptions {
  /** The name of the space; undefined if there is only one. */
  readonly space: string | undefined;
  /** Further projects to share from now on, by name or folder. */
  readonly projects: readonly string[];
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
  { space: wanted, projects: named, onProgress }: ConversationPushOptions,
): Promise<PushedToSpace> {
  const [{ spaceNamed }, { keepSharedProjects, sharedProjects }] = await Promise.all([
    import("../postgres/postgres.ts"),
    import("../conversations/conversations.ts"),
  ]);
  const space = await spaceNamed(store, wanted);
  if (space.role === "reader")
    throw new Problem("denied", `You may read the space ${space.name}, but not add anything to it.`);
  const file = choicesOf(settings);
  const { shown: address } = store.address;
  const added = (await Promise.all(named.map((name) => conversations.projectsToShare(name)))).flat();
  if (added.length > 0)
    keepSharedProjects(file, address, space.name, [...sharedProjects(file, address, space.name), ...added]);
  const projects = sharedProjects(file, address, space.name);
  const isHidden =
    isHiddenFile === undefined
      ? undefined
      : (path: string) => isHiddenFile(path) || vaults.some(({ access }) => access.hides && access.isHidden(path));
  return { space: space.name, ...(await conversations.push({ store, space, projects, isHidden, onProgress })) };
}

/** The next push of this machine leaves these out. @param project by its name; all, if it is left out */
export async function stopSharing(settings: Settings, store: Store, space: Space, project?: string): Promise<void> {
  const { keepSharedProjects, sharedProjects } = await import("../conversations/conversations.ts");
  const file = choicesOf(settings);
  const { shown: address } = store.address;
  const shared = sharedProjects(file, address, space.name);
  const left = project === undefined ? [] : shared.filter(({ name }) => name !== project);
  if (left.length !== shared.length) keepSharedProjects(file, address, space.name, left);
}

function choicesOf({ folders }: Settings): string {
  return join(folders.data, "shared-projects.json");
}
