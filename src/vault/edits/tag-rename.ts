// Renames a tag in the whole vault, with the tags below it: in the texts and
// properties of notes, in canvases and in bases. One entry of the journal, all or
// nothing. Used by the tool vaultLibrarian_tags.
import type { VaultPath } from "../../files/files.ts";
import type { Step } from "../../journal/journal.ts";
import { counted, nearest, Problem, Turns } from "../../kernel/kernel.ts";
import {
  foldedTag,
  type HeadingRename,
  linkedTextOf,
  readTagRename,
  renameTagIn,
  type TagRename,
} from "../../markdown/markdown.ts";
import type { TagCount } from "../note-index/note-index.ts";
import type { Author, Vault } from "../vault.ts";
import { type Files, linksToHeadings } from "./heading-link-rewrites.ts";
import { filesOf } from "./link-rewrites.ts";
import { readAt, replaceStep } from "./rewritten-notes.ts";

export interface TagRenameReport extends TagRename {
  /** The files that change, with the number of places in each. */
  readonly notes: readonly { readonly path: string; readonly places: number }[];
  readonly places: number;
  /** How many headings with the tag are rewritten in links. */
  readonly links?: number;
  /** How many notes have the new tag already. */
  readonly merges?: number;
  /** Files that could not be looked at, or only in part. */
  readonly skipped?: readonly { readonly path: string; readonly reason: string }[];
}

/** The arguments as they were sent. */
interface Asked {
  readonly rename: string;
  readonly newName: string;
}

/** Returns the changes of a rename. */
export async function previewTagRename(
  vault: Vault,
  { signal, onProgress }: Pick<Author, "signal" | "onProgress">,
  sent: Asked,
): Promise<TagRenameReport> {
  const rename = readTagRename(sent.rename, sent.newName);
  const tags = await tagsOf(vault);
  let report: TagRenameReport | undefined;
  await vault.journal.preview({ signal }, async (read, hidden) => {
    const plan = await planRename(vault, { read, hidden }, rename, { signal, onProgress });
    report = reportOf(rename, tags, plan);
    return { message: "", steps: plan.steps };
  });
  return report!;
}

export async function renameTag(vault: Vault, author: Author, sent: Asked): Promise<TagRenameReport> {
  const rename = readTagRename(sent.rename, sent.newName);
  const tags = await tagsOf(vault);
  let report: TagRenameReport | undefined;
  let scanned = 0;
  const onProgress: Author["onProgress"] = (written, of) =>
    author.onProgress?.(scanned + written, scanned + of, "Writing the notes with the tag");
  await vault.journal.change({ ...author, onProgress }, async (read, hidden) => {
    const plan = await planRename(vault, { read, hidden }, rename, author);
    scanned = plan.scanned;
    report = reportOf(rename, tags, plan);
    const message = `Renamed #${rename.from} to #${rename.to} in ${counted(plan.notes.length, "file")}`;
    return { message, steps: plan.steps };
  });
  return report!;
}

async function tagsOf(vault: Vault): Promise<readonly TagCount[]> {
  return (await vault.index.tags()).answer;
}

interface RenamePlan extends Required<Pick<TagRenameReport, "notes" | "skipped" | "links">> {
  readonly steps: readonly Step[];
  /** How many files were read. */
  readonly scanned: number;
}

interface Running {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: Author["onProgress"];
}

async function planRename(vault: Vault, files: Files, rename: TagRename, running: Running): Promise<RenamePlan> {
  const { read } = files;
  const { signal, onProgress } = running;
  const turns = new Turns(signal);
  const indexed = await vault.index.filesTagged(rename.from);
  const { paths, unread } =
    indexed === undefined
      ? await filesOf(vault, turns, signal)
      : { paths: [...indexed].toSorted() as VaultPath[], unread: [] };
  const skipped = unread.map((path) => ({ path, reason: UNREADABLE }));
  const headings = new Map<string, readonly HeadingRename[]>();
  const changed = new Map<VaultPath, { readonly places: number; readonly step: Step }>();
  for (const [scanned, path] of paths.entries()) {
    if (turns.isOver()) {
      onProgress?.(scanned, paths.length, "Looking for the tag");
      await turns.next();
    }
    const kind = linkedTextOf(path);
    if (kind === undefined) continue;
    const note = await readAt(path, read);
    if (note === undefined) skipped.push({ path, reason: UNREADABLE });
    else {
      const renaming = renameTagIn(note.written.text, kind, rename);
      if (renaming.fault !== undefined) skipped.push({ path, reason: renaming.fault });
      if (renaming.headings.length > 0) headings.set(path, renaming.headings);
      if (renaming.edits.length > 0)
        changed.set(path, { places: renaming.places, step: replaceStep(path, renaming.edits, note) });
    }
  }
  const linking = await linksToHeadings(vault, files, rename, headings, turns);
  for (const { path, step } of linking) changed.set(path, { places: changed.get(path)?.places ?? 0, step });
  return {
    notes: [...changed].map(([path, { places }]) => ({ path, places })),
    steps: [...changed.values()].map(({ step }) => step),
    links: linking.reduce((sum, { links }) => sum + links, 0),
    skipped,
    scanned: paths.length,
  };
}

const UNREADABLE = "It cannot be read.";

function reportOf(
  rename: TagRename,
  tags: readonly TagCount[],
  { notes, skipped, links }: RenamePlan,
): TagRenameReport {
  const isSame = foldedTag(rename.from) === foldedTag(rename.to);
  if (notes.length === 0)
    throw nothingToRename(
      rename,
      isSame,
      tags.map(({ tag }) => tag),
      skipped,
    );
  const merges = isSame ? 0 : (tags.find(({ tag }) => foldedTag(tag) === foldedTag(rename.to))?.count ?? 0);
  return {
    ...rename,
    notes,
    places: notes.reduce((sum, { places }) => sum + places, 0),
    ...(links > 0 && { links }),
    ...(merges > 0 && { merges }),
    ...(skipped.length > 0 && { skipped }),
  };
}

function nothingToRename(
  { from, to }: TagRename,
  isSame: boolean,
  tags: readonly string[],
  skipped: RenamePlan["skipped"],
): Problem {
  if (isSame && tags.includes(to)) return new Problem("invalid", `The tag is called #${to} everywhere already.`);
  const similar = nearest(from, tags);
  const [first] = skipped;
  const hint =
    first !== undefined
      ? `${first.path}: ${first.reason}`
      : similar !== undefined
        ? `Did you mean #${similar}?`
        : "Without rename this tool lists the tags that there are.";
  return new Problem("not_found", `No note has the tag #${from}: nothing was changed.`, hint);
}
