// Lists what can be opened as an outline: documents and notes with lists, in the
// vault and in the configured folders. Used by outlines.ts, for open_document
// without a path and to find the journals of documents.
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { parseFolderPath, readReal } from "../files/files.ts";
import type { OutlineFolder } from "./document-locations.ts";

export interface Openable {
  /** A vault path or an absolute path, as open_document accepts it. */
  readonly path: string;
  readonly real: string;
  readonly name: string;
}

const DOCUMENT = /\.(?:ooutline|oo3|opml)$/i;
const NOTE = /\.(?:md|markdown)$/i;
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/m;

/** Other calls get their turn after this many notes. */
const NOTES_PER_TURN = 200;

/** By name alone: does not check whether a note has a list. */
export function* documentsIn(
  { root, kind }: OutlineFolder,
  signal?: AbortSignal,
): Generator<Openable & { isNote: boolean }> {
  let inPackage: string | undefined;
  for (const { path, name } of root.list(parseFolderPath(""), signal === undefined ? {} : { signal })) {
    // A package is a folder: what is inside it is not a document.
    if (inPackage !== undefined && path.startsWith(inPackage)) continue;
    const isNote = NOTE.test(name);
    if (!isNote && !DOCUMENT.test(name)) continue;
    inPackage = `${path}/`;
    // A real path, since a walk starts at one and follows no links.
    const real = join(root.folder, path);
    yield { path: kind === "vault" ? path : real, real, name, isNote };
  }
}

/** Outlines first, then notes: there may be thousands of notes. */
export async function openableIn(folders: readonly OutlineFolder[], signal?: AbortSignal): Promise<Openable[]> {
  const documents: Openable[] = [];
  const notes: Openable[] = [];
  let read = 0;
  for (const folder of folders) {
    for (const { isNote, ...document } of documentsIn(folder, signal)) {
      if (isNote && ++read % NOTES_PER_TURN === 0) await setImmediate();
      if (!isNote) documents.push(document);
      else if (hasList(document.real)) notes.push(document);
    }
  }
  return [...documents, ...notes];
}

function hasList(path: string): boolean {
  try {
    return LIST_ITEM.test(readReal(path).bytes.toString("utf8"));
  } catch {
    // Deleted in the meantime, or not readable.
    return false;
  }
}
