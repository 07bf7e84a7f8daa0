// The folder for exported conversations: any that the user may write to, but no
// system folder, none with secrets, and no other program's store, whichever
// spelling or link leads there. Used by the export tool.
import { closeSync, existsSync, lstatSync, rmSync, statSync, writeSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { asProblem, changeInReal, checkWritable, codeOf, createNew, makeInReal, realPath } from "../../files/files.ts";
import { expandHome, isPortableName, operatingSystem, pathWithin, Problem } from "../../kernel/kernel.ts";
import type { ExportWriter } from "./export.ts";

/** The default, from the contract. */
export function defaultExportFolder(): string {
  return join(homedir(), ".gandalf", "exports");
}

export interface Places {
  /** The folder that a relative path starts from. */
  readonly base: string;
  readonly home: string;
  /** Folders of this program, which must not get other files. */
  readonly own: readonly string[];
  /** Folders in which other programs keep their data, beside the usual ones. */
  readonly stores: readonly string[];
  /** Further folders with the layout of a home. */
  readonly homes: readonly string[];
  /** The vault has its own rules, wherever it is; undefined if there is none. */
  readonly vault: string | undefined;
  /** The id of the user; undefined if the system has none. */
  readonly user: number | undefined;
}

/** Returns the folders of conversations that the environment and the settings name: see homes.ts and the sources. */
export function storesOf(
  environment: Readonly<Record<string, string | undefined>>,
  homes: readonly string[],
): Pick<Places, "stores" | "homes"> {
  const names = [
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "CURSOR_DATA_DIR",
    "CURSOR_CONFIG_DIR",
    "CLINE_DIR",
    "CLINE_DATA_DIR",
    "CLINE_SESSION_DATA_DIR",
    "CONTINUE_GLOBAL_DIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_CACHE_HOME",
    "APPDATA",
    "LOCALAPPDATA",
    "GNUPGHOME",
    "PASSWORD_STORE_DIR",
  ];
  return { homes, stores: names.flatMap((name) => environment[name] || []) };
}

/** The real path of a folder that may not exist yet. Throws a Problem if nothing may be written there. */
export function exportFolder(sent: string, places: Places): string {
  checkFolderName(sent);
  const expanded = expandHome(sent, places.home);
  const path = isAbsolute(expanded) ? resolve(expanded) : resolve(places.base, expanded);
  const reserved = operatingSystem().hasReservedNames ? reservedName(expanded) : undefined;
  if (reserved !== undefined)
    throw new Problem("invalid", `Windows has no folders named '${reserved}'.`, "Choose another output_dir.");
  const real = realPathOf(path);
  const home = realPathOf(places.home);
  const stores = places.stores.filter(isAbsolute).map(realPathOf);
  const known = {
    home,
    homes: places.homes.map(realPathOf),
    // A store that is the whole home folder would forbid everything.
    own: places.own.map(realPathOf),
    stores: stores.filter((store) => !isWithin(home, store)),
    vault: places.vault,
  };
  // Both the given path and the real one: a link out of a secret folder is as suspect as one into it.
  if (isForbidden(path, known) || isForbidden(real, known) || isAnothers(real, { ...known, user: places.user }))
    throw new Problem(
      "denied",
      `Conversations are not exported to ${sent}: it is a system folder, holds secrets, or belongs to another program.`,
      "Choose a folder of your own as output_dir.",
    );
  return real;
}

/** Rejects what a shell or a browser would interpret, but the disk would take for a name. */
export function checkFolderName(sent: string): void {
  if (sent.trim() === "" || sent.includes("\0")) throw new Problem("invalid", "output_dir must be a path.");
  if (/\p{Cc}/u.test(sent)) throw new Problem("invalid", "output_dir has control characters in it.");
  if (/^(?:file:|[a-z][a-z\d+.-]+:\/\/)/i.test(sent))
    throw new Problem("invalid", "output_dir must be a path of a folder, not an address.");
  if (/^~[^/\\]/.test(sent))
    throw new Problem(
      "invalid",
      "output_dir may begin with ~ or ~/ for your own home folder, not with ~ and a name.",
      "For a folder whose name begins so, write ./ before it.",
    );
}

/** A name in a path that Windows takes for a device, or for another name. */
function reservedName(path: string): string | undefined {
  const names = path.replace(/^[a-z]:/i, "").split(/[/\\]/);
  return names.find((name) => !/^\.{0,2}$/.test(name) && !isPortableName(name));
}

/** The real path of the part that exists, followed by the remaining names as given. */
function realPathOf(path: string): string {
  const rest: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realPath(at), ...rest);
    } catch (error) {
      // A dangling link would be followed once its target is created.
      if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new Problem("denied", "output_dir is a link that leads nowhere.");
      if (!/^(?:ENOENT|ENOTDIR)$/.test(codeOf(error)) || at === dirname(at)) throw asProblem(error, path);
      rest.unshift(at.slice(dirname(at).length).replace(/^[/\\]+/, ""));
    }
  }
}

