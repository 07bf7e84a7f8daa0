// The messages between the program and the process that reads PDF files.
// Used by pdf-reader.ts and pdf-process.ts.

/** From the program: the file in pieces, so that it is never whole in the memory of the program; then the request. */
export interface PdfPiece {
  readonly piece: Uint8Array;
}

export interface PdfRequest {
  /** The first page, from 1. */
  readonly from: number;
  /** Stops after the page with which the text has at least so many characters, and after so many pages. */
  readonly mostCharacters: number;
  readonly mostPages: number;
  /** Of the processor: on a busy machine a file may wait much longer than it is read. */
  readonly mostMilliseconds: number;
}

/** The argument of a process that should leave the processor to others. */
export const IN_BACKGROUND = "background";

/** How the process ends itself if a file takes too much time; for too much memory, it is killed. */
export const OUT_OF_TIME = "SIGTERM";

/** Why a file has no text that can be read. */
export type PdfFailure = "encrypted" | "damaged";

/** From the process: that it has started; then for each file the number of pages, then each page, then the end; or a failure. */
export type PdfMessage =
  | { readonly ready: true }
  | { readonly total: number }
  | { readonly page: number; readonly text: string }
  | { readonly end: true }
  | { readonly failure: PdfFailure };
