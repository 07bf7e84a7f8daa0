// The files that memory is read from: the log with every copy that a sync
// program made of its files, and what the original left in the vault. Lists
// them, and reads what is new in one. Used by ingest.ts.
import { createHash } from "node:crypto";
import { closeSync, fstatSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { codeOf, openForReading } from "../../files/files.ts";
import { placeholderFor } from "../../markdown/markdown.ts";
import { eventOf, type MemoryEvent } from "./event.ts";
import { leadsElsewhere, type LogFolder } from "./log-folder.ts";
import { eventsOfNexusLine, eventsOfWorkspaceFile } from "./import-nexus.ts";

export interface Source {
  /** How the cache names it. */
  readonly name: string;
  readonly path: string;
  readonly form: Form;
  /** -1 for one that is only in the cloud at the moment: as it was. */
  readonly size: number;
  readonly mtime: number;
}

type Form = "log" | "nexus" | "workspaces";

/** What was read of a source, and how to see that it is still its beginning. */
export interface Progress {
  readonly size: number;
  readonly mtime: number;
  /** Bytes, up to the end of a line. */
  readonly read: number;
  /** Of the last bytes that were read. */
  readonly seal: string;
}

interface Place {
  /** How the cache names what is in it. */
  readonly name: string;
  readonly form: Form;
  readonly folder: string;
  readonly ending: string;
  readonly isPassedOver?: () => boolean;
  /** Folders below it that hold something else; undefined where nothing below it counts. */
  readonly below?: ReadonlySet<string>;
}

/** Where to look; nothing of it needs to be there. */
export function placesOf(logs: readonly LogFolder[], vaultFolder: string): readonly Place[] {
  return [
    ...logs.map(logIn),
    // The conversations of its chat are long, and hold no session.
    {
      name: "nexus",
      form: "nexus",
      folder: join(vaultFolder, ".nexus"),
      ending: ".jsonl",
      below: new Set(["conversations", "tasks"]),
    },
    { name: "workspaces", form: "workspaces", folder: join(vaultFolder, ".workspaces"), ending: ".json" },
  ];
}

/** A file keeps its name in the cache, wherever the log is kept now. */
export function logIn(log: LogFolder): Place {
  return {
    name: log.isInVault ? "vault" : "home",
    form: "log",
    folder: log.path,
    ending: ".jsonl",
    isPassedOver: () => leadsElsewhere(log),
  };
}

export function listSources(places: readonly Place[]): Source[] {
  return places.flatMap((place) => (place.isPassedOver?.() ? [] : [...sourcesIn(place, place.folder, place.name)]));
}

function* sourcesIn(place: Place, folder: string, name: string): Generator<Source> {
  for (const entry of entriesOf(folder)) {
    if (entry.isDirectory() && place.below?.has(entry.name) === false)
      yield* sourcesIn(place, join(folder, entry.name), `${name}/${entry.name}`);
    if (!entry.isFile()) continue;
    const file = placeholderFor(entry.name) ?? entry.name;
    if (!file.endsWith(place.ending) || /^(?:\.|index\.json$)/.test(file)) continue;
    const source = { name: `${name}/${file}`, path: join(folder, file), form: place.form };
    const stats = statSync(source.path, { throwIfNoEntry: false });
    if (stats !== undefined) yield { ...source, size: stats.size, mtime: stats.mtimeMs };
    else if (file !== entry.name) yield { ...source, size: -1, mtime: 0 };
  }
}

/** A folder that is not there, or may not be read, holds nothing. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR|EACCES|EPERM)$/.test(codeOf(error))) return [];
    throw error;
  }
}

/**
 * How a source stands to what was read of it: as it was, grown, or another
 * file than before. A file that is read whole is another after every change.
 */
export function changeOf(source: Source, before: Progress | undefined): "none" | "grown" | "replaced" {
  if (source.size === -1) return "none";
  if (before === undefined) return "grown";
  if (source.size === before.size && source.mtime === before.mtime) return "none";
  if (source.form === "workspaces" || source.size < before.size) return "replaced";
  return sealAt(source.path, before.read) === before.seal ? "grown" : "replaced";
}

/** About two hundred traces: what is taken in at once, before other work gets its turn. */
const PIECE = 64_000;
/** A line that is longer than this is none that anybody wrote on purpose. */
const LONGEST_LINE = 8_000_000;
const LARGEST_FILE = 50_000_000;

export interface Piece {
  readonly events: readonly MemoryEvent[];
  readonly progress: Progress;
  /** Whether there is more to read now. */
  readonly hasMore: boolean;
}

/** Undefined where the file has gone, or may not be read. */
export function readPiece(source: Source, before: Progress | undefined): Piece | undefined {
  let file: number;
  try {
    file = openForReading(source.path);
  } catch {
    return undefined;
  }
  try {
    return source.form === "workspaces" ? wholeFile(file, source) : nextLines(file, source, before?.read ?? 0);
  } finally {
    closeSync(file);
  }
}

function wholeFile(file: number, { size, mtime }: Source): Piece {
  const length = size > LARGEST_FILE ? 0 : fstatSync(file).size;
  const events = eventsOfWorkspaceFile(bytesAt(file, 0, length).toString("utf8"));
  return { events, progress: { size, mtime, read: size, seal: "" }, hasMore: false };
}

function nextLines(file: number, { mtime, form }: Source, from: number): Piece {
  const eventsIn = form === "log" ? (line: string) => [eventOf(line) ?? []].flat() : eventsOfNexusLine;
  let length = PIECE;
  let bytes = bytesAt(file, from, length);
  while (bytes.length === length && !bytes.includes(10) && length < LONGEST_LINE)
    bytes = bytesAt(file, from, (length *= 2));
  const isAll = bytes.length < length;
  const end = bytes.lastIndexOf(10) + 1 || (isAll ? 0 : bytes.length);
  const lines = bytes.subarray(0, end).toString("utf8").split("\n");
  // A last line without its break may be whole all the same; it is read again when there is more.
  if (isAll && end < bytes.length) lines.push(bytes.subarray(end).toString("utf8"));
  const read = from + end;
  const seal = hashOf(bytesAt(file, Math.max(0, read - SEALED), Math.min(SEALED, read)));
  // Until all is read, the size tells that there is more.
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
