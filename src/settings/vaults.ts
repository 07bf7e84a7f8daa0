// The vaults of a server: their names and folders, which of them are read-only,
// and what is protected or hidden in each. Used by settings.ts.
import { existsSync, statSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { comparable, realPath } from "../files/files.ts";
import { Problem } from "../kernel/kernel.ts";
import { type Given, pathFrom, SEPARATOR, textFrom, unknown } from "./values.ts";

export interface VaultSettings {
  /** Its name in calls; unique, also without regard to case. */
  readonly name: string;
  /** Of a space in a shared store: what names it on this machine; nothing is there. */
  readonly folder: string;
  /** The space of the shared store whose files the vault is; undefined for a folder. */
  readonly space?: string;
  readonly isReadOnly: boolean;
  /** Patterns of what must not be changed, relative to the folder. */
  readonly protect: readonly string[];
  /** Patterns of what must not be seen. */
  readonly hide: readonly string[];
}

/** Settings for all vaults. Restrictions add up: a flag does not lift a protection of the config file. */
interface GivenVaults {
  readonly vault: Given | undefined;
  readonly readOnlyVault: readonly Given[];
  readonly protect: readonly Given[];
  readonly hide: readonly Given[];
  /** The folder of the embedded vault, if none is given. */
  readonly embedded: string;
  /** The setting that names the spaces that are vaults. */
  readonly spaces: string;
}

/** The first is the default. */
export function vaultsFrom(given: GivenVaults): [VaultSettings, ...VaultSettings[]] {
  const { vault, embedded, spaces, ...restrictions } = given;
  const named = vault === undefined ? [{ name: undefined, folder: embedded }] : foldersFrom(vault, spaces);
  const origin = vault?.origin ?? "";
  checkApart(
    named.map(({ folder }) => folder),
    origin,
  );
  const vaults = uniquelyNamed(named, origin);
  const names = vaults.map(({ name }) => name);
  const readOnly = new Set(
    restrictions.readOnlyVault.flatMap((given) => listFrom(given).map((name) => nameAmong(names, name, given.origin))),
  );
  const patternsFor = (
    givens: readonly Given[],
    { name, folder }: { readonly name: string; readonly folder: string },
  ) =>
    givens.flatMap((given) =>
      listFrom(given).flatMap((text) => {
        const pattern = patternFrom(text, names, given.origin);
        return pattern.vault === undefined || pattern.vault === name
          ? [withinVault(pattern.pattern, folder, given.origin)]
          : [];
      }),
    );
  const [first, ...others] = vaults.map((each) => ({
    ...each,
    isReadOnly: readOnly.has(each.name),
    protect: patternsFor(restrictions.protect, each),
    hide: patternsFor(restrictions.hide, each),
  }));
  return [first!, ...others];
}

interface NamedFolder {
  readonly name: string | undefined;
  readonly folder: string;
  readonly space?: string;
}

/** A name has no slash, so that `/a=b` and `C:\a=b` are folders. */
const NAMED = /^([^=/\\]+)=(.+)$/s;

/** A folder, `NAME=DIR`, a list of them, or an object of folders by name. */
function foldersFrom(given: Given, spaces: string): NamedFolder[] {
  const { value, origin, base } = given;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) throw new Problem("invalid", `${origin} names no vault.`);
    return entries.map(([name, folder]) => ({
      name: checkedName(name, origin),
      ...placeFrom({ value: folder, origin: `${name} of ${origin}`, base }, spaces),
    }));
  }
  // `store:a|Ours=store:../..` must not be taken for the folder that this path leads to.
  const isOne = typeof value === "string" && !listFrom(given).some(namesSpace) && isFolder(given);
  const texts = isOne ? [value] : listFrom(given);
  if (texts.length === 0) throw new Problem("invalid", `${origin} must be a non-empty string.`);
  return texts.map((text) => {
    const whole = { value: text, origin, base };
    const [, name, folder = ""] = NAMED.exec(text) ?? [];
    if (name === undefined || SPACE.test(text) || (!SPACE.test(folder) && isFolder(whole)))
      return { name: undefined, ...placeFrom(whole, spaces) };
    return { name: checkedName(name, origin), ...placeFrom({ ...whole, value: folder }, spaces) };
  });
}

/** A folder with such a name is `./store:…`. */
const SPACE = /^store:(.*)$/s;

/** Returns whether a vault as it is sent is a space of a shared store, with a name before it or without. */
export function namesSpace(text: string): boolean {
  return SPACE.test(text) || SPACE.test(NAMED.exec(text)?.[2] ?? "");
}

function placeFrom(given: Given, spaces: string): Pick<NamedFolder, "folder" | "space"> {
  const [, sent] = SPACE.exec(typeof given.value === "string" ? given.value : "") ?? [];
  if (sent === undefined) return { folder: pathFrom(given) };
  const space = sent.trim();
  if (space === "") throw new Problem("invalid", `${given.origin}: store: names no space.`, "For example store:team");
  return { space, folder: join(spaces, folderNameOfSpace(space)) };
}

/** A store may have a space of any name, and none leads out of the folder: `..` is not encoded by JavaScript. */
export function folderNameOfSpace(space: string): string {
  const encoded = encodeURIComponent(space.toWellFormed());
  return /^\.+$/.test(encoded) ? encoded.replaceAll(".", "%2E") : encoded;
}

