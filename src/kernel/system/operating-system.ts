// Differences between operating systems, as facts: the only module that asks
// which one this is. What depends on one takes it as its last argument, so that
// the rules of Windows and macOS are tested on any machine. Used by every room.
import type { PlatformPath } from "node:path";

/** The systems whose conventions are known; others follow those of Linux. */
export type SystemFamily = "darwin" | "linux" | "win32";

export interface OperatingSystem {
  readonly platform: NodeJS.Platform;
  readonly family: SystemFamily;
  /** The rules of its paths. */
  readonly path: PlatformPath;
  /** The treatment of names that differ in case only, unless the disk is formatted otherwise. */
  readonly caseOfNames: "ignored" | "usually ignored" | "kept";
  /** Some names mean devices, and some characters have a meaning in a path. */
  readonly hasReservedNames: boolean;
  /** The longest path that a system call accepts, in bytes, without the terminating zero. */
  readonly longestPath: number;
  /** Files have an owner and modes. Elsewhere the folders of a user's profile are private. */
  readonly hasModes: boolean;
  /** A folder can be opened, to hold it or to make its names durable. */
  readonly opensFolders: boolean;
  /** `open` can refuse links and does not wait for the other end of a pipe. */
  readonly hasOpenFlags: boolean;
  /** The path of an open file, and files below an open folder, are found in /proc. */
  readonly hasProc: boolean;
  /** A file that a program has open cannot be renamed or removed; the error may be one of permission. */
  readonly locksOpenFiles: boolean;
  /** Setting an earlier modification time sets the birth time as well. */
  readonly datesBirthByChange: boolean;
  /** Node's copy of a file has its extended attributes and access lists, as Finder's tags and comments. */
  readonly copiesAttributes: boolean;
  /** A file that is only in the cloud keeps its name and size, but has no blocks on the disk. */
  readonly emptiesCloudFiles: boolean;
  readonly hasSnaps: boolean;
  readonly hasOmniOutliner: boolean;
  /** Between the folders in PATH. */
  readonly listSeparator: string;
  /** The ending of a program's file name. */
  readonly programEnding: string;
  /** Programs that show long text by pages, the best first. */
  readonly pagers: readonly string[];
  /** The command that opens an address in the desktop's program for it; undefined if none is known. */
  readonly opener: readonly string[] | undefined;
  /** The variables of which one is set where there is a desktop; undefined if there always is. */
  readonly displayVariables: readonly string[] | undefined;
}

type Facts = Omit<OperatingSystem, "platform" | "family" | "path">;

const UNIX: Facts = {
  caseOfNames: "kept",
  hasReservedNames: false,
  longestPath: 4095,
  hasModes: true,
  opensFolders: true,
  hasOpenFlags: true,
  hasProc: false,
  locksOpenFiles: false,
  datesBirthByChange: false,
  copiesAttributes: false,
  emptiesCloudFiles: false,
  hasSnaps: false,
  hasOmniOutliner: false,
  listSeparator: ":",
  programEnding: "",
  pagers: ["less", "more"],
  opener: undefined,
  displayVariables: undefined,
};

const LINUX: Facts = {
  ...UNIX,
  hasProc: true,
  hasSnaps: true,
  opener: ["xdg-open"],
  displayVariables: ["DISPLAY", "WAYLAND_DISPLAY"],
};

const MACOS: Facts = {
  ...UNIX,
  caseOfNames: "usually ignored",
  longestPath: 1023,
  datesBirthByChange: true,
  copiesAttributes: true,
  emptiesCloudFiles: true,
  hasOmniOutliner: true,
  opener: ["open"],
};

const WINDOWS: Facts = {
  ...UNIX,
  caseOfNames: "ignored",
  hasReservedNames: true,
  longestPath: 32_766,
  hasModes: false,
  opensFolders: false,
  hasOpenFlags: false,
  locksOpenFiles: true,
  listSeparator: ";",
  programEnding: ".exe",
  // None that comes with it can show all characters.
  pagers: [],
  opener: ["rundll32", "url.dll,FileProtocolHandler"],
};

const known = new Map<NodeJS.Platform, OperatingSystem>();

/** This system, or the one that is named. */
export function operatingSystem(platform: NodeJS.Platform = process.platform): OperatingSystem {
  let system = known.get(platform);
  if (system === undefined) known.set(platform, (system = describe(platform)));
  return system;
}

function describe(platform: NodeJS.Platform): OperatingSystem {
  // The page uses this room too, where there is no such module.
  const { posix, win32 } = process.getBuiltinModule("node:path");
  if (platform === "win32") return { ...WINDOWS, platform, family: platform, path: win32 };
  if (platform === "darwin") return { ...MACOS, platform, family: platform, path: posix };
  return { ...(platform === "linux" ? LINUX : UNIX), platform, family: "linux", path: posix };
}
