// Conversations that a person wanted forgotten: nothing of them is taken in again,
// although their programs still have them. Used by store-writer.ts and imports.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import type { PreparedEvent } from "../ingest/reading/part-preparation.ts";
import type { SourceName } from "../sources/source.ts";
import { hashOf, type PartHash } from "./part-hash.ts";

/** For one transaction. */
export class ForgottenConversations {
  readonly #database: IndexDatabase;
  readonly #names: ReadonlySet<string>;

  constructor(database: IndexDatabase) {
    this.#database = database;
    const rows = database.all("SELECT source, key FROM forgotten");
    this.#names = new Set(rows.map(({ source, key }) => `${String(source)}/${String(key)}`));
  }

  has(source: SourceName, conversation: string): boolean {
    return this.#names.size > 0 && this.#names.has(`${source}/${conversation}`);
  }

  without(source: SourceName, events: readonly PreparedEvent[]): readonly PreparedEvent[] {
    if (this.#names.size === 0) return events;
    return events.filter((event) => {
      if (event.kind === "title") return !this.#hasPart(hashOf(source, "part", event.message));
      const conversation = conversationOf(event);
      if (conversation === undefined || !this.has(source, conversation)) return true;
      if (event.kind === "part") noteForgottenPart(this.#database, hashOf(source, "part", event.part.key));
      return false;
    });
  }

  #hasPart(hash: PartHash): boolean {
    return this.#database.get("SELECT 1 FROM forgotten_part WHERE hash = ?", hash) !== undefined;
  }
}

export function noteForgottenPart(database: IndexDatabase, hash: PartHash): void {
  database.run("INSERT OR IGNORE INTO forgotten_part VALUES (?)", hash);
}

/** Undefined for events about a transcript as a whole. */
function conversationOf(event: PreparedEvent): string | undefined {
  switch (event.kind) {
    case "conversation":
    case "remembered":
      return event.facts.id;
    case "part":
      return event.part.conversation;
    case "turns":
      return event.turns.conversation;
    case "usage":
      return event.usage.conversation;
    case "named":
    case "abandoned":
    case "revived":
      return event.conversation;
    default:
      return undefined;
  }
}
