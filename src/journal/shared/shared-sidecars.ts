// Keeps data beside the files of a space, such as the ids of
// rows: in its hidden folder .commonplace, which no tool reads or lists, and which
// has no journal. Opened by shared-store.ts.
import { contentHash } from "../../files/files.ts";
import type { Sidecars } from "../file-store.ts";
import type { SharedSpace } from "../../shared/shared.ts";

function folderOf(subject: string): string {
  return `.commonplace/sidecars/${contentHash(Buffer.from(subject)).slice(0, 32)}`;
}

export function sharedSidecars({ name, ask, write }: SharedSpace): Sidecars {
  return {
    subjectOf: (path) => `store:${name}/${path}`,
    list: (subject) =>
      ask(async (sql, space) => {
        const rows = await sql`
          SELECT path, size FROM commonplace.file WHERE space = ${space} AND folder = ${folderOf(subject)}
          ORDER BY modified DESC, key`;
        return rows.map((row) => ({
          name: String(row["path"]).slice(folderOf(subject).length + 1),
          size: Number(row["size"]),
        }));
      }),
    read: (subject, file) =>
      ask(async (sql, space) => {
        const [row] = await sql`
          SELECT bytes FROM commonplace.file WHERE space = ${space} AND key = ${`${folderOf(subject)}/${file}`}`;
        return row === undefined ? undefined : (row["bytes"] as Buffer);
      }),
    write: (subject, file, bytes) =>
      write(async (sql, space) => {
        const path = `${folderOf(subject)}/${file}`;
        await sql`
          INSERT INTO commonplace.file (space, path, key, folder, kind, hash, size, version, created, modified, member, bytes)
          SELECT ${space}, ${path}, ${path}, ${folderOf(subject)}, 'file', ${contentHash(bytes)}, ${bytes.length}, 0,
            extract(epoch FROM clock_timestamp()) * 1000, extract(epoch FROM clock_timestamp()) * 1000,
            commonplace.current_member(), ${bytes}
          WHERE ${space} IN (SELECT commonplace.spaces_as('writer'))
          ON CONFLICT (space, key) DO UPDATE SET modified = excluded.modified, member = excluded.member`;
      }),
    // By readers too, and by every reading: the newest is the one that was written last.
    touch: async () => {},
    remove: (subject, names) =>
      write(async (sql, space) => {
        const keys = names.map((file) => `${folderOf(subject)}/${file}`);
        await sql`DELETE FROM commonplace.file WHERE space = ${space} AND key = ANY(${keys})`;
      }),
  };
}
