// Messages that were abandoned when the person went back to an earlier one. Written
// when a source reports it, evaluated when messages are read, so that it does not
// matter which of a conversation's files is read first.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import type { Abandoned } from "../sources/source.ts";
import type { StoredPart } from "./pages.ts";

/** The columns of the table after the conversation. */
export function columnsOf(abandoned: Abandoned): [kind: string, name: string, position: number] {
  if ("message" in abandoned) return ["message", abandoned.message, 0];
  return "branch" in abandoned ? ["branch", abandoned.branch, abandoned.from] : ["before", "", abandoned.before];
}

export function abandonedIn(database: IndexDatabase, conversation: number): (part: StoredPart) => boolean {
  return abandonedBy(database.all("SELECT kind, name, position FROM abandoned WHERE conversation = ?", conversation));
}

export function abandonedBy(rows: readonly Readonly<Record<string, unknown>>[]): (part: StoredPart) => boolean {
  if (rows.length === 0) return () => false;
  const named = (kind: string) => rows.filter((row) => row["kind"] === kind);
  const messages = new Set(named("message").map(({ name }) => String(name)));
  const branches = new Map<string, number>();
  for (const { name, position } of named("branch"))
    branches.set(String(name), Math.min(Number(position), branches.get(String(name)) ?? Number.POSITIVE_INFINITY));
  const before = Math.max(Number.NEGATIVE_INFINITY, ...named("before").map(({ position }) => Number(position)));
  return ({ message, time }) => {
    if (messages.has(message) || (time !== undefined && time < before)) return true;
    const colon = message.lastIndexOf(":");
    const from = colon === -1 ? undefined : branches.get(message.slice(0, colon));
    return from !== undefined && Number(message.slice(colon + 1)) >= from;
  };
}
