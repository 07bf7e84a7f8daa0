// Moves notes, attachments and folders, and rewrites links so that each still
// means what it meant before. A move with all its rewritten links is one entry
// of the journal. Used by the tools that move and rename.
//
// A folder is moved by one rename, whatever is in it. Finding the links to
// rewrite is what takes time: it is done in turns, before anything is written.
import { join } from "node:path";
import {
  below,
  type Content,
  nameOf,
  parentOf,
  parseFolderPath,
  parseNewPath,
  readText,
  type VaultPath,
} from "../../files/files.ts";
import { AlreadyExists, counted, Problem, Turns } from "../../kernel/kernel.ts";
import {
  kindOfFile,
  type LinkEdit,
  linkedTextOf,
  type LinkFormat,
  linkPlanner,
  type MovePlan,
  namesTouchedBy,
  NameTable,
  type NoteText,
  readNoteText,
  writeNoteText,
} from "../../markdown/markdown.ts";
import { conflict, editBetween, type Read, type Step } from "../../journal/journal.ts";
import { missingNote } from "../notes/missing-note.ts";
import { existingNotePath, locate, locateNew } from "../notes/note-paths.ts";
import type { Author, Vault } from "../vault.ts";

export interface Recommendation {
  readonly type: string;
  readonly message: string;
}

export interface Moved {
  readonly path: string;
  readonly newPath: string;
  readonly recommendations: readonly Recommendation[];
}

interface NoteMove {
  readonly path: string;
  readonly newPath: string;
  readonly overwrite: boolean;
  readonly expectedHash?: string | undefined;
}

export async function moveNote(vault: Vault, author: Author, move: NoteMove): Promise<Moved> {
  const from = existingNotePath(vault, move.path);
  const to = parseNewPath(move.newPath, from);
  return applyMove(vault, author, from, to, () => {
    const source = locate(vault, from, move.path);
    locateNew(vault, to, move.newPath);
    if (source.kind !== "file") throw missingNote(vault, move.path, `Note not found at path: ${move.path}`);
    if (move.expectedHash !== undefined) {
      const hash = vault.root.hash(from)!;
      if (hash !== move.expectedHash) throw conflict(move.path, hash);
    }
    const overwritten = isOccupied(vault, from, to);
    if (overwritten && vault.root.locate(to).kind !== "file") {
      throw new Problem("conflict", "Cannot overwrite existing file", "A folder has that name: choose another path.");
    }
    if (overwritten && !move.overwrite) {
      throw new Problem("conflict", "Cannot overwrite existing file", "Choose another path, or set overwrite to true.");
    }
    return { source: source.path, isFolder: false, overwritten };
  });
}

interface FolderMove {
  readonly path: string;
  readonly newPath: string;
}

export async function moveFolder(vault: Vault, author: Author, move: FolderMove): Promise<Moved> {
  const from = parseFolderPath(move.path);
  const to = parseFolderPath(move.newPath);
  if (from === "" || to === "") throw new Problem("invalid", `Invalid path: ${from === "" ? move.path : move.newPath}`);
  return applyMove(vault, author, from, to, () => {
    const source = locate(vault, from, move.path);
    locateNew(vault, to, move.newPath);
    if (source.kind !== "folder")
      throw new Problem(
        "not_found",
        `Folder not found: ${move.path}`,
        "List the folder above it to see what is there.",
      );
    if (vault.root.key(to).startsWith(`${vault.root.key(from)}/`)) {
      throw new Problem("invalid", "A folder cannot be moved into itself");
    }
    if (isOccupied(vault, from, to)) throw new AlreadyExists(move.newPath, "Choose another path.");
    return { source: source.path, isFolder: true, overwritten: false };
  });
}

/** A folder's new path when only its name changes. */
export function renamedFolder(path: string, newName: string): string {
  if (/[/\\]/.test(newName))
    throw new Problem("invalid", `Invalid path: ${newName}`, "A name has no slash: use moveFolder to move it.");
  return below(parentOf(parseFolderPath(path)), newName);
}

