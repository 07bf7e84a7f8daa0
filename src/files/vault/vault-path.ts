// Paths inside a vault: relative, with "/", and unable to leave it. Every path
// of a note or a folder is parsed here first; vault-root.ts resolves links and
// spelling on the disk. Used by all rooms that take paths.
import {
  folderIn,
  isPossibleName,
  nameIn,
  operatingSystem,
  Problem,
  type OperatingSystem,
} from "../../kernel/kernel.ts";

declare const parsed: unique symbol;

/** A path of the user: no segment is hidden, and none leads up or out. The empty path is the vault itself. */
export type VaultPath = string & { readonly [parsed]: "vault" };

/** A path of the program inside a vault: in the trash, or a temporary file. */
export type HiddenPath = string & { readonly [parsed]: "hidden" };

export type EntryPath = VaultPath | HiddenPath;

/** The folder to which removed notes are moved, as in Obsidian. */
export const TRASH = ".trash" as HiddenPath;

/** In bytes: no system accepts more in one call. */
const MAX_PATH_LENGTH = 4096;
const MAX_SUGGESTION_LENGTH = 255;
const TEMPORARY_NAME = /^\.commonplace-[0-9a-f]{12}\.tmp$/;

/** A last dot followed by 1 to 8 letters or digits, at least one letter: "v1.2 plan" has no extension. */
const EXTENSION = /\.(?=[0-9]*[a-z])[a-z0-9]{1,8}$/i;

/** "C:/notes" and "c:x.md" are paths of Windows, whichever system they are sent to. */
const DRIVE = /^[a-z]:/i;

/** The path of a note, an attachment or a folder below the vault. */
export function parseVaultPath(sent: string, system = operatingSystem()): VaultPath {
  const path = withoutEmptySteps(sent);
  const segments = path.split("/");
  if (path.split(/[/\\]/).includes("..")) throw escaping(path);
  // A lone surrogate cannot be encoded: the disk would store another name.
  if (/[\p{Cc}\\]/u.test(path) || DRIVE.test(path) || !path.isWellFormed()) throw invalid(sent);
  if (Buffer.byteLength(path) > MAX_PATH_LENGTH) throw invalid(sent);
  if (segments.some((segment) => segment === "" || segment === ".")) throw invalid(sent);
  if (segments.some((segment) => segment.startsWith("."))) throw hidden(segments);
  if (!segments.every((segment) => isPossibleName(segment, system))) throw invalid(sent);
  return path as VaultPath;
}

/** Without the slash of the root, and steps that stay where they are: "./a", "a//b". A name has to be last. */
function withoutEmptySteps(sent: string): string {
  const segments = (/^\/(?!\/)/.test(sent) ? sent.slice(1) : sent).split("/");
  const last = segments.length - 1;
  return segments.filter((name, i) => i === last || (name !== "." && (name !== "" || i === 0))).join("/");
}

/** The path of a note: `.md` is added if there is no extension. */
export function parseNotePath(sent: string, system = operatingSystem()): VaultPath {
  return withExtension(sent, ".md", system);
}

/** The new path of a note or an attachment: without an extension, it gets that of the file. */
export function parseNewPath(sent: string, of: VaultPath, system = operatingSystem()): VaultPath {
  return withExtension(sent, EXTENSION.exec(nameOf(of))?.[0] ?? ".md", system);
}

function withExtension(sent: string, extension: string, system: OperatingSystem): VaultPath {
  const path = parseVaultPath(sent, system);
  if (EXTENSION.test(nameOf(path))) return path;
  try {
    return parseVaultPath(path + extension, system);
  } catch {
    throw invalid(sent);
  }
}