/** Forbidden anywhere: folders of keys, tokens and other programs. */
const FORBIDDEN_NAMES = new Set(
  ".ssh .gnupg .aws .azure .gcloud .kube .docker .password-store .pki .gem .npm .cargo .netrc .1password .claude .cursor .cursor-server .windsurf-server .codex .gemini .codeium .git .obsidian .trash .commonplace .mozilla .thunderbird keychains lost+found".split(
    " ",
  ),
);
/** Forbidden right below a home folder: folders of programs, in addition to every hidden one but the default. */
const PROGRAMS_IN_HOME = /^(?:\.(?!gandalf$).*|library|appdata)$/;
/** Allowed within those: where macOS has the user's files in the cloud. */
const CLOUD_IN_HOME = /^library\/(?:mobile documents|cloudstorage)\/[^/]/;
/** The home folder of any user. */
const HOMES = /^(?:\/home\/[^/]+|\/Users\/[^/]+|[a-z]:\\users\\[^\\]+)/i;
const SYSTEM = [
  "/bin /boot /cores /dev /etc /lib /lib32 /lib64 /libx32 /proc /run /sbin /sys /usr /var /root /snap /nix /opt",
  "/System /Library /Applications /private/etc /private/var",
]
  .join(" ")
  .split(" ");
/** System folders with data of users: disks, homes. Existing folders below them belong to users. */
const HOLDERS = "/home /Users /mnt /media /srv /Volumes /run/media /run/user /var/folders /private/var/folders".split(
  " ",
);
/** Programs keep sockets and locks in hidden folders right below these. */
const TEMPORARY = ["/tmp", "/private/tmp", "/var/tmp", "/private/var/tmp"];
/** System folders that everybody may write to. */
const PUBLIC = ["/var/folders", "/private/var/folders", "/var/tmp", "/private/var/tmp", "/run/media", "/run/user"];
const WINDOWS_SYSTEM =
  /^(?:\\\\[?.]\\)?(?:\\\\[^\\]+\\)?[a-z][:$]\\(?:windows|program files(?: \(x86\))?|programdata|system volume information|\$recycle\.bin|recovery)(?:\\|$)/i;

type Known = Omit<Places, "base" | "user">;

function isForbidden(path: string, { home, homes, own, stores, vault }: Known): boolean {
  const isInVault = vault !== undefined && isWithin(path, vault);
  // The built-in vault is in our own data folder.
  if (own.some((folder) => isWithin(path, folder) && !(isInVault && isWithin(vault, folder)))) return true;
  if (isInVault) return false;
  const names = path.split(/[/\\]/).map((name) => name.toLowerCase());
  if (names.some((name) => FORBIDDEN_NAMES.has(name)) || stores.some((folder) => isWithin(path, folder))) return true;
  const anybodys = HOMES.exec(path)?.[0] ?? [];
  const within = [home, ...homes].concat(anybodys).filter((one) => path !== one && isWithin(path, one));
  if (within.some((one) => isOfProgram(relative(one, path).split(sep).join("/").toLowerCase()))) return true;
  if (isInHome(path, home)) return path !== home && isOfSnap(relative(home, path));
  if (path === dirname(path) || WINDOWS_SYSTEM.test(path)) return true;
  if (HOLDERS.some((folder) => isWithin(path, folder) && isWithin(folder, deepestExisting(path)))) return true;
  if ([...TEMPORARY, realPathOf(tmpdir())].some((folder) => isHiddenIn(folder, path))) return true;
  return SYSTEM.some((folder) => isWithin(path, folder)) && !PUBLIC.some((folder) => isWithin(path, folder));
}

