// Actions on notes and folders in the left column, of a person: move, rename,
// delete, make. Each says what it did, with an Undo. Used by folders.tsx.
import { folderIn, nameIn } from "../../src/kernel/kernel.ts";
import { showToast, showUndoable } from "../components/components.ts";
import { nameOf } from "../format/format.ts";
import { addressOf, noteAddress, routeAt, useNavigation } from "../navigation/navigation.ts";
import { asProblem, useServer } from "../server/server.ts";

export interface FileActions {
  /** Undefined where the person may not write. */
  readonly move: ((path: string, to: string, isFolder: boolean) => Promise<void>) | undefined;
  readonly remove: ((path: string, isFolder: boolean) => Promise<void>) | undefined;
  readonly makeNote: ((path: string) => Promise<void>) | undefined;
  readonly makeFolder: ((path: string) => Promise<void>) | undefined;
}

export function useFileActions(): FileActions {
  const { client, refresh } = useServer();
  const { navigate } = useNavigation();
  /** Shows what is open at its new place. */
  const follow = (from: string, to: string) => {
    const shown = shownPath();
    if (shown === from || shown.startsWith(`${from}/`))
      navigate(noteAddress(to + shown.slice(from.length)), { replaces: true });
  };
  const move = (path: string, to: string, isFolder: boolean) =>
    attempt(async () => {
      const { newPath, recommendations } = await client.call("vaultManager_moveNote", { path, newPath: to });
      const links = recommendations.reduce((sum, { message }) => sum + linksIn(message), 0);
      const isRenamed = folderIn(path) === folderIn(newPath);
      const name = isFolder ? nameIn(path) : nameOf(path);
      const where = isRenamed ? (isFolder ? nameIn(newPath) : nameOf(newPath)) : folderIn(newPath) || "the vault";
      refresh();
      follow(path, newPath);
      await showUndoable(
        client,
        newPath,
        `${isRenamed ? "Renamed" : "Moved"} ${name} to ${where}${linksText(links)}.`,
        () => {
          refresh();
          follow(newPath, path);
        },
      );
    });
  const remove = (path: string, isFolder: boolean) =>
    attempt(async () => {
      let contents = "";
      if (isFolder) {
        const { data } = await client.call("vaultManager_deleteFolder", { path, recursive: true, confirmed: true });
        if (data.files > 0)
          contents = ` with ${data.files === 1 ? "1 file" : `${data.files.toLocaleString("en")} files`}`;
      } else await client.call("vaultManager_deleteNote", { path });
      const shown = shownPath();
      const isShown = shown === path || shown.startsWith(`${path}/`);
      const before = location.pathname + location.search;
      refresh();
      if (isShown) navigate(addressOf({ view: "folder", path: folderIn(path) }));
      await showUndoable(
        client,
        path,
        `Moved ${isFolder ? nameIn(path) : nameOf(path)}${contents} to the trash.`,
        () => {
          refresh();
          if (isShown) navigate(before);
        },
      );
    });
  const makeNote = (path: string) =>
    attempt(async () => {
      const { data } = await client.call("contentManager_createContent", { filePath: path, content: "" });
      refresh();
      navigate(noteAddress(data.filePath, { isEdited: true }));
    });
  const makeFolder = (path: string) =>
    attempt(async () => {
      await client.call("vaultManager_createFolder", { path });
      refresh();
    });
  return {
    move: client.has("vaultManager_moveNote") ? move : undefined,
    remove: client.has("vaultManager_deleteNote") && client.has("vaultManager_deleteFolder") ? remove : undefined,
    makeNote: client.has("contentManager_createContent") ? makeNote : undefined,
    makeFolder: client.has("vaultManager_createFolder") ? makeFolder : undefined,
  };
}

async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { message, hint } = asProblem(error);
    showToast(hint === undefined ? message : `${message} ${hint}`);
  }
}

/** The note or folder that is open now: an Undo comes later than what it takes back. */
function shownPath(): string {
  const route = routeAt(new URL(location.href));
  return route.view === "note" || route.view === "folder" ? route.path : "";
}

/** The tool says in a sentence how many links of each note it has rewritten. */
function linksIn(message: string): number {
  return Number(/^Rewrote ([\d,]+) links?/.exec(message)?.[1]?.replaceAll(",", "") ?? 0);
}

function linksText(links: number): string {
  return links === 0 ? "" : links === 1 ? "; 1 link follows" : `; ${links.toLocaleString("en")} links follow`;
}
