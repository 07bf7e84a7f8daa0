// A store of conversations in a temporary folder, closed after the tests of a
// file. Used by tests of the store and of sources.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openConversations, type AskOptions, type Conversations } from "../src/conversations/conversation-library.ts";
import type { ConversationSource, Home } from "../src/conversations/sources/source.ts";
import type { ConversationSummary } from "../src/conversations/store/conversation-reader.ts";
import { homeIn } from "./source-reader.ts";
import { atTheEnd, temporaryFolder } from "./temporary-folder.ts";

/** @param home a home, or its folder */
export function openStore(
  home: string | Home,
  sources: readonly ConversationSource[],
  file = join(temporaryFolder(), "conversations.db"),
): Conversations {
  const homes = [typeof home === "string" ? homeIn(home) : home];
  const conversations = openConversations({ file, sources, homes, redact: (text) => text, log: () => {} });
  atTheEnd(() => conversations.close());
  return thatIsComplete(conversations);
}

const complete = (options: AskOptions = {}) => ({ complete: options.asItIs !== true, ...options });

/**
 * The store answers after half a second as it is then. Here it reads everything
 * that changed first, unless a test asks for the store as it is: how much of it is
 * read by then depends on the machine.
 */
function thatIsComplete(store: Conversations): Conversations {
  return {
    ...store,
    recall: (question, options) => store.recall(question, complete(options)),
    find: (id, options) => store.find(id, complete(options)),
    authorsOf: (asked, options) => store.authorsOf(asked, complete(options)),
    authorsOfRow: (id, options) => store.authorsOfRow(id, complete(options)),
    project: (name, options) => store.project(name, complete(options)),
    sources: (options) => store.sources(complete(options)),
  };
}

export interface StoredConversation {
  readonly found: ConversationSummary;
  /** What was abandoned is in parentheses. */
  readonly prose: readonly string[];
}

/** The conversations of a home in a store, by their ids; to be read again when it has changed. */
export function storedIn(home: string, source: ConversationSource): (id: string) => Promise<StoredConversation> {
  const conversations = openStore(home, [source]);
  return async (id) => {
    const { answer } = await conversations.recall({ limit: 100 }, { complete: true });
    const found = answer.conversations.find((one) => one.id === id)!;
    const messages = [...conversations.messages(found)].flat().filter(({ kind }) => kind === "prose");
    return { found, prose: messages.map((one) => (one.isAbandoned ? `(${one.text})` : one.text)) };
  };
}

/** Makes a closed store one of 0.1.0, which kept the whole texts of tools in a file of their own. */
export function separateTexts(store: string, texts: string): void {
  const database = new DatabaseSync(store);
  try {
    database.exec(`
      ATTACH '${texts}' AS texts;
      CREATE TABLE texts.block (id INTEGER PRIMARY KEY, texts BLOB NOT NULL);
      CREATE TABLE texts.state (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
      INSERT INTO texts.block SELECT id, texts FROM main.block;
      INSERT INTO texts.state SELECT 'last', max(id) FROM main.block;
      DROP TABLE main.block;
      CREATE TABLE main.freed_block (id INTEGER PRIMARY KEY);
      PRAGMA main.user_version = 12;`);
  } finally {
    database.close();
  }
}
