// Where editors based on VS Code keep their data: the same folders on each
// system, under the name of the product. Used by Cursor and Windsurf.
import { dirname, join } from "node:path";
import { readText } from "../../../files/files.ts";
import { foundDatabase, listed } from "../file-search.ts";
import type { Finding, Home } from "../source.ts";
import { folderOfWorkspace } from "./workspace-uri.ts";

/** @param server the folder of the product's server on a remote machine */
export function userFolders({ folder, systems, environment }: Home, product: string, server: string): string[] {
  const places = systems.map((system) => {
    switch (system) {
      case "darwin":
        return join(folder, "Library", "Application Support", product, "User");
      case "win32":
        return join(environment["APPDATA"] || join(folder, "AppData", "Roaming"), product, "User");
      case "linux":
        return join(environment["XDG_CONFIG_HOME"] || join(folder, ".config"), product, "User");
    }
  });
  return [...places, join(folder, server, "data", "User")];
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