/** The path of a folder: it may end in "/", and "", "." or "/" is the vault itself. */
export function parseFolderPath(sent: string, system = operatingSystem()): VaultPath {
  if (/^(?:\.\/*|\/?)$/.test(sent)) return "" as VaultPath;
  if (!/[^/]\/+$/.test(sent)) return parseVaultPath(sent, system);
  try {
    return parseVaultPath(sent.replace(/(?<!\/)\/+$/, ""), system);
  } catch (error) {
    throw error instanceof Problem && error.code === "invalid" ? invalid(sent) : error;
  }
}

/**
 * A path that the journal stored: the user's, one in the trash, or a temporary
 * file. The name was on the disk, so only what would lead elsewhere is refused,
 * not what a user could not have sent: an entry that cannot be read again cannot
 * be undone.
 */
export function parseEntryPath(kept: string, system = operatingSystem()): EntryPath {
  if (kept === "" || kept === TRASH) return kept as EntryPath;
  const segments = (kept.startsWith(`${TRASH}/`) ? kept.slice(TRASH.length + 1) : kept).split("/");
  if (isTemporaryName(segments.at(-1)!)) segments.pop();
  // On Windows these two have a meaning in a path, and cannot be part of a name.
  const meaning = system.hasReservedNames ? /[\0\\:]/ : /\0/;
  // A segment that begins with a dot leads up, means the same folder, or is hidden.
  if (segments.some((segment) => segment === "" || segment.startsWith(".") || meaning.test(segment)))
    throw new Problem("denied", `Invalid path: ${kept}`);
  return kept as EntryPath;
}

export function isInTrash(path: string): boolean {
  return path === TRASH || path.startsWith(`${TRASH}/`);
}

/** Returns whether a file of this name is an unfinished write of a killed process of ours. */
export function isTemporaryName(name: string): boolean {
  return TEMPORARY_NAME.test(name);
}

/** Equal for two spellings of one name. */
export function comparable(path: string, { ignoreCase = false } = {}): string {
  const composed = path.normalize("NFC");
  // Upper case first: it unites what lower case alone keeps apart (ſ and s, ς and σ).
  return ignoreCase ? composed.toUpperCase().toLowerCase() : composed;
}

export function parentOf(path: EntryPath): EntryPath {
  return folderIn(path) as EntryPath;
}

export function nameOf(path: EntryPath): string {
  return nameIn(path);
}

/** A path below a folder, from parts that were parsed or read from the disk. */
export function below(folder: EntryPath, name: string): EntryPath {
  return (folder === "" ? name : `${folder}/${name}`) as EntryPath;
}

function invalid(sent: string): Problem {
  const names = sent.split(/[/\\]/).filter((name) => name !== "" && name !== ".");
  // Separators of Windows, and slashes at the ends.
  const meant = names.length > 0 && !/[\p{Cc}:]/u.test(sent) && sent.isWellFormed() ? names.join("/") : sent;
  if (meant !== sent && meant.length <= MAX_SUGGESTION_LENGTH)
    return new Problem("invalid", `Invalid path: ${sent}`, `Send ${JSON.stringify(meant)}: slashes between names.`);
  return new Problem(
    "invalid",
    `Invalid path: ${sent}`,
    'Send a path from the root of the vault, such as "Projects/Plan.md": slashes between names, none empty, without a drive, colons, control characters or a dot or space at the end of a name.',
  );
}

function escaping(path: string): Problem {
  const names = path.split(/[/\\]/).filter((name) => name !== ".." && name !== "." && name !== "");
  // A name that would be refused again is no example.
  const isExample = names.length > 0 && !names.some((name) => /[:\p{Cc}]|^\.|[. ]$/u.test(name));
  const example = isExample ? `, such as ${JSON.stringify(names.join("/"))}` : "";
  return new Problem("denied", "Path cannot contain '..'", `Send a path from the root of the vault${example}.`);
}

function hidden(segments: readonly string[]): Problem {
  const name = segments.find((segment) => segment.startsWith("."))!;
  return new Problem(
    "denied",
    "Cannot access system folder",
    `Names that begin with a dot (${name}) are out of reach of all tools: choose another path.`,
  );
}
