// Moves notes, attachments and folders, and rewrites links so that each still
// means what it meant before. A move with all its rewritten links is one entry
// of the journal. Used by the tools that move and rename.
//
// A folder is moved by one rename, whatever is in it. Finding the links to
// rewrite is what takes time: it is done in turns, before anything is written.
import { below, nameOf, parentOf, parseFolderPath, type VaultPath } from "../../files/files.ts";
import { AlreadyExists, counted, Problem, Turns } from "../../kernel/kernel.ts";
import type { MovePlan } from "../../markdown/markdown.ts";
import { conflict, type HiddenFiles, type Read, type Step } from "../../journal/journal.ts";
import { missingFolder } from "../missing-folder.ts";
import { fileTypeOf, UNKNOWN_TYPE } from "../media/file-types.ts";
import { keyOf, namesInHtml } from "../media/html-uses.ts";
import { meantNote } from "../notes/link-targets.ts";
import { missingNote } from "../notes/missing-note.ts";
import { filesOf, filesToRead, planLinkRewrites } from "./link-rewrites.ts";
import { dayAt, existingNotePath, locate, locateNew, newPathFor } from "../notes/note-paths.ts";
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
  /** Only says what would change. */
  readonly preview?: boolean | undefined;
}

/** Moves a note or another file; a folder, if no file has that path. */
export async function moveNote(vault: Vault, author: Author, move: NoteMove): Promise<Moved> {
  if (move.path.endsWith("/") && (await isFolder(vault, move.path))) return moveFolder(vault, author, move);
  const exact = await existingNotePath(vault, move.path);
  const isFile = (await locate(vault, exact, move.path)).kind === "file";
  if (!isFile && (await isFolder(vault, move.path))) return moveFolder(vault, author, move);
  const from = isFile ? exact : await existingNotePath(vault, (await meantNote(vault, move.path)).path);
  const to = await newPathFor(vault, move.newPath, from);
  return applyMove(vault, author, { from, to, isPreview: move.preview }, async () => {
    const located = await locate(vault, from, move.path);
    await locateNew(vault, to, move.newPath);
    if (located.kind !== "file")
      throw await missingNote(vault, move.path, { sentence: `Note not found at path: ${move.path}` });
    if (move.expectedHash !== undefined) {
      const hash = (await vault.root.hash(from))!;
      if (hash !== move.expectedHash) throw conflict(move.path, hash);
    }
    const overwritten = await isOccupied(vault, from, to);
    if (overwritten && (await vault.root.locate(to)).kind !== "file") {
      throw occupied(`There is a folder at ${to}: choose another newPath.`);
    }
    if (overwritten && !move.overwrite) {
      throw occupied(`There is a note at ${to}: choose another newPath, or send overwrite: true to replace it.`);
    }
    return { current: located.path, isFolder: false, overwritten };
  });
}

async function isFolder(vault: Vault, sent: string): Promise<boolean> {
  if ((await dayAt(vault, sent)) !== undefined) return false;
  const path = parseFolderPath(sent);
  return path !== "" && (await locate(vault, path, sent)).kind === "folder";
}

function occupied(hint: string): Problem {
  return new Problem("exists", "Cannot overwrite existing file", hint);
}

type FolderMove = Pick<NoteMove, "path" | "newPath" | "preview">;

export async function moveFolder(vault: Vault, author: Author, move: FolderMove): Promise<Moved> {
  const from = parseFolderPath(move.path);
  const to = parseFolderPath(move.newPath);
  if (from === "" || to === "") throw new Problem("invalid", `Invalid path: ${from === "" ? move.path : move.newPath}`);
  return applyMove(vault, author, { from, to, isPreview: move.preview }, async () => {
    const located = await locate(vault, from, move.path);
    await locateNew(vault, to, move.newPath);
    if (located.kind !== "folder") throw await missingFolder(vault, move.path);
    if (vault.root.key(to).startsWith(`${vault.root.key(from)}/`)) {
      throw new Problem(
        "invalid",
        "A folder cannot be moved into itself",
        `${to} is below ${from}: choose a newPath outside it.`,
      );
    }
    if (await isOccupied(vault, from, to)) {
      const inside = JSON.stringify(below(to, nameOf(from)));
      const isInto = (await vault.root.locate(to)).kind === "folder";
      throw new AlreadyExists(
        move.newPath,
        `Choose another path${isInto ? `, or put it inside: newPath ${inside}` : ""}.`,
      );
    }
    return { current: located.path, isFolder: true, overwritten: false };
  });
}

