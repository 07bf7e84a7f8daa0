// The tables of `<data>/conversations.db`. Unlike the notes' index this is no
// cache: programs delete their transcripts, and the store then has the only
// copy. So it is migrated by version, and a damaged file is kept under another
// name.
import { renameSync } from "node:fs";
import { redact } from "../../redaction/redaction.ts";
import { indexText, OCCURRENCES, symbolsOf, TOKENIZER } from "../../search/search.ts";
import type { Database, Layout } from "../../sqlite/sqlite.ts";
import { indexedText, partsIn, withoutSecretsIn } from "./pages.ts";
import { hashOf, messageHash } from "./part-hash.ts";

/**
 * - unit: a transcript, and how far it was read; `rest_…` for non-prose if the source reads that later (`is_apart`)
 * - holding: which transcripts have a conversation (archived if none of them exists), and its turns without words
 * - page: consecutive parts of a conversation, either prose or not (`is_rest`); one document of the full text
 * - content: the parts of a page, packed; in a table of its own, so that a search reads little
 * - waiting: the same, not packed yet (finish-indexing.ts)
 * - known: hashes of stored parts and messages, so that none is stored twice, and of the messages that prompts follow
 * - file: files that a conversation's tools touched or its text names
 * - place: the folders of conversations, and the project of each
 * - report: what each source found at the last refresh
 * - text: prose, and titles under minus the conversation's id (until the third version); tool_text: non-prose pages
 *
 * The full text is merged in our own steps, as in the notes' index. Phrases are searched in prose only, so tool_text
 * keeps no positions: a third of the size.
 */
const FIRST = `
  CREATE TABLE state (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE lease (work TEXT PRIMARY KEY, holder TEXT NOT NULL, pid INTEGER NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE unit (
    id INTEGER PRIMARY KEY, source TEXT NOT NULL, path TEXT NOT NULL UNIQUE,
    stamp TEXT, checkpoint TEXT, is_gone INTEGER NOT NULL DEFAULT 0, unreadable TEXT, skipped TEXT,
    is_apart INTEGER NOT NULL DEFAULT 0, rest_stamp TEXT, rest_checkpoint TEXT
  );
  CREATE INDEX unit_with_rest ON unit (id) WHERE is_apart AND NOT is_gone AND stamp IS NOT NULL AND rest_stamp IS NOT stamp;
  CREATE TABLE conversation (
    id INTEGER PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL,
    title TEXT, title_by TEXT, folder TEXT, workspace TEXT, branch TEXT,
    created REAL, created_known TEXT, updated REAL, updated_known TEXT,
    messages INTEGER NOT NULL DEFAULT 0, has_prose INTEGER NOT NULL DEFAULT 0, type TEXT, keywords TEXT, opening TEXT, files TEXT,
    continues INTEGER, repeats_until REAL, first_page INTEGER, is_archived INTEGER NOT NULL DEFAULT 0,
    UNIQUE (source, key)
  );
  CREATE INDEX conversation_updated ON conversation (updated) WHERE has_prose;
  CREATE INDEX conversation_continues ON conversation (continues) WHERE continues IS NOT NULL;
  CREATE TABLE holding (conversation INTEGER, unit INTEGER, turns INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (conversation, unit)) WITHOUT ROWID;
  CREATE INDEX holding_unit ON holding (unit);
  CREATE TABLE page (
    id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, unit INTEGER NOT NULL,
    first REAL NOT NULL, last REAL NOT NULL, size INTEGER NOT NULL, is_rest INTEGER NOT NULL
  );
  CREATE TABLE content (page INTEGER PRIMARY KEY, parts BLOB NOT NULL);
  CREATE TABLE waiting (page INTEGER PRIMARY KEY, parts TEXT NOT NULL);
  CREATE INDEX page_conversation ON page (conversation, is_rest, first);
  CREATE INDEX page_unit ON page (unit, conversation, is_rest);
  CREATE TABLE known (hash INTEGER PRIMARY KEY, page INTEGER NOT NULL);
  CREATE TABLE file (conversation INTEGER, path TEXT, count INTEGER NOT NULL, PRIMARY KEY (conversation, path)) WITHOUT ROWID;
  CREATE TABLE pending_title (hash INTEGER PRIMARY KEY, title TEXT NOT NULL);
  CREATE TABLE place (folder TEXT PRIMARY KEY, project TEXT NOT NULL, root TEXT NOT NULL, inode TEXT) WITHOUT ROWID;
  CREATE INDEX place_project ON place (project);
  CREATE TABLE report (source TEXT PRIMARY KEY, report TEXT NOT NULL) WITHOUT ROWID;
  CREATE VIRTUAL TABLE text USING fts5(
    title, prose, content='', contentless_delete=1, detail=full, tokenize="unicode61 remove_diacritics 0"
  );
  INSERT INTO text(text, rank) VALUES ('automerge', 0), ('crisismerge', 64), ('usermerge', 8), ('hashsize', 16777216), ('rank', 'bm25(6, 1)');
  CREATE VIRTUAL TABLE tool_text USING fts5(
    body, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0"
  );
  INSERT INTO tool_text(tool_text, rank) VALUES ('automerge', 0), ('crisismerge', 64), ('usermerge', 8), ('hashsize', 16777216);
  CREATE VIRTUAL TABLE word USING fts5vocab(text, row);`;

