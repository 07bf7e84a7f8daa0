// The folders of projects that the store knows of, for programs that keep
// conversations in the project itself. Used by refresh.ts before it looks for
// transcripts, and again after it has learnt of further projects.
import { isAbsolute, resolve } from "node:path";
import { mountedPath } from "../../../kernel/kernel.ts";
import { realPath } from "../../../files/files.ts";
import type { IndexDatabase } from "../../../sqlite/sqlite.ts";
import type { Home } from "../../sources/source.ts";

/** Folders of conversations, and the roots of their repositories, as the store has them. */
export function knownProjects(database: IndexDatabase): string[] {
  const rows = database.all(
    "SELECT folder FROM conversation WHERE folder IS NOT NULL UNION SELECT root FROM place ORDER BY 1",
  );
  return rows.map(({ folder }) => String(folder));
}

/** The first home, which is the user's own, with these projects beside its own. Each existing folder once, by its real path. */
export function withProjects(homes: readonly Home[], folders: readonly string[]): Home[] {
  return homes.map((home, at) => {
    if (at > 0) return home;
    const real = [...home.projects, ...folders].map(existingFolder).filter((folder) => folder !== undefined);
    return { ...home, projects: [...new Set(real)] };
  });
}

function existingFolder(folder: string): string | undefined {
  const native = mountedPath(folder);
  if (!isAbsolute(native)) return undefined;
  try {
    return realPath(resolve(native));
  } catch {
    return undefined;
  }
}
