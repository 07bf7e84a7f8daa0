// Finds the note that a caller means by a path or by the text of a link. Used by
// everything that reads a note or changes one that exists; what creates or
// deletes one wants the path.
import { comparable } from "../../files/files.ts";
import { comparableName, nameOfDocument } from "../../search/search.ts";
import { Ambiguous, Problem } from "../../kernel/kernel.ts";
import { missingNote } from "./missing-note.ts";
import { dayAt, existingNotePath, locate } from "./note-paths.ts";
import type { Vault } from "../vault.ts";

export interface Meant {
  readonly path: string;
  /** The part that the link names: `#Tasks`, `#^summary`. */
  readonly heading?: string;
  readonly block?: string;
}

/** More are no help to a person who has to choose. */
const MAX_CHOICES = 10;

/**
 * The note that is meant by a path, or by a link's text: `Kyoto`, `[[Kyoto#Tasks]]`, `Kyoto#Tasks` or an alias. If there is
 * none, what was sent is returned, and the error of a missing note names those that may be meant. Throws Ambiguous if
 * there are several.
 */
export async function meantNote(vault: Vault, sent: string): Promise<Meant> {
  if ((await dayAt(vault, sent)) !== undefined || (await isPath(vault, sent))) return { path: sent };
  const { target, ...part } = linkIn(sent);
  if (target !== sent && (await isPath(vault, target))) return { path: target, ...part };
  const { answer } = await vault.index.named(nameOfDocument(target));
  const ending = target.includes("/") ? `/${nameOf(target)}` : "";
  const isMeant = (path: string) => `/${nameOf(path)}`.endsWith(ending);
  const isAttachment = answer.length === 0 && /\.[a-z0-9]{1,8}$/i.test(target);
  const found = isAttachment ? await attachments(vault, target) : answer.filter(isMeant);
  const [only] = found;
  if (found.length === 1) return { path: only!, ...part };
  const isWhole = part.heading === undefined && part.block === undefined;
  if (found.length > 1 && found.length <= MAX_CHOICES && isWhole)
    throw new Ambiguous(await missingNote(vault, sent), sent, found.toSorted());
  return { path: sent };
}

/** Names of attachments are not in the index of names: they are few among the links that are read. */
async function attachments(vault: Vault, target: string): Promise<readonly string[]> {
  const ending = `/${comparable(target, { ignoreCase: true })}`;
  const { answer } = await vault.index.paths();
  return answer.filter((path) => `/${comparable(path, { ignoreCase: true })}`.endsWith(ending));
}

async function isPath(vault: Vault, sent: string): Promise<boolean> {
  try {
    return (await locate(vault, await existingNotePath(vault, sent), sent)).kind === "file";
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

/** A path as it is compared: folders and name, without the extension of a note. */
function nameOf(path: string): string {
  return path
    .replace(/\.(?:md|canvas)$/i, "")
    .split("/")
    .map(comparableName)
    .join("/");
}

/** Parses a link: `[[target#heading|label]]`, or without the brackets, unless it is the name of a file. */
function linkIn(sent: string): { readonly target: string; readonly heading?: string; readonly block?: string } {
  const [, linked] = /^!?\[\[([^\]]+)\]\]$/.exec(sent.trim()) ?? [];
  const inner = linked ?? (/^[^#]*#.*\.(?:md|canvas)$/is.test(sent) ? undefined : /^[^#|]+#[^|]+$/.exec(sent)?.[0]);
  if (inner === undefined) return { target: sent };
  const [, target = "", part = ""] = /^([^#|]*)(?:#([^|]*))?/.exec(inner) ?? [];
  const heading = part.trim();
  if (heading === "") return { target: target.trim() };
  return heading.startsWith("^")
    ? { target: target.trim(), block: heading }
    : { target: target.trim(), heading: heading.replaceAll("#", "/") };
}
