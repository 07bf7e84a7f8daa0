// Plans an operation on the files of a vault, wherever they live: what the
// settings hide is absent to the plan, and a preview ends here, before anything is
// changed. Used by the journals of a folder and of a shared space.
import { type AccessRules, type PlannableFiles, type VaultPath, visibleFiles } from "../../files/files.ts";
import { Previewed } from "../../kernel/kernel.ts";
import type { HiddenFiles, Plan, Read } from "../journal.ts";
import { type Action, pathsOf, type Planned } from "./action.ts";
import { type ContentCheck, planSteps } from "./plan.ts";
import { ProjectedVault } from "./projected-vault.ts";

export interface Planner {
  readonly plan: (plan: Plan, signal: AbortSignal | undefined) => Promise<PlannedOperation>;
  /** Plans and checks as a change does. Throws `Previewed` instead of changing anything; returns if nothing would change. */
  readonly preview: (plan: Plan, signal: AbortSignal | undefined) => Promise<undefined>;
  /** The paths of these actions that may be shown. */
  readonly shownPaths: (actions: readonly Action[]) => readonly string[];
}

interface PlannedOperation {
  readonly message: string;
  readonly planned: readonly Planned[];
}

interface Place {
  readonly root: PlannableFiles;
  readonly access: AccessRules;
  readonly checkContent: ContentCheck | undefined;
}

export function plannerOf(place: Place): Planner {
  const { root, access } = place;
  const visible = visibleFiles(root, access);

  const readVisible =
    (projected: ProjectedVault): Read =>
    async (path, most) =>
      access.hides && (await visible.locate(path)).kind === "absent" ? undefined : projected.read(path, most);

  /** Links in hidden notes are kept whole, too. */
  const hiddenFiles = (projected: ProjectedVault): HiddenFiles | undefined =>
    !access.hides
      ? undefined
      : {
          paths: async () =>
            [...(await root.list("" as VaultPath))].flatMap(({ kind, path }) =>
              kind === "file" && access.isHidden(path) ? [path] : [],
            ),
          read: (path, most) => projected.read(path, most),
        };

  const plan: Planner["plan"] = async (operation, signal) => {
    const projected = new ProjectedVault(root);
    const { message, steps } = await operation(readVisible(projected), hiddenFiles(projected));
    return { message, planned: await planSteps(place, steps, projected, signal) };
  };
  const shownPaths: Planner["shownPaths"] = (actions) =>
    access.hides ? pathsOf(actions).filter((path) => !access.isHidden(path)) : pathsOf(actions);

  return {
    plan,
    shownPaths,
    preview: async (operation, signal) => {
      const { message, planned } = await plan(operation, signal);
      if (planned.length === 0) return undefined;
      throw new Previewed(message, shownPaths(planned.map(({ action }) => action)));
    },
  };
}
