// Applies changes to notes, one or several in one step that succeeds as a whole,
// under the journal's lock. What a change does to a text is a pure function of
// note-changes.ts. Used by the tools of contentManager.
import { type Content, contentHash, megabytes, MAX_FILE_BYTES, type VaultPath } from "../../files/files.ts";
import { conflict, type Step } from "../../journal/journal.ts";
import { lineEndingOf, type NoteText, readNoteText, readProperties, writeNoteText } from "../../markdown/markdown.ts";
import { AlreadyExists, Problem, Turns } from "../../kernel/kernel.ts";
import { meantNote } from "../notes/link-targets.ts";
import { missingNote } from "../notes/missing-note.ts";
import { dayAt, existingNotePath, locate, locateNew, notePath } from "../notes/note-paths.ts";
import { textOfDay } from "../templates/templates.ts";
import type { Author, Vault } from "../vault.ts";

/** The changed text of a note, and the facts about it for the result. */
export interface Changed<Facts extends object = object> {
  readonly text: string;
  readonly facts: Facts;
}

export interface Change<Facts extends object = object> {
  /** For the history: "Appended to". */
  readonly verb: string;
  /** Creates the note, and is refused if it exists. Every other change needs an existing note. */
  readonly creates?: true;
  /** Begins the note of a day with its template, if there is none yet. */
  readonly beginsDay?: true;
  /** Makes sense only in Markdown: a canvas has no frontmatter. */
  readonly needsMarkdown?: true;
  /** The same change where a link names a section of the note; without it such a link is refused. */
  readonly inSection?: (heading: string) => Change<Facts>;
  /** Finds its place by numbers of lines, which another text has as well. */
  readonly isByLine?: true;
  readonly apply: (note: NoteText) => Changed<Facts>;
}

export interface NoteEdit<Facts extends object = object> {
  /** The path as it was sent, which errors repeat. */
  readonly filePath: string;
  /** The caller's name for it among several, in errors. */
  readonly label?: string;
  readonly expectedHash?: string | undefined;
  readonly change: Change<Facts>;
}

export interface Edited<Facts extends object = object> {
  readonly path: VaultPath;
  readonly text: string;
  readonly contentHash: string;
  /** Of an edit of an existing note that began one instead: the note of a day. */
  readonly created?: true;
  readonly facts: Facts;
}

const NEW_NOTE: NoteText = { text: "", hasByteOrderMark: false, lineEnding: undefined };

const newDay = (text: string): NoteText => ({ ...NEW_NOTE, text, lineEnding: lineEndingOf(text) });

export async function editNote<Facts extends object>(
  vault: Vault,
  author: Author,
  edit: NoteEdit<Facts>,
): Promise<Edited<Facts>> {
  const [edited] = await editNotes(vault, author, [edit]);
  return edited!;
}

/** Applies all edits in order, or none. Several may be of one note. */
export async function editNotes<Facts extends object>(
  vault: Vault,
  author: Author,
  edits: readonly NoteEdit<Facts>[],
): Promise<Edited<Facts>[]> {
  const parsed: (NoteEdit<Facts> & { readonly path: VaultPath })[] = [];
  for (const sent of edits)
    parsed.push(
      await named(sent, async () => {
        const edit = await meantEdit(vault, sent);
        return { ...edit, path: await pathOf(vault, edit) };
      }),
    );
  const edited: Edited<Facts>[] = [];
  await vault.journal.change(author, async (read) => {
    const turns = new Turns(author.signal);
    const drafts = new Map<string, Draft>();
    for (const edit of parsed) {
      const key = vault.root.key(edit.path);
      const draft = drafts.get(key) ?? openDraft(edit.path, await read(edit.path));
      drafts.set(key, draft);
      edited.push(await named(edit, () => applyTo(vault, draft, edit)));
      if (turns.isOver()) await turns.next();
    }
    for (const draft of drafts.values()) warnOfProperties(draft, author);
    const steps = [...drafts.values()].flatMap(stepsOf);
    return { message: messageFor(edits, edited), steps };
  });
  return edited;
}

/** Says in a problem's hint which of several edits it is of. */
async function named<T>({ label, filePath }: NoteEdit, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (label === undefined || !(error instanceof Problem)) throw error;
    const hint = [`This is ${label}, of ${filePath}: nothing was changed.`, error.hint].filter(Boolean).join(" ");
    throw Object.assign(error, { hint });
  }
}

/** The edit with the path of the note that is meant: a note that exists may be named as by a link. */
async function meantEdit<Facts extends object>(vault: Vault, edit: NoteEdit<Facts>): Promise<NoteEdit<Facts>> {
  if (edit.change.creates) return edit;
  const { path, heading, block } = await meantNote(vault, edit.filePath);
  const change = heading === undefined ? edit.change : edit.change.inSection?.(heading);
  if (change === undefined || block !== undefined)
    throw new Problem(
      "invalid",
      `This edit is of a whole note: ${edit.filePath}`,
      `Send filePath ${JSON.stringify(path)}.`,
    );
  return { ...edit, filePath: path, change };
}