function isFolder(given: Given): boolean {
  try {
    return statSync(pathFrom(given), { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** A list, or in a variable several values in one text. */
function listFrom({ value, origin, base }: Given): string[] {
  const isVariable = /^[A-Z_]+$/.test(origin);
  const values = Array.isArray(value)
    ? (value as unknown[])
    : isVariable && typeof value === "string"
      ? value.split(SEPARATOR).filter((each) => each.trim() !== "")
      : [value];
  return values.map((each) => textFrom({ value: each, origin, base }));
}

function checkedName(sent: string, origin: string): string {
  const name = sent.trim();
  if (name !== "" && name.length <= 60 && !/[\p{Cc}/\\:|=]|^\.+$/u.test(name)) return name;
  throw new Problem(
    "invalid",
    `${origin}: '${name}' cannot be the name of a vault.`,
    "A name has 1 to 60 characters, not only dots, without slashes, colons, bars and equals signs.",
  );
}

/** Names each vault: as given, else after its folder, with a number if another vault has that name. */
function uniquelyNamed(vaults: readonly NamedFolder[], origin: string): (NamedFolder & { readonly name: string })[] {
  const taken = new Set<string>();
  for (const { name } of vaults) {
    if (name === undefined) continue;
    if (taken.has(keyOf(name))) throw new Problem("invalid", `${origin}: two vaults are named ${name}.`);
    taken.add(keyOf(name));
  }
  return vaults.map((vault) => {
    const { name, folder, space } = vault;
    if (name !== undefined) return { ...vault, name };
    const own = nameOfFolder(space ?? folder);
    let free = own;
    for (let count = 2; taken.has(keyOf(free)); count++) free = `${own} ${count}`;
    taken.add(keyOf(free));
    return { ...vault, name: free };
  });
}

/** Returns the name of a vault that was given none. */
export function nameOfFolder(folder: string): string {
  return basename(folder).replace(/[\p{Cc}/\\:|=]|^\.+$/gu, "-") || "vault";
}

/** Two journals of the same file would each undo what the other did. */
function checkApart(folders: readonly string[], origin: string): void {
  if (folders.length < 2) return;
  const reals = folders.map((folder) => (existsSync(folder) ? realPath(folder) : folder));
  for (const [i, inner] of reals.entries()) {
    for (const [j, outer] of reals.entries()) {
      if (j < i && keyOf(inner) === keyOf(outer) && isSame(inner, outer))
        throw new Problem(
          "invalid",
          `${origin}: ${folders[j]} and ${folders[i]} are the same folder.`,
          "Name each vault once.",
        );
      if (i !== j && inner.startsWith(outer.endsWith(sep) ? outer : outer + sep))
        throw new Problem(
          "invalid",
          `${origin}: ${folders[i]} is inside ${folders[j]}. A vault cannot be inside another one of the same server.`,
          `Name only ${folders[j]}; --hide or --protect can set the inner folder apart.`,
        );
    }
  }
}

function isSame(a: string, b: string): boolean {
  if (a === b) return true;
  const [one, other] = [a, b].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}

/** The vault that a name means. */
function nameAmong(names: readonly string[], sent: string, origin: string): string {
  const name = names.find((one) => keyOf(one) === keyOf(sent.trim()));
  if (name !== undefined) return name;
  throw unknown(`${origin}: there is no vault '${sent}', only ${names.join(", ")}.`, sent, names);
}

function keyOf(name: string): string {
  return comparable(name, { ignoreCase: true });
}

interface Pattern {
  /** Undefined: every vault. */
  readonly vault: string | undefined;
  readonly pattern: string;
}

/** `PATTERN`, or `NAME:PATTERN` for one vault. A pattern that could never match is refused: nobody should rely on it. */
function patternFrom(text: string, names: readonly string[], origin: string): Pattern {
  const [, name, rest] = /^([^:/]+):(.*)$/s.exec(text) ?? [];
  const pattern = (rest ?? text).trim().replace(/^(!?)\.\//, "$1");
  const vault = name === undefined ? undefined : nameAmong(names, name, origin);
  const bare = pattern.replace(/^!/, "");
  const fault = bare.includes("\\")
    ? "has a backslash: write / between folders"
    : /(?:^|\/)\.\.(?:\/|$)/.test(bare)
      ? "has '..', which leads out of the vault"
      : /^\/*$/.test(bare)
        ? "is empty"
        : undefined;
  if (fault !== undefined) throw new Problem("invalid", `${origin}: the pattern '${text}' ${fault}.`);
  return { vault, pattern };
}

/** A pattern that is the path of a folder on the disk, made relative to the vault. */
function withinVault(pattern: string, folder: string, origin: string): string {
  const [, not = "", path = ""] = /^(!?)(.*)$/s.exec(pattern)!;
  const above = folder.split(sep).join("/");
  if (path === above || path === `${above}/`)
    throw new Problem("invalid", `${origin}: the pattern '${pattern}' is the vault itself.`);
  const expanded = path.startsWith("~/") ? pathFrom({ value: path, origin, base: "" }).split(sep).join("/") : path;
  return expanded.startsWith(`${above}/`)
    ? `${not}${join("/", expanded.slice(above.length)).split(sep).join("/")}`
    : pattern;
}
