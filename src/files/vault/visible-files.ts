// The files of a vault without those that the settings hide: to every reader they
// are absent, however their path is spelled and whatever link leads to them.
// Made by the journal's file store, the one place where a vault is opened.
import { join } from "node:path";
import { Problem } from "../../kernel/kernel.ts";
import type { AccessRules } from "./access-rules.ts";
import type { Located, StoredFiles } from "./stored-files.ts";
import { parentOf, type EntryPath } from "./vault-path.ts";

export function visibleFiles(
  root: StoredFiles,
  { hides, isHidden }: Pick<AccessRules, "hides" | "isHidden">,
): StoredFiles {
  if (!hides) return root;

  const isOut = ({ path, target }: Pick<Located, "path" | "target">) =>
    isHidden(path) || (target !== undefined && isHidden(target));

  /** Undefined if it is hidden. A link may lead there from a visible path, and errors there would say what exists. */
  const located = async (path: EntryPath): Promise<Located | undefined> => {
    if (isHidden(path)) return undefined;
    try {
      const found = await root.locate(path);
      return isOut(found) ? undefined : found;
    } catch (error) {
      if (path !== "" && (await located(parentOf(path))) === undefined) return undefined;
      throw error;
    }
  };

  const unlessHidden =
    <Rest extends readonly unknown[], T>(read: (path: EntryPath, ...rest: Rest) => Promise<T | undefined>) =>
    async (path: EntryPath, ...rest: Rest): Promise<T | undefined> => {
      if ((await located(path)) !== undefined) return read(path, ...rest);
      root.check();
      return undefined;
    };

  const locate = async (path: EntryPath): Promise<Located> => {
    const found = await located(path);
    if (found !== undefined) return found;
    root.check();
    return { path, absolute: join(root.folder, path), kind: "absent", stats: undefined, target: undefined };
  };

  // Member by member: what is added to the interface has to be decided here.
  return {
    folder: root.folder,
    check: root.check,
    key: root.key,
    isHidden,
    locate,
    read: unlessHidden(root.read),
    readLocated: async (path, most) => {
      const found = await locate(path);
      return found.kind === "file" ? root.readLocated(path, most) : { located: found, content: undefined };
    },
    pieces: unlessHidden(root.pieces),
    stats: unlessHidden(root.stats),
    hash: unlessHidden(root.hash),
    open: unlessHidden(root.open),
    // Tools follow these settings without showing them, and no path in them leads to hidden files.
    settingsText: root.settingsText,
    list: async (folder, options) =>
      (await located(folder)) === undefined ? [] : root.list(folder, { ...options, skip: isHidden }),
  };
}

/** The refusal of a change of what is hidden. It names nothing: the caller may have been led there by a link or a setting. */
export function outOfReach(): Problem {
  return new Problem(
    "denied",
    "The settings keep this path out of reach.",
    "Nothing was changed. Choose another path, or ask the person to do it.",
  );
}
