// All notes of a vault and the links between them, by their places in the list, so
// that ten thousand notes are sent in half a megabyte. Used by the tool
// vaultLibrarian_query, for the graph in the page.
import { Turns } from "../../kernel/kernel.ts";
import type { Vault } from "../vault.ts";

export interface VaultGraph {
  readonly paths: readonly string[];
  /** From, to, from, to …: each pair once. */
  readonly links: readonly number[];
}

/** How many files between two looks at the clock. */
const FILES_A_LOOK = 64;

export async function vaultGraph({ index }: Pick<Vault, "index">, signal?: AbortSignal): Promise<VaultGraph> {
  const { answer: table } = await index.files(signal);
  const notes = table.files.filter(({ isNote }) => isNote);
  const places = new Map(notes.map(({ path }, place) => [path, place]));
  const links: number[] = [];
  const turns = new Turns(signal);
  for (const [from, note] of notes.entries()) {
    if (from % FILES_A_LOOK === 0) await turns.next();
    for (const path of table.linked(note)) {
      const to = places.get(path);
      // A pair that links both ways is one line.
      const isOther = to !== undefined && to !== from;
      if (isOther && !(to < from && table.linked(notes[to]!).has(note.path))) links.push(from, to);
    }
  }
  return { paths: notes.map(({ path }) => path), links };
}
