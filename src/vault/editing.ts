// Changing the text of notes: one, or several in one step that succeeds as a
// whole. What a change does to a text is a pure function of changes.ts; here it
// meets the files, under the journal's lock.
import { contentHash } from "../files/atomic.ts";
import { parseNotePath, type VaultPath } from "../files/vault-path.ts";
import type { Content } from "../files/vault-root.ts";
import type { Step } from "../journal/plan.ts";
import { conflict } from "../journal/plan.ts";
import { readNoteText, writeNoteText, type NoteText } from "../text/note-text.ts";
import { Problem } from "../text/problem.ts";
import { locate, type Author, type Vault } from "./vault.ts";

/** What a change makes of a note's text, and what the result says about it. */
export interface Changed<Facts extends object = object> {
  readonly text: string;
  readonly facts: Facts;
}

export interface Change<Facts extends object = object> {
  /** For the history: "Appended to". */
  readonly verb: string;
  /** Makes the note: one that is there already is refused. All others need one. */
  readonly creates?: true;
  readonly apply: (note: NoteText) => Changed<Facts>;
}

export interface NoteEdit<Facts extends object = object> {
  /** The path as it was sent: errors repeat it. */
  readonly filePath: string;
  readonly expectedHash?: string | undefined;
  readonly change: Change<Facts>;
}

export interface Edited<Facts extends object = object> {
  readonly path: VaultPath;
  readonly text: string;
  readonly contentHash: string;
  readonly facts: Facts;
}

const NEW_NOTE: NoteText = { text: "", hasByteOrderMark: false, lineEnding: undefined, endsWithNewline: false };

export async function editNote<Facts extends object>(
  vault: Vault,
  author: Author,
  edit: NoteEdit<Facts>,
): Promise<Edited<Facts>> {
  const [edited] = await editNotes(vault, author, [edit]);
  return edited as Edited<Facts>;
}

/** All of the edits, in their order, or none. Several may be of one note. */
export async function editNotes(vault: Vault, author: Author, edits: readonly NoteEdit[]): Promise<Edited[]> {
  const parsed = edits.map((edit) => ({ ...edit, path: parseNotePath(edit.filePath) }));
  for (const { path, filePath } of parsed) locate(vault, path, filePath);
  let edited: Edited[] = [];
  await vault.journal.change(author, (read) => {
    const drafts = new Map<string, Draft>();
    edited = parsed.map((edit) => {
      const key = vault.root.key(edit.path);
      const draft = drafts.get(key) ?? openDraft(edit.path, read(edit.path));
      drafts.set(key, draft);
      return applyTo(draft, edit);
    });
    const steps = [...drafts.values()].flatMap(stepsOf);
    return { message: messageFor(edits, edited), steps };
  });
  return edited;
}

/** A note while it is being edited. */
interface Draft {
  readonly path: VaultPath;
  /** Undefined for one that is being made. */
  readonly before: Content | undefined;
  bytes: Uint8Array | undefined;
  hash: string | undefined;
}

function openDraft(path: VaultPath, before: Content | undefined): Draft {
  return { path, before, bytes: before?.bytes, hash: before?.hash };
}

function applyTo(draft: Draft, { filePath, expectedHash, change }: NoteEdit): Edited {
  const { bytes } = draft;
  if (change.creates && bytes !== undefined) {
    throw new Problem(
      "conflict",
      `File already exists: ${filePath}`,
      "Choose another path, or change the note that is there.",
    );
  }
  if (!change.creates && bytes === undefined) {
    throw new Problem("not_found", `File not found: ${filePath}`, "List the folder to see what is there.");
  }
  if (expectedHash !== undefined && draft.hash !== undefined && expectedHash !== draft.hash)
    throw conflict(draft.path, draft.hash);
  const note = bytes === undefined ? NEW_NOTE : readNoteText(bytes);
  const { text, facts } = change.apply(note);
  draft.bytes = writeNoteText(note, text);
  draft.hash = contentHash(draft.bytes);
  return { path: draft.path, text, contentHash: draft.hash, facts };
}

function stepsOf({ path, before, bytes, hash }: Draft): Step[] {
  if (bytes === undefined || hash === before?.hash) return [];
  return [
    before === undefined ? { kind: "create", path, bytes } : { kind: "replace", path, before: before.hash, bytes },
  ];
}

function messageFor(edits: readonly NoteEdit[], edited: readonly Edited[]): string {
  const paths = [...new Set(edited.map(({ path }) => path))];
  if (edits.length === 1) return `${edits[0]!.change.verb} ${paths[0]}`;
  return `Made ${edits.length} changes in ${paths.length === 1 ? paths[0] : `${paths.length} notes`}`;
}
