// What can be opened as an outline: the documents of the vault and of the
// folders that the settings name, and their notes with lists. Used by
// open_document without a path, and to find the journal of an entry.
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { parseFolderPath, readReal, walk } from "../files/files.ts";
import type { Place } from "./document-locations.ts";

export interface Openable {
  /** As open_document takes it: a path of the vault, or an absolute one. */
  readonly path: string;
  readonly real: string;
  readonly name: string;
}

const DOCUMENT = /\.(?:ooutline|oo3|opml)$/i;
const NOTE = /\.(?:md|markdown)$/i;
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/m;

/** Other calls are answered after so many notes. */
const AT_ONCE = 200;

/** Documents only: whether a note has a list is not asked. */
export function* documentsIn({ root, kind }: Place, signal?: AbortSignal): Generator<Openable & { isNote: boolean }> {
  let inPackage: string | undefined;
  for (const { path, name } of walk(root, parseFolderPath(""), signal === undefined ? {} : { signal })) {
    // A document that is a folder is one thing: what is in it is no document of its own.
    if (inPackage !== undefined && path.startsWith(inPackage)) continue;
    const isNote = NOTE.test(name);
    if (!isNote && !DOCUMENT.test(name)) continue;
    inPackage = `${path}/`;
    // A walk follows no links, and begins at a real path.
    const real = join(root.folder, path);
    yield { path: kind === "vault" ? path : real, real, name, isNote };
  }
}

/** The outlines of all places first, then notes: there may be thousands of those. */
export async function openableIn(places: readonly Place[], signal?: AbortSignal): Promise<Openable[]> {
  const documents: Openable[] = [];
  const notes: Openable[] = [];
  let read = 0;
  for (const place of places) {
    for (const { isNote, ...document } of documentsIn(place, signal)) {
      if (isNote && ++read % AT_ONCE === 0) await setImmediate();
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
    // Gone meanwhile, or not to be read: nothing to open.
    return false;
  }
}
