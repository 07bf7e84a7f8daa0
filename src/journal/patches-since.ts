// Follows a file through the entries after one that changed it: its path now, and
// the later changes of its content. Used by changes.ts and by replaced/.
import type { EntryPath } from "../files/files.ts";
import type { Entry } from "./entry.ts";

/** A change of content in the history. */
export interface PatchPlace {
  readonly number: number;
  readonly index: number;
}

/** @param later the entries after it, oldest first; without their removed bytes will do */
export function patchesSince(
  entry: Entry,
  index: number,
  later: readonly Entry[],
): { readonly path: EntryPath; readonly patches: readonly PatchPlace[] } | undefined {
  const action = entry.actions[index];
  if (action === undefined) return undefined;
  let path: string = action.path;
  const patches: PatchPlace[] = [];
  for (const { number, actions } of [entry, ...later])
    for (const [at, next] of actions.entries()) {
      if (number === entry.number && at <= index) continue;
      if (next.kind === "move" && isAtOrBelow(path, next.path)) path = next.to + path.slice(next.path.length);
      else if (next.kind === "patch" && next.path === path) patches.push({ number, index: at });
    }
  return { path: path as EntryPath, patches };
}

function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
