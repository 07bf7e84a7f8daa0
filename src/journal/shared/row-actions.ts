// Applies the actions of a plan to the rows of a space, in the transaction that
// has locked it: all of them, or an error, on which the database rolls back. Used
// by shared-journal.ts. Times are those of the database: the clock of a member may be off.
import { type EntryPath, parentOf } from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import type { TaggedQuery } from "../../shared/shared.ts";
import type { Move, Patch, Planned, Put } from "../plan/action.ts";
import { conflict } from "../plan/conflicts.ts";
import { keyOf } from "./shared-files.ts";

/** Bytes of new content that one statement sends. */
const AT_ONCE = 4 * 1024 * 1024;
const MAX_AT_ONCE = 500;

/** The row that is being changed. */
interface Target {
  readonly sql: TaggedQuery;
  /** The number of the space. */
  readonly space: number;
  /** The number of the change. */
  readonly number: number;
}

interface Written<A extends Put | Patch> {
  readonly action: A;
  readonly bytes: Buffer;
  readonly times: Planned["times"];
}

export async function applyToRows(
  target: Target,
  planned: readonly Planned[],
  onProgress?: (written: number, of: number) => void,
): Promise<void> {
  /** Of one kind, which one statement writes. */
  let written: Written<Put | Patch>[] = [];
  let size = 0;
  const flush = async () => {
    const [first] = written;
    if (first?.action.kind === "patch") await replaceContents(target, written as Written<Patch>[]);
    else if (first !== undefined) await createFiles(target, written as Written<Put>[]);
    written = [];
    size = 0;
  };
  const paths = new Set<string>();
  for (const [done, { action, bytes, times }] of planned.entries()) {
    if (action.kind === "patch" || action.kind === "put") {
      // Two patches of one file would be one update of the same row.
      if (written[0]?.action.kind !== action.kind || paths.has(keyOf(action.path))) {
        await flush();
        paths.clear();
      }
      const content = asBuffer(await bytes!());
      written.push({ action, bytes: content, times });
      paths.add(keyOf(action.path));
      size += content.length;
      if (size <= AT_ONCE && written.length < MAX_AT_ONCE) continue;
      await flush();
      onProgress?.(done + 1, planned.length);
      continue;
    }
    await flush();
    switch (action.kind) {
      case "move":
        await move(target, action);
        break;
      case "make":
        await makeFolder(target, action.path);
        break;
      case "unmake":
        await removeFolder(target, action.path, action.implied);
    }
  }
  await flush();
}

async function replaceContents({ sql, space, number }: Target, replaced: readonly Written<Patch>[]): Promise<void> {
  const rows = await sql`
    UPDATE commonplace.file SET bytes = given.bytes, hash = given.after, size = length(given.bytes), version = ${number},
      modified = extract(epoch FROM clock_timestamp()) * 1000, member = commonplace.current_member()
    FROM unnest(${replaced.map(({ action }) => keyOf(action.path))}::text[], ${replaced.map(({ action }) => action.before)}::text[],
      ${replaced.map(({ action }) => action.after)}::text[], ${replaced.map(({ bytes }) => bytes)}::bytea[])
      AS given (key, before, after, bytes)
    WHERE file.space = ${space} AND file.key = given.key AND file.hash = given.before RETURNING file.key`;
  if (rows.length === replaced.length) return;
  const done = new Set(rows.map((row) => String(row["key"])));
  const { path } = replaced.find(({ action }) => !done.has(keyOf(action.path)))!.action;
  const [now] = await sql`SELECT hash FROM commonplace.file WHERE space = ${space} AND key = ${keyOf(path)}`;
  throw conflict(path, String(now?.["hash"] ?? "that of no file"));
}

async function createFiles({ sql, space, number }: Target, created: readonly Written<Put>[]): Promise<void> {
  const paths = created.map(({ action }) => action.path);
  const rows = await sql`
    INSERT INTO commonplace.file (space, path, key, folder, kind, hash, size, version, created, modified, member, bytes)
    SELECT ${space}, path, key, folder, 'file', hash, length(bytes), ${number},
      coalesce(created, extract(epoch FROM clock_timestamp()) * 1000),
      coalesce(modified, extract(epoch FROM clock_timestamp()) * 1000), commonplace.current_member(), bytes
    FROM unnest(${paths}::text[], ${paths.map(keyOf)}::text[], ${paths.map((path) => keyOf(parentOf(path)))}::text[],
      ${created.map(({ action }) => action.after)}::text[], ${created.map(({ bytes }) => bytes)}::bytea[],
      ${created.map(({ times }) => times?.created ?? null)}::float8[], ${created.map(({ times }) => times?.modified ?? null)}::float8[])
      AS given (path, key, folder, hash, bytes, created, modified)
    ON CONFLICT (space, key) DO NOTHING RETURNING key`;
  if (rows.length === created.length) return;
  const done = new Set(rows.map((row) => String(row["key"])));
  throw inTheWay(paths.find((path) => !done.has(keyOf(path)))!);
}

async function makeFolder({ sql, space, number }: Target, path: EntryPath): Promise<void> {
  await sql`
    INSERT INTO commonplace.file (space, path, key, folder, kind, version, created, modified, member)
    VALUES (${space}, ${path}, ${keyOf(path)}, ${keyOf(parentOf(path))}, 'folder', ${number},
      extract(epoch FROM clock_timestamp()) * 1000, extract(epoch FROM clock_timestamp()) * 1000,
      commonplace.current_member()) ON CONFLICT (space, key) DO NOTHING`;
}

/** @param implied a folder that is not empty stays, without an error */
async function removeFolder({ sql, space }: Target, path: EntryPath, implied: boolean): Promise<void> {
  const key = keyOf(path);
  const rows = await sql`
    DELETE FROM commonplace.file WHERE space = ${space} AND key = ${key} AND kind = 'folder'
      AND NOT EXISTS (SELECT 1 FROM commonplace.file AS inside WHERE inside.space = ${space} AND inside.folder = ${key})
    RETURNING 1`;
  if (rows.length === 0 && !implied) throw new Problem("conflict", `The folder ${path} is not empty.`);
}

/** With everything below it. */
async function move({ sql, space }: Target, { path, to }: Move): Promise<void> {
  const [key, toKey] = [keyOf(path), keyOf(to)];
  const rows = await sql`
    UPDATE commonplace.file SET member = commonplace.current_member(),
      path = ${to}::text || substr(path, char_length(${path}::text) + 1),
      key = ${toKey}::text || substr(key, char_length(${key}::text) + 1),
      folder = CASE WHEN key = ${key} THEN ${keyOf(parentOf(to))}::text
        ELSE ${toKey}::text || substr(folder, char_length(${key}::text) + 1) END
    WHERE space = ${space} AND (key = ${key} OR (key > ${`${key}/`} AND key < ${`${key}0`})) RETURNING 1`;
  if (rows.length === 0) throw new Problem("conflict", `${path} is gone. Nothing was changed.`);
}

function inTheWay(path: string): Problem {
  return new Problem("conflict", `There is something else at ${path} now. Nothing was changed.`);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
