// Reads and writes the file in which a host lists its MCP servers. The file
// belongs to another program and its user: one server entry is changed and the
// rest stays, a damaged file is never written, symbolic links are followed, and
// a backup is kept. Used by connect; connection.ts only reads.
import { lstatSync, readlinkSync, realpathSync, rmdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  checkWritable,
  codeOf,
  discard,
  makeFolders,
  publish,
  putInPlace,
  readBytes,
  removeFile,
  syncFolder,
  temporaryName,
  writeTemporary,
} from "../../files/files.ts";
import { readNoteText, writeNoteText } from "../../markdown/markdown.ts";
import { Problem } from "../../kernel/kernel.ts";
import { earlierStates, recordNewFile, writeBackup } from "./backups.ts";
import type { Host, Machine } from "./known-hosts.ts";
import { copyMember, getMember, parseJson, removeMember, setMember } from "./json-members.ts";
import { copyTable, getTable, parseToml, removeTable, setTable, type EntryValue } from "./toml-tables.ts";

/** One server in the host's list, by the keys of that host. */
export type ServerEntry = Readonly<Record<string, unknown>>;

export interface Configuration {
  readonly host: Host;
  /** The path that the host reads. */
  readonly file: string;
  /** The same path with symbolic links resolved. */
  readonly target: string;
  /** Paths that exist if the host is installed. */
  readonly installedPaths: readonly string[];
  /** Undefined if the file does not exist. */
  readonly bytes: Buffer | undefined;
  readonly text: string;
  readonly hasByteOrderMark: boolean;
  /** All servers of the list by name. */
  readonly entries: Readonly<Record<string, ServerEntry>>;
}

