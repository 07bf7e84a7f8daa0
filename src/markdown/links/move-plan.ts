// Which links to rewrite when files move, so that every link means afterwards
// what it meant before, and how. Used by the tools that move notes and
// folders; they hand in the texts and apply the edits.
//
// A link is rewritten only if it would break or mean another file, and then in
// its own form: a bare name stays bare where that is unambiguous, a path stays
// a path, a relative one relative. Links that meant nothing stay as they are,
// byte for byte; those that a move gives a meaning are reported.
import { folderIn, nameIn } from "../../kernel/kernel.ts";
import { findLinks, type Link, linkedTextOf, writeTarget } from "./links.ts";
import { fold, isRelative, linkName, type NameTable, type TargetRule } from "./resolution.ts";

/** The vault's `newLinkFormat`: how to lengthen a bare name that has become ambiguous. */
export type LinkFormat = "shortest" | "relative" | "absolute";

export interface Source {
  /** The path before the move. */
  readonly path: string;
  readonly text: string;
}

export interface Rearrangement {
  readonly before: NameTable;
  /** `before` with the files moved, where the caller has made it already. */
  readonly after?: NameTable | undefined;
  /** Every file that moves, old path to new path; the new paths are free, or become free by the same moves. */
  readonly moves: ReadonlyMap<string, string>;
  /** The folders that move as a whole, if any, for links to folders; their files are in `moves` all the same. */
  readonly folders?: ReadonlyMap<string, string> | undefined;
  readonly linkFormat: LinkFormat;
}

export interface MoveRequest extends Rearrangement {
  /** All files that may hold links, or only those with one of `affectedNames`. */
  readonly sources: Iterable<Source>;
}

export interface LinkEdit {
  readonly start: number;
  readonly end: number;
  /** What stands there now. */
  readonly expected: string;
  readonly replacement: string;
}

export interface FileEdits {
  /** The path before the move. */
  readonly path: string;
  /** The path after it: the same if the file itself stays. */
  readonly newPath: string;
  /** In order, and apart from each other. */
  readonly edits: readonly LinkEdit[];
}

export interface LinkReport {
  readonly path: string;
  readonly start: number;
  readonly target: string;
  /** The file (after the move) that the link comes to mean, or can no longer be made to mean. */
  readonly file: string;
}

export interface MovePlan {
  readonly files: readonly FileEdits[];
  /** Links that meant nothing before, and by the move come to mean a file. */
  readonly captured: readonly LinkReport[];
  /** Links that break because their form cannot express the new path (`#` in a wikilink). */
  readonly inexpressible: readonly LinkReport[];
}

/**
 * The names (see `nameOfLink`) that a set of moves touches. A source can need
 * an edit only if it moves itself or holds a link of such a name, for
 * - what a target means depends on nothing but the source's path and the files
 *   of the target's link name (every rule looks up the last segment, with or
 *   without `.md`);
 * - the moves change that set of files, or the path of one of them, only for
 *   the link names of their old and new paths.
 */
export function affectedNames(
  moves: ReadonlyMap<string, string>,
  folders: ReadonlyMap<string, string> = new Map(),
): Set<string> {
  return new Set(namesTouchedBy(moves, folders));
}

/** The same one by one, some of them more than once: for 100,000 moves other work needs its turn in between. */
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

/** No file is called this: links to folders share one name, for a moved folder changes the path of all below it. */
const FOLDER_NAME = "/";

/** The name of a link, to be kept in an index and compared with `affectedNames`. */
export function nameOfLink(link: Link): string {
  return link.form === "folder" ? FOLDER_NAME : linkName(link.target);
}

export function targetRuleOf(link: Link): TargetRule {
  if (link.form === "markdown" || link.form === "definition") return "markdown";
  return link.form === "path" ? "path" : "wiki";
}

export function planMove(request: MoveRequest): MovePlan {
  const planFor = linkPlanner(request);
  const plans = Array.from(request.sources, planFor);
  return {
    files: plans.flatMap(({ files }) => files),
    captured: plans.flatMap(({ captured }) => captured),
    inexpressible: plans.flatMap(({ inexpressible }) => inexpressible),
  };
}

/**
 * What a rearrangement makes of one source after the other: no plan depends on
 * another. What all of them need is worked out once, here.
 */
