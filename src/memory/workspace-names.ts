// The names of workspaces in the results of calls. A workspace whose folder is
// inside that of another is a part of it. Used by memory.ts.
import type { Item } from "./index/memory-index.ts";
import { textOf, valueOf } from "./index/record.ts";

export interface WorkspaceContext {
  readonly workspaceId: string;
  /** The names of the workspaces that contain it, then its own. */
  readonly workspacePath: readonly string[];
  /** True unless it was deactivated. */
  readonly activeWorkspace: boolean;
}

/** The workspace of calls that name none: the whole vault. */
export const DEFAULT_WORKSPACE = "default";

interface Named {
  readonly name: string;
  readonly folder: string;
  readonly isActive: boolean;
}

export class WorkspaceNames {
  #byId: ReadonlyMap<string, Named> = new Map();
  #since = Number.NEGATIVE_INFINITY;

  /** Milliseconds since the names were read. */
  get age(): number {
    return performance.now() - this.#since;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  set(workspaces: readonly Item[]): void {
    this.#byId = new Map(
      workspaces.map(({ id, record }) => [
        id,
        {
          name: textOf(record, "name") ?? id,
          folder: (textOf(record, "rootFolder") ?? "").replace(/^\/+|(?<!\/)\/+$/g, ""),
          isActive: valueOf(record, "isActive") !== false,
        },
      ]),
    );
    this.#since = performance.now();
  }

  contextOf(id: string): WorkspaceContext {
    const { name, folder, isActive } = this.#byId.get(id) ?? { name: id, folder: "", isActive: true };
    const around = [...this.#byId]
      .filter(([other, { folder: outer }]) => other !== id && outer !== "" && folder.startsWith(`${outer}/`))
      .toSorted(([, a], [, b]) => a.folder.length - b.folder.length)
      .map(([, outer]) => outer.name);
    return { workspaceId: id, workspacePath: [...around, name], activeWorkspace: isActive };
  }
}