/** Throws if the file is damaged: writing to it could lose the user's settings. */
export function readConfiguration(host: Host, machine: Machine): Configuration {
  const file = host.file(machine);
  const target = resolveLinks(file);
  const bytes = readIfExists(target);
  try {
    const { text, hasByteOrderMark } = readNoteText(bytes ?? Buffer.of());
    const installedPaths = host.installedPaths(machine);
    return { host, file, target, installedPaths, bytes, text, hasByteOrderMark, entries: entriesOf(host, text) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(
      "invalid",
      `${file} is damaged: ${error.message}`,
      error.hint ?? `Repair it first; ${host.title} cannot read it either.`,
    );
  }
}

/** The text with this entry, or without it if `entry` is undefined. Keys that the user added to the entry are kept. */
export function withEntry(configuration: Configuration, name: string, entry: ServerEntry | undefined): string {
  const { host, text, entries } = configuration;
  const edit = host.format === "toml" ? tomlWith : jsonWith;
  return checked(configuration, name, edit(host, text, entries[name], name, entry));
}

/** The text with the entry of this name as another text has it, to the character. */
export function withEntryFrom(configuration: Configuration, name: string, other: string): string {
  const { host, text } = configuration;
  const copy = host.format === "toml" ? copyTable : copyMember;
  return checked(configuration, name, copy(text, [host.section, name], other));
}

/** Throws if anything but the entry of this name is different from before. */
function checked({ host, text, file }: Configuration, name: string, changed: string): string {
  if (isDeepStrictEqual(allBut(host, changed, name), allBut(host, text, name))) return changed;
  throw new Problem("invalid", `${file} is written in a way that this command cannot edit.`, "Edit it by hand.");
}

function jsonWith(
  host: Host,
  text: string,
  existing: ServerEntry | undefined,
  name: string,
  entry: ServerEntry | undefined,
): string {
  if (entry === undefined) return removeMember(text, [host.section, name]);
  // An entry without a command is for a remote server: none of its keys apply.
  if (existing?.["command"] === undefined) return setMember(text, [host.section, name], { ...entry, ...host.defaults });
  let result = text;
  const set = (value: unknown, ...keys: string[]) => (result = setMember(result, [host.section, name, ...keys], value));
  for (const [key, value] of Object.entries({ ...host.defaults, ...existing, ...entry })) {
    if (existing[key] !== undefined && !(key in entry)) continue;
    // The environment may contain the user's own variables.
    if (typeof value !== "object" || Array.isArray(value)) set(value, key);
    else for (const [variable, to] of Object.entries(value as ServerEntry)) set(to, key, variable);
  }
  return result;
}

function tomlWith(
  host: Host,
  text: string,
  existing: ServerEntry | undefined,
  name: string,
  entry: ServerEntry | undefined,
): string {
  const path = [host.section, name];
  if (entry === undefined) return removeTable(text, path);
  const isRemote = existing !== undefined && existing["command"] === undefined;
  return setTable(isRemote ? removeTable(text, path) : text, path, entry as Record<string, EntryValue>);
}

export function entriesOf(host: Host, text: string): Record<string, ServerEntry> {
  if (text.trim() === "") return {};
  const listed = host.format === "toml" ? getTable(text, [host.section]) : getMember(text, [host.section]);
  if (
    host.format === "json" &&
    listed !== undefined &&
    (typeof listed !== "object" || listed === null || Array.isArray(listed))
  )
    throw new Problem("invalid", `"${host.section}" is not an object.`);
  const entries = Object.entries(listed ?? {}).filter(([, entry]) => typeof entry === "object" && entry !== null);
  return Object.fromEntries(entries as [string, ServerEntry][]);
}

/** The value of the whole file without this entry. */
function allBut(host: Host, text: string, name: string): unknown {
  if (text.trim() === "") return {};
  const whole = (host.format === "toml" ? parseToml(text) : parseJson(text)) as Record<string, ServerEntry>;
  const { [host.section]: section = {}, ...rest } = whole;
  const { [name]: _, ...others } = section;
  return Object.keys(others).length === 0 ? rest : { ...rest, [host.section]: others };
}

/**
 * @param text undefined deletes the file
 * @returns the path of the backup; undefined for a new file
 */
export async function writeConfiguration(
  { host, file, target, installedPaths, bytes, hasByteOrderMark }: Configuration,
  text: string | undefined,
  backups: string,
): Promise<string | undefined> {
  const temporary = join(dirname(target), temporaryName());
  const newBytes = text === undefined ? undefined : writeNoteText({ hasByteOrderMark }, text);
  if (bytes === undefined) {
    if (newBytes === undefined) return undefined;
    const createdFolder = makeFolders(dirname(target));
    try {
      recordNewFile(host, createdFolder, backups);
      // The mode that the hosts use themselves: the file may contain API keys later.
      await writeTemporary(temporary, newBytes, { path: target, mode: 0o600 });
      await orDiscard(temporary, () => publish(temporary, target));
    } catch (error) {
      removeEmptyFolders(dirname(target), [createdFolder]);
      throw error;
    }
    await syncFolder(dirname(target));
    return undefined;
  }
  checkWritable(target);
  const backup = writeBackup(host, target, bytes, backups);
  if (newBytes === undefined) {
    checkUnchanged(file, target, bytes);
    await removeFile(target);
    // A folder that was there before stays, even if it is empty. 0.1.0 did not record which it created.
    const first = earlierStates(host, backups).find(({ text: before }) => before === undefined);
    const others = file === target ? installedPaths : [];
    removeEmptyFolders(dirname(target), first === undefined ? others : [first.createdFolder]);
    return backup;
  }
  await writeTemporary(temporary, newBytes, { path: target, like: statSync(target, { bigint: true }) });
  await orDiscard(temporary, async () => {
    checkUnchanged(file, target, bytes);
    await putInPlace(temporary, target);
  });
  await syncFolder(dirname(target));
  return backup;
}

/** Removes this folder and those around it while they are empty and below one of these paths: left behind, they would look like an installed host. */
function removeEmptyFolders(folder: string, below: readonly (string | undefined)[]): void {
  if (!below.some((path) => path !== undefined && (folder === path || folder.startsWith(path + sep)))) return;
  try {
    rmdirSync(folder);
  } catch {
    // Not empty.
    return;
  }
  removeEmptyFolders(dirname(folder), below);
}

/** The host may have written the file while the user was deciding. */
function checkUnchanged(file: string, target: string, bytes: Buffer): void {
  if (readIfExists(target)?.equals(bytes) !== true)
    throw new Problem("conflict", `${file} was changed by another program.`, "Try again.");
}

async function orDiscard(temporary: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    discard(temporary);
    throw error;
  }
}

const MAX_LINKS = 40;

/** The path behind all symbolic links, even if nothing exists there yet: dotfiles are often links, which must stay. */
function resolveLinks(file: string, links = MAX_LINKS): string {
  try {
    return realpathSync(file);
  } catch (error) {
    const folder = dirname(file);
    if (codeOf(error) !== "ENOENT" || folder === file || links === 0) return file;
    const path = join(resolveLinks(folder, links - 1), basename(file));
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? resolveLinks(resolve(dirname(path), readlinkSync(path)), links - 1) : path;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission is missing",
  EFTYPE: "it is a pipe, a socket or a device",
  EISDIR: "it is a folder",
  ELOOP: "its symbolic links lead in a circle",
  ENAMETOOLONG: "its path is too long",
  ENOTDIR: "its parent is a file",
  ENXIO: "it is a pipe, a socket or a device",
  EPERM: "permission is missing",
};

function readIfExists(path: string): Buffer | undefined {
  try {
    return readBytes(path, { followsLinks: true });
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return undefined;
    const reason = REASONS[code] ?? `the system reports the error ${code}`;
    throw new Problem("denied", `${path} cannot be read: ${reason}.`, "Check the path and its permissions.");
  }
}
