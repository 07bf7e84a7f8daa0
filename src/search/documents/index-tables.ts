// The tables of the note index, which memory uses too. The index is a cache: a
// damaged file is deleted, and a release with other tables has its own file.
import { type Layout, removeDatabaseFiles } from "../../sqlite/sqlite.ts";
import { foldForSearch } from "../words/folding.ts";
import { WEIGHTS } from "../relevance.ts";
import { isOfTime } from "./note-times.ts";
import { OCCURRENCES } from "./word-places.ts";
import { TOKENIZER } from "../words/terms.ts";

/**
 * Part of the file's name: another release with other tables, other words or another table of word vectors has a file of
 * its own. Other words also need a new version of the shared store, for conversations: see the test of words/terms.ts.
 */
export const SCHEMA = 11;
export const NOTES_KIND = `notes-v${SCHEMA}`;

/**
 * The columns are ordered by their weight in the ranking. Each transaction of a bulk
 * load makes one segment. They are merged by `mergeText`, because FTS5's automatic
 * merge would run in the transactions of the load.
 */
const TABLES = `
  CREATE TABLE state (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE lease (work TEXT PRIMARY KEY, holder TEXT NOT NULL, pid INTEGER NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE document (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL, mtime REAL NOT NULL, inode REAL NOT NULL, hash TEXT, unread TEXT,
    created REAL NOT NULL
  );
  CREATE INDEX unread ON document (path, unread) WHERE unread IS NOT NULL;
  CREATE INDEX pdf_file ON document (id) WHERE kind = 'pdf';
  CREATE TABLE pdf (document INTEGER PRIMARY KEY, pages INTEGER NOT NULL, unread TEXT, text TEXT NOT NULL);
  CREATE TABLE facts (document INTEGER PRIMARY KEY, facts TEXT NOT NULL);
  CREATE TABLE meaning (document INTEGER PRIMARY KEY, written INTEGER NOT NULL, passages BLOB NOT NULL);
  CREATE INDEX meaning_written ON meaning (written);
  CREATE TABLE embedding (document INTEGER PRIMARY KEY, written INTEGER NOT NULL, passages BLOB NOT NULL);
  CREATE INDEX embedding_written ON embedding (written);
  CREATE TABLE embedding_model (model TEXT NOT NULL, dimensions INTEGER NOT NULL);
  CREATE TABLE name (folded TEXT, document INTEGER, PRIMARY KEY (folded, document)) WITHOUT ROWID;
  CREATE TABLE tag (folded TEXT, document INTEGER, written TEXT NOT NULL, PRIMARY KEY (folded, document)) WITHOUT ROWID;
  CREATE TABLE property (key TEXT, value TEXT, document INTEGER, PRIMARY KEY (key, value, document)) WITHOUT ROWID;
  CREATE TABLE link (name TEXT, document INTEGER, PRIMARY KEY (name, document)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE text USING fts5(
    name, title, headings, tags, properties, body,
    content='', contentless_delete=1, detail=full, tokenize="${TOKENIZER}"
  );
  INSERT INTO text(text, rank) VALUES ('automerge', 0), ('crisismerge', 64), ('usermerge', 8), ('hashsize', 16777216), ('rank', 'bm25(${WEIGHTS.join(", ")})');
  CREATE VIRTUAL TABLE word USING fts5vocab(text, row);
  CREATE VIRTUAL TABLE name_part USING fts5(
    names, content='', contentless_delete=1, detail=none, tokenize="trigram"
  );
  CREATE VIRTUAL TABLE name_trigram USING fts5vocab(name_part, row);`;

export const NOTES: Layout = {
  name: "the index",
  versions: [TABLES],
  prepare: (database) => {
    database.exec(OCCURRENCES);
    database.function("is_of_time", { deterministic: true }, (path, modified, created, start, end, first, last) =>
      Number(
        isOfTime(
          { path: String(path), modified: Number(modified), created: Number(created) },
          { start: Number(start), end: Number(end) },
          { first: String(first), last: String(last) },
        ),
      ),
    );
    database.function("fold", { deterministic: true }, (text) => foldForSearch(String(text)));
  },
  clear: removeDatabaseFiles,
};