export function linkPlanner(rearrangement: Rearrangement): (source: Source) => MovePlan {
  const { before, moves, folders = new Map<string, string>(), linkFormat } = rearrangement;
  const after = rearrangement.after ?? before.renamed(moves);
  const names = affectedNames(moves, folders);

  return ({ path, text }) => {
    const files: FileEdits[] = [];
    const captured: LinkReport[] = [];
    const inexpressible: LinkReport[] = [];
    const kind = linkedTextOf(path);
    if (kind === undefined) return { files, captured, inexpressible };
    const newPath = moves.get(path) ?? path;
    const edits: LinkEdit[] = [];
    for (const link of findLinks(text, kind)) {
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
      const place = { link, oldPath: path, newPath, meant, wanted };
      const isFollowed =
        styleOf(place, before, linkFormat) !== "relative" || isFromFolder(wanted, link, newPath, after);
      if (means === wanted && isFollowed) continue;
      const written = writtenTarget(place, before, after, linkFormat);
      if (written === undefined) inexpressible.push({ path, start, target, file: wanted });
      else edit(written);
    }
    if (edits.length > 0) files.push({ path, newPath, edits });
    return { files, captured, inexpressible };
  };
}

/** Whether a Markdown destination is the path of the file from its note, which any program can follow. */
function isFromFolder(file: string, link: Link, source: string, table: NameTable): boolean {
  if (targetRuleOf(link) !== "markdown" || link.target.startsWith("/")) return false;
  return table.resolve(`./${link.target}`, source, "markdown") === file;
}

interface Place {
  readonly link: Link;
  /** The path of the note that holds the link, before and after. */
  readonly oldPath: string;
  readonly newPath: string;
  /** The file that the link means, before and after. */
  readonly meant: string;
  readonly wanted: string;
}

/** The first of the possible targets that means the file, and can be written. */
function writtenTarget(place: Place, before: NameTable, after: NameTable, format: LinkFormat): string | undefined {
  const { link, newPath, wanted } = place;
  const rule = targetRuleOf(link);
  const fitting = possibleTargets(place, before, after, format)
    .filter((target) => after.resolve(target, newPath, rule) === wanted)
    .map((target) => ({ target, written: writeTarget(link, target) }))
    .filter(({ written }) => written !== undefined);
  // A Markdown destination should mean the same to a program that looks from the root first, as Obsidian does.
  const safest = fitting.find(({ target }) => rule === "path" || after.resolve(target, newPath, "wiki") === wanted);
  return (safest ?? fitting[0])?.written;
}

/** Targets for the file, best first: the link's own style, then ever more explicit ones, of which the last always fits. */
function possibleTargets(place: Place, before: NameTable, after: NameTable, format: LinkFormat): string[] {
  const { link, newPath, meant, wanted } = place;
  if (link.form === "path") return [wanted, `/${wanted}`];
  const relative = relativePath(folderIn(newPath), wanted);
  const dotted = relative.startsWith("../") ? relative : `./${relative}`;
  const explicit = format === "relative" ? [relative, dotted, wanted] : [wanted, relative, dotted];
  const inOwnStyle = (): string[] => {
    switch (styleOf(place, before, format)) {
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
  // The extension is shown after all where another file is called like the name without it.
  return hidesExtension ? targets.flatMap((target) => [target.slice(0, -3), target]) : targets;
}

type Style = "rooted" | "dotted" | "relative" | "path" | "bare" | "partial";

/**
 * The kind of target that a link has, as far as its text and what it meant can
 * tell. A Markdown destination that is a path from its note stays one: that is
 * what it is to every other program. Only where the vault wants absolute paths
 * is one that is both taken for a path from the root.
 */
function styleOf(place: Place, before: NameTable, format: LinkFormat): Style {
  const { link, oldPath, meant } = place;
  const { target } = link;
  if (target.startsWith("/")) return "rooted";
  if (isRelative(target)) return target.startsWith(".") ? "dotted" : "relative";
  const isFromRoot = before.resolve(target, oldPath, "path") === meant;
  if (isFromFolder(meant, link, oldPath, before) && !(isFromRoot && format === "absolute")) return "relative";
  if (!target.includes("/")) return "bare";
  return isFromRoot ? "path" : "partial";
}

/** The last segments of a path, as many as asked for, if no other file ends with them or they are the whole path. */
function unambiguous(after: NameTable, path: string, segments: number): string[] {
  const ending = path.split("/").slice(-segments).join("/");
  return ending === path || after.count(ending) === 1 ? [ending] : [];
}

/** The folder's path after the move, if it moves or one above it does. */
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
