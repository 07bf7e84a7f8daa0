// A note that is not there: refused with the contract's sentence, and with the
// names of notes that may have been meant. Used by whatever reads or changes one.
import { type EntryPath, parentOf, parseNotePath, type VaultPath } from "../../files/files.ts";
import { nameOfDocument, termsOf } from "../../search/search.ts";
import { nearest, Problem } from "../../kernel/kernel.ts";
import type { Vault } from "../vault.ts";

/** More than a few are a list, and there is a tool for lists. */
const MOST = 3;

export function missingNote(vault: Vault, sent: string, sentence = `File not found: ${sent}`): Problem {
  const near = nearNotes(vault, parseNotePath(sent));
  const names = near.map((path) => `'${path}'`).join(" or ");
  return new Problem(
    "not_found",
    sentence,
    near.length === 0 ? "List the folder to see what is there." : `Did you mean ${names}?`,
  );
}

/** By the index, which knows every folder; else, or where it does not know one yet, in the folder that was named. */
function nearNotes(vault: Vault, path: VaultPath): string[] {
  const name = nameOfDocument(path);
  const known = vault.index
    .namedLike(name)
    .filter((near) => mayBeMeant(name, nameOfDocument(near)) && isAt(vault, near as VaultPath, "file"));
  if (known.length > 0) return known.toSorted().slice(0, MOST);
  const siblings = siblingsOf(vault, path);
  const meant = nearest(name, siblings.map(nameOfDocument));
  return siblings.filter((near) => nameOfDocument(near) === meant).slice(0, MOST);
}

/** A mistyped name, or one with words more or less: who deletes what was not meant has lost more than who is told nothing. */
function mayBeMeant(name: string, other: string): boolean {
  if (nearest(name, [other]) !== undefined) return true;
  const [words, others] = [termsOf(name), termsOf(other)];
  const [fewer, more] = words.length < others.length ? [words, others] : [others, words];
  return fewer.length > 0 && fewer.every((word) => more.includes(word));
}

/** Nothing is told of what a link leads to outside of the vault. */
function isAt({ root }: Vault, path: EntryPath, kind: "file" | "folder"): boolean {
  try {
    return root.locate(path).kind === kind;
  } catch {
    return false;
  }
}

/** Compared one by one: a folder of thousands has an index. */
const MOST_SIBLINGS = 1000;

function siblingsOf(vault: Vault, path: VaultPath): string[] {
  const folder = parentOf(path);
  if (!isAt(vault, folder, "folder")) return [];
  try {
    return [...vault.root.list(folder as VaultPath, { depth: 1 })]
      .filter(({ kind }) => kind === "file")
      .slice(0, MOST_SIBLINGS)
      .map(({ path }) => path);
  } catch {
    return [];
  }
}
