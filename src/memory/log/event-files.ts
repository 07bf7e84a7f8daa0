// The files that memory is read from: the log, with every copy that a sync
// program made of its files, and what Claudesidian and Nexus left in the vault.
// Lists them, and reads what is new in one. Used by event-store.ts.
import { createHash } from "node:crypto";
import { closeSync, fstatSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { codeOf, openForReading } from "../../files/files.ts";
import { placeholderFor } from "../../markdown/markdown.ts";
import { eventOf, type MemoryEvent } from "./event.ts";
import { leadsElsewhere, type LogFolder } from "./log-folder.ts";
import { eventsOfNexusLine, eventsOfWorkspaceFile } from "./import-nexus.ts";

export interface EventFile {
  /** How the cache names it. */
  readonly name: string;
  readonly path: string;
  readonly form: Form;
  /** -1 for a file that is only in the cloud at the moment: it counts as unchanged. */
  readonly size: number;
  readonly mtime: number;
}

type Form = "log" | "nexus" | "workspaces";

/** How much of a file was read, and how to check that it still begins with that. */
export interface Progress {
  readonly size: number;
  readonly mtime: number;
  /** Bytes, up to the end of a line. */
  readonly read: number;
  /** A hash of the last bytes that were read. */
  readonly seal: string;
}

interface Place {
  /** How the cache names what is in it. */
  readonly name: string;
  readonly form: Form;
  readonly folder: string;
  readonly ending: string;
  readonly isSkipped?: () => boolean;
  /** Subfolders with other content; undefined if no subfolder is read. */
  readonly otherFolders?: ReadonlySet<string>;
}

/** Returns the places to look in; none of them needs to exist. */
export function placesOf(logs: readonly LogFolder[], vaultFolder: string): readonly Place[] {
  return [
    ...logs.map(logIn),
    // Its chat conversations are long, and hold no session.
    {
      name: "nexus",
      form: "nexus",
      folder: join(vaultFolder, ".nexus"),
      ending: ".jsonl",
      otherFolders: new Set(["conversations", "tasks"]),
    },
    { name: "workspaces", form: "workspaces", folder: join(vaultFolder, ".workspaces"), ending: ".json" },
  ];
}

/** The names in the cache do not depend on which of the two folders is written now. */
export function logIn(log: LogFolder): Place {
  return {
    name: log.isInVault ? "vault" : "home",
    form: "log",
    folder: log.path,
    ending: ".jsonl",
    isSkipped: () => leadsElsewhere(log),
  };
}

export function listEventFiles(places: readonly Place[]): EventFile[] {
  return places.flatMap((place) => (place.isSkipped?.() ? [] : [...filesIn(place, place.folder, place.name)]));
}

function* filesIn(place: Place, folder: string, name: string): Generator<EventFile> {
  for (const entry of entriesOf(folder)) {
    if (entry.isDirectory() && place.otherFolders?.has(entry.name) === false)
      yield* filesIn(place, join(folder, entry.name), `${name}/${entry.name}`);
    if (!entry.isFile()) continue;
    const fileName = placeholderFor(entry.name) ?? entry.name;
    if (!fileName.endsWith(place.ending) || /^(?:\.|index\.json$)/.test(fileName)) continue;
    const file = { name: `${name}/${fileName}`, path: join(folder, fileName), form: place.form };
    const stats = statSync(file.path, { throwIfNoEntry: false });
    if (stats !== undefined) yield { ...file, size: stats.size, mtime: stats.mtimeMs };
    else if (fileName !== entry.name) yield { ...file, size: -1, mtime: 0 };
  }
}

/** A folder that is missing or may not be read counts as empty. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR|EACCES|EPERM)$/.test(codeOf(error))) return [];
    throw error;
  }
}

/**
 * Returns the change of a file since it was read: nothing, new lines at its end, or
 * other content. A file that is read whole has other content after every change.
 */
export function changeOf(file: EventFile, before: Progress | undefined): "none" | "grown" | "replaced" {
  if (file.size === -1) return "none";
  if (before === undefined) return "grown";
  if (file.size === before.size && file.mtime === before.mtime) return "none";
  if (file.form === "workspaces" || file.size < before.size) return "replaced";
  return sealAt(file.path, before.read) === before.seal ? "grown" : "replaced";
}

/** About 200 traces: what is ingested at once, before other work gets its turn. */
const PIECE = 64_000;
/** A longer line cannot be one of ours. */
const MAX_LINE_LENGTH = 8_000_000;
const MAX_FILE_SIZE = 50_000_000;

export interface Piece {
  readonly events: readonly MemoryEvent[];
  readonly progress: Progress;
  /** True if there is more to read. */
  readonly hasMore: boolean;
}

/** Undefined if the file is gone or may not be read. */
export function readPiece(file: EventFile, before: Progress | undefined): Piece | undefined {
  let opened: number;
  try {
    opened = openForReading(file.path);
  } catch {
    return undefined;
  }
  try {
    return file.form === "workspaces" ? wholeFile(opened, file) : nextLines(opened, file, before?.read ?? 0);
  } finally {
    closeSync(opened);
  }
}

function wholeFile(file: number, { size, mtime }: EventFile): Piece {
  const length = size > MAX_FILE_SIZE ? 0 : fstatSync(file).size;
  const events = eventsOfWorkspaceFile(bytesAt(file, 0, length).toString("utf8"));
  return { events, progress: { size, mtime, read: size, seal: "" }, hasMore: false };
}

function nextLines(file: number, { mtime, form }: EventFile, from: number): Piece {
  const eventsIn = form === "log" ? (line: string) => [eventOf(line) ?? []].flat() : eventsOfNexusLine;
  let length = PIECE;
  let bytes = bytesAt(file, from, length);
  while (bytes.length === length && !bytes.includes(10) && length < MAX_LINE_LENGTH)
    bytes = bytesAt(file, from, (length *= 2));
  const isAll = bytes.length < length;
  const end = bytes.lastIndexOf(10) + 1 || (isAll ? 0 : bytes.length);
  const lines = bytes.subarray(0, end).toString("utf8").split("\n");
  // A last line without a line break may be complete all the same; it is read again when there is more.
  if (isAll && end < bytes.length) lines.push(bytes.subarray(end).toString("utf8"));
  const read = from + end;
  const seal = hashOf(bytesAt(file, Math.max(0, read - SEALED), Math.min(SEALED, read)));
  // Until everything is read, the stored size differs from the file's.
  const progress = { size: isAll ? from + bytes.length : read, mtime: isAll ? mtime : 0, read, seal };
  return { events: lines.filter(Boolean).flatMap(eventsIn), progress, hasMore: !isAll };
}

const SEALED = 256;

function sealAt(path: string, end: number): string {
  try {
    const file = openForReading(path);
    try {
      return hashOf(bytesAt(file, Math.max(0, end - SEALED), Math.min(SEALED, end)));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 16);
}

function bytesAt(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let got = 0;
  for (let read = -1; got < length && read !== 0; got += read)
    read = readSync(file, bytes, got, length - got, from + got);
  return bytes.subarray(0, got);
}
