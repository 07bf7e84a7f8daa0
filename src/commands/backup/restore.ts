// commonplace restore: brings back what the command backup wrote, into a data
// folder that has nothing of its own.
import { createHash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { keepRestored } from "../../conversations/conversations.ts";
import { copyTo, createOwnFile, type Folders, makeOwnFolder, openForReading, piecesOf } from "../../files/files.ts";
import { dropUnfinished } from "../../journal/journal.ts";
import { counted, isRecord, nodeCrypto, parseJson, print, printable, printJson, Problem } from "../../kernel/kernel.ts";
import { isIntact } from "../../sqlite/sqlite.ts";
import type { Command } from "../command.ts";
import { checkReplaceable, checkSettings, filesThatStay } from "./replaced-files.ts";
import { FORMAT, isDatabase, MANIFEST, NOTICE, type Manifest } from "./kept-files.ts";
import { tarFiles, type TarFile } from "./tar.ts";

const MAX_MANIFEST_BYTES = 64 << 20;

interface Restored {
  readonly files: number;
  /** When the backup was made. */
  readonly created: string;
  /** Changes that were being made then: what they were about to write is not in the backup. */
  readonly droppedChanges: number;
}

export const command: Command = {
  usage: "restore FILE [--json]",
  help: `Brings back what the command backup wrote to FILE. Only into a data
folder that has nothing which exists only there: --home DIR names another one.
An index that a search has made is replaced. Every file is checked before
anything is put in its place.`,
  takesArguments: true,
  flags: { json: { help: "as JSON" } },
  ignoresConfigErrors: true,
  run: async ({ settings, words, flags }) => {
    const [file] = words;
    if (file === undefined || words.length > 1) throw new Problem("invalid", "restore needs the name of one backup.");
    const restored = await restoreBackup(settings.folders, resolve(file));
    if (flags["json"]) printJson({ folder: settings.folders.data, ...restored });
    else
      print(
        printable`${counted(restored.files, "file")} of ${restored.created} restored into ${settings.folders.data}${restored.droppedChanges === 0 ? "" : `\n${counted(restored.droppedChanges, "change")} that was being made then cannot be undone`}`,
      );
    return 0;
  },
};

async function restoreBackup(folders: Folders, file: string): Promise<Restored> {
  checkReplaceable(folders);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new Problem("not_found", `There is no file ${file}.`);
  makeOwnFolder(dirname(folders.data));
  const suffix = nodeCrypto().randomBytes(4).toString("hex");
  const staging = join(dirname(folders.data), `.${basename(folders.data)}.restoring-${suffix}`);
  try {
    makeOwnFolder(join(staging, "data"));
    const { files, created } = await unpack(file, staging);
    checkSettings(folders, join(staging, "config.json"));
    const droppedChanges = checkDatabases(files, staging);
    putInPlace(staging, folders);
    return { files: files.length, created, droppedChanges };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Unpacks and checks everything. @returns what the archive says is in it */
async function unpack(file: string, staging: string): Promise<Manifest> {
  const found = new Map<string, string>();
  let manifest: Manifest | undefined;
  try {
    for await (const entry of tarFiles(Readable.from(bytesOf(file)).pipe(createGunzip()))) {
      if (entry.name === MANIFEST) manifest = manifestIn(await textOf(entry));
      else if (entry.name !== NOTICE) found.set(entry.name, await writeEntry(entry, staging));
    }
  } catch (error) {
    // The archive's own errors are sentences; zlib's are not.
    if (/^Z_|^ERR_|unexpected end of file/.test(`${(error as NodeJS.ErrnoException).code} ${(error as Error).message}`))
      throw damaged();
    throw error;
  }
  if (manifest === undefined) throw damaged();
  const isWhole =
    manifest.files.length === found.size && manifest.files.every(({ name, sha256 }) => found.get(name) === sha256);
  if (!isWhole) throw damaged();
  return manifest;
}

function damaged(): Problem {
  return new Problem("denied", "The file is no backup of Commonplace, or it is damaged: nothing was restored.");
}

function manifestIn(text: string): Manifest {
  const manifest = parseJson(text);
  if (!isRecord(manifest) || typeof manifest["format"] !== "number" || !Array.isArray(manifest["files"]))
    throw damaged();
  if (manifest["format"] > FORMAT)
    throw new Problem("denied", "A newer release of this program has written this backup.", "Update Commonplace.");
  return manifest as unknown as Manifest;
}

async function textOf({ size, content }: TarFile): Promise<string> {
  if (size > MAX_MANIFEST_BYTES) throw damaged();
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

/** @returns the hash of its content */
async function writeEntry({ name, content }: TarFile, staging: string): Promise<string> {
  checkName(name);
  const path = join(staging, name);
  makeOwnFolder(dirname(path));
  const file = createOwnFile(path);
  try {
    const hash = createHash("sha256");
    for await (const piece of content) {
      hash.update(piece);
      for (let at = 0; at < piece.length;) at += writeSync(file, piece, at);
    }
    fsyncSync(file);
    return hash.digest("hex");
  } finally {
    closeSync(file);
  }
}

/** An archive may have been made by anybody: nothing is written outside of the folder. */
function checkName(name: string): void {
  const parts = name.split("/");
  const isOurs = name === "config.json" || (parts[0] === "data" && parts.length > 1);
  const isSafe = parts.every((part) => part !== "" && part !== "." && part !== ".." && !/[\0\\:]/.test(part));
  if (!isOurs || !isSafe) throw damaged();
}

function* bytesOf(path: string): Generator<Uint8Array> {
  const file = openForReading(path, { followsLinks: true });
  try {
    // The stream keeps some, and a piece is valid until the next only.
    for (const piece of piecesOf(file)) yield Buffer.from(piece);
  } finally {
    closeSync(file);
  }
}

/** @returns how many unfinished changes were dropped from the journals: their files are of another moment */
function checkDatabases(files: Manifest["files"], staging: string): number {
  let dropped = 0;
  for (const { name } of files) {
    if (!isDatabase(name)) continue;
    if (!isIntact(join(staging, name))) throw damaged();
    if (name === "data/conversations.db") keepRestored(join(staging, name));
    if (name.startsWith("data/journal/")) dropped += dropUnfinished(join(staging, name));
  }
  return dropped;
}

function putInPlace(staging: string, folders: Folders): void {
  const { data, config } = folders;
  const [restored, replaced] = [join(staging, "data"), join(staging, "replaced")];
  const settings = join(staging, "config.json");
  // On macOS the config file is in the data folder.
  const isInside = dirname(config) === data;
  if (existsSync(settings) && isInside) renameSync(settings, join(restored, basename(config)));
  const stay = [...filesThatStay(folders), ...(isInside && existsSync(config) ? [basename(config)] : [])];
  for (const name of stay.filter((one) => !existsSync(join(restored, one)))) {
    makeOwnFolder(dirname(join(restored, name)));
    copyTo(join(restored, name), join(data, name));
  }
  if (existsSync(data)) renameSync(data, replaced);
  try {
    renameSync(restored, data);
  } catch (error) {
    if (existsSync(replaced)) renameSync(replaced, data);
    throw error;
  }
  if (!existsSync(settings) || isInside) return;
  makeOwnFolder(dirname(config));
  renameSync(settings, config);
}
