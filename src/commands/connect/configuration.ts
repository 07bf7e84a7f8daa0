// The file in which a host lists its servers: read, changed in one entry, and
// written without harm. It belongs to another program and to its user, so
// everything else in it stays, a damaged one is left alone, a link is followed,
// and a copy of what was there before is kept.
import { lstatSync, mkdirSync, readlinkSync, realpathSync, rmdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  asProblem,
  checkWritable,
  codeOf,
  discard,
  publish,
  putInPlace,
  removeFile,
  syncFolder,
  temporaryName,
  writeTemporary,
} from "../../files/atomic.ts";
import { readBytes } from "../../files/open-file.ts";
import { makeOwnFolder, writeOwnFile } from "../../files/own-files.ts";
import { readNoteText, writeNoteText } from "../../text/note-text.ts";
import { Problem } from "../../text/problem.ts";
import type { Host, Machine } from "./hosts.ts";
import { getMember, parseJson, removeMember, setMember } from "./json-members.ts";
import { getTable, parseToml, removeTable, setTable, type EntryValue } from "./toml-tables.ts";

type Entry = Readonly<Record<string, unknown>>;

export interface Configuration {
  readonly host: Host;
  /** Where the host looks for it. */
  readonly file: string;
  /** Where it really is, at the end of all links. */
  readonly target: string;
  /** What tells that the host is on this machine. */
  readonly traces: readonly string[];
  /** Undefined where there is none yet. */
  readonly bytes: Buffer | undefined;
  readonly text: string;
  readonly hasByteOrderMark: boolean;
  /** Every entry by its name. */
  readonly entries: Readonly<Record<string, Entry>>;
}

