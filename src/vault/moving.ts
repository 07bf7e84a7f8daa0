// Moving notes, attachments and folders so that every link means afterwards
// what it meant before. One move, with all the links it rewrites, is one step
// of the journal.
import { join } from "node:path";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { readText } from "../files/open-file.ts";
import { readReal } from "../files/real-path.ts";
import { parentOf, parseFolderPath, parseNewPath, below, type VaultPath } from "../files/vault-path.ts";
import type { Content } from "../files/vault-root.ts";
import { walk } from "../files/walk.ts";
import { conflict, type Step } from "../journal/plan.ts";
import { NameTable } from "../text/link-resolution.ts";
import { linkedTextOf } from "../text/links.ts";
import {
  affectedNames,
  planMove,
  type FileEdits,
  type LinkFormat,
  type MovePlan,
  type Source,
} from "../text/move-plan.ts";
import { readNoteText, writeNoteText } from "../text/note-text.ts";
import { Problem } from "../text/problem.ts";
import { missingNote } from "./missing-note.ts";
import { existingNotePath, locate, locateNew, type Author, type Vault } from "./vault.ts";

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
  return carryOutMove(vault, author, from, to, () => {
    const source = locate(vault, from, move.path);
    locateNew(vault, to, move.newPath);
    if (source.kind !== "file") throw missingNote(vault, move.path, `Note not found at path: ${move.path}`);
    if (move.expectedHash !== undefined) {
      const { hash } = vault.root.read(from)!;
      if (hash !== move.expectedHash) throw conflict(move.path, hash);
    }
    const overwritten = isOccupied(vault, from, to);
    if (overwritten && vault.root.locate(to).kind !== "file") {
      throw new Problem("conflict", "Cannot overwrite existing file", "A folder has that name: choose another path.");
    }
    if (overwritten && !move.overwrite) {
      throw new Problem("conflict", "Cannot overwrite existing file", "Choose another path, or set overwrite to true.");
    }
    return { moves: new Map([[source.path, to as string]]), folders: new Map(), overwritten };
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
  return carryOutMove(vault, author, from, to, () => {
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
    if (isOccupied(vault, from, to))
      throw new Problem("conflict", `File already exists: ${move.newPath}`, "Choose another path.");
    const files = [...walk(vault.root, from)].filter(({ kind }) => kind === "file");
    const moves = new Map(files.map(({ path }) => [path as string, `${to}${path.slice(source.path.length)}`]));
    return { moves, folders: new Map([[source.path as string, to as string]]), overwritten: false };
  });
}

/** A folder's new path when only its name changes. */
export function renamedFolder(path: string, newName: string): string {
  if (/[/\\]/.test(newName))
    throw new Problem("invalid", `Invalid path: ${newName}`, "A name has no slash: use moveFolder to move it.");
  return below(parentOf(parseFolderPath(path)), newName);
}

interface Planned {
  readonly moves: ReadonlyMap<string, string>;
  readonly folders: ReadonlyMap<string, string>;
  /** Whether what is at the new path goes to the trash. */
  readonly overwritten: boolean;
}

async function carryOutMove(
  vault: Vault,
  author: Author,
  from: VaultPath,
  to: VaultPath,
  plan: () => Planned,
): Promise<Moved> {
  let recommendations: readonly Recommendation[] = [];
  await vault.journal.change(author, async (read) => {
    const { moves, folders, overwritten } = plan();
    const unread: string[] = [];
    const paths = filesOf(vault, unread, author.signal).filter((path) => !overwritten || !sameEntry(vault, path, to));
    const before = NameTable.of(paths);
    const linkFormat = linkFormatOf(vault);
    const sources = await filesToRead(vault, paths, moves, folders);
    const parts: MovePlan[] = [];
    // What one note needs depends on no other: between two slices of them other calls have their turn.
    for (let i = 0; i < sources.length; i += SLICE) {
      const slice = sourcesOf(vault, sources.slice(i, i + SLICE), unread);
      parts.push(planMove({ before, moves, folders, sources: slice, linkFormat }));
      await yieldToOthers();
      author.signal?.throwIfAborted();
    }
    const planned = {
      files: parts.flatMap(({ files }) => files),
      captured: parts.flatMap(({ captured }) => captured),
      inexpressible: parts.flatMap(({ inexpressible }) => inexpressible),
    };
    recommendations = recommendationsOf(planned, unread, overwritten ? to : undefined);
    const steps: Step[] = planned.files.map((edits) => replaceStep(edits, read(edits.path as VaultPath)!));
    if (overwritten) steps.push({ kind: "remove", path: to });
    if (from !== to) steps.push({ kind: "rename", path: from, to });
    return { message: `Moved ${from} to ${to}`, steps };
  });
  return { path: from, newPath: to, recommendations };
}

const SLICE = 100;

/** Whether something else is at the new path. A rename that only changes case or composition meets itself there. */
function isOccupied({ root }: Vault, from: VaultPath, to: VaultPath): boolean {
  const target = root.locate(to);
  return target.kind !== "absent" && target.absolute !== root.locate(from).absolute;
}

function sameEntry({ root }: Vault, a: string, b: string): boolean {
  return root.key(a) === root.key(b);
}

function filesOf(vault: Vault, unread: string[], signal?: AbortSignal): VaultPath[] {
  const onUnreadable = (path: VaultPath) => unread.push(path);
  const entries = walk(vault.root, "" as VaultPath, { onUnreadable, ...(signal && { signal }) });
  return [...entries].filter(({ kind }) => kind === "file").map(({ path }) => path);
}

/** The files that a move may have to rewrite: what moves, and what the index knows to hold a link of a name that is touched; all of them without an index. */
async function filesToRead(
  vault: Vault,
  paths: readonly VaultPath[],
  moves: ReadonlyMap<string, string>,
  folders: ReadonlyMap<string, string>,
): Promise<readonly VaultPath[]> {
  const linking = await vault.index.filesLinking(affectedNames(moves, folders));
  if (linking === undefined) return paths;
  const wanted = new Set(linking);
  return paths.filter((path) => wanted.has(path) || moves.has(path));
}

/** The texts that may hold links, one at a time: a vault may be larger than memory. */
function* sourcesOf({ root }: Vault, paths: readonly VaultPath[], unread: string[]): Generator<Source> {
  for (const path of paths) {
    if (linkedTextOf(path) === undefined) continue;
    let text: string;
    try {
      ({ text } = readNoteText(readReal(join(root.folder, path)).bytes));
    } catch {
      unread.push(path);
      continue;
    }
    yield { path, text };
  }
}

function replaceStep({ path, edits }: FileEdits, { bytes, hash }: Content): Step {
  const note = readNoteText(bytes);
  let text = "";
  let from = 0;
  for (const { start, end, expected, replacement } of edits) {
    if (note.text.slice(start, end) !== expected) throw conflict(path, hash);
    text += note.text.slice(from, start) + replacement;
    from = end;
  }
  const after = writeNoteText(note, text + note.text.slice(from));
  return { kind: "replace", path: path as VaultPath, before: hash, bytes: after };
}

/** How the user wants new links written, as Obsidian keeps it. */
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

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
