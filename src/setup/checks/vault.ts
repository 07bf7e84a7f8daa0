// Checks the vault: whether its folder exists and can be read, and what is in it.
import { constants, statSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../../kernel/kernel.ts";
import {
  type AccessRules,
  accessRules,
  type ListedEntry,
  matcherOf,
  openVaultRoot,
  realPath,
  type VaultPath,
} from "../../files/files.ts";
import type { VaultSettings } from "../../settings.ts";
import { commandLine } from "../program-name.ts";
import type { Check, Finding } from "./finding.ts";
import { look, may } from "./inspection.ts";

export const checkVault: Check = async (settings) => {
  const {
    vault: path,
    vaults: [own, ...others],
    origins,
    folders,
  } = settings;
  if (own.space !== undefined) return (await import("./store.ts")).checkSharedVault(settings, own.space);
  const about = { part: "vault", path } as const;
  const stats = look(path);
  if (stats === undefined) {
    if (origins.vault === "default")
      return {
        ...about,
        state: "missing",
        note: "the built-in one, created on first use",
        hint: "name your own notes with --vault DIR",
      };
    return {
      ...about,
      state: "problem",
      note: `does not exist, set by ${origins.vault}`,
      hint: "mount it, or correct the path",
    };
  }
  if (!stats.isDirectory())
    return {
      ...about,
      state: "problem",
      note: `not a folder, set by ${origins.vault}`,
      hint: "name the folder of your notes",
    };
  if (!may(path, constants.R_OK | constants.X_OK))
    return { ...about, state: "problem", note: "not readable", hint: "check the permissions of the folder" };
  const { data, cache } = folders;
  const { presenceOf } = await import("../../vault/vault.ts");
  const knowledge = { journals: join(data, "journal"), cache, access: accessRules(own) };
  if (origins.vault !== "default" && presenceOf(realPath(path), knowledge).state === "missing")
    return {
      ...about,
      state: "problem",
      note: "has none of the notes that were in it",
      hint: `mount its drive; if the notes are gone on purpose, '${commandLine("index", "--accept")}' says so`,
      isAcceptable: true,
    };
  return { ...about, ...contentOf(path, own, others) };
};

function contentOf(
  path: string,
  own: VaultSettings,
  others: readonly VaultSettings[],
): Pick<Finding, "state" | "note" | "hint" | "counts" | "updated"> {
  const root = openVaultRoot(path);
  const closed: string[] = [];
  const patterns = new PatternUse(own);
  let [notes, otherFiles, newest] = [0, 0, 0];
  for (const entry of root.list("" as VaultPath, { onUnreadable: (folder) => closed.push(folder) })) {
    patterns.count(entry);
    if (entry.kind === "folder") continue;
    if (entry.name.toLowerCase().endsWith(".md")) notes++;
    else otherFiles++;
    newest = Math.max(newest, statSync(join(root.folder, entry.path), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  }
  const counts = { notes, otherFiles, unreadableFolders: closed.length };
  const note = [`${counted(notes, "note")}, ${counted(otherFiles, "other file")}`, ...patterns.notes].join(", ");
  const updated = newest === 0 ? {} : { updated: new Date(newest).toISOString() };
  if (closed.length > 0)
    return {
      state: "problem",
      note: `${note}, and ${counted(closed.length, "folder")} that cannot be read: ${closed.slice(0, 3).join(", ")}`,
      hint: "check the permissions of these folders",
      counts,
      ...updated,
    };
  const isWritable = may(path, constants.W_OK);
  const hint = patterns.hint(others);
  return {
    state: "ok",
    note: isWritable || own.isReadOnly ? note : `${note}, but not writable`,
    ...(hint !== undefined && { hint }),
    counts,
    ...updated,
  };
}

/** Counts the matches of --hide and --protect: nobody should rely on a pattern that matches nothing. */
class PatternUse {
  readonly #own: VaultSettings;
  readonly #rules: readonly { readonly pattern: string; readonly matches: (path: string) => boolean }[];
  readonly #unused: Set<string>;
  readonly #access: AccessRules;
  #hidden = 0;
  #protected = 0;

  constructor(own: VaultSettings) {
    const patterns = [...own.hide, ...own.protect].filter((pattern) => !pattern.startsWith("!"));
    this.#own = own;
    this.#rules = patterns.map((pattern) => ({ pattern, matches: matcherOf([pattern]) }));
    this.#unused = new Set(patterns);
    this.#access = accessRules(own);
  }

  count({ path, kind }: Pick<ListedEntry, "path" | "kind">): void {
    for (const { pattern, matches } of this.#rules) if (matches(path)) this.#unused.delete(pattern);
    if (kind === "file" && this.#access.isHidden(path)) this.#hidden++;
    if (kind === "file" && this.#access.isProtected(path)) this.#protected++;
  }

  get notes(): string[] {
    const { isReadOnly, hide, protect } = this.#own;
    return [
      ...(isReadOnly ? ["read-only"] : []),
      ...(hide.length > 0 ? [`${this.#hidden} of them hidden`] : []),
      ...(protect.length > 0 && !isReadOnly ? [`${this.#protected} protected`] : []),
    ];
  }

  /** @param others a pattern without the name of a vault is for all of them, and may be meant for another one */
  hint(others: readonly VaultSettings[]): string | undefined {
    const names = [...this.#unused]
      .filter((pattern) => !others.some((other) => isUsedIn(other, pattern)))
      .map((pattern) => `'${pattern}'`);
    return names.length === 0
      ? undefined
      : `nothing in this vault matches ${names.join(", ")} of --hide or --protect: is that meant?`;
  }
}

/** Returns whether a pattern of a vault matches something there. */
function isUsedIn({ folder, hide, protect }: VaultSettings, pattern: string): boolean {
  if (![...hide, ...protect].includes(pattern) || look(folder)?.isDirectory() !== true) return false;
  const matches = matcherOf([pattern]);
  for (const { path } of openVaultRoot(folder).list("" as VaultPath, { onUnreadable: () => {} }))
    if (matches(path)) return true;
  return false;
}
