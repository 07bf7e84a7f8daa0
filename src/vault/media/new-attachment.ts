// Adds an image that a person pasted into a note: where Obsidian would put it, under
// a name that nothing has, through the journal. Used by the page.
import { parseVaultPath, type VaultPath } from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import { obsidianSettings } from "../days/days.ts";
import { existingNotePath, locateNew } from "../notes/note-paths.ts";
import type { Author, Vault } from "../vault.ts";
import { imageFacts, type ReadableBytes } from "./image-facts.ts";

export interface NewAttachment {
  /** The note that it is for. */
  readonly note: string;
  /** As the person's system calls it; pasted images have a name that says nothing. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
};

export async function addAttachment(vault: Vault, author: Author, added: NewAttachment): Promise<VaultPath> {
  const note = await existingNotePath(vault, added.note);
  const extension = EXTENSIONS[imageFacts(readable(added.bytes))?.type ?? ""];
  if (extension === undefined)
    throw new Problem("invalid", "This is not a PNG, JPEG, GIF or WebP image.", "Convert it, and add it again.");
  let path: VaultPath | undefined;
  await vault.journal.change(author, async (read) => {
    const folder = await attachmentFolder(vault, note);
    const base = baseNameOf(added.name, vault.clock.now());
    for (let i = 0; path === undefined || (await read(path)) !== undefined; i++)
      path = parseVaultPath(`${folder}${base}${i === 0 ? "" : ` ${i}`}.${extension}`);
    await locateNew(vault, path, path);
    return { message: `Added ${path}`, steps: [{ kind: "create", path, bytes: added.bytes }] };
  });
  return path!;
}

/** As Obsidian's setting says: the vault's root, the note's folder, a folder below it, or a fixed one; with a slash at its end. */
async function attachmentFolder(vault: Vault, note: VaultPath): Promise<string> {
  const setting = (await obsidianSettings(vault, "app.json"))?.["attachmentFolderPath"];
  const wanted = typeof setting === "string" ? setting : "/";
  const own = note.slice(0, note.lastIndexOf("/") + 1);
  const folder = /^\.(?:\/|$)/.test(wanted) ? own + wanted.slice(2) : wanted;
  const path = folder.replace(/^\/+|(?<!\/)\/+$/g, "");
  return path === "" ? "" : `${path}/`;
}

/** `image.png` is what systems call what is pasted: Obsidian names it by the time. */
function baseNameOf(name: string, now: number): string {
  const base = name
    .replace(/\.[^.]*$/, "")
    .replace(/[\\/:*?"<>|#^[\]\s\p{Cc}]+/gu, " ")
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, "");
  if (base !== "" && base.toLowerCase() !== "image") return base.slice(0, 100);
  const digits = new Date(now).toISOString().replace(/\D/g, "").slice(0, 14);
  return `Pasted image ${digits}`;
}

function readable(bytes: Uint8Array): ReadableBytes {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { size: whole.length, read: (at, length) => whole.subarray(at, at + length) };
}
