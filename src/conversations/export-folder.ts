// The folder that exported conversations go to: any that the user may write,
// but none of the system's, none that holds secrets, and no other program's
// store, whichever spelling or link leads there. Used by the export tool.
import { closeSync, existsSync, lstatSync, mkdirSync, rmSync, statSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { asProblem, checkWritable, codeOf } from "../files/atomic.ts";
import { createNew } from "../files/open-file.ts";
import { realPath } from "../files/real-path.ts";
import { isPortableName } from "../files/vault-path.ts";
import { Problem } from "../text/problem.ts";
import type { ExportWriter } from "./export.ts";

/** Where exports go that name no folder: the contract's. */
export function defaultExportFolder(): string {
  return join(homedir(), ".gandalf", "exports");
}

export interface Places {
  /** What a relative path is relative to. */
  readonly base: string;
  readonly home: string;
  /** Folders of this program, which hold what must not be mixed with files of others. */
  readonly own: readonly string[];
  /** Where other programs keep what is theirs, beside the usual places. */
  readonly stores: readonly string[];
  /** Further folders that are laid out like a home. */
  readonly homes: readonly string[];
  /** The vault has rules of its own, wherever it lies; undefined where there is none. */
  readonly vault: string | undefined;
  /** Who asks, by number; undefined where the system has none. */
  readonly user: number | undefined;
}

/** What the environment and the settings say of where conversations are kept: see homes.ts and the sources. */
export function storesOf(
  environment: Readonly<Record<string, string | undefined>>,
  homes: readonly string[],
): Pick<Places, "stores" | "homes"> {
  const names = [
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "CURSOR_DATA_DIR",
    "CURSOR_CONFIG_DIR",
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

/** The real path of a folder that may not be there yet. Throws a Problem where nothing may be written. */
export function exportFolder(sent: string, places: Places): string {
  if (sent.trim() === "" || sent.includes("\0")) throw new Problem("invalid", "output_dir must be a path.");
  const expanded = /^~(?=$|[/\\])/.test(sent) ? join(places.home, sent.slice(1)) : sent;
  const path = isAbsolute(expanded) ? resolve(expanded) : resolve(places.base, expanded);
  const reserved = process.platform === "win32" ? reservedName(expanded) : undefined;
  if (reserved !== undefined)
    throw new Problem("invalid", `Windows has no folders named '${reserved}'.`, "Choose another output_dir.");
  const real = realPathOf(path);
  const home = realPathOf(places.home);
  const stores = places.stores.filter(isAbsolute).map(realPathOf);
  const known = {
    home,
    homes: places.homes.map(realPathOf),
    // A store that holds the whole home folder would leave nothing to write to.
    own: places.own.map(realPathOf),
    stores: stores.filter((store) => !isWithin(home, store)),
    vault: places.vault,
  };
  // Both the way and where it ends: a link out of a secret folder is as suspect as one into it.
  if (isForbidden(path, known) || isForbidden(real, known) || isAnothers(real, { ...known, user: places.user }))
    throw new Problem(
      "denied",
      `Conversations are not exported to ${sent}: it is a system folder, holds secrets, or belongs to another program.`,
      "Choose a folder of your own as output_dir.",
    );
  return real;
}

/** A name in a path that Windows takes for a device, or for another name. */
function reservedName(path: string): string | undefined {
  const names = path.replace(/^[a-z]:/i, "").split(/[/\\]/);
  return names.find((name) => !/^\.{0,2}$/.test(name) && !isPortableName(name));
}

/** The real path of what is there, and the rest of the way as it is written. */
function realPathOf(path: string): string {
  const rest: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realPath(at), ...rest);
    } catch (error) {
      // A link that leads nowhere yet would be followed by whoever makes what it leads to.
      if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new Problem("denied", "output_dir is a link that leads nowhere.");
      if (!/^(?:ENOENT|ENOTDIR)$/.test(codeOf(error)) || at === dirname(at)) throw asProblem(error, path);
      rest.unshift(at.slice(dirname(at).length).replace(/^[/\\]+/, ""));
    }
  }
}

