// The files with conversations in what services send: in the zip
// archive, in the folder that a browser unpacked it to, or alone. Nothing else of
// the archive is opened: it has the person's name, address and pictures too.
import { closeSync, fstatSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { openForReading, piecesOf, reasonOf } from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import { openZipFile, type ZipFile } from "./zip-file.ts";

export interface ArchiveFile {
  readonly name: string;
  /** In bytes, unpacked. */
  readonly size: number;
  /** Each piece is valid until the next. */
  readonly pieces: () => AsyncIterable<Buffer> | Iterable<Buffer>;
}

export interface Archive {
  /** At least one. */
  readonly files: readonly ArchiveFile[];
  readonly close: () => void;
}

/** ChatGPT splits large ones since 2026. Takeout names its files and folders in the language of the account. */
const CONVERSATIONS = /(?:^|\/)(?:conversations(?:-\d+)?\.json|gemini[ -]apps\/[^/]+\.json)$/i;
/** Files that macOS adds to archives. */
const RESOURCES = /(?:^|[/\\])(?:__MACOSX[/\\]|\._)/;
/** Folders in a folder: an archive has its files at the top, or in one folder; Takeout has three more of its own. */
const MAX_DEPTH = 2;
const TAKEOUT = /^(?:takeout|my ?activity|gemini[ -]apps)$/i;

/** @param name what sentences call it */
export function openArchive(path: string, name = path): Archive {
  if (isFolder(path, name)) {
    const files = [...filesBelow(path, MAX_DEPTH)].map((file) => plainFile(file, file));
    return archiveOf(name, files, () => {});
  }
  const zip = zipAt(path, name);
  if (zip === undefined) return archiveOf(name, [plainFile(path, name)], () => {});
  const members = zip.members.filter(({ name }) => isConversations(name));
  const files = members.map((member) => ({
    name: member.name,
    size: member.size,
    pieces: () => zip.contents(member),
  }));
  return archiveOf(name, files, zip.close);
}

function zipAt(path: string, name: string): ZipFile | undefined {
  try {
    return openZipFile(path);
  } catch (error) {
    throw error instanceof Problem ? error : new Problem("not_found", `${name} cannot be read: ${reasonOf(error)}.`);
  }
}

function archiveOf(name: string, files: readonly ArchiveFile[], close: () => void): Archive {
  if (files.length > 0) return { files: files.toSorted((a, b) => (a.name < b.name ? -1 : 1)), close };
  close();
  throw new Problem(
    "invalid",
    `${basename(name)} has no conversations.json.`,
    "Import the archive that claude.ai, ChatGPT or DeepSeek sends when you export your data, or Takeout's 'My Activity' of Gemini Apps as JSON.",
  );
}

function isConversations(name: string): boolean {
  return !RESOURCES.test(name) && CONVERSATIONS.test(name.replaceAll("\\", "/"));
}

function isFolder(path: string, name: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new Problem("not_found", `${name} cannot be read: ${reasonOf(error)}.`);
  }
}

function* filesBelow(folder: string, depth: number): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile() && isConversations(path)) yield path;
    else if (entry.isDirectory() && (depth > 1 || TAKEOUT.test(entry.name))) yield* filesBelow(path, depth - 1);
  }
}

/** Also under another name, if the person named it. */
function plainFile(path: string, name: string): ArchiveFile {
  return {
    name,
    size: statSync(path).size,
    pieces: function* () {
      const file = openForReading(path, { followsLinks: true });
      try {
        if (fstatSync(file).size > 0) yield* piecesOf(file);
      } finally {
        closeSync(file);
      }
    },
  };
}
