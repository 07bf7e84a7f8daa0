// The ranking equals that of FTS5, also while rows are added and removed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { IndexDatabase } from "../../sqlite/index/index-database.ts";
import { documentSets } from "../../search/documents/document-sets.ts";
import { placesCache } from "../../search/documents/word-places.ts";
import { allOf, anyOf, ftsExpression, phrase, prefix, type TextQuery } from "../../search/text-query.ts";
import { CONVERSATIONS } from "./tables.ts";
import { FilterCache } from "./filter-cache.ts";
import { ConversationText, type TextCaches } from "./text-index.ts";
import { textRowsCache } from "./text-rows.ts";
import { choicesIn } from "./word-matches.ts";

const WORDS = ["note", "notes", "noted", "notable", "vault", "vaults", "build", "сборка", "検索", "x1"];
const word = (term: string) => phrase([term]);
const starting = (term: string) => prefix([term]);
const QUERIES = [
  word("note"),
  starting("note"),
  allOf([word("note"), word("vault")]),
  anyOf([starting("note"), word("vault"), word("сборка")]),
  allOf([anyOf([word("note"), anyOf([starting("vault"), word("build")])]), word("検索")]),
  allOf([starting("not"), anyOf([starting("vaul"), word("x1")]), word("build")]),
  word("nowhere"),
  anyOf([word("nowhere"), word("notable")]),
];

/** Fewer than there are. */
const LIMIT = 15;

let folder: string;
let database: IndexDatabase;
let caches: TextCaches;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "commonplace-words-"));
  database = new IndexDatabase(join(folder, "conversations.db"), () => {}, CONVERSATIONS);
  caches = {
    rows: textRowsCache(database),
    places: placesCache(database, ["prose"]),
    frequent: documentSets(database),

    filters: new FilterCache(database),
  };
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

describe("ranking words", () => {
  it("gives what FTS5 gives, to the last digit but one", () => {
    fill(40);
    for (const query of QUERIES) expect(ranked(query), ftsExpression(query)).toEqual(rankedByFts(query));
  });

  it("sees what was added, changed and removed since the last query", () => {
    fill(20);
    ranked(word("note"));
    const [first, second, changed] = database.all("SELECT id FROM page LIMIT 3").map(({ id }) => Number(id));
    for (const id of [first!, second!, changed!]) database.run("DELETE FROM text WHERE rowid = ?", id);
    database.run("DELETE FROM page WHERE id IN (?, ?)", first!, second!);
    database.run("INSERT INTO text (rowid, title, prose) VALUES (?, '', 'note note note vault')", changed!);
    database.run("UPDATE conversation SET is_listed = 1 - is_listed WHERE id IN (2, 5)");
    for (const query of QUERIES) expect(ranked(query), ftsExpression(query)).toEqual(rankedByFts(query));
  });

  it("sees what is being written", async () => {
    fill(20);
    ranked(word("note"));
    await database.write(() => {
      database.run("INSERT INTO page VALUES (1000, 7, 1, 0, 0, 10, 0)");
      database.run("INSERT INTO text (rowid, title, prose) VALUES (1000, '', 'note vault build 検索')");
      for (const query of QUERIES) expect(ranked(query), ftsExpression(query)).toEqual(rankedByFts(query));
    });
  });

  it("finds nothing in an empty store", () => {
    for (const query of QUERIES) expect(ranked(query)).toEqual([]);
  });

  it("finds the conversations with one of some words", () => {
    fill(30);
    const text = new ConversationText(database, caches, { condition: "TRUE", values: [] });
    const all = Array.from({ length: 30 }, (_, i) => ({ id: i + 1 }));
    for (const query of [word("note"), anyOf([starting("note"), word("vault")])]) {
      expect([...text.having(query, all)].toSorted((a, b) => a - b)).toEqual(
        foundByFts(query)
          .map(({ id }) => id)
          .toSorted((a, b) => a - b),
      );
    }
  });
});

