// Lists what can be opened as an outline: documents and notes with lists, in the
// vault and in the configured folders. Used by outlines.ts, for open_document
// without a path and to find the journals of documents.
import { statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { parseFolderPath, type StoredFiles, type VaultPath } from "../files/files.ts";
import { readNoteText } from "../markdown/markdown.ts";
import type { OutlineFolder } from "./document-locations.ts";
import { documentName } from "./file/document-name.ts";
import { scanRows } from "./formats/markdown/scan.ts";

export interface Openable {
  /** A vault path, an absolute path or `store:SPACE/path`, as open_document accepts it. */
  readonly path: string;
  readonly real: string;
  readonly name: string;
  /** A file in Markdown that has a list. */
  readonly isNote?: boolean;
}

interface FoundDocument extends Openable {
  readonly isNote: boolean;
  readonly vaultPath: VaultPath;
}

const DOCUMENT = /\.(?:ooutline|oo3|opml)$/i;
const NOTE = /\.(?:md|markdown)$/i;
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/m;

/** Other calls get their turn after this many notes. */
const NOTES_PER_TURN = 200;

/** By name alone: does not check whether a note has a list. */
export async function documentsIn(
  { root, kind, store }: OutlineFolder,
  signal?: AbortSignal,
): Promise<FoundDocument[]> {
  const found: FoundDocument[] = [];
  let inPackage: string | undefined;
  for (const { path, name } of await root.list(parseFolderPath(""), signal === undefined ? {} : { signal })) {
    // A package is a folder: what is inside it is not a document.
    if (inPackage !== undefined && path.startsWith(inPackage)) continue;
    const isNote = NOTE.test(name);
    if (!isNote && !DOCUMENT.test(name)) continue;
    inPackage = `${path}/`;
    // A real path, since a walk starts at one and follows no links.
    const real = join(root.folder, path);
    found.push({
      path: kind === "vault" ? path : documentName(store ?? { root }, path),
      real,
      name,
      isNote,
      vaultPath: path,
    });
  }
  return found;
}

/** Outlines first, then notes: there may be thousands of notes. */
export async function openableIn(folders: readonly OutlineFolder[], signal?: AbortSignal): Promise<Openable[]> {
  const documents: Openable[] = [];
  const notes: Openable[] = [];
  let read = 0;
  for (const folder of folders) {
    for (const { isNote, vaultPath, ...document } of await documentsIn(folder, signal)) {
      if (isNote && ++read % NOTES_PER_TURN === 0) await setImmediate();
      if (!isNote) documents.push(document);
      else if (await hasList(folder.root, vaultPath)) notes.push({ ...document, isNote });
    }
  }
  return [...documents, ...notes];
}

/** The answers for files of folders, by their paths: each search asks. */
const known = new Map<string, { readonly stamp: string; readonly hasList: boolean }>();
const MAX_KNOWN = 10_000;

/** Returns whether a document is an outline: a file in Markdown is if it has a list. */
export async function isOutline({ root }: OutlineFolder, { isNote, real, vaultPath }: FoundDocument): Promise<boolean> {
  if (!isNote) return true;
  const stats = statSync(real, { throwIfNoEntry: false });
  const stamp = `${stats?.size} ${stats?.mtimeMs}`;
  const last = known.get(real);
  if (last?.stamp === stamp) return last.hasList;
  if (known.size >= MAX_KNOWN) known.clear();
  const found = await hasList(root, vaultPath);
  known.set(real, { stamp, hasList: found });
  return found;
}

async function hasList(root: StoredFiles, path: VaultPath): Promise<boolean> {
  try {
    const stored = await root.read(path);
    if (stored === undefined) return false;
    const { text } = readNoteText(stored.bytes);
    // Most notes have no such line; in the others it may be part of a property or of code.
    return LIST_ITEM.test(text) && scanRows(text).some(({ heading }) => heading === 0);
  } catch {
    // Deleted in the meantime, or not readable.
    return false;
  }
}
