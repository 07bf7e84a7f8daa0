// The journal of a space in a shared store: a table of all changes, with the bytes
// that reverse them. Used by shared-journal.ts.
import { isRecord, parseJson } from "../../kernel/kernel.ts";
import type { Row, TaggedQuery } from "../../shared/shared.ts";
import type { ChangedBy, Entry, EntryReader, NewEntry } from "../entry.ts";
import { decode, encode, namesInEncoded } from "../plan/action.ts";

/** All but the removed bytes, which could be many. */
const LISTED = "number, time, tool, message, origin, latest, undone, actions, ''::bytea AS removed";

/** @param space its number */
export function sharedEntries(sql: TaggedQuery, space: number): EntryReader {
  const find = async (number: number) => {
    const [row] = await sql`SELECT * FROM commonplace.file_change WHERE space = ${space} AND number = ${number}`;
    return row && entryOf(row);
  };
  return {
    find,
    // Of what the member did, undid or redid: nobody takes back the work of another without naming it.
    last: async ({ isUndone, accepts }) => {
      for (let skipped = 0; ; skipped++) {
        const [row] = await sql`
          SELECT done.number FROM commonplace.file_change AS done
          JOIN commonplace.file_change AS newest ON newest.space = done.space AND newest.number = coalesce(done.latest, done.number)
          WHERE done.space = ${space} AND done.origin IS NULL AND done.undone = ${isUndone}
            AND newest.member = commonplace.current_member()
          ORDER BY newest.number DESC LIMIT 1 OFFSET ${skipped}`;
        const entry = row && (await find(Number(row["number"])));
        if (entry === undefined || accepts(entry)) return entry;
      }
    },
    list: async (before, limit, path) => {
      const rows = await sql.run(
        `SELECT ${LISTED} FROM commonplace.file_change WHERE space = $1 AND number < $2
          AND ($4::text[] IS NULL OR EXISTS (SELECT 1 FROM unnest($4::text[]) AS name WHERE strpos(actions, name) > 0))
        ORDER BY number DESC LIMIT $3`,
        [space, before, limit, path === undefined ? null : namesInEncoded(path)],
      );
      return rows.map(entryOf);
    },
    after: async (number) => {
      const rows = await sql.run(
        `SELECT ${LISTED} FROM commonplace.file_change WHERE space = $1 AND number > $2 ORDER BY number`,
        [space, number],
      );
      return rows.map(entryOf);
    },
    count: async () => {
      const [row] = await sql`SELECT count(*)::int AS count FROM commonplace.file_change WHERE space = ${space}`;
      return Number(row!["count"]);
    },
    askerOf: async (number) => {
      const [row] = await sql`
        SELECT asker, member.name FROM commonplace.file_change LEFT JOIN commonplace.member ON member.id = file_change.member
        WHERE file_change.space = ${space} AND number = ${number}`;
      return row && byOf(row);
    },
    otherMemberOf: async (number) => {
      const [row] = await sql`
        SELECT member.name FROM commonplace.file_change LEFT JOIN commonplace.member ON member.id = file_change.member
        WHERE file_change.space = ${space} AND number = ${number}
          AND file_change.member IS DISTINCT FROM commonplace.current_member()`;
      return row && String(row["name"] ?? "a former member");
    },
  };
}

/** The member, and what asked for them. */
function byOf(row: Row): ChangedBy | undefined {
  const by = row["asker"] === null ? undefined : parseJson(String(row["asker"]));
  const known = isRecord(by) ? (by as unknown as ChangedBy) : undefined;
  if (row["name"] === null) return known;
  return { asker: "program", ...known, member: String(row["name"]) };
}

export async function addEntry(
  sql: TaggedQuery,
  space: number,
  { number, nonce, tool, message, origin, actions, by }: NewEntry & { readonly number: number; readonly nonce: string },
): Promise<void> {
  const { text, removed } = encode(actions);
  await sql`
    INSERT INTO commonplace.file_change (space, number, nonce, time, member, tool, message, origin, actions, removed, asker)
    VALUES (${space}, ${number}, ${nonce}, extract(epoch FROM clock_timestamp()) * 1000, commonplace.current_member(), ${tool}, ${message},
      ${origin ?? null}::bigint, ${text}, ${removed}, ${by === undefined ? null : JSON.stringify(by)})`;
  if (origin !== undefined)
    await sql`
      UPDATE commonplace.file_change SET undone = NOT undone, latest = ${number}
      WHERE space = ${space} AND number = ${origin}`;
}

/** Deletes the oldest entries beyond what the store keeps, a few at a time. */
export async function trimEntries(sql: TaggedQuery, space: number): Promise<void> {
  await sql`SELECT commonplace.trim_file_changes(${space}::bigint)`;
}

function entryOf(row: Row): Entry {
  return {
    number: Number(row["number"]),
    isDone: true,
    tool: String(row["tool"]),
    message: String(row["message"]),
    time: Number(row["time"]),
    origin: row["origin"] === null ? undefined : Number(row["origin"]),
    latest: row["latest"] === null ? undefined : Number(row["latest"]),
    isUndone: row["undone"] === true,
    ...actionsOf(row),
  };
}

/** A damaged entry must not affect the others: it is listed, but cannot be undone. */
function actionsOf(row: Row): Pick<Entry, "actions" | "isReadable"> {
  try {
    return { actions: decode(String(row["actions"]), row["removed"] as Uint8Array), isReadable: true };
  } catch {
    return { actions: [], isReadable: false };
  }
}