interface Checked {
  /** The moved entry, as spelled on disk. */
  readonly source: string;
  readonly isFolder: boolean;
  /** Whether what is at the new path goes to the trash. */
  readonly overwritten: boolean;
}

async function applyMove(
  vault: Vault,
  author: Author,
  from: VaultPath,
  to: VaultPath,
  check: () => Checked,
): Promise<Moved> {
  let recommendations: readonly Recommendation[] = [];
  let looked = 0;
  const onProgress: Author["onProgress"] = (written, of) =>
    author.onProgress?.(looked + written, looked + of, "Writing the notes whose links change");
  await vault.journal.change({ ...author, onProgress }, async (read) => {
    const { source, isFolder, overwritten } = check();
    const turns = new Turns(author.signal);
    const { paths, unread } = await filesOf(vault, turns, author.signal);
    const files = overwritten ? paths.filter((path) => !sameEntry(vault, path, to)) : paths;
    const moves = new Map(isFolder ? [] : [[source, to as string]]);
    for (const path of isFolder ? files : []) {
      if (path.startsWith(`${source}/`)) moves.set(path, `${to}${path.slice(source.length)}`);
      if (turns.isOver()) await turns.next();
    }
    const folders = new Map(isFolder ? [[source, to as string]] : []);
    const sources = await filesToRead(vault, files, { source, moves, folders }, turns);
    looked = sources.length;
    const rewriting = await planLinks(
      vault,
      read,
      { files, sources, moves, folders, unread },
      turns,
      author.onProgress,
    );
    recommendations = recommendationsOf(rewriting, unread, overwritten ? to : undefined);
    const steps: Step[] = [...rewriting.steps];
    if (overwritten) steps.push({ kind: "remove", path: to });
    if (from !== to) steps.push({ kind: "rename", path: from, to });
    return { message: `Moved ${from} to ${to}`, steps };
  });
  return { path: from, newPath: to, recommendations };
}

interface Rewriting extends MovePlan {
  readonly steps: readonly Step[];
}

interface Rearranged {
  /** All files of the vault except one that is overwritten. */
  readonly files: readonly VaultPath[];
  readonly sources: readonly VaultPath[];
  readonly moves: ReadonlyMap<string, string>;
  readonly folders: ReadonlyMap<string, string>;
  /** Collects the files that could not be read. */
  readonly unread: string[];
}

/** Keeps only the edits of each note: the texts of a whole vault may not fit into memory. */
async function planLinks(
  vault: Vault,
  read: Read,
  { files, sources, moves, folders, unread }: Rearranged,
  turns: Turns,
  onProgress: Author["onProgress"],
): Promise<Rewriting> {
  const found = { files: [], captured: [], inexpressible: [], steps: [] } as {
    -readonly [Part in keyof Rewriting]: Rewriting[Part][number][];
  };
  if (sources.length === 0) return found;
  const [before, after] = [NameTable.begin(), NameTable.begin()];
  for (const path of files) {
    before.add(path);
    after.add(moves.get(path) ?? path);
    if (turns.isOver()) await turns.next();
  }
  const linkFormat = linkFormatOf(vault);
  const planFor = linkPlanner({ before: before.finish(), after: after.finish(), moves, folders, linkFormat });
  for (const [looked, path] of sources.entries()) {
    if (turns.isOver()) {
      onProgress?.(looked, sources.length, "Looking for links to rewrite");
      await turns.next();
    }
    const source = sourceAt(path, read);
    if (source === undefined) unread.push(path);
    else {
      const plan = planFor({ path, text: source.note.text });
      found.captured.push(...plan.captured);
      found.inexpressible.push(...plan.inexpressible);
      for (const file of plan.files) {
        found.files.push(file);
        found.steps.push(replaceStep(path, file.edits, source));
      }
    }
  }
  return found;
}

/** Whether another entry is at the new path. After a rename that changes only case or composition it is the same one. */
function isOccupied({ root }: Vault, from: VaultPath, to: VaultPath): boolean {
  const target = root.locate(to);
  return target.kind !== "absent" && target.absolute !== root.locate(from).absolute;
}