describe("weighing words", () => {
  it("finds the last conversation with a word that an early one has thousands of times", () => {
    fill(30);
    const add = (row: number, prose: string) => {
      database.run("INSERT INTO page VALUES (?, ?, 1, 0, 0, 10, 0)", row, row > 1_000 ? 30 : 1);
      database.run("INSERT INTO text (rowid, title, prose) VALUES (?, '', ?)", row, prose);
    };
    for (let page = 0; page < 60; page++) add(500 + page, "error ".repeat(500));
    add(1_001, "an error at last");
    const text = new ConversationText(database, caches, { condition: "TRUE", values: [] });
    const error = { term: "error", offset: 0, weight: 1, spellings: text.spellings("error", false) };
    const vault = { term: "vault", offset: 1, weight: 1, spellings: text.spellings("vault", false) };
    for (const words of [[error], [error, vault]])
      expect(text.weigh(words, 50).best.map(({ id }) => id)).toEqual(expect.arrayContaining([1, 30]));
  });
});

describe("choices of words", () => {
  it("are the words that a query asks for, however they are nested", () => {
    expect(choicesIn(allOf([word("a"), anyOf([starting("b"), anyOf([word("c"), word("d")])])]))).toEqual([
      [{ term: "a", isPrefix: false }],
      [
        { term: "b", isPrefix: true },
        { term: "c", isPrefix: false },
        { term: "d", isPrefix: false },
      ],
    ]);
  });

  it.each([
    ["a phrase", phrase(["two", "words"])],
    ["a word and a phrase", allOf([word("a"), phrase(["two", "words"])])],
    ["a phrase that may go on", prefix(["two", "words"])],
    ["a word with letters that FTS5 might fold", word("naïve")],
  ])("do not exist for %s", (_, query) => {
    expect(choicesIn(query)).toBeUndefined();
  });
});

/** Conversations with a title and one to three pages each, the same every time. */
function fill(conversations: number): void {
  let seed = 1;
  const below = (limit: number) => (seed = (seed * 48_271) % 2_147_483_647) % limit;
  const text = (length: number) => Array.from({ length }, () => WORDS[below(WORDS.length)]).join(" ");
  let row = 0;
  for (let id = 1; id <= conversations; id++) {
    database.run("INSERT INTO conversation (id, source, key, is_listed) VALUES (?, 'codex', ?, 1)", id, `key ${id}`);
    database.run("INSERT INTO text (rowid, title, prose) VALUES (?, ?, '')", ++row, text(1 + below(3)));
    database.run("UPDATE conversation SET title_row = ? WHERE id = ?", row, id);
    for (let more = below(3); more >= 0; more--) {
      database.run("INSERT INTO page VALUES (?, ?, 1, 0, 0, 10, 0)", ++row, id);
      database.run("INSERT INTO text (rowid, title, prose) VALUES (?, '', ?)", row, text(1 + below(250)));
    }
  }
}

function ranked(query: TextQuery) {
  const text = new ConversationText(database, caches, { condition: "conversation.is_listed", values: [] });
  const { best, total } = text.match(query, LIMIT);
  expect(total).toBe(foundByFts(query).length);
  return best.map(({ id, rank, document }) => ({ id, rank: shown(rank), page: document.page }));
}

function rankedByFts(query: TextQuery) {
  return foundByFts(query).slice(0, LIMIT);
}

function foundByFts(query: TextQuery) {
  return database
    .all(
      `SELECT conversation.id, min(rank) AS rank, page.id AS page FROM (SELECT rowid AS hit, rank FROM text WHERE text MATCH ?)
       LEFT JOIN page ON page.id = hit JOIN conversation ON conversation.id = page.conversation OR conversation.title_row = hit
       WHERE conversation.is_listed GROUP BY conversation.id ORDER BY rank, conversation.id`,
      ftsExpression(query),
    )
    .map(({ id, rank, page }) => ({
      id: Number(id),
      rank: shown(Number(rank)),
      page: page === null ? undefined : Number(page),
    }));
}

/** The logarithm of V8 and that of the C library may differ in the last digit. */
function shown(rank: number): string {
  return rank.toPrecision(15);
}