/** Refuses what is damaged: to write to it would lose what its owner meant. */
export function readConfiguration(host: Host, machine: Machine): Configuration {
  const file = host.file(machine);
  const target = endOfLinks(file);
  const bytes = readIfThere(target);
  try {
    const { text, hasByteOrderMark } = readNoteText(bytes ?? Buffer.of());
    const traces = host.traces(machine);
    return { host, file, target, traces, bytes, text, hasByteOrderMark, entries: entriesOf(host, text) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(
      "invalid",
      `${file} is damaged, and is left as it is: ${error.message}`,
      error.hint ?? `Repair it first; ${host.title} cannot read it either.`,
    );
  }
}

/** The text with this entry in it, or without it where it is undefined. What else an entry holds is kept. */
export function withEntry(
  { host, text, entries, file }: Configuration,
  name: string,
  entry: Entry | undefined,
): string {
  const changed =
    host.format === "toml" ? tomlWith(host, text, name, entry) : jsonWith(host, text, entries[name], name, entry);
  if (!isDeepStrictEqual(allBut(host, changed, name), allBut(host, text, name)))
    throw new Problem("invalid", `${file} is written in a way that this command cannot edit.`, "Change it by hand.");
  return changed;
}

function jsonWith(
  host: Host,
  text: string,
  existing: Entry | undefined,
  name: string,
  entry: Entry | undefined,
): string {
  if (entry === undefined) return removeMember(text, [host.section, name]);
  // An entry of another kind, for a server at an address, has nothing in it to keep.
  if (existing?.["command"] === undefined) return setMember(text, [host.section, name], { ...entry, ...host.defaults });
  let result = text;
  const set = (value: unknown, ...keys: string[]) => (result = setMember(result, [host.section, name, ...keys], value));
  for (const [key, value] of Object.entries({ ...host.defaults, ...existing, ...entry })) {
    if (existing[key] !== undefined && !(key in entry)) continue;
    // The environment may hold variables of the person's own.
    if (typeof value !== "object" || Array.isArray(value)) set(value, key);
    else for (const [variable, to] of Object.entries(value as Entry)) set(to, key, variable);
  }
  return result;
}

function tomlWith(host: Host, text: string, name: string, entry: Entry | undefined): string {
  const path = [host.section, name];
  return entry === undefined ? removeTable(text, path) : setTable(text, path, entry as Record<string, EntryValue>);
}

export function entriesOf(host: Host, text: string): Record<string, Entry> {
  if (text.trim() === "") return {};
  const listed = host.format === "toml" ? getTable(text, [host.section]) : getMember(text, [host.section]);
  if (
    host.format === "json" &&
    listed !== undefined &&
    (typeof listed !== "object" || listed === null || Array.isArray(listed))
  )
    throw new Problem("invalid", `"${host.section}" is not an object.`);
  const entries = Object.entries(listed ?? {}).filter(([, entry]) => typeof entry === "object" && entry !== null);
  return Object.fromEntries(entries as [string, Entry][]);
}

/** All that the file says, but for this entry. */
function allBut(host: Host, text: string, name: string): unknown {
  if (text.trim() === "") return {};
  const whole = (host.format === "toml" ? parseToml(text) : parseJson(text)) as Record<string, Entry>;
  const { [host.section]: section = {}, ...rest } = whole;
  const { [name]: _, ...others } = section;
  return Object.keys(others).length === 0 ? rest : { ...rest, [host.section]: others };
}

/**
 * @param text undefined: the file goes
 * @returns where the copy of what was there before is; undefined for a new file
 */
export async function writeConfiguration(
  { host, file, target, traces, bytes, hasByteOrderMark }: Configuration,
  text: string | undefined,
  backups: string,
): Promise<string | undefined> {
  const temporary = join(dirname(target), temporaryName());
  const newBytes = text === undefined ? undefined : writeNoteText({ hasByteOrderMark }, text);
  if (bytes === undefined) {
    if (newBytes === undefined) return undefined;
    makeFolders(target);
    // As the hosts make it themselves: it may come to hold keys.
    await writeTemporary(temporary, newBytes, { path: target, mode: 0o600 });
    await orDiscard(temporary, () => publish(temporary, target));
    await syncFolder(dirname(target));
    return undefined;
  }
  checkWritable(target);
  const backup = keepCopy(host, target, bytes, backups);
  if (newBytes === undefined) {
    checkUnchanged(file, target, bytes);
    await removeFile(target);
    if (file === target) removeEmptyFolders(dirname(file), traces);
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

/** An empty folder that is left would look as if the host were on this machine. */
function removeEmptyFolders(folder: string, traces: readonly string[]): void {
  if (!traces.some((trace) => folder === trace || folder.startsWith(trace + sep))) return;
  try {
    rmdirSync(folder);
  } catch {
    // Something else is in it.
    return;
  }
  removeEmptyFolders(dirname(folder), traces);
}

/** The host itself may have written it while the person was asked. */
function checkUnchanged(file: string, target: string, bytes: Buffer): void {
  if (readIfThere(target)?.equals(bytes) !== true)
    throw new Problem("conflict", `${file} was changed meanwhile: nothing was written.`, "Try again.");
}

async function orDiscard(temporary: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    discard(temporary);
    throw error;
  }
}

/** In a folder of ours, closed to others: a configuration may hold keys, and its own folder may be shared. */
function keepCopy(host: Host, target: string, bytes: Buffer, backups: string): string {
  const time = new Date().toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 19);
  const path = join(backups, `${host.name}-${time}-${basename(target)}`);
  try {
    makeOwnFolder(backups);
    writeOwnFile(path, bytes, true);
  } catch (error) {
    throw asProblem(error, path);
  }
  return path;
}

function makeFolders(target: string): void {
  try {
    mkdirSync(dirname(target), { recursive: true });
  } catch (error) {
    throw asProblem(error, target);
  }
}

/** Where a file really is, or would be: dotfiles are often links, and the link must stay. */
function endOfLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? resolve(dirname(file), readlinkSync(file)) : file;
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readBytes(path, { followsLinks: true });
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return undefined;
    const reason =
      code === "EISDIR" ? "it is a folder" : code === "ENOTDIR" ? "a file is in the way of its folder" : code;
    throw new Problem("denied", `${path} cannot be read: ${reason}.`, "Check what is there, and its permissions.");
  }
}
