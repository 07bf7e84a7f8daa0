// Reads notes and turns edits of their text into steps of the journal, for
// changes of very many notes. Used by moves and by the renaming of tags.
import type { Content, VaultPath } from "../../files/files.ts";
import { editBetween, type Read, type Step } from "../../journal/journal.ts";
import { type NoteText, readNoteText, type TextEdit, withEdits, writeNoteText } from "../../markdown/markdown.ts";

interface ReadNote {
  readonly written: NoteText;
  readonly content: Content;
}

/** Undefined if it cannot be read. */
export async function readAt(path: VaultPath, read: Read): Promise<ReadNote | undefined> {
  try {
    const content = await read(path);
    return content && { written: readNoteText(content.bytes), content };
  } catch {
    return undefined;
  }
}

/** Keeps only what changes: the texts of a whole vault may not fit into memory. */
export function replaceStep(
  path: VaultPath,
  edits: readonly TextEdit[],
  { written, content }: ReadNote,
): Extract<Step, { readonly edits: unknown }> {
  const after = writeNoteText(written, withEdits(written.text, edits));
  const edit = editBetween(content.bytes, after);
  // A copy: a view would keep the whole new text in memory.
  return { kind: "replace", path, before: content.hash, edits: [{ ...edit, bytes: edit.bytes.slice() }] };
}