function isHiddenIn(folder: string, path: string): boolean {
  return isWithin(path, folder) && relative(folder, path).startsWith(".");
}

/** If the home folder contains system folders, as / does in some containers, nothing in it counts as the user's. */
function isInHome(path: string, home: string): boolean {
  const holdsSystem = [...HOLDERS, ...SYSTEM.filter((folder) => folder !== home)].some((one) => isWithin(one, home));
  return isWithin(path, home) && home !== dirname(home) && !holdsSystem;
}

/** Snaps exist only on Linux, in a folder in lower case. @param path below the home folder */
function isOfSnap(path: string): boolean {
  return operatingSystem().hasSnaps && path.split(sep)[0] === "snap";
}

/** @param path below a home folder */
function isOfProgram(path: string): boolean {
  return PROGRAMS_IN_HOME.test(path.split("/")[0]!) && !CLOUD_IN_HOME.test(path);
}

/**
 * Outside of the vault, a folder that the user does not own is forbidden, even
 * if it is writable; except folders for temporary files, and a home folder that
 * somebody else owns. Root may write anywhere.
 */
function isAnothers(real: string, { home, vault, user }: Known & Pick<Places, "user">): boolean {
  const isOfVault = vault !== undefined && isWithin(real, vault);
  if (isOfVault || user === undefined || user === 0) return false;
  const { uid, mode } = statSync(deepestExisting(real));
  if (uid === user) return false;
  if (isInHome(real, home)) return uid !== statSync(deepestExisting(home)).uid;
  const isForEverybody = (mode & 0o1002) === 0o1002;
  return !isForEverybody;
}

function deepestExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : deepestExisting(dirname(path));
}

function isWithin(path: string, folder: string): boolean {
  return pathWithin(folder, path) !== undefined;
}

/**
 * Creates the folder with the first file; folder and files are readable by their
 * owner only. Fails at once if the folder cannot be created.
 */
export function folderWriter(folder: string): ExportWriter {
  const existing = deepestExisting(folder);
  if (!statSync(existing).isDirectory()) throw new Problem("invalid", "output_dir is a file, or lies below one.");
  checkWritable(existing);
  let isMade = false;
  return {
    create: async (name, pieces) => {
      const path = join(folder, name);
      try {
        if (!isMade) makeFolder(folder);
        isMade = true;
        // Relative to the open folder: a link that replaces it has no effect.
        return changeInReal(folder, (at) => (createFile(join(at, name), pieces) ? path : undefined));
      } catch (error) {
        if (codeOf(error) === "ELOOP") throw new Problem("denied", "output_dir changed while it was looked at.");
        throw asProblem(error, path);
      }
    },
  };
}

/** @returns false if the name is taken */
function createFile(path: string, pieces: Iterable<string>): boolean {
  let file: number;
  try {
    file = createNew(path, 0o600);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    writeAll(file, pieces);
    return true;
  } catch (error) {
    // Never leave a partial export behind.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function makeFolder(folder: string): void {
  const existing = deepestExisting(folder);
  const names = relative(existing, folder).split(sep).filter(Boolean);
  try {
    names.reduce((above, name) => {
      makeInReal(join(above, name), 0o700);
      return join(above, name);
    }, existing);
  } catch (error) {
    if (codeOf(error) === "ENOTDIR") throw new Problem("invalid", "output_dir is a file, or lies below one.");
    throw error;
  }
}

/** Characters that are collected before they are written. */
const GATHERED = 1 << 18;

function writeAll(file: number, pieces: Iterable<string>): void {
  let gathered = "";
  const write = () => {
    const bytes = Buffer.from(gathered);
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
    gathered = "";
  };
  for (const piece of pieces) {
    gathered += piece;
    if (gathered.length >= GATHERED) write();
  }
  write();
}
