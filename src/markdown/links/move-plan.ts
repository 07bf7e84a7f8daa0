// Plans which links to rewrite when files move, and how, so that every link leads
// to the same file as before. Pure; used by vault/edits/link-rewrites.ts, which
// reads the files and applies the edits.
//
// A link is rewritten only if it would break or lead to another file, and keeps
// its form: a bare name stays bare if that is unambiguous, a path stays a path, a
// relative path stays relative. Links that lead nowhere are not changed; those that
// lead to a file after the move are reported.
import { folderIn, nameIn, type Steps } from "../../kernel/kernel.ts";
import { findLinks, type Link, linkedTextOf, writeTarget } from "./links.ts";
import { fold, isRelative, linkName, type NameTable, type TargetRule } from "./resolution.ts";

/** The vault's `newLinkFormat`: how to write the target of a bare name that has become ambiguous. */
export type LinkFormat = "shortest" | "relative" | "absolute";

/** A file that may contain links. */
export interface LinkingFile {
  /** The path before the move. */
  readonly path: string;
  readonly text: string;
}

/** Moves, and the names of all files. */
export interface Moves {
  readonly before: NameTable;
  /** `before` with the files moved, if the caller has it already. */
  readonly after?: NameTable | undefined;
  /** The new path of every file that moves, by its old path. The new paths are free, or become free by these moves. */
  readonly moves: ReadonlyMap<string, string>;
  /** The folders that move as a whole, for links to folders; their files are in `moves` too. */
  readonly folders?: ReadonlyMap<string, string> | undefined;
  readonly linkFormat: LinkFormat;
  /** Called before a link is rewritten, with the file that holds it and the one that it leads to; may throw. */
  readonly onRewrite?: ((path: string, target: string) => void) | undefined;
}

export interface LinkEdit {
  readonly start: number;
  readonly end: number;
  /** The current text. */
  readonly expected: string;
  readonly replacement: string;
}

export interface FileEdits {
  /** The path before the move. */
  readonly path: string;
  /** The path after the move: the same if this file does not move. */
  readonly newPath: string;
  /** In order, without overlaps. */
  readonly edits: readonly LinkEdit[];
}

export interface LinkReport {
  readonly path: string;
  readonly start: number;
  readonly target: string;
  /** The file, by its path after the move, that the link leads to now, or can no longer lead to. */
  readonly file: string;
}

export interface MovePlan {
  readonly files: readonly FileEdits[];
  /** Links that led nowhere before, and lead to a file after the move. */
  readonly captured: readonly LinkReport[];
  /** Links that break because their form cannot express the new path (`#` in a wikilink). */
  readonly inexpressible: readonly LinkReport[];
}

/**
 * The names (see `nameOfLink`) that moves affect. Only a file that moves itself, or
 * that contains a link of such a name, can need an edit:
 * - the file that a target leads to depends only on the path of the linking file
 *   and on the files with the target's link name (every rule looks up the last
 *   segment, with or without `.md`);
 * - moves change these files, or the path of one of them, only for the link names
 *   of their old and new paths.
 */
export function affectedNames(
  moves: ReadonlyMap<string, string>,
  folders: ReadonlyMap<string, string> = new Map(),
): Set<string> {
  return new Set(namesTouchedBy(moves, folders));
}

/** The same names one by one, possibly repeated, so that a caller with 100,000 moves can give way in between. */
export function* namesTouchedBy(
  moves: ReadonlyMap<string, string>,
  folders: ReadonlyMap<string, string>,
): Generator<string> {
  if (folders.size > 0) yield FOLDER_NAME;
  for (const [from, to] of moves) {
    if (from === to) continue;
    yield linkName(from);
    if (nameIn(from) !== nameIn(to)) yield linkName(to);
  }
}

/** The name of all links to folders, since a moved folder changes the path of every folder below it. No file has it. */
const FOLDER_NAME = "/";

/** The name under which an index stores a link, to be compared with `affectedNames`. */
export function nameOfLink(link: Link): string {
  return link.form === "folder" ? FOLDER_NAME : linkName(link.target);
}

export function targetRuleOf(link: Link): TargetRule {
  if (link.form === "markdown" || link.form === "definition") return "markdown";
  return link.form === "path" ? "path" : "wiki";
}

/** Links that are planned before other work may be done. */
const LINKS_AT_ONCE = 500;

/**
 * Returns a function that plans the edits of one file, in steps. No plan depends on
 * another; what all of them need is computed once, here.
 */
export function linkPlanner(request: Moves): (file: LinkingFile) => Steps<MovePlan> {
  const { before, moves, folders = new Map<string, string>(), linkFormat, onRewrite } = request;
  const after = request.after ?? before.renamed(moves);
  const names = affectedNames(moves, folders);

  return function* ({ path, text }) {
    const files: FileEdits[] = [];
    const captured: LinkReport[] = [];
    const inexpressible: LinkReport[] = [];
    const kind = linkedTextOf(path);
    if (kind === undefined) return { files, captured, inexpressible };
    const newPath = moves.get(path) ?? path;
    const edits: LinkEdit[] = [];
    for (const [i, link] of findLinks(text, kind).entries()) {
      if (i % LINKS_AT_ONCE === 0) yield;
      if (newPath === path && !names.has(nameOfLink(link))) continue;
      const { start, end, raw, target, form } = link;
      const edit = (written: string) => edits.push({ start, end, expected: raw, replacement: written });

      if (form === "folder") {
        const newFolder = movedFolder(target, folders);
        const written = newFolder === undefined ? undefined : writeTarget(link, newFolder);
        if (written !== undefined && written !== raw) edit(written);
        continue;
      }
      const rule = targetRuleOf(link);
      const meant = before.resolve(target, path, rule);
      const means = after.resolve(target, newPath, rule);
      if (meant === undefined) {
        if (means !== undefined) captured.push({ path, start, target, file: means });
        continue;
      }
      const wanted = moves.get(meant) ?? meant;
      const affected = { link, oldPath: path, newPath, meant, wanted };
      const isFollowed =
        styleOf(affected, before, linkFormat) !== "relative" || isFromFolder(wanted, link, newPath, after);
      if (means === wanted && isFollowed) continue;
      onRewrite?.(path, meant);
      const written = writtenTarget(affected, before, after, linkFormat);
      if (written === undefined) inexpressible.push({ path, start, target, file: wanted });
      else edit(written);
    }
    if (edits.length > 0) files.push({ path, newPath, edits });
    return { files, captured, inexpressible };
  };
}

