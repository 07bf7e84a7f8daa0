// Reads the index's facts of a file from its path and its bytes. Pure; used by the sweep.
import { megabytes, MAX_FILE_BYTES } from "../../files/files.ts";
import { finished, nameIn, Problem, type Steps } from "../../kernel/kernel.ts";
import { kindOfFile, readNoteText } from "../../markdown/markdown.ts";
import { type DocumentKind, documentInSteps, type IndexedDocument } from "../../search/search.ts";

const NOT_TEXT = "not text";
const TOO_DEEP = "nested too deeply";
export const TOO_LARGE = `larger than ${megabytes(MAX_FILE_BYTES)}`;

/** Why a file cannot be read, as long as it stays the same. */
export const UNREADABLE: readonly string[] = [NOT_TEXT, TOO_LARGE, TOO_DEEP];

/** Undefined for temporary files. */
export function kindOfPath(path: string): DocumentKind | undefined {
  return path.endsWith("/") ? "folder" : kindOfFile(nameIn(path));
}

/** Returns whether the index has what is in it: the text of a PDF file is read afterwards, in the background. */
export function hasContent(kind: DocumentKind): boolean {
  return kind !== "file" && kind !== "pdf";
}

/** Why it cannot be read, if it cannot. */
export function documentIn(path: string, kind: DocumentKind, bytes: Buffer): IndexedDocument | string {
  return finished(readInSteps(path, kind, bytes));
}

export function* readInSteps(path: string, kind: DocumentKind, bytes: Buffer): Steps<IndexedDocument | string> {
  try {
    return yield* documentInSteps(path, kind, readNoteText(bytes).text);
  } catch (error) {
    if (error instanceof Problem) return NOT_TEXT;
    // One file that overflows the stack must not keep the others from being found.
    if (error instanceof RangeError) return TOO_DEEP;
    throw error;
  }
}
