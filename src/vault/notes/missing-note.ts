// The problem for a note that does not exist: the contract's sentence, with the
// names of notes that may have been meant. Used by everything that reads or
// changes a note.
import { comparable, type EntryPath, parentOf, parseNotePath, type VaultPath } from "../../files/files.ts";
import { nameOfDocument, termsOf } from "../../search/search.ts";
import { nameIn, nearest, Problem, shortened } from "../../kernel/kernel.ts";
import { dayAt } from "./note-paths.ts";
import type { Vault } from "../vault.ts";

/** For more there is a tool that lists folders. */
const MAX_SUGGESTIONS = 3;

interface Missing {
  /** The contract's sentence. */
  readonly sentence?: string;
  /** Text was to be added to it, which may be meant for a new note. */
  readonly mayBeNew?: boolean | undefined;
}

export async function missingNote(
  vault: Vault,
  sent: string,
  { mayBeNew = false, ...missing }: Missing = {},
): Promise<Problem> {
  const { sentence = `File not found: ${sent}` } = missing;
  const day = await dayAt(vault, sent);
  if (day?.isHidden) return new Problem("not_found", sentence, "There is no note of that day.");
  if (day !== undefined)
    return new Problem(
      "not_found",
      sentence,
      `It stands for ${day.path}, which does not exist yet; contentManager_appendContent creates it${day.settings.template === undefined ? "" : " from its template"}.`,
    );
  const path = parseNotePath(sent);
  const folder = sent.replace(/^\/|\/$/g, "") as VaultPath;
  if (!folder.includes("[[") && (await isAt(vault, folder, "folder")))
    return new Problem(
      "not_found",
      sentence,
      `There is a folder of that name: vaultManager_listDirectory ${JSON.stringify({ path: folder })}`,
    );
  const near = await nearNotes(vault, path);
  const names = near.map((path) => `'${path}'`).join(" or ");
  return new Problem(
    "not_found",
    sentence,
    near.length === 0 ? howToGoOn(path, mayBeNew ? sent : undefined) : `Did you mean ${names}?`,
  );
}

/** A call that finds it by its name, if it is anywhere, and one that creates it. @param created as it was sent */
function howToGoOn(path: VaultPath, created: string | undefined): string {
  const query = JSON.stringify({ query: shortened(nameOfDocument(path)), kinds: ["note"] });
  const creation =
    created === undefined
      ? ""
      : ` To create it: contentManager_createContent ${JSON.stringify({ filePath: created })}.`;
  return `No note has that path, or a name like it.${creation} To look for its words: search ${query}`;
}

/** From the index, which knows every folder; if it has none, from the folder of the path. */
export async function nearNotes(vault: Vault, path: VaultPath): Promise<string[]> {
  const name = nameOfDocument(path);
  const known: string[] = [];
  for (const near of await vault.index.namedLike(name))
    if (mayBeMeant(name, nameOfDocument(near)) && (await isAt(vault, near as VaultPath, "file"))) known.push(near);
  if (known.length > 0) return known.toSorted().slice(0, MAX_SUGGESTIONS);
  const siblings = await siblingsOf(vault, path);
  const wanted = comparable(name, { ignoreCase: true });
  // `img.png` for `img`.
  const files = siblings.filter((file) => comparable(stemOf(file), { ignoreCase: true }) === wanted);
  if (files.length > 0) return files.slice(0, MAX_SUGGESTIONS);
  const meant = nearest(name, siblings.map(nameOfDocument));
  return siblings.filter((near) => nameOfDocument(near) === meant).slice(0, MAX_SUGGESTIONS);
}

function stemOf(path: string): string {
  return nameIn(path).replace(/\.[^.]*$/, "");
}

/** A mistyped name, or one with words more or less. Strict, because deleting the wrong note is worse than no suggestion. */
function mayBeMeant(name: string, other: string): boolean {
  if (nearest(name, [other]) !== undefined) return true;
  const [words, others] = [termsOf(name), termsOf(other)];
  const [fewer, more] = words.length < others.length ? [words, others] : [others, words];
  return fewer.length > 0 && fewer.every((word) => more.includes(word));
}

/** False for what a link leads to outside the vault, so that nothing about it is revealed. */
export async function isAt({ root }: Vault, path: EntryPath, kind: "file" | "folder"): Promise<boolean> {
  try {
    return (await root.locate(path)).kind === kind;
  } catch {
    return false;
  }
}

/** They are compared one by one. */
const MAX_SIBLINGS = 1000;

async function siblingsOf(vault: Vault, path: VaultPath): Promise<string[]> {
  const folder = parentOf(path);
  if (!(await isAt(vault, folder, "folder"))) return [];
  try {
    return [...(await vault.root.list(folder as VaultPath, { depth: 1 }))]
      .filter(({ kind }) => kind === "file")
      .slice(0, MAX_SIBLINGS)
      .map(({ path }) => path);
  } catch {
    return [];
  }
}
