// Reads one note: all of it, some lines, a section or a block. Used by
// readContent and the resources.
import type { VaultPath } from "../../files/files.ts";
import {
  findBlock,
  findSection,
  lineNumberAt,
  lineStartsOf,
  type NoteText,
  readNoteText,
} from "../../markdown/markdown.ts";
import { Problem } from "../../kernel/kernel.ts";
import { missingNote } from "./missing-note.ts";
import { existingNotePath, readLocated } from "./note-paths.ts";
import type { Vault } from "../vault.ts";

export interface Note {
  readonly path: VaultPath;
  readonly note: NoteText;
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/** The note at a path. Throws the contract's sentence if there is none. */
export async function readNote(vault: Vault, sent: string): Promise<Note> {
  const path = await existingNotePath(vault, sent);
  const content = await readLocated(vault, path, sent);
  if (content === undefined) throw await missingNote(vault, sent);
  return { path, note: readNoteText(content.bytes), ...content };
}

export interface Excerpt {
  readonly content: string;
  /** The first and the last line of it, counted in the note from 1. */
  readonly startLine: number;
  readonly endLine: number;
}

export interface Part {
  readonly heading?: string | undefined;
  readonly block?: string | undefined;
  /** Lines to skip, in the note or in the part of it. */
  readonly offset?: number | undefined;
  /** The largest number of lines. */
  readonly limit?: number | undefined;
}

export function excerptOf(text: string, { heading, block, offset = 0, limit }: Part): Excerpt {
  if (heading !== undefined && block !== undefined) throw new Problem("invalid", "Name a heading or a block, not both");
  const range =
    heading !== undefined
      ? findSection(text, heading)
      : block !== undefined
        ? findBlock(text, block)
        : { start: 0, end: text.length };
  const part = text.slice(range.start, range.end);
  const starts = lineStartsOf(part);
  const from = starts[offset];
  const firstLine = lineNumberAt(text, range.start);
  if (from === undefined) {
    throw new Problem("invalid", `offset must be less than ${starts.length}: there are no more lines`);
  }
  const count = Math.min(limit ?? starts.length, starts.length - offset);
  const content = part.slice(from, starts[offset + count] ?? part.length);
  return { content, startLine: firstLine + offset, endLine: firstLine + offset + count - 1 };
}

export function withLineNumbers({ content, startLine, endLine }: Excerpt): string {
  const width = String(endLine).length;
  return content
    .split("\n")
    .map((line, i, lines) =>
      i === lines.length - 1 && line === "" ? line : `${String(startLine + i).padStart(width)}  ${line}`,
    )
    .join("\n");
}

export function lineCount(text: string): number {
  return text === "" ? 0 : lineStartsOf(text).length;
}