/** A folder's new path when only its name changes. */
export function renamedFolder(path: string, newName: string): string {
  if (/[/\\]/.test(newName))
    throw new Problem("invalid", `Invalid path: ${newName}`, "A name has no slash: use moveFolder to move it.");
  return below(parentOf(parseFolderPath(path)), newName);
}

interface CheckedMove {
  /** The current path of the moved file or folder, as spelled on disk. */
  readonly current: string;
  readonly isFolder: boolean;
  /** True if what is at the new path goes to the trash. */
  readonly overwritten: boolean;
}

interface Ends {
  readonly from: VaultPath;
  readonly to: VaultPath;
  readonly isPreview: boolean | undefined;
}

async function applyMove(
  vault: Vault,
  author: Author,
  { from, to, isPreview = false }: Ends,
  check: () => Promise<CheckedMove>,
): Promise<Moved> {
  let recommendations: readonly Recommendation[] = [];
  let moved: readonly string[] = [];
  let scanned = 0;
  const onProgress: Author["onProgress"] = (written, of) =>
    author.onProgress?.(scanned + written, scanned + of, "Writing the notes whose links change");
  const plan = async (read: Read, hidden?: HiddenFiles) => {
    const { current, isFolder, overwritten } = await check();
    const turns = new Turns(author.signal);
    const { paths, unread } = await filesOf(vault, turns, author.signal);
    const files = overwritten ? paths.filter((path) => !isSamePath(vault, path, to)) : paths;
    const moves = new Map(isFolder ? [] : [[current, to as string]]);
    for (const path of isFolder ? files : []) {
      if (path.startsWith(`${current}/`)) moves.set(path, `${to}${path.slice(current.length)}`);
      if (turns.isOver()) await turns.next();
    }
    const folders = new Map(isFolder ? [[current, to as string]] : []);
    const linking = await filesToRead(vault, files, { current, moves, folders }, turns);
    scanned = linking.length;
    const rewrites = await planLinkRewrites(
      vault,
      read,
      { files, linking, moves, folders, unread, hidden },
      turns,
      author.onProgress,
    );
    moved = [...moves.keys()];
    recommendations = recommendationsOf(rewrites, unread, { overwritten: overwritten ? to : undefined, isPreview });
    const steps: Step[] = [...rewrites.steps];
    if (overwritten) steps.push({ kind: "remove", path: to });
    if (from !== to) steps.push({ kind: "rename", path: from, to });
    return { message: `Moved ${from} to ${to}`, steps };
  };
  if (isPreview) await vault.journal.preview(author, plan);
  else await vault.journal.change({ ...author, onProgress }, plan);
  return {
    path: from,
    newPath: to,
    recommendations: [...recommendations, ...(await shownInHtml(vault, moved, author.signal))],
  };
}

/** Files named by HTML that a result lists. */
const MAX_SHOWN = 10;

/** Lists uses of the moved file in HTML: only the person can say what the new text should be. */
async function shownInHtml(
  vault: Vault,
  moved: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly Recommendation[]> {
  const files = moved.filter(hasMedia);
  if (files.length === 0) return [];
  // The move is made by now: a cancelled look must not read as a failure of it.
  const names = await namesInHtml(vault, files, signal).catch(() => new Map<string, ReadonlySet<string>>());
  return files
    .flatMap((file) => [...(names.get(keyOf(file)) ?? [])].map((note) => ({ file, note })))
    .slice(0, MAX_SHOWN)
    .map(({ file, note }) => ({
      type: "not_rewritten",
      message: `HTML in ${note} names ${nameOf(file as VaultPath)} (src or href), which is not rewritten: change it by hand if it means ${file}`,
    }));
}

function hasMedia(path: string): boolean {
  const { kind, type } = fileTypeOf(path);
  return kind !== "other" || type !== UNKNOWN_TYPE;
}

/** Returns whether something else is at the new path. After a rename that changes only case or composition it is the same one. */
async function isOccupied({ root }: Vault, from: VaultPath, to: VaultPath): Promise<boolean> {
  const target = await root.locate(to);
  return target.kind !== "absent" && target.absolute !== (await root.locate(from)).absolute;
}

function isSamePath({ root }: Vault, a: string, b: string): boolean {
  return root.key(a) === root.key(b);
}

function recommendationsOf(
  { files, captured, inexpressible }: MovePlan,
  unread: readonly string[],
  { overwritten, isPreview }: { readonly overwritten: string | undefined; readonly isPreview: boolean },
): Recommendation[] {
  return [
    ...files.map(({ newPath, edits }) => ({
      type: "link_update",
      message: `${isPreview ? "Would rewrite" : "Rewrote"} ${counted(edits.length, "link")} in ${newPath}`,
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
