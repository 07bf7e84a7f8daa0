// The notes of a space in a shared store, for the index on this machine. Versions
// are numbers of changes, so that what is the same need not be read again; whether
// anything changed is one question. Loaded only for a vault in a shared store; used
// by vault.ts.
import { FileTooLarge, MOST_FILE_BYTES, type StoredFiles } from "../../files/files.ts";
import type { SharedSpace } from "../../journal/journal.ts";
import type { Row } from "../../postgres/postgres.ts";
import { Listing } from "./file-listing.ts";
import type { IndexedFiles } from "./indexed-files.ts";

/** Files and bytes that are fetched at once. */
const MOST_FILES = 500;
const MOST_BYTES = 16 * 1024 * 1024;

export function sharedIndexedFiles(
  { ask }: SharedSpace,
  { folder, isHidden, check }: Pick<StoredFiles, "folder" | "isHidden" | "check">,
): IndexedFiles {
  /** All files, as of a change. */
  let whole: { readonly change: string; readonly listing: Listing } | undefined;
  let fetched = new Map<string, Buffer | FileTooLarge>();
  /** What was fetched before the files were listed may be older than their versions, and would be indexed as if it were not. */
  let [listings, fetchedAsOf] = [0, 0];

  const listingOf = (rows: readonly Row[]) => {
    const listing = new Listing();
    for (const row of rows) {
      const path = String(row["path"]);
      if (/(?:^|\/)\./.test(path) || isHidden(path)) continue;
      listing.add(path, {
        size: Number(row["size"]),
        mtime: Number(row["modified"]),
        inode: Number(row["version"]),
        created: Number(row["created"]),
      });
    }
    return listing;
  };

  return {
    folder,
    isHidden,
    check,
    hasExactVersions: true,
    list: async (within) => {
      const listing = await ask(async (sql, space) => {
        const keys = within?.filter((path) => path !== "").map((path) => path.normalize("NFC")) ?? [];
        if (within !== undefined && keys.length === within.length)
          return listingOf(
            await sql`
              SELECT path, size, modified, created, version FROM commonplace.file
              WHERE space = ${space} AND kind = 'file' AND (key = ANY(${keys}) OR EXISTS (
                SELECT 1 FROM unnest(${keys}::text[]) AS above WHERE starts_with(key, above || '/')))`,
          );
        // Before the files: a later change is noticed by the next question.
        const [state] = await sql`SELECT number FROM commonplace.file_state WHERE space = ${space}`;
        const change = String(state?.["number"] ?? 0);
        if (whole?.change !== change)
          whole = {
            change,
            listing: listingOf(
              await sql`
                SELECT path, size, modified, created, version FROM commonplace.file
                WHERE space = ${space} AND kind = 'file'`,
            ),
          };
        return whole.listing;
      });
      // After the listing: another search may be fetching while the files are listed.
      listings++;
      return listing;
    },
    // What was not listed is gone.
    isThere: () => false,
    fetch: async (paths) => {
      if (paths.length === 0) return;
      const wanted = paths.slice(0, MOST_FILES);
      const keys = wanted.map((path) => path.normalize("NFC"));
      const asOf = listings;
      const rows = await ask(
        (sql, space) => sql`
          SELECT path, size, CASE WHEN size <= ${MOST_FILE_BYTES} AND before < ${MOST_BYTES} THEN bytes END AS bytes FROM (
            SELECT path, size, bytes, sum(size) OVER (ORDER BY array_position(${keys}::text[], key::text)) - size AS before
            FROM commonplace.file WHERE space = ${space} AND kind = 'file' AND key = ANY(${keys})
          ) AS found`,
      );
      const found = new Map(rows.map((row) => [String(row["path"]), row]));
      fetched = new Map();
      fetchedAsOf = asOf;
      for (const path of wanted) {
        const row = found.get(path);
        if (row === undefined) fetched.set(path, GONE);
        else if (row["bytes"] !== null) fetched.set(path, row["bytes"] as Buffer);
        else if (Number(row["size"]) > MOST_FILE_BYTES)
          fetched.set(path, new FileTooLarge(path, Number(row["size"]), MOST_FILE_BYTES));
      }
    },
    isFetched: (path) => fetchedAsOf === listings && fetched.has(path),
    read: (path) => {
      const content = fetched.get(path) ?? GONE;
      if (content instanceof FileTooLarge) throw content;
      if (content === GONE) throw Object.assign(new Error("It is gone."), { code: "ENOENT" });
      return content;
    },
  };
}

/** A file that was deleted since it was listed. */
const GONE = Buffer.alloc(0);