/** The path that the edit applies to. Throws if it is a folder. */
async function pathOf(vault: Vault, { filePath, change }: NoteEdit): Promise<VaultPath> {
  const path = change.creates ? await notePath(vault, filePath) : await existingNotePath(vault, filePath);
  const mayBeNew = change.creates || (change.beginsDay && (await dayAt(vault, filePath)) !== undefined);
  const { kind } = mayBeNew ? await locateNew(vault, path, filePath) : await locate(vault, path, filePath);
  if (kind === "folder")
    throw change.creates
      ? await alreadyThere(vault, filePath)
      : await missingNote(vault, filePath, { mayBeNew: change.beginsDay });
  if (change.needsMarkdown && !isMarkdown(path)) {
    throw new Problem("invalid", `Properties belong to Markdown notes, and this is none: ${filePath}`);
  }
  return path;
}

async function alreadyThere(vault: Vault, filePath: string): Promise<Problem> {
  const day = await dayAt(vault, filePath);
  return new AlreadyExists(filePath, `Choose another path, or change ${day?.path ?? "the note that is there"}.`);
}

/** A note while it is being edited. */
interface Draft {
  readonly path: VaultPath;
  /** Undefined for one that is being created. */
  readonly before: Content | undefined;
  bytes: Uint8Array | undefined;
  hash: string | undefined;
  /** True if an edit said for which content it was made, and that is the content. */
  isVerified: boolean;
}

function openDraft(path: VaultPath, before: Content | undefined): Draft {
  return { path, before, bytes: before?.bytes, hash: before?.hash, isVerified: before === undefined };
}

async function applyTo<Facts extends object>(
  vault: Vault,
  draft: Draft,
  { filePath, expectedHash, change }: NoteEdit<Facts>,
): Promise<Edited<Facts>> {
  const { bytes } = draft;
  if (change.creates && bytes !== undefined) throw await alreadyThere(vault, filePath);
  const isBegun = change.beginsDay && expectedHash === undefined && bytes === undefined;
  const day = isBegun ? await dayAt(vault, filePath) : undefined;
  if (!change.creates && bytes === undefined && day === undefined)
    throw await missingNote(vault, filePath, { mayBeNew: change.beginsDay });
  // In a step of several edits the hash that was read before the first holds for all of them.
  const isExpected = expectedHash === undefined || expectedHash === draft.hash || expectedHash === draft.before?.hash;
  if (!isExpected && draft.hash !== undefined) throw conflict(filePath, draft.hash);
  draft.isVerified ||= expectedHash !== undefined;
  if (change.isByLine && vault.isShared && !draft.isVerified) throw unverifiedLines(filePath, draft.before?.hash);
  const note =
    bytes !== undefined ? readNoteText(bytes) : day === undefined ? NEW_NOTE : newDay(await textOfDay(vault, day));
  const { text, facts } = change.apply(note);
  draft.bytes = writeNoteText(note, text);
  // A larger note could never be read again.
  if (draft.bytes.length > MAX_FILE_BYTES) {
    const most = megabytes(MAX_FILE_BYTES);
    throw new Problem("too_large", `${filePath} would have more than ${most}: nothing was changed.`);
  }
  draft.hash = contentHash(draft.bytes);
  return { path: draft.path, text, contentHash: draft.hash, ...(day !== undefined && { created: true }), facts };
}

/** Others may have moved the lines since they were counted, and nothing in the request would show it. */
function unverifiedLines(filePath: string, current: string | undefined): Problem {
  return new Problem(
    "conflict",
    `Others write this vault, and lines of ${filePath} may have moved since they were counted: its content hash is now ${current}. Nothing was changed.`,
    "If that is the contentHash of your last read, repeat the call with it as expectedHash; else read the note again first.",
  );
}

/** Obsidian shows no properties of a note whose frontmatter cannot be read, and searches find none. */
function warnOfProperties({ path, before, bytes, hash }: Draft, { onWarning }: Author): void {
  if (onWarning === undefined || bytes === undefined || hash === before?.hash || !isMarkdown(path)) return;
  // Most notes need not be decoded for it.
  if (!/^\uFEFF?---/.test(Buffer.from(bytes.subarray(0, 6)).toString("utf8"))) return;
  const { broken } = readProperties(readNoteText(bytes).text);
  if (broken === undefined) return;
  const wasBroken = before !== undefined && readProperties(readNoteText(before.bytes).text).broken !== undefined;
  if (!wasBroken) onWarning(`${broken} The change was made, but ${path} has no properties until that is repaired.`);
}

function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

function stepsOf({ path, before, bytes, hash }: Draft): Step[] {
  if (bytes === undefined || hash === before?.hash) return [];
  return [
    before === undefined ? { kind: "create", path, bytes } : { kind: "replace", path, before: before.hash, bytes },
  ];
}

function messageFor(edits: readonly NoteEdit[], edited: readonly Edited[]): string {
  const paths = [...new Set(edited.map(({ path }) => path))];
  if (edits.length === 1) return `${edited[0]!.created === true ? "Created" : edits[0]!.change.verb} ${paths[0]}`;
  const verbs = new Set(edits.map(({ change }) => change.verb));
  if (verbs.size === 1 && paths.length === edits.length) return `${edits[0]!.change.verb} ${paths.length} notes`;
  return `Made ${edits.length} changes in ${paths.length === 1 ? paths[0] : `${paths.length} notes`}`;
}
