// Lists the links of a note, or of all notes in a folder, from the index. Works in
// parts, so that a large vault does not block other calls. Used by the tool links.
import { setImmediate as nextTurn } from "node:timers/promises";
import { Problem } from "../kernel/kernel.ts";
import type { Freshness } from "../search/search.ts";
import { missingAttachments, unusedAttachments } from "./attachments.ts";
import { linksAround, mentionsOf, withSnippets } from "./link-context.ts";
import { meantPlace } from "./meant-place.ts";
import type { NoteIndex, SimilarNotes } from "./note-index/note-index.ts";
import { missingNote } from "./notes/missing-note.ts";
import type { Vault } from "./vault.ts";

export type LinkType =
  | "backlinks"
  | "outgoing"
  | "unresolved"
  | "orphans"
  | "mentions"
  | "around"
  | "similar"
  | "unusedAttachments"
  | "missingAttachments";

/** A link, or a note without backlinks; its fields depend on the requested type. */
export interface LinkFound {
  readonly from?: string;
  readonly to?: string | null;
  /** As written in the note. */
  readonly target?: string;
  /** How many links of `from` lead there. */
  readonly count?: number;
  /** Of a note or an attachment that no link leads to. */
  readonly path?: string;
  /** Of an attachment, in bytes. */
  readonly size?: number;
  /** The path at which Obsidian would have put a missing attachment. */
  readonly expected?: string;
  /** Of a similar note, from 0 to 1. */
  readonly nearness?: number;
  /** The sentence in which `from` links to the note, or mentions it. */
  readonly snippet?: string;
}

interface LinkReport {
  readonly path: string;
  readonly links: readonly LinkFound[];
  readonly freshness: Freshness;
  /** Why there are none. */
  readonly hint?: string;
}

const NONE_SIMILAR: Readonly<Record<NonNullable<SimilarNotes["none"]>, string>> = {
  off: 'Notes are not compared: the setting related is off. To turn it on, start the server with --related on, or set COMMONPLACE_RELATED=on, or "related": "on" in the config file.',
  unknown: "This note cannot be compared with others: it has too few words whose meaning is known.",
};

const AT_A_TIME = 1000;
const MAX_SIMILAR = 10;

interface LinkQuestion {
  readonly path: string;
  readonly type: LinkType;
  /** Adds to each backlink of a note the sentence that has it. */
  readonly snippets?: boolean | undefined;
}

export async function linksOf(vault: Vault, asked: LinkQuestion, signal?: AbortSignal): Promise<LinkReport> {
  const { path: sent, type } = asked;
  const place = await meantPlace(vault, sent);
  const { answer: paths, ...freshness } = await vault.index.paths();
  if (place === undefined) throw await missingNote(vault, sent);
  const { path } = place;
  const isFolder = place.kind === "folder";
  const indexed = paths.filter((note) => (isFolder ? path === "" || note.startsWith(`${path}/`) : note === path));
  if (!isFolder && indexed.length === 0 && !freshness.stale) throw await missingNote(vault, sent);
  // A note that waits to be indexed is there all the same.
  const notes = isFolder ? indexed : [path];
  if (type === "similar") {
    if (isFolder) throw new Problem("invalid", `type "similar" needs a note, not a folder.`, "Name one note.");
    const { notes: similar, none } = (await vault.index.similar(path, MAX_SIMILAR)).answer;
    const links = similar.map(({ path: other, nearness, passage }) => ({ path: other, nearness, snippet: passage }));
    return { path, links, freshness, ...(none !== undefined && { hint: NONE_SIMILAR[none] }) };
  }
  if (type === "mentions" || type === "around") {
    if (isFolder) throw new Problem("invalid", `type "${type}" needs a note, not a folder.`, "Name one note.");
    const links = type === "mentions" ? await mentionsOf(vault, path, signal) : await linksAround(vault, path);
    return { path, links, freshness };
  }
  if (type === "unusedAttachments") return { path, links: await unusedAttachments(vault, notes, signal), freshness };
  if (type === "missingAttachments") return { path, links: await missingAttachments(vault, notes, signal), freshness };
  const links: LinkFound[] = [];
  for (let at = 0; at < notes.length; at += AT_A_TIME) {
    await nextTurn();
    signal?.throwIfAborted();
    const some = notes.slice(at, at + AT_A_TIME);
    // One by one: a note may have more links than a call takes arguments.
    for (const link of await linksOfNotes(vault.index, some, type)) links.push(link);
  }
  const hasSnippets = asked.snippets === true && type === "backlinks" && !isFolder;
  return { path, links: hasSnippets ? await withSnippets(vault, path, links, signal) : links, freshness };
}

type ListedType = "backlinks" | "outgoing" | "unresolved" | "orphans";

async function linksOfNotes(
  index: NoteIndex,
  notes: readonly string[],
  type: ListedType,
): Promise<readonly LinkFound[]> {
  switch (type) {
    case "backlinks":
      return (await index.backlinks(notes)).answer;
    case "outgoing": {
      const { answer } = await index.links(notes);
      return answer.map(({ from, to = null, link }) => ({ from, to, target: link.target }));
    }
    case "unresolved": {
      const { answer } = await index.links(notes);
      return answer.filter(({ to }) => to === undefined).map(({ from, link }) => ({ from, target: link.target }));
    }
    case "orphans": {
      const { answer } = await index.backlinks(notes);
      const linked = new Set(answer.map(({ to }) => to));
      return notes.filter((path) => !linked.has(path)).map((path) => ({ path }));
    }
  }
}