/**
 * - unit.reader: the version of the reader that has read it
 * - conversation.is_listed: whether it has prose, or has prose that cannot be read: see `unavailable`
 * - conversation.unavailable: why only its title can be read
 * - conversation.model: the model that answered last
 * - conversation.copied_at: when it was created as a copy of another conversation
 * - conversation.continues_key: the program's id of the conversation that it continues without repeating it
 * - conversation.shared_until: the order of the last message that it shares with the conversation that it continues
 * - abandoned: messages that the conversation no longer builds on; see `Abandoned` in source.ts
 * - pending_name: titles of conversations that were not read yet
 */
const SECOND = `
  ALTER TABLE unit ADD COLUMN reader INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE conversation RENAME COLUMN has_prose TO is_listed;
  ALTER TABLE conversation ADD COLUMN unavailable TEXT;
  ALTER TABLE conversation ADD COLUMN model TEXT;
  ALTER TABLE conversation ADD COLUMN copied_at REAL;
  ALTER TABLE conversation ADD COLUMN continues_key TEXT;
  ALTER TABLE conversation ADD COLUMN shared_until REAL;
  CREATE TABLE abandoned (
    conversation INTEGER, kind TEXT, name TEXT, position REAL, PRIMARY KEY (conversation, kind, name, position)
  ) WITHOUT ROWID;
  CREATE TABLE pending_name (source TEXT, key TEXT, title TEXT NOT NULL, PRIMARY KEY (source, key)) WITHOUT ROWID;`;

/**
 * - conversation.title_row: the row of its title in `text`. Rows of titles and ids of pages are counted together.
 * - known: either the page that has the part or message, or the unit that counted a message without words
 *
 * Up to the second version, the sign of an id said which of the two it was. `text` keeps no copy of what it indexes, so
 * titles are indexed again from their conversations.
 */
function addTitleRows(database: Database): void {
  database.exec(`
    CREATE TABLE known_without_signs (hash INTEGER PRIMARY KEY, page INTEGER, unit INTEGER);
    INSERT INTO known_without_signs SELECT hash, iif(page > 0, page, NULL), iif(page < 0, -page, NULL) FROM known ORDER BY hash;
    DROP TABLE known;
    ALTER TABLE known_without_signs RENAME TO known;
    ALTER TABLE conversation ADD COLUMN title_row INTEGER;
    DELETE FROM text WHERE rowid < 0;`);
  const titles = database.prepare("SELECT id, title FROM conversation WHERE title IS NOT NULL ORDER BY id").all();
  const index = database.prepare("INSERT INTO text (rowid, title, prose) VALUES (?, ?, '')");
  const mark = database.prepare("UPDATE conversation SET title_row = ? WHERE id = ?");
  let row = Number(database.prepare("SELECT max(id) AS id FROM page").get()!["id"] ?? 0);
  for (const { id, title } of titles) {
    index.run(++row, indexText(String(title)));
    mark.run(row, Number(id));
  }
  database.exec("CREATE UNIQUE INDEX conversation_title_row ON conversation (title_row)");
}

/** - place.name: what the project is called, see project-names.ts; written by the next refresh */
const FOURTH = "ALTER TABLE place ADD COLUMN name TEXT";

/**
 * - tool_block: a block of whole texts (tool-texts.ts): whose, from which unit, its bytes, and whether it was dropped
 * - freed_block: blocks that are still to be removed from their file
 *
 * Every unit is read again for its whole texts, non-prose apart from prose (`is_apart`); what programs have deleted
 * stays as it is.
 */
