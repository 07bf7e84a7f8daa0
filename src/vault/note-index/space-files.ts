// The files of a space of a shared store as the index reads them: what changed comes from
// the feed of the space, and bytes in portions, as the member who asks. Used by
// kept-space.ts.
import { type AccessRules, MAX_FILE_BYTES, type VaultPath } from "../../files/files.ts";
import type { SharedSpace } from "../../journal/journal.ts";
import type { Standing } from "../../shared/shared.ts";
import { Listing } from "./file-listing.ts";
import type { FilesAhead, NextFile } from "./indexed-files.ts";
import type { Feed } from "./note-database.ts";
import { hasContent, kindOfPath, TOO_LARGE } from "./read-document.ts";

/** The size of a portion, which is a transaction of the index. */
const MAX_PORTION_BYTES = 8 * 1024 * 1024;
const MAX_PORTION = 1_000;

export function feedOf(
  space: SharedSpace,
  access: AccessRules,
  { identity, number }: Standing,
): Omit<Feed, "isRestored"> {
  return {
    identity,
    number,
    files: { check: () => {}, ahead: (files) => ahead(space, files) },
    changesAfter: async (after) => {
      const changes = await space.changesAfter(after);
      const listing = new Listing();
      for (const { file, facts } of changes) {
        if (facts === undefined || !isIndexed(facts.path, access)) continue;
        const { path, size, modified, created, hash } = facts;
        const kind = kindOfPath(path);
        const isTooLarge = size > MAX_FILE_BYTES && kind !== undefined && hasContent(kind);
        const version = { size, mtime: modified, inode: file, created };
        listing.add(path, version, isTooLarge ? TOO_LARGE : undefined, hash);
      }
      return { listing, changed: changes.map(({ file }) => file) };
    },
  };
}

/** Files of programs and in the trash are not indexed. */
export function isIndexed(path: VaultPath, { isHidden }: Pick<AccessRules, "isHidden">): boolean {
  return !/(?:^|\/)\./.test(path) && !isHidden(path);
}

export async function ahead(
  { contentsOf }: Pick<SharedSpace, "contentsOf">,
  files: Iterable<NextFile>,
): Promise<FilesAhead> {
  const paths: VaultPath[] = [];
  const empty = new Map<string, Buffer>();
  let [bytes, count] = [0, 0];
  for (const { path, size } of files) {
    bytes += size;
    if (count > 0 && (bytes > MAX_PORTION_BYTES || count === MAX_PORTION)) break;
    count++;
    if (size > 0) paths.push(path as VaultPath);
    else empty.set(path, EMPTY);
  }
  const contents = paths.length === 0 ? empty : new Map([...empty, ...(await contentsOf(paths, MAX_FILE_BYTES))]);
  return { count, read: (path) => contents.get(path) ?? gone(path) };
}

const EMPTY = Buffer.alloc(0);

/** As a disk reports it: the feed has the change that removed it, or made it larger than that. */
function gone(path: string): never {
  throw Object.assign(new Error(`${path} is gone.`), { code: "ENOENT", syscall: "read" });
}
