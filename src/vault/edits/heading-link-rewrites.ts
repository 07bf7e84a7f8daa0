// Rewrites the links to headings that change when a tag in them is renamed. Used
// by tag-rename.ts.
import type { VaultPath } from "../../files/files.ts";
import type { HiddenFiles, Read, Step } from "../../journal/journal.ts";
import { Problem, type Turns } from "../../kernel/kernel.ts";
import {
  type HeadingRename,
  type Link,
  linkedTextOf,
  linkName,
  NameTable,
  renameHeadingsInLinks,
  renameTagIn,
  type TagRename,
  targetRuleOf,
} from "../../markdown/markdown.ts";
import type { Vault } from "../vault.ts";
import { filesOf } from "./link-rewrites.ts";
import { readAt, replaceStep } from "./rewritten-notes.ts";

export interface Files {
  readonly read: Read;
  readonly hidden?: HiddenFiles | undefined;
}

interface RewrittenLinks {
  readonly path: VaultPath;
  readonly links: number;
  /** With the renamed tags of that file. */
  readonly step: Step;
}

/**
 * Tags in headings are rare, so the files that link to one are read once more.
 * @param headings those that change, by the path of their note
 */
export async function linksToHeadings(
  vault: Vault,
  { read, hidden }: Files,
  rename: TagRename,
  headings: ReadonlyMap<string, readonly HeadingRename[]>,
  turns: Turns,
): Promise<RewrittenLinks[]> {
  if (headings.size === 0) return [];
  const { paths: files } = await filesOf(vault, turns, undefined);
  const hiddenPaths = [...((await hidden?.paths()) ?? [])];
  const table = NameTable.of([...files, ...hiddenPaths]);
  const names = new Set([...headings.keys()].map(linkName));
  const indexed = await vault.index.filesLinking(names, "", turns);
  const editsIn = (path: VaultPath, kind: Parameters<typeof renameHeadingsInLinks>[1], text: string) => {
    const renamesFor = (link: Link) => headings.get(table.resolve(link.target, path, targetRuleOf(link)) ?? "") ?? [];
    return renameHeadingsInLinks(text, kind, renamesFor, headings.get(path) ?? []);
  };
  const found: RewrittenLinks[] = [];
  for (const path of files) {
    if (turns.isOver()) await turns.next();
    const kind = linkedTextOf(path);
    const mayLink = indexed === undefined || indexed.has(path) || headings.has(path);
    const note = kind !== undefined && mayLink ? await readAt(path, read) : undefined;
    if (kind === undefined || note === undefined) continue;
    const { text } = note.written;
    const edits = editsIn(path, kind, text);
    if (edits.length === 0) continue;
    const all = [...edits, ...renameTagIn(text, kind, rename).edits].toSorted((a, b) => a.start - b.start);
    found.push({ path, links: edits.length, step: replaceStep(path, all, note) });
  }
  for (const path of hiddenPaths) {
    if (turns.isOver()) await turns.next();
    const kind = linkedTextOf(path);
    const note = kind && (await readAt(path, hidden!.read));
    const edits = kind && note ? editsIn(path, kind, note.written.text) : [];
    if (edits.length > 0) throw headingOutOfReach();
  }
  return found;
}

/** Says no more than that there is such a link. Only a move may write in hidden notes, since its undo is known to keep their links whole. */
function headingOutOfReach(): Problem {
  return new Problem(
    "denied",
    "The tag is in a heading, and a link to it that the settings keep out of reach would break. Nothing was changed.",
    "Ask the person to rename the tag (--hide).",
  );
}
