// Tells notes from other files by their names: sync programs, browsers and editors
// leave copies and temporary files beside them. Pure; used by the note index.
import { operatingSystem } from "../kernel/kernel.ts";
import { linkedTextOf } from "./links/links.ts";

export type DocumentKind = "note" | "copy" | "canvas" | "base" | "pdf" | "file" | "folder" | (string & {});

/**
 * Copies that a sync program makes of a note that was changed in two places:
 * - Dropbox, Nextcloud, ownCloud, Obsidian Sync: `note (conflicted copy 2026-01-02).md`, `note (Ann's conflicted copy).md`
 * - the older ownCloud: `note_conflict-20260102-101112.md`
 * - Syncthing: `note.sync-conflict-20260102-101112-ABCDEFG.md`
 * - Seafile: `note (SFConflict ann@example.org 2026-01-02-10-11-12).md`
 * - Resilio: `note.Conflict.md`, `note.Conflict(1).md`
 * Names that people also choose themselves (`note 2.md`, `note (1).md`, `note-LAPTOP.md`) stay notes.
 */
const CONFLICT_COPY =
  /\([^()]*\b(?:conflicted copy|conflict copy|case conflict|sfconflict|kopie in konflikt|in konflikt stehende kopie|copie en conflit|copia en conflicto|copia in conflitto)\b[^()]*\)|[._]sync-conflict-\d{8}-\d{6}|_conflict-\d{8}-\d{6}|\.conflict(?:\(\d+\))?\.md$/i;

/**
 * - downloads under way: `note.md.part`, `.crdownload`, `.partial`, `.download`, `.opdownload`, `.filepart`, `.!sync`
 * - editors: `note.md~`, `#note.md#`, `~$note.md`, `note.md.tmp`, `note.tmp.md`, `note.md.swp`, `note.md.sb-1a2b3c4d-AbCdEf`, vim's `4913`
 * - sync programs while they write: `~syncthing~note.md.tmp`, `note.md.tmp.drivedownload`, `note.md.~1a2b`
 */
const PASSING =
  /\.(?:part|partial|crdownload|opdownload|download|filepart|drivedownload|driveupload|aria2|!sync|!ut|sw[a-p]|tmp|temp)$|\.tmp\.md$|~$|^#.*#$|^~\$|^~syncthing~|\.sb-[0-9a-f]{8}-\w{6}$|\.~[0-9a-z]{3,8}$|^4913$/i;

/** Undefined for temporary files. */
export function kindOfFile(name: string): DocumentKind | undefined {
  if (PASSING.test(name)) return undefined;
  const linked = linkedTextOf(name);
  if (linked === undefined) return /\.pdf$/i.test(name) ? "pdf" : "file";
  if (CONFLICT_COPY.test(name)) return "copy";
  return linked === "markdown" ? "note" : linked;
}

/** The name of the file that an iCloud placeholder (`.note.md.icloud`) stands for; undefined for other names. */
export function placeholderFor(name: string): string | undefined {
  return /^\.(.+)\.icloud$/.exec(name)?.[1];
}

/** Returns whether a file with its full size has its content in the cloud alone. */
export function isOnlyInCloud(
  { size, blocks }: { readonly size: bigint; readonly blocks: bigint },
  { emptiesCloudFiles } = operatingSystem(),
): boolean {
  return emptiesCloudFiles && size > 0n && blocks === 0n;
}
