// Copies of a host's configuration from before each change by connect: of the
// file, or a record that there was none. They are in our own private folder,
// since a configuration may contain API keys and its folder may be shared.
// configuration.ts writes them, removal.ts reads them.
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { asProblem, makeOwnFolder, readBytes, writeOwnFile } from "../../files/files.ts";
import { isRecord, parseJson } from "../../kernel/kernel.ts";
import { readNoteText } from "../../markdown/markdown.ts";
import type { Host } from "./known-hosts.ts";

/** The configuration before a change. */
export interface EarlierState {
  /** Undefined if there was no file. */
  readonly text: string | undefined;
  /** The outermost folder that connect created for a new file. */
  readonly createdFolder: string | undefined;
}

const NO_FILE = "no-file.json";

/** @returns the path of the copy */
export function writeBackup(host: Host, target: string, bytes: Buffer, backups: string): string {
  return write(newPath(host, basename(target), backups), bytes, backups);
}

export function recordNewFile(host: Host, createdFolder: string | undefined, backups: string): void {
  write(newPath(host, NO_FILE, backups), Buffer.from(`${JSON.stringify({ createdFolder })}\n`), backups);
}

/** Newest first. What cannot be read is left out. */
export function earlierStates(host: Host, backups: string): EarlierState[] {
  // Their names start with the host's name, followed by the time.
  const names = namesIn(backups).filter((name) => new RegExp(`^${host.name}-\\d`).test(name));
  return names
    .toSorted()
    .toReversed()
    .flatMap((name) => {
      try {
        const { text } = readNoteText(readBytes(join(backups, name)));
        return [name.endsWith(`-${NO_FILE}`) ? newFileState(text) : { text, createdFolder: undefined }];
      } catch {
        return [];
      }
    });
}

function newFileState(record: string): EarlierState {
  const parsed = parseJson(record);
  const createdFolder = isRecord(parsed) ? parsed["createdFolder"] : undefined;
  return { text: undefined, createdFolder: typeof createdFolder === "string" ? createdFolder : undefined };
}

function write(path: string, bytes: Buffer, backups: string): string {
  try {
    makeOwnFolder(backups);
    writeOwnFile(path, bytes, true);
  } catch (error) {
    throw asProblem(error, path);
  }
  return path;
}

/** Names sort by time: the second backup of a host in one millisecond gets the next millisecond. */
function newPath(host: Host, ending: string, backups: string): string {
  const taken = namesIn(backups);
  const beginningAt = (time: number) =>
    `${host.name}-${new Date(time).toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 19)}-`;
  let time = Date.now();
  while (taken.some((name) => name.startsWith(beginningAt(time)))) time++;
  return join(backups, `${beginningAt(time)}${ending}`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