/** Wherever they are: folders of keys, tokens and other programs' own. */
const FORBIDDEN_NAMES = new Set(
  ".ssh .gnupg .aws .azure .gcloud .kube .docker .password-store .pki .gem .npm .cargo .netrc .1password .claude .cursor .cursor-server .windsurf-server .codex .gemini .codeium .git .obsidian .trash .commonplace .mozilla .thunderbird keychains".split(
    " ",
  ),
);
/** Right below a home folder: where programs keep what is theirs, beside every hidden folder but the default one. */
const PROGRAMS_IN_HOME = /^(?:\.(?!gandalf$).*|library|appdata)$/;
/** Within those, where macOS shows the user's own files in the cloud. */
const CLOUD_IN_HOME = /^library\/(?:mobile documents|cloudstorage)\/[^/]/;
/** A home folder of anybody. */
const HOMES = /^(?:\/home\/[^/]+|\/Users\/[^/]+|[a-z]:\\users\\[^\\]+)/i;
const SYSTEM = [
  "/bin /boot /cores /dev /etc /lib /lib32 /lib64 /libx32 /proc /run /sbin /sys /usr /var /root /snap /nix /opt",
  "/System /Library /Applications /private/etc /private/var",
]
  .join(" ")
  .split(" ");
/** Within those, what everybody may write. */
const PUBLIC = ["/var/folders", "/private/var/folders", "/var/tmp", "/private/var/tmp", "/run/media", "/run/user"];
const WINDOWS_SYSTEM =
  /^(?:\\\\[?.]\\)?(?:\\\\[^\\]+\\)?[a-z][:$]\\(?:windows|program files(?: \(x86\))?|programdata|system volume information|\$recycle\.bin|recovery)(?:\\|$)/i;

type Known = Omit<Places, "base" | "user">;

function isForbidden(path: string, { home, homes, own, stores, vault }: Known): boolean {
  const isInVault = vault !== undefined && isWithin(path, vault);
  // The embedded vault lies among our own data.
  if (own.some((folder) => isWithin(path, folder) && !(isInVault && isWithin(vault, folder)))) return true;
  if (isInVault) return false;
  const names = path.split(/[/\\]/).map((name) => name.toLowerCase());
  if (names.some((name) => FORBIDDEN_NAMES.has(name)) || stores.some((folder) => isWithin(path, folder))) return true;
  const anybodys = HOMES.exec(path)?.[0] ?? [];
  const within = [home, ...homes].concat(anybodys).filter((one) => path !== one && isWithin(path, one));
  if (within.some((one) => isOfProgram(relative(one, path).split(sep).join("/").toLowerCase()))) return true;
  if (within.includes(home)) return false;
  if (path === dirname(path) || WINDOWS_SYSTEM.test(path)) return true;
  return SYSTEM.some((folder) => isWithin(path, folder)) && !PUBLIC.some((folder) => isWithin(path, folder));
}

/** @param path below a home folder */
function isOfProgram(path: string): boolean {
  return PROGRAMS_IN_HOME.test(path.split("/")[0]!) && !CLOUD_IN_HOME.test(path);
}

/**
 * Outside of the home folder and the vault, what the user does not own is
 * another's, even where it may be written; but for the folders that are for
 * everybody's temporary files. Root owns the machine.
 */
function isAnothers(real: string, { home, vault, user }: Known & Pick<Places, "user">): boolean {
  const isOurs = isWithin(real, home) || (vault !== undefined && isWithin(real, vault));
  if (isOurs || user === undefined || user === 0) return false;
  const { uid, mode } = statSync(deepestExisting(real));
  const isForEverybody = (mode & 0o1002) === 0o1002;
  return uid !== user && !isForEverybody;
}

function deepestExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : deepestExisting(dirname(path));
}

export function isWithin(path: string, folder: string): boolean {
  const between = relative(folder, path);
  return between === "" || (!between.startsWith("..") && !isAbsolute(between));
}

/**
 * Makes the folder with the first file, readable by its owner alone, as the
 * files in it are. Where it cannot be made, it says so at once.
 */
export function folderWriter(folder: string): ExportWriter {
  const existing = deepestExisting(folder);
  if (!statSync(existing).isDirectory()) throw new Problem("invalid", "output_dir is a file, or lies below one.");
  checkWritable(existing);
  let isMade = false;
  return {
    create: async (name, pieces) => {
      if (!isMade) makeFolder(folder);
      isMade = true;
      const path = join(folder, name);
      let file: number;
      try {
        file = createNew(path, 0o600);
      } catch (error) {
        if (codeOf(error) === "EEXIST") return undefined;
        throw asProblem(error, path);
      }
      try {
        writeAll(file, pieces);
      } catch (error) {
        // Half of a conversation is none.
        rmSync(path, { force: true });
        throw asProblem(error, path);
      } finally {
        closeSync(file);
      }
      return path;
    },
  };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (realPath(folder) !== folder) throw new Problem("denied", "output_dir changed while it was looked at.");
  } catch (error) {
    if (/^(?:EEXIST|ENOTDIR)$/.test(codeOf(error)))
      throw new Problem("invalid", "output_dir is a file, or lies below one.");
    throw asProblem(error, folder);
  }
}

/** Pieces that are gathered before they are written. */
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