const FIFTH = `
  CREATE TABLE tool_block (
    id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, unit INTEGER NOT NULL, size INTEGER NOT NULL,
    is_dropped INTEGER NOT NULL
  );
  CREATE INDEX tool_block_conversation ON tool_block (conversation, is_dropped, size);
  CREATE INDEX tool_block_unit ON tool_block (unit, conversation);
  CREATE TABLE freed_block (id INTEGER PRIMARY KEY);
  UPDATE unit SET reader = 0, is_apart = 1;`;

/**
 * - unredacted: pages that an earlier release has put into the full text with their secrets; finish-indexing.ts puts
 *   them there without
 *
 * Titles are stored without secrets.
 */
function redactTitles(database: Database): void {
  database.exec(`
    CREATE TABLE unredacted (page INTEGER PRIMARY KEY);
    INSERT INTO unredacted SELECT id FROM page WHERE id NOT IN (SELECT page FROM waiting);`);
  const titles = database.prepare("SELECT id, title, title_row FROM conversation WHERE title_row IS NOT NULL").all();
  for (const { id, title, title_row } of titles) {
    const redacted = redact(String(title));
    if (redacted === title) continue;
    database.prepare("UPDATE conversation SET title = ? WHERE id = ?").run(redacted, id!);
    database.prepare("DELETE FROM text WHERE rowid = ?").run(title_row!);
    const sql = "INSERT INTO text (rowid, title, prose) VALUES (?, ?, '')";
    database.prepare(sql).run(title_row!, indexText(redacted));
  }
}

/**
 * - conversation.messages: messages of prose. Up to the sixth version, turns in which the assistant only called tools
 *   were counted too: in `holding.turns`, and in `known` with their unit.
 * - known: messages of several parts under hashes with their conversation
 */
function countProse(database: Database): void {
  database.exec(`
    CREATE TABLE known_on_pages (hash INTEGER PRIMARY KEY, page INTEGER NOT NULL);
    INSERT INTO known_on_pages SELECT hash, page FROM known WHERE page IS NOT NULL ORDER BY hash;
    DROP TABLE known;
    ALTER TABLE known_on_pages RENAME TO known;
    ALTER TABLE holding DROP COLUMN turns;`);
  const remove = database.prepare("DELETE FROM known WHERE hash = ?");
  const add = database.prepare("INSERT OR IGNORE INTO known VALUES (?, ?)");
  const pages = database.prepare(
    `SELECT page.id AS page, coalesce(waiting.parts, content.parts) AS parts FROM page
     LEFT JOIN waiting ON waiting.page = page.id LEFT JOIN content ON content.page = page.id
     WHERE conversation = ? AND NOT is_rest ORDER BY page.id`,
  );
  const count = database.prepare("UPDATE conversation SET messages = ? WHERE id = ?");
  // Every run returns the last rowid, here a hash: as a number it is too large, and Node 26 throws.
  for (const statement of [remove, add, count]) statement.setReadBigInts(true);
  for (const { id, source, key } of database.prepare("SELECT id, source, key FROM conversation").all()) {
    const messages = new Set<string>();
    for (const { page, parts } of pages.all(id!))
      for (const { hash, message } of partsIn(parts)) {
        messages.add(message);
        if (hashOf(String(source), "part", message) === hash) continue;
        remove.run(BigInt(hashOf(String(source), "message", message)));
        add.run(BigInt(messageHash(String(source), String(key), message)), page!);
      }
    count.run(messages.size, id!);
  }
}

/**
 * - content.clean: the version of redaction that finds no secret in a page of prose, so that snippets of it need not be
 *   redacted; NULL if there may be one
 */
const EIGHTH = "ALTER TABLE content ADD COLUMN clean INTEGER";

/** - usage: the tokens of a conversation, by transcript, and by session if a transcript has several of it */
const NINTH = `
  CREATE TABLE usage (
    conversation INTEGER, unit INTEGER, session TEXT, input INTEGER NOT NULL, output INTEGER NOT NULL, cached INTEGER NOT NULL,
    PRIMARY KEY (conversation, unit, session)
  ) WITHOUT ROWID;
  CREATE INDEX usage_unit ON usage (unit);`;

/**
 * - unredacted: also the pages that an earlier release has put into the full text without emoji and signs
 *
 * Titles with them are indexed again.
 */
