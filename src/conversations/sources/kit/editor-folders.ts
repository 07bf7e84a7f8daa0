// Where editors based on VS Code keep their data: the same folders on each
// system, under the name of the product; their databases, and the project that a
// workspace stands for. Used by Cursor and Windsurf, and by sources that are
// extensions of any editor.
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readText } from "../../../files/files.ts";
import { operatingSystem, systemFolders } from "../../../kernel/kernel.ts";
import { foundDatabase, listed } from "./transcript-search.ts";
import type { Finding, Home, System } from "../source.ts";
import { folderOfWorkspace } from "./workspace-uri.ts";

/** @param server the folder of the product's server on a remote machine */
export function userFolders(home: Home, product: string, server: string): string[] {
  const places = home.systems.map((system) => join(configFolder(home, system), product, "User"));
  return [...places, join(home.folder, server, "data", "User")];
}

/** Where programs of a system keep their configuration, a folder each. */
function configFolder({ folder, environment }: Home, system: System): string {
  return systemFolders({ home: folder, environment }, operatingSystem(system), join).settings;
}

/**
 * The `User` folders of all editors based on VS Code, under whichever names: an extension may be in any of them. With
 * those of their servers on a remote machine, and of editors from Flatpak.
 */
export function everyUserFolder(home: Home): string[] {
  const { folder, systems } = home;
  const configs = systems.map((system) => configFolder(home, system));
  const flatpak = join(folder, ".var", "app");
  if (systems.includes("linux")) configs.push(...namesIn(flatpak).map((name) => join(flatpak, name, "config")));
  const editors = configs.flatMap((config) => namesIn(config).map((name) => join(config, name, "User")));
  // `.vscode-server`, `.cursor-server`, `.vscode-remote` in a container …
  const servers = namesIn(folder).filter((name) => /^\.[\w-]+-(?:server|remote)(?:-[\w-]+)?$/.test(name));
  const remote = [
    ...servers.map((name) => join(folder, name, "data", "User")),
    join(folder, ".local", "share", "code-server", "User"),
  ];
  return [...editors, ...remote].filter((user) => isFolder(join(user, "globalStorage")));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** The databases of an editor: the global one, and one per workspace. */
export function* findStates(userFolder: string): Generator<Finding> {
  const workspaces = yield* listed(join(userFolder, "workspaceStorage"));
  const isThere = yield* foundDatabase(join(userFolder, "globalStorage", "state.vscdb"));
  yield { kind: "looked", place: userFolder, isThere: isThere || workspaces !== undefined };
  for (const { name } of workspaces ?? [])
    yield* foundDatabase(join(userFolder, "workspaceStorage", name, "state.vscdb"));
}

export interface EditorWorkspace {
  /** The editor's own id of it. */
  readonly workspace: string;
  readonly folder: string | undefined;
}

/** The workspace that a database belongs to; undefined for the global one. */
export function workspaceOfState(path: string): EditorWorkspace | undefined {
  const folder = dirname(path);
  return /[/\\]workspaceStorage$/.test(dirname(folder))
    ? workspaceIn(dirname(folder), folder.slice(dirname(folder).length + 1))
    : undefined;
}

/** @param storage the folder of all workspaces */
export function workspaceIn(storage: string, workspace: string): EditorWorkspace {
  try {
    const described = JSON.parse(
      readText(join(storage, workspace, "workspace.json"), { followsLinks: true }),
    ) as object;
    return { workspace, folder: folderOfWorkspace(described) };
  } catch {
    return { workspace, folder: undefined };
  }
}
