// The settings' prohibitions in a vault: paths that are hidden, which nobody sees,
// and paths that are protected, which nobody changes. Patterns are those of
// .gitignore, without regard to case and Unicode composition, on every disk: a
// vault travels. Made by app/; asked by visible-files.ts and by the journal.
import ignore, { type Ignore } from "ignore";
import { comparable, isInTrash } from "./vault-path.ts";

export interface AccessRules {
  /** True if anything is hidden at all. */
  readonly hides: boolean;
  /** True if anything is protected, or all of it. */
  readonly protects: boolean;
  /** Differs for rules that hide something else; empty if nothing is hidden. */
  readonly hiddenKey: string;
  /** Why nothing in the vault may be changed; undefined if it may. */
  readonly readOnly: ReadOnly | undefined;
  /** By the path alone, as sent or as the disk has it. The folder of a hidden path is visible unless it matches as well. */
  readonly isHidden: (path: string) => boolean;
  readonly isProtected: (path: string) => boolean;
}

/** For the message. */
export interface ReadOnly {
  readonly vault: string;
  /** The settings say so, or the role of the member in a space of a shared store. */
  readonly by: "settings" | "role";
}

interface Patterns {
  readonly hide?: readonly string[];
  readonly protect?: readonly string[];
  readonly readOnly?: ReadOnly | undefined;
}

/** For folders without such settings. */
export const NO_RULES: AccessRules = {
  hides: false,
  protects: false,
  hiddenKey: "",
  readOnly: undefined,
  isHidden: () => false,
  isProtected: () => false,
};

export function accessRules({ hide = [], protect = [], readOnly }: Patterns): AccessRules {
  if (hide.length + protect.length === 0 && readOnly === undefined) return NO_RULES;
  const isProtected = protect.length === 0 ? NO_RULES.isProtected : matcherOf(protect);
  return {
    hides: hide.length > 0,
    protects: protect.length > 0 || readOnly !== undefined,
    hiddenKey: hide.length === 0 ? "" : JSON.stringify(hide),
    readOnly,
    isHidden: hide.length === 0 ? NO_RULES.isHidden : matcherOf(hide),
    isProtected: readOnly === undefined ? isProtected : () => true,
  };
}

/** Matches the paths of one pattern, for a person who wants to know whether it matches anything. */
export function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  let rules: Ignore | undefined;
  return (path) => {
    const asked = path.replace(/^\/+|(?<!\/)\/+$/g, "");
    // The vault itself has no name, and in the trash everything has lost its folder.
    if (asked === "" || isInTrash(asked)) return false;
    rules ??= ignore({ ignoreCase: false, allowRelativePaths: true }).add(patterns.map(asRule));
    return rules.ignores(keyOf(asked));
  };
}

/**
 * `Private/` and `Private/**` also match an entry of that name that is no folder: a path does not say what it is,
 * and hiding too much is the smaller fault. A `#` is part of a name, not a comment.
 */
function asRule(pattern: string): string {
  const [, not = "", rest = ""] = /^(!?)(.*)$/s.exec(keyOf(pattern))!;
  const above = rest.replace(/(?:\/\*\*)+\/?$/, "");
  const isBelow = above !== rest && above !== "";
  const trimmed = (isBelow ? above : rest).replace(/(.)\/+$/s, "$1");
  // With `/**` at its end the pattern was one from the root of the vault.
  const rooted = isBelow && !trimmed.startsWith("/") && !trimmed.includes("/") ? `/${trimmed}` : trimmed;
  return `${not}${rooted.replace(/^#/, "[#]").replace(/ $/, "[ ]")}`;
}

function keyOf(path: string): string {
  return comparable(path, { ignoreCase: true });
}