function indexSymbols(database: Database): void {
  database.exec("INSERT OR IGNORE INTO unredacted SELECT id FROM page");
  const titles = database.prepare("SELECT title, title_row FROM conversation WHERE title_row IS NOT NULL").all();
  for (const { title, title_row } of titles) {
    if (symbolsOf(String(title)).length === 0) continue;
    database.prepare("DELETE FROM text WHERE rowid = ?").run(title_row!);
    const sql = "INSERT INTO text (rowid, title, prose) VALUES (?, ?, '')";
    database.prepare(sql).run(title_row!, indexText(String(title)));
  }
}

/**
 * - text, tool_text: with a tokenizer that keeps the marks of a word, such as the vowel signs of Hindi
 *
 * Prose and titles are indexed again at once, so that none is missing from a search; non-prose in the background.
 */
function keepMarks(database: Database): void {
  database.exec(`
    DROP TABLE word;
    DROP TABLE text;
    DROP TABLE tool_text;
    CREATE VIRTUAL TABLE text USING fts5(
      title, prose, content='', contentless_delete=1, detail=full, tokenize="${TOKENIZER}"
    );
    INSERT INTO text(text, rank) VALUES ('automerge', 0), ('crisismerge', 64), ('usermerge', 8), ('hashsize', 16777216), ('rank', 'bm25(6, 1)');
    CREATE VIRTUAL TABLE tool_text USING fts5(
      body, content='', contentless_delete=1, detail=none, tokenize="${TOKENIZER}"
    );
    INSERT INTO tool_text(tool_text, rank) VALUES ('automerge', 0), ('crisismerge', 64), ('usermerge', 8), ('hashsize', 16777216);
    CREATE VIRTUAL TABLE word USING fts5vocab(text, row);
    INSERT OR IGNORE INTO unredacted SELECT id FROM page WHERE is_rest;`);
  const insert = database.prepare("INSERT INTO text (rowid, title, prose) VALUES (?, ?, ?)");
  const titles = database.prepare("SELECT title, title_row FROM conversation WHERE title_row IS NOT NULL").all();
  for (const { title, title_row } of titles) insert.run(title_row!, indexText(String(title)), "");
  const pages = database.prepare(
    `SELECT page.id AS page, coalesce(waiting.parts, content.parts) AS parts FROM page
     LEFT JOIN waiting ON waiting.page = page.id LEFT JOIN content ON content.page = page.id
     WHERE NOT is_rest ORDER BY page.id`,
  );
  for (const { page, parts } of pages.iterate())
    insert.run(page!, "", indexedText(partsIn(parts).map(({ text }) => withoutSecretsIn(text))));
}

/**
 * - forgotten: conversations that a person wanted forgotten; nothing of them is taken in again
 * - forgotten_part: hashes of their parts, so that titles of these are left out, too
 * - exported: folders to which conversations were exported
 */
const TWELFTH = `
  CREATE TABLE IF NOT EXISTS forgotten (source TEXT, key TEXT, PRIMARY KEY (source, key)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS forgotten_part (hash INTEGER PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS exported (folder TEXT PRIMARY KEY) WITHOUT ROWID;`;

/**
 * - block: the texts of a tool_block, compressed together. Those of 0.1.0 are in a file of their own until
 *   finish-indexing.ts has moved them, see earlier-texts.ts; until then state has `earlier tool texts`
 */
const THIRTEENTH = `
  CREATE TABLE IF NOT EXISTS block (id INTEGER PRIMARY KEY, texts BLOB NOT NULL);
  DROP TABLE IF EXISTS freed_block;
  INSERT OR IGNORE INTO state SELECT 'earlier tool texts', 1 WHERE EXISTS (SELECT 1 FROM tool_block WHERE NOT is_dropped);`;

export const CONVERSATIONS: Layout = {
  name: "the store of conversations",
  // Packed parts are about 2 kB, and would waste half of the usual pages of 4 kB. Packing frees pages: see finish-indexing.ts.
  settings: "PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA temp_store = MEMORY",
  versions: [
    FIRST,
    SECOND,
    addTitleRows,
    FOURTH,
    FIFTH,
    redactTitles,
    countProse,
    EIGHTH,
    NINTH,
    indexSymbols,
    keepMarks,
    TWELFTH,
    THIRTEENTH,
  ],
  // A view of every occurrence of every word in the full text; stores nothing.
  prepare: (database) => database.exec(OCCURRENCES),
  clear: (file) => {
    const damaged = file.replace(/\.db$/, `-damaged-${new Date().toISOString().replace(/[^\d]/g, "").slice(0, 14)}.db`);
    for (const ending of ["-wal", "-shm", ""]) {
      try {
        renameSync(file + ending, damaged + ending);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
    }
  },
};
