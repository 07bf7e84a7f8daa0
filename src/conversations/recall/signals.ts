// Reads the signals that candidates are scored by, without their texts, since
// there are many more candidates than results. Used by local-store.ts.
import { type IndexDatabase, ReadCache } from "../../sqlite/sqlite.ts";
import type { ConversationType } from "./conversation-types.ts";

export interface ConversationSignals {
  readonly id: number;
  /** The program, and its id: `source/id`. */
  readonly name: string;
  readonly updated: number;
  readonly messages: number;
  readonly folder: string;
  readonly type: ConversationType;
}

const MAX_CACHED = 50_000;

/** By the id of the conversation. */
export type SignalCache = ReadCache<number, ConversationSignals, ConversationSignals>;

export function signalCache(database: IndexDatabase): SignalCache {
  return new ReadCache(database, {
    read: (ids: readonly number[]) => readSignals(database, ids),
    make: (signals) => signals,
    most: MAX_CACHED,
  });
}

function readSignals(database: IndexDatabase, ids: readonly number[]): [number, ConversationSignals][] {
  const rows = database.all(
    "SELECT id, source || '/' || key AS name, updated, messages, folder, type FROM conversation WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(ids),
  );
  return rows.map(({ id, name, updated, messages, folder, type }) => [
    Number(id),
    {
      id: Number(id),
      name: String(name),
      updated: Number(updated),
      messages: Number(messages),
      folder: String(folder),
      type: (type ?? "general") as ConversationType,
    },
  ]);
}
