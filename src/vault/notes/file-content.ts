// Reads any file of the vault for a model: text whole or in part, and of what is
// not text its facts. Used by readContent.
import { FileTooLarge } from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import { BinaryFile, describeCanvas } from "../../markdown/markdown.ts";
import { fileTypeOf, isReadAsText } from "../media/file-types.ts";
import { type MediaContent, mediaContent } from "../media/media-content.ts";
import { type MediaFile, openMedia } from "../media/media-file.ts";
import { type PdfContent, readPdfContent } from "../pdf/pdf-content.ts";
import { describeBase } from "../query/base-words.ts";
import type { Vault } from "../vault.ts";
import { type LargeNote, readLargeNote, withHint } from "./large-notes.ts";
import { meantNote } from "./link-targets.ts";
import { excerptOf, lineCount, type Part, readNote } from "./note-reader.ts";

export type FileContent =
  | ({ readonly kind: "text"; readonly hint?: string } & LargeNote)
  | ({ readonly kind: "words" } & Described)
  | ({ readonly kind: "media" } & ReadMedia)
  | ({ readonly kind: "pdf" } & PdfContent);

/** A canvas or a base, described in words. */
interface Described {
  readonly path: string;
  readonly words: string;
  readonly hash: string;
}

/** The part of a file to read. */
export interface Asked extends Part {
  /** Of a PDF file, from 1. Its pages are what offset and limit count. */
  readonly page?: number | undefined;
  /** The text of a canvas or a base itself, not its description. */
  readonly isRaw?: boolean | undefined;
}

interface ReadMedia {
  readonly path: string;
  readonly media: MediaContent;
}

/** @param sent a path, or what a link says */
export async function readFileContent(
  vault: Vault,
  sent: string,
  { page, isRaw = false, ...asked }: Asked,
  signal: AbortSignal,
): Promise<FileContent> {
  const { path: filePath, ...linked } = await meantNote(vault, sent);
  if (fileTypeOf(filePath).kind === "pdf") {
    const { offset, limit } = asked;
    const first = page ?? pageIn(linked.heading) ?? (offset === undefined ? undefined : offset + 1);
    const pdf = await readPdfContent(vault, filePath, { first, most: limit }, signal);
    if (pdf !== undefined) return { kind: "pdf", ...pdf };
  }
  const described = isRaw ? undefined : await describedAt(vault, filePath);
  if (described?.kind === "words") return described;
  const media = isReadAsText(filePath) ? undefined : await mediaAt(vault, filePath);
  if (media !== undefined) return media;
  try {
    const hint = described && { hint: described.hint };
    return { kind: "text", ...(await readText(vault, filePath, { ...linked, ...asked }, signal)), ...hint };
  } catch (error) {
    const found = error instanceof BinaryFile && !isNote(filePath) ? await mediaAt(vault, filePath) : undefined;
    if (found === undefined) throw error;
    return found;
  }
}

/** A note that turns out to be binary is damaged: that is an error, with a sentence. */
function isNote(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path) || !/\.\w+$/.test(path);
}

/** Obsidian links to a page with `[[paper.pdf#page=3]]`. */
function pageIn(heading: string | undefined): number | undefined {
  const [, page] = /^page=([1-9]\d*)\b/.exec(heading ?? "") ?? [];
  return page === undefined ? undefined : Number(page);
}

/** A canvas or a base that is not what its name says, which is read as text. */
interface Damaged {
  readonly kind: "damaged";
  readonly hint: string;
}

/** Undefined for any other file. */
async function describedAt(
  vault: Vault,
  sent: string,
): Promise<({ readonly kind: "words" } & Described) | Damaged | undefined> {
  const [, kind] = /\.(canvas|base)$/i.exec(sent) ?? [];
  if (kind === undefined) return undefined;
  const { path, note, hash } = await readNote(vault, sent);
  try {
    const words = kind.toLowerCase() === "canvas" ? describeCanvas(note.text) : describeBase(path, note.text);
    return { kind: "words", path, words, hash };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const hint = `It cannot be read as a ${kind.toLowerCase()}: this is its text as it is. ${error.message}`;
    return { kind: "damaged", hint };
  }
}

async function mediaAt(vault: Vault, sent: string): Promise<FileContent | undefined> {
  return withMedia(vault, sent, (file) => ({ kind: "media", path: file.path, media: mediaContent(file) }));
}

async function withMedia<T>(vault: Vault, sent: string, read: (file: MediaFile) => T): Promise<T | undefined> {
  const file = await openMedia(vault, sent);
  if (file === undefined) return undefined;
  try {
    return read(file);
  } finally {
    file.close();
  }
}

/** How much of a large file is searched for what no text contains. */
const START_BYTES = 8 * 1024;

/** Notes that are too large to be read whole can only be read by lines. */
async function readText(vault: Vault, sent: string, part: Part, signal: AbortSignal): Promise<LargeNote> {
  try {
    const { path, note, hash } = await readNote(vault, sent);
    const { text } = note;
    return { path, excerpt: excerptOf(text, part), totalLines: lineCount(text), hash, beginning: text };
  } catch (error) {
    if (!(error instanceof FileTooLarge)) throw error;
    if (!isNote(sent) && (await withMedia(vault, sent, (file) => file.read(0, START_BYTES).includes(0))))
      throw new BinaryFile();
    const { offset = 0, limit, heading, block } = part;
    if (limit === undefined || heading !== undefined || block !== undefined) throw withHint(error);
    return readLargeNote(vault, sent, { offset, limit }, signal);
  }
}