function sameEntry({ root }: Vault, a: string, b: string): boolean {
  return root.key(a) === root.key(b);
}

async function filesOf(
  vault: Vault,
  turns: Turns,
  signal: AbortSignal | undefined,
): Promise<{ paths: VaultPath[]; unread: string[] }> {
  const unread: string[] = [];
  const onUnreadable = (path: VaultPath) => unread.push(path);
  const paths: VaultPath[] = [];
  for (const { kind, path } of vault.root.list("" as VaultPath, { onUnreadable, ...(signal && { signal }) })) {
    if (kind === "file") paths.push(path);
    if (turns.isOver()) await turns.next();
  }
  return { paths, unread };
}

/**
 * The files that a move may have to rewrite, by the index: moved files that
 * hold any link, and other files that hold a link of a touched name. Without an
 * index, all files that can hold links.
 */
async function filesToRead(
  vault: Vault,
  paths: readonly VaultPath[],
  moved: Pick<Rearranged, "moves" | "folders"> & { readonly source: string },
  turns: Turns,
): Promise<readonly VaultPath[]> {
  const { moves, folders, source } = moved;
  const linking = await vault.index.filesLinking(namesTouchedBy(moves, folders), source, turns);
  if (linking === undefined) return paths.filter((path) => linkedTextOf(path) !== undefined);
  return paths.filter((path) => {
    // Temporary files and the like are in no index.
    const isWanted = linking.has(path) || (moves.has(path) && kindOfFile(nameOf(path)) === undefined);
    return isWanted && linkedTextOf(path) !== undefined;
  });
}

interface SourceNote {
  readonly note: NoteText;
  readonly content: Content;
}

/** Undefined if it cannot be read. */
function sourceAt(path: VaultPath, read: Read): SourceNote | undefined {
  try {
    const content = read(path);
    return content && { note: readNoteText(content.bytes), content };
  } catch {
    return undefined;
  }
}

function replaceStep(path: VaultPath, edits: readonly LinkEdit[], { note, content }: SourceNote): Step {
  let text = "";
  let from = 0;
  for (const { start, end, replacement } of edits) {
    text += note.text.slice(from, start) + replacement;
    from = end;
  }
  const after = writeNoteText(note, text + note.text.slice(from));
  const edit = editBetween(content.bytes, after);
  // A copy: a view would keep the whole new text in memory.
  return { kind: "replace", path, before: content.hash, edits: [{ ...edit, bytes: edit.bytes.slice() }] };
}

/** Obsidian's setting for the format of new links. */
function linkFormatOf({ root }: Vault): LinkFormat {
  try {
    const { newLinkFormat } = JSON.parse(
      readText(join(root.folder, ".obsidian", "app.json"), { followsLinks: true }),
    ) as {
      newLinkFormat?: unknown;
    };
    return newLinkFormat === "relative" || newLinkFormat === "absolute" ? newLinkFormat : "shortest";
  } catch {
    return "shortest";
  }
}

function recommendationsOf(
  { files, captured, inexpressible }: MovePlan,
  unread: readonly string[],
  overwritten: string | undefined,
): Recommendation[] {
  return [
    ...files.map(({ newPath, edits }) => ({
      type: "link_update",
      message: `Rewrote ${counted(edits.length, "link")} in ${newPath}`,
    })),
    ...inexpressible.map(({ path, target, file }) => ({
      type: "link_broken",
      message: `The link to ${target} in ${path} cannot name ${file} in its form: rewrite it by hand`,
    })),
    ...captured.map(({ path, target, file }) => ({
      type: "link_captured",
      message: `The link to ${target} in ${path} led ${file === overwritten ? "to the note that was overwritten" : "nowhere"}, and now leads to ${file}`,
    })),
    ...unread.map((path) => ({
      type: "not_checked",
      message: `${path} cannot be read: its links were not looked at`,
    })),
  ];
}
