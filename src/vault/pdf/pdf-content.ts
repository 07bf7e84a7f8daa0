// Reads pages of a PDF file for a caller, as many as make a good page of a result.
// Reads pages of a PDF file for a caller, as many as make a good page of a result.
import { byteCount, counted } from "../../kernel/kernel.ts";
import { megabytes, MAX_FILE_BYTES } from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import { mediaContent, type MediaFacts } from "../media/media-content.ts";
import { type MediaFile, openMedia } from "../media/media-file.ts";
import type { Vault } from "../vault.ts";
import { UnreadablePdf } from "./pdf-reader.ts";

export interface PdfContent {
  readonly path: string;
  readonly facts: MediaFacts;
  /** The number of the first page that was read. */
  readonly first: number;
  readonly pages: readonly string[];
  /** The missing part, and how to get it. */
  readonly hint?: string;
}

/** About 5,000 tokens; the page on which they are reached is read to its end. */
const MAX_CHARACTERS = 20_000;
const MAX_PAGES = 100;

/** The pages that a caller asks for: from which one, and at most how many. */
export interface PdfPages {
  readonly first?: number | undefined;
  readonly most?: number | undefined;
}

/** Undefined if there is no such file. */
export async function readPdfContent(
  vault: Vault,
  sent: string,
  pages: PdfPages,
  signal: AbortSignal,
): Promise<PdfContent | undefined> {
  const file = await openMedia(vault, sent);
  if (file === undefined) return undefined;
  try {
    return await readOpen(vault, file, pages, signal);
  } finally {
    file.close();
  }
}

async function readOpen(
  vault: Vault,
  file: MediaFile,
  { first = 1, most = MAX_PAGES }: PdfPages,
  signal: AbortSignal,
): Promise<PdfContent> {
  const { path, size } = file;
  const { facts } = mediaContent(file);
  const described = (hint: string): PdfContent => ({ path, facts, first, pages: [], hint });
  if (size > MAX_FILE_BYTES)
    return described(`It has ${byteCount(size)}; the text of PDF files is read up to ${megabytes(MAX_FILE_BYTES)}.`);
  if (vault.pdfReader === undefined) return described(REASONS["no process"]);
  try {
    const request = { file, from: first, mostCharacters: MAX_CHARACTERS, mostPages: Math.min(most, MAX_PAGES) };
    const { total, pages, problem } = await vault.pdfReader.read(request, { signal });
    if (first > total)
      throw new Problem("invalid", `page must be at most ${total}: the file has ${counted(total, "page")}`);
    const hint = hintFor(first, pages, total, problem);
    return { path, facts: { ...facts, pages: total }, first, pages, ...(hint !== undefined && { hint }) };
  } catch (error) {
    if (error instanceof UnreadablePdf) return described(REASONS[error.reason]);
    throw error;
  }
}

const REASONS: Readonly<Record<UnreadablePdf["reason"], string>> = {
  encrypted: "The file is encrypted with a password, so its text cannot be read.",
  damaged: "The file is damaged, or not a PDF file, so its text cannot be read.",
  time: "Its text takes too long to read.",
  memory: "Its text takes too much memory to read.",
  "no process": "The text of PDF files cannot be read here: the process for it does not start.",
};

function hintFor(first: number, pages: readonly string[], total: number, problem: "time" | "memory" | undefined) {
  const last = first + pages.length - 1;
  if (pages.every((text) => text === "") && pages.length > 0)
    return `There is no text on ${pages.length === 1 ? "this page" : "these pages"}: it may be scanned, as pictures.${last < total ? ` Page ${last + 1} is next.` : ""}`;
  if (last >= total) return undefined;
  const why =
    problem === undefined
      ? ""
      : ` The next page ${problem === "time" ? "takes too long" : "takes too much memory"} to read.`;
  return `${first === last ? `This is page ${first}` : `These are pages ${first} to ${last}`} of ${total}.${why} For more, call again with page: ${problem === undefined ? last + 1 : last + 2}.`;
}
