// Rules of absolute paths and names that differ between systems: what lies below
// a folder, `~`, drives of Windows under WSL, and names that Windows reserves.
// Pure; used by every room that takes paths.
import { operatingSystem, type OperatingSystem } from "./operating-system.ts";

/**
 * The path relative to a folder, with slashes: empty for the folder itself,
 * undefined if it is not below it (on another drive, for example).
 */
export function pathWithin(
  folder: string,
  path: string,
  system: OperatingSystem = operatingSystem(),
): string | undefined {
  const { relative, isAbsolute, sep } = system.path;
  const inside = relative(folder, path);
  const names = inside.split(sep);
  return isAbsolute(inside) || names[0] === ".." ? undefined : names.join("/");
}

/** A path in which `~` stands for the home folder; `~name` is a name. */
export function expandHome(path: string, home: string, system: OperatingSystem = operatingSystem()): string {
  return /^~(?=$|[/\\])/.test(path) ? system.path.join(home, path.slice(1)) : path;
}

/** A path with a drive of Windows as WSL mounts it; on Windows, and without a drive, the path itself. */
export function mountedPath(path: string, system: OperatingSystem = operatingSystem()): string {
  const drive = system.family === "win32" ? null : /^([a-z]):(?=[\\/]|$)(.*)$/is.exec(path);
  if (drive === null) return path;
  return `/mnt/${drive[1]!.toLowerCase()}${drive[2]!.replaceAll("\\", "/")}`;
}

/** Names that mean devices on Windows, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[ .]|$)/i;

/**
 * Returns whether Windows would keep a name: it drops a last dot or space, so that
 * "note.md." would be "note.md"; a colon names a second stream of a file; "CON"
 * and similar names are devices.
 */
export function isPortableName(name: string): boolean {
  return !/:|[. ]$/.test(name) && !DEVICE.test(name);
}

const MAX_NAME_LENGTH = 255;

/** Returns whether a file of this name can exist: its length is counted in bytes, on Windows in UTF-16 units. */
export function isPossibleName(name: string, system: OperatingSystem = operatingSystem()): boolean {
  if (!system.hasReservedNames) return Buffer.byteLength(name) <= MAX_NAME_LENGTH;
  return name.length <= MAX_NAME_LENGTH && !/[<>"|?*]/.test(name) && isPortableName(name);
}
