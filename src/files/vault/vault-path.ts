// Paths inside a vault: relative, with "/", and unable to leave it. Everything
// that names a note or a folder goes through these parsers first; what the disk
// has to say (links, spelling) is the matter of vault-root.ts.
import { folderIn, nameIn, Problem } from "../../kernel/kernel.ts";

declare const parsed: unique symbol;

/** A path of the user's: no segment is hidden, and none leads up or out. The empty one is the vault itself. */
export type VaultPath = string & { readonly [parsed]: "vault" };

/** A path of our own inside a vault: below the trash, or a temporary file. */
export type HiddenPath = string & { readonly [parsed]: "hidden" };

export type EntryPath = VaultPath | HiddenPath;

/** Where removed notes are kept, as in Obsidian. */
export const TRASH = ".trash" as HiddenPath;

const LONGEST_NAME = 255;
/** In bytes, on any system: no disk takes more in one call. */
const LONGEST_PATH = 4096;
const TEMPORARY_NAME = /^\.commonplace-[0-9a-f]{12}\.tmp$/;

/** A last dot followed by 1 to 8 letters or digits, one letter at least: "v1.2 plan" has none. */
const EXTENSION = /\.(?=[0-9]*[a-z])[a-z0-9]{1,8}$/i;

/** "C:/notes" and "c:x.md" are places on a disk of Windows, whichever system they are sent to. */
const DRIVE = /^[a-z]:/i;

/** Names that Windows takes for devices, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[ .]|$)/i;

/** The path of a note, an attachment or a folder below the vault. */
export function parseVaultPath(sent: string, platform: NodeJS.Platform = process.platform): VaultPath {
  const path = sent.startsWith("/") ? sent.slice(1) : sent;
  const segments = path.split("/");
  if (path.split(/[/\\]/).includes("..")) throw new Problem("denied", "Path cannot contain '..'");
  // A lone surrogate has no bytes of its own: the disk would store another name.
  if (/[\p{Cc}\\]/u.test(path) || DRIVE.test(path) || !path.isWellFormed()) throw invalid(sent);
  if (Buffer.byteLength(path) > LONGEST_PATH) throw invalid(sent);
  if (segments.some((segment) => segment === "" || segment === ".")) throw invalid(sent);
  if (segments.some((segment) => segment.startsWith("."))) throw new Problem("denied", "Cannot access system folder");
  if (!segments.every((segment) => fits(segment, platform))) throw invalid(sent);
  return path as VaultPath;
}

/** The path of a note: `.md` is added where there is no extension. */
export function parseNotePath(sent: string, platform: NodeJS.Platform = process.platform): VaultPath {
  return withExtension(sent, ".md", platform);
}

/** The path that a note or an attachment gets: where there is no extension, that of the file itself is added. */
export function parseNewPath(sent: string, of: VaultPath, platform: NodeJS.Platform = process.platform): VaultPath {
  return withExtension(sent, EXTENSION.exec(nameOf(of))?.[0] ?? ".md", platform);
}

function withExtension(sent: string, extension: string, platform: NodeJS.Platform): VaultPath {
  const path = parseVaultPath(sent, platform);
  if (EXTENSION.test(nameOf(path))) return path;
  try {
    return parseVaultPath(path + extension, platform);
  } catch {
    throw invalid(sent);
  }
}

/** The path of a folder: it may end in "/", and "", "." or "/" is the vault itself. */
export function parseFolderPath(sent: string, platform: NodeJS.Platform = process.platform): VaultPath {
  if (/^\.?\/?$/.test(sent)) return "" as VaultPath;
  if (!/[^/]\/$/.test(sent)) return parseVaultPath(sent, platform);
  try {
    return parseVaultPath(sent.slice(0, -1), platform);
  } catch (error) {
    throw error instanceof Problem && error.code === "invalid" ? invalid(sent) : error;
  }
}

/**
 * A path that was kept by this program: the user's, one in the trash, or a
 * temporary file. The name was on the disk when it was kept, so that only what
 * would lead elsewhere is refused here, not what a user could not have sent:
 * an entry of the journal that cannot be read again cannot be taken back.
 */
export function parseEntryPath(kept: string, platform: NodeJS.Platform = process.platform): EntryPath {
  if (kept === "" || kept === TRASH) return kept as EntryPath;
  const segments = (kept.startsWith(`${TRASH}/`) ? kept.slice(TRASH.length + 1) : kept).split("/");
  if (isTemporaryName(segments.at(-1)!)) segments.pop();
  // On Windows these two have a meaning in a path, and no name on a disk has them.
  const meaning = platform === "win32" ? /[\0\\:]/ : /\0/;
  // What begins with a dot leads up, stays where it is, or is hidden.
  if (segments.some((segment) => segment === "" || segment.startsWith(".") || meaning.test(segment)))
    throw new Problem("denied", `Invalid path: ${kept}`);
  return kept as EntryPath;
}

/** Whether a file of this name is a write of ours that a killed process left unfinished. */
export function isTemporaryName(name: string): boolean {
  return TEMPORARY_NAME.test(name);
}

/** The form in which two spellings of one name are equal. */
export function comparable(path: string, { ignoreCase = false } = {}): string {
  const composed = path.normalize("NFC");
  // Upper case first: it folds what lower case alone keeps apart (ſ and s, ς and σ).
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

/**
 * Whether Windows takes a name for what it is: it drops a last dot or space, so
 * that "note.md." would be "note.md"; a colon names a second stream of a file;
 * "CON" and its like are devices.
 */
export function isPortableName(name: string): boolean {
  return !/:|[. ]$/.test(name) && !DEVICE.test(name);
}

function fits(name: string, platform: NodeJS.Platform): boolean {
  if (platform !== "win32") return Buffer.byteLength(name) <= LONGEST_NAME;
  return name.length <= LONGEST_NAME && !/[<>"|?*]/.test(name) && isPortableName(name);
}

function invalid(sent: string): Problem {
  return new Problem("invalid", `Invalid path: ${sent}`);
}
