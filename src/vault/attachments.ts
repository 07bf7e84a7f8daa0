// Attachments that nothing links to or shows, and links to attachments that do not exist:
// from notes, their properties, canvases and bases. Used by link-report.ts.
import { posix } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { folderIn, nameIn } from "../kernel/kernel.ts";
import { kindOfFile, type NoteLink } from "../markdown/markdown.ts";
import type { VaultPath } from "../files/files.ts";
import { obsidianSettings, textSetting } from "./days/obsidian-settings.ts";
import { keyOf, namesInHtml } from "./media/html-uses.ts";
import type { LinkFound } from "./link-report.ts";
import { fileTypeOf, UNKNOWN_TYPE } from "./media/file-types.ts";
import type { Vault } from "./vault.ts";

const AT_A_TIME = 1000;

/** @param paths the files that are asked about */
export async function unusedAttachments(
  vault: Vault,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<LinkFound[]> {
  const attachments = paths.filter(isAttachment);
  const unlinked: string[] = [];
  for (let at = 0; at < attachments.length; at += AT_A_TIME) {
    await nextTurn();
    signal?.throwIfAborted();
    const some = attachments.slice(at, at + AT_A_TIME);
    const { answer } = await vault.index.backlinks(some);
    const used = new Set(answer.map(({ to }) => to));
    unlinked.push(...some.filter((path) => !used.has(path)));
  }
  if (unlinked.length === 0) return [];
  const shown = await namesInHtml(vault, unlinked, signal);
  const unused = unlinked.filter((path) => !shown.has(keyOf(path)));
  return Promise.all(unused.map(async (path) => ({ path, ...(await sizeOf(vault, path)) })));
}

/** Any file but notes, copies of notes, canvases, bases, temporary files, and names without an extension: `LICENSE`, `Makefile`. */
function isAttachment(path: string): boolean {
  const name = nameIn(path);
  const kind = kindOfFile(name);
  return (kind === "file" && name.includes(".")) || kind === "pdf";
}

async function sizeOf({ root }: Vault, path: string): Promise<{ readonly size?: number }> {
  try {
    const { stats } = await root.locate(path as VaultPath);
    return stats === undefined ? {} : { size: Number(stats.size) };
  } catch {
    return {};
  }
}

/** @param paths the notes whose links are looked at */
export async function missingAttachments(
  vault: Vault,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<LinkFound[]> {
  const folder = textSetting(await obsidianSettings(vault, "app.json"), "attachmentFolderPath");
  const found: LinkFound[] = [];
  for (let at = 0; at < paths.length; at += AT_A_TIME) {
    await nextTurn();
    signal?.throwIfAborted();
    const { answer } = await vault.index.links(paths.slice(at, at + AT_A_TIME));
    for (const { from, to, link } of answer)
      if (to === undefined && isToAttachment(link))
        found.push({ from, target: link.target, ...expectedAt(link, from, folder) });
  }
  return found;
}

const EXTENSION = /\.(?=[0-9]*[a-z])[a-z0-9]{1,8}$/i;

/** By a type that is known, or embedded: `[[Node.js]]` is a note that was not written yet. */
function isToAttachment({ target, isEmbed }: NoteLink): boolean {
  if (/\.(?:md|canvas|base)$/i.test(target)) return false;
  return fileTypeOf(target).type !== UNKNOWN_TYPE || (isEmbed && EXTENSION.test(target));
}

/**
 * Returns the paths at which it is looked for: the path that a canvas has or that is relative to the note, else where Obsidian would have put
 * it by its setting: in the vault's root, a folder, or beside or below the note.
 */
function expectedAt({ target, form }: NoteLink, from: string, setting = "/"): { readonly expected?: string } {
  if (form === "path") return { expected: target };
  if (/^\.\.?\//.test(target)) {
    const path = posix.join(folderIn(from), target);
    return path.startsWith("../") ? {} : { expected: path };
  }
  if (target.includes("/")) return {};
  const beside = setting.startsWith("./")
    ? [folderIn(from), setting.slice(2)]
    : [setting.replace(/^\/+|(?<!\/)\/+$/g, "")];
  return { expected: [...beside, target].filter((part) => part !== "").join("/") };
}
