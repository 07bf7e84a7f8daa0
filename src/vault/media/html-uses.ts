// The files that HTML in notes and canvases names (`<img src="photo.png">`). They
// are no links for Obsidian, and a move does not rewrite them, but the files are in
// use. Used by attachments.ts, and by note-mover.ts, which says so.
import type { VaultPath } from "../../files/files.ts";
import { nameIn, Problem, Turns } from "../../kernel/kernel.ts";
import { kindOfFile } from "../../markdown/markdown.ts";
import type { Vault } from "../vault.ts";

/** The attributes that name a file; in a canvas their quotes are escaped. */
const ATTRIBUTE = /\b(?:src|href|poster|data)\s*=\s*(?:\\?"([^"\\>]+)|'([^'>]+)|([^\s"'\\>]+))/gi;

/** The names of these files that HTML anywhere in the vault mentions, in lower case, with the notes that do. */
export async function namesInHtml(
  vault: Vault,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const wanted = new Set(files.map(keyOf));
  const found = new Map<string, Set<string>>();
  const turns = new Turns(signal);
  const { answer: paths } = await vault.index.paths();
  for (const path of paths) {
    if (turns.isOver()) await turns.next();
    const kind = kindOfFile(nameIn(path));
    if (kind !== "note" && kind !== "canvas") continue;
    for (const [, ...values] of (await textOf(vault, path)).matchAll(ATTRIBUTE)) {
      const key = keyOf(decoded(values.find((value) => value !== undefined)!.replace(/[?#].*$/s, "")));
      if (wanted.has(key)) found.set(key, (found.get(key) ?? new Set()).add(path));
    }
  }
  return found;
}

export function keyOf(path: string): string {
  return nameIn(path).normalize("NFC").toLowerCase();
}

/** Empty for a file that is gone or cannot be read. */
async function textOf({ root }: Vault, path: string): Promise<string> {
  try {
    const bytes = (await root.read(path as VaultPath))?.bytes;
    return bytes === undefined ? "" : new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof Problem) return "";
    throw error;
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
