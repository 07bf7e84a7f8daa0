// Checks the actions of a plan against the settings: nothing protected is
// changed, created, moved or removed, also not with the folder that it is in;
// and nothing hidden is, except that links in hidden notes may be kept whole.
// Used by plan.ts, so that no change and no undo can pass it by.
import {
  type AccessRules,
  type EntryPath,
  isInTrash,
  outOfReach,
  type PlannableFiles,
  type ReadOnly,
  type VaultPath,
} from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import type { Action } from "./action.ts";

export class AccessCheck {
  readonly #root: PlannableFiles;
  readonly #rules: AccessRules;
  /** Hidden notes whose links this plan may rewrite, by key. */
  readonly #rewritten = new Set<string>();

  constructor(root: PlannableFiles, rules: AccessRules) {
    this.#root = root;
    this.#rules = rules;
  }

  get #isNeeded(): boolean {
    return this.#rules.hides || this.#rules.protects;
  }

  /** The links in this note may be rewritten, even if it is hidden. */
  allowRewrite(path: EntryPath): void {
    if (this.#rules.hides) this.#rewritten.add(this.#root.key(path));
  }

  /**
   * A path that a caller or an entry names, before anything on the disk is looked at: what is there must not show.
   * @param isRewrite only what is in the file changes
   */
  checkNamed(path: EntryPath, isRewrite = false): void {
    if (!this.#isNeeded || isInTrash(path)) return;
    this.#check(path, path, isRewrite);
  }

  /**
   * The same for what a link of that name leads to: whether something hidden is there must not show, and a refusal of an
   * existing file would show it.
   */
  async checkReached(path: EntryPath): Promise<void> {
    if (!this.#rules.hides || isInTrash(path)) return;
    for (const real of await this.#resolved(path)) if (this.#rules.isHidden(real)) throw outOfReach();
  }

  /** The paths that actions change, with links and spelling resolved. */
  async checkActions(actions: readonly Action[]): Promise<void> {
    if (!this.#isNeeded) return;
    for (const action of actions) {
      const paths = action.kind === "move" ? [action.path, action.to] : [action.path];
      for (const path of paths) {
        if (path === "" || isInTrash(path)) continue;
        const isRewrite = action.kind === "patch";
        this.#check(path, path, isRewrite);
        for (const real of await this.#resolved(path)) this.#check(real, path, isRewrite);
      }
    }
  }

  /** Everything in a folder moves along, or to the trash. @param now where the folder is before the plan is applied */
  async checkFolder(now: EntryPath, from: EntryPath, to: EntryPath): Promise<void> {
    if (!this.#isNeeded) return;
    for (const { path } of await this.#root.list(now as VaultPath)) {
      const rest = path.slice(now.length);
      for (const each of [`${from}${rest}`, `${to}${rest}`]) {
        if (isInTrash(each)) continue;
        if (this.#rules.isHidden(each)) throw inPartOutOfReach(isInTrash(from) ? to : from);
        if (this.#rules.isProtected(each)) throw protectedPath(each);
      }
    }
  }

  #check(path: string, named: string, isRewrite: boolean): void {
    const { readOnly, isHidden, isProtected } = this.#rules;
    const isAllowed = () => isRewrite && this.#rewritten.has(this.#root.key(path)) && !isProtected(path);
    if (isHidden(path) && !isAllowed()) throw outOfReach();
    if (readOnly !== undefined) throw readOnlyVault(readOnly);
    if (isProtected(path)) throw protectedPath(path === named ? path : `${named} (${path})`);
  }

  async #resolved(path: EntryPath): Promise<EntryPath[]> {
    try {
      const { path: at, kind } = await this.#root.locateEntry(path);
      const target = kind === "link" ? (await this.#root.locate(path)).target : undefined;
      return target === undefined ? [at] : [at, target];
    } catch {
      // A path that cannot be reached cannot be changed either.
      return [];
    }
  }
}

export function protectedPath(path: string): Problem {
  return new Problem(
    "denied",
    `The settings protect ${path}. Nothing was changed.`,
    "It can be read; only the person can allow changes of it (--protect).",
  );
}

export function readOnlyVault({ vault: name, by }: ReadOnly): Problem {
  if (by === "role") return readerOnly(name);
  return new Problem(
    "denied",
    `The vault ${name} is read-only. Nothing was changed.`,
    "Only the person can allow changes of it (--read-only-vault).",
  );
}

export function readerOnly(space: string): Problem {
  return new Problem(
    "denied",
    `You are a reader of the space ${space}: you may read it, but not change it. Nothing was changed.`,
    `An owner of ${space} can make you a writer ('commonplace store add').`,
  );
}

function inPartOutOfReach(folder: string): Problem {
  return new Problem(
    "denied",
    `${folder} cannot be moved or deleted as a whole: the settings keep a part of it out of reach. Nothing was changed.`,
    "Move or delete its notes one by one.",
  );
}