/** Returns whether a Markdown destination is the path of the file relative to its note, which any program can follow. */
function isFromFolder(file: string, link: Link, notePath: string, table: NameTable): boolean {
  if (targetRuleOf(link) !== "markdown" || link.target.startsWith("/")) return false;
  return table.resolve(`./${link.target}`, notePath, "markdown") === file;
}

/** A link that has to be rewritten, or may have to be. */
interface AffectedLink {
  readonly link: Link;
  /** The path of the file that contains the link, before and after the move. */
  readonly oldPath: string;
  readonly newPath: string;
  /** The file that the link leads to, by its path before and after the move. */
  readonly meant: string;
  readonly wanted: string;
}

/** The first possible target that leads to the file and can be written. */
function writtenTarget(
  affected: AffectedLink,
  before: NameTable,
  after: NameTable,
  format: LinkFormat,
): string | undefined {
  const { link, newPath, wanted } = affected;
  const rule = targetRuleOf(link);
  const fitting = possibleTargets(affected, before, after, format)
    .filter((target) => after.resolve(target, newPath, rule) === wanted)
    .map((target) => ({ target, written: writeTarget(link, target) }))
    .filter(({ written }) => written !== undefined);
  // Prefer a Markdown destination that also works in a program that tries the root first, as Obsidian does.
  const safest = fitting.find(({ target }) => rule === "path" || after.resolve(target, newPath, "wiki") === wanted);
  return (safest ?? fitting[0])?.written;
}

/** Targets for the file, best first: in the style of the link, then more and more explicit. The last one always works. */
function possibleTargets(affected: AffectedLink, before: NameTable, after: NameTable, format: LinkFormat): string[] {
  const { link, newPath, meant, wanted } = affected;
  if (link.form === "path") return [wanted, `/${wanted}`];
  const relative = relativePath(folderIn(newPath), wanted);
  const dotted = relative.startsWith("../") ? relative : `./${relative}`;
  const explicit = format === "relative" ? [relative, dotted, wanted] : [wanted, relative, dotted];
  const inOwnStyle = (): string[] => {
    switch (styleOf(affected, before, format)) {
      case "rooted":
        return [`/${wanted}`];
      case "dotted":
        return [dotted];
      case "relative":
        return [relative, dotted];
      case "path":
        return [wanted];
      case "bare":
        return unambiguous(after, wanted, 1);
      case "partial":
        return unambiguous(after, wanted, link.target.split("/").length);
    }
  };
  const targets = [...inOwnStyle(), ...explicit, `/${wanted}`];
  const hidesExtension = fold(nameIn(link.target)) !== fold(nameIn(meant)) && fold(wanted).endsWith(".md");
  // With the extension as a fallback: another file may have the name without it.
  return hidesExtension ? targets.flatMap((target) => [target.slice(0, -3), target]) : targets;
}

type Style = "rooted" | "dotted" | "relative" | "path" | "bare" | "partial";

/**
 * The style of a link's target, judging by its text and the file that it led to. A
 * Markdown destination that is a path from its note counts as relative, as it does
 * for every other program. Only if the vault prefers absolute paths, one that is
 * also a path from the root counts as that.
 */
function styleOf(affected: AffectedLink, before: NameTable, format: LinkFormat): Style {
  const { link, oldPath, meant } = affected;
  const { target } = link;
  if (target.startsWith("/")) return "rooted";
  if (isRelative(target)) return target.startsWith(".") ? "dotted" : "relative";
  const isFromRoot = before.resolve(target, oldPath, "path") === meant;
  if (isFromFolder(meant, link, oldPath, before) && !(isFromRoot && format === "absolute")) return "relative";
  if (!target.includes("/")) return "bare";
  return isFromRoot ? "path" : "partial";
}

/** The last segments of a path, if no other path ends with them or they are the whole path. */
function unambiguous(after: NameTable, path: string, segments: number): string[] {
  const ending = path.split("/").slice(-segments).join("/");
  return ending === path || after.count(ending) === 1 ? [ending] : [];
}

/** The folder's path after the move, if it or a folder above it moves. */
function movedFolder(folder: string, folders: ReadonlyMap<string, string>): string | undefined {
  const rooted = folder.startsWith("/") ? "/" : "";
  const segments = folder.slice(rooted.length).split("/");
  // The innermost folder that moves decides.
  for (let length = segments.length; length > 0; length--) {
    const above = fold(segments.slice(0, length).join("/"));
    for (const [from, to] of folders) {
      if (fold(from) === above) return rooted + [to, ...segments.slice(length)].join("/");
    }
  }
  return undefined;
}

function relativePath(folder: string, path: string): string {
  const from = folder === "" ? [] : folder.split("/");
  const to = path.split("/");
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && fold(from[shared]!) === fold(to[shared]!)) shared++;
  return [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/");
}
