// Which links a note, or the notes of a folder, have: asked of the index.
import { parseFolderPath, parseNotePath } from "../files/vault-path.ts";
import type { Freshness } from "../index/freshness.ts";
import type { NoteIndex } from "../index/note-index.ts";
import { Problem } from "../text/problem.ts";
import { locate, type Vault } from "./vault.ts";

export const LINK_TYPES = ["backlinks", "outgoing", "unresolved", "orphans"] as const;
type LinkType = (typeof LINK_TYPES)[number];

interface LinkReport {
  readonly path: string;
  readonly links: readonly object[];
  readonly freshness: Freshness;
}

export async function linksOf(vault: Vault, sent: string, type: LinkType): Promise<LinkReport> {
  const folder = parseFolderPath(sent);
  const isFolder = locate(vault, folder, sent).kind === "folder";
  const path = isFolder ? folder : parseNotePath(sent);
  const isWithin = (note: string) => (isFolder ? path === "" || note.startsWith(`${path}/`) : note === path);
  const { answer: links, ...freshness } = await vault.index.ask((index) => {
    const notes = index.paths().filter(isWithin);
    if (!isFolder && notes.length === 0) {
      throw new Problem("not_found", `File not found: ${sent}`, "List the folder to see what is there.");
    }
    return notes.flatMap((note) => linksOfNote(index, note, type));
  });
  return { path, links, freshness };
}

function linksOfNote(index: NoteIndex, note: string, type: LinkType): object[] {
  switch (type) {
    case "backlinks":
      return index.backlinks(note).map(({ path: from, links }) => ({ from, to: note, count: links.length }));
    case "outgoing":
      return index.links(note).map(({ link, path: to }) => ({ from: note, to: to ?? null, target: link.target }));
    case "unresolved":
      return index
        .links(note)
        .flatMap(({ link, path: to }) => (to === undefined ? [{ from: note, target: link.target }] : []));
    case "orphans":
      return index.backlinks(note).length === 0 ? [{ path: note }] : [];
  }
}
