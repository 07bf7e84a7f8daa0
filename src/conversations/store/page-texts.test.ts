import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { IndexDatabase } from "../../sqlite/index/index-database.ts";
import { jsonOf, packed, type StoredPart } from "./pages.ts";
import { pageTextCache } from "./page-texts.ts";
import { CONVERSATIONS } from "./tables.ts";

let folder: string;
let database: IndexDatabase;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "commonplace-pages-"));
  database = new IndexDatabase(join(folder, "conversations.db"), () => {}, CONVERSATIONS);
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const part = (message: string, text: string): StoredPart => ({
  hash: "1",
  message,
  order: 1,
  role: "user",
  kind: "prose",
  text,
});

const wait = (page: number, ...parts: StoredPart[]) =>
  database.run("INSERT OR REPLACE INTO waiting VALUES (?, ?)", page, jsonOf(parts));

const pack = (page: number, ...parts: StoredPart[]) =>
  database.run("INSERT OR REPLACE INTO content VALUES (?, ?, NULL)", page, packed(jsonOf(parts)));

describe("the text of pages", () => {
  it("is that of their parts, packed or not, with the message at each position", () => {
    wait(1, part("a", "first"), part("b", "second"));
    pack(2, part("c", "third"));
    const texts = pageTextCache(database).of([1, 2, 3]);
    expect([...texts.keys()]).toEqual([1, 2]);
    expect(texts.get(1)!.text).toBe("first\n\nsecond");
    expect(texts.get(1)!.messages.find(({ end }) => end > "first\n\nse".length)!.id).toBe("b");
    expect(texts.get(2)!.text).toBe("third");
  });

  it("is cached until the page is written again", () => {
    const pages = pageTextCache(database);
    pack(1, part("a", "before"));
    const before = pages.of([1]).get(1);
    expect(pages.of([1]).get(1)).toBe(before);
    pack(1, part("a", "behind"));
    expect(pages.of([1]).get(1)!.text).toBe("behind");
  });

  it("is not cached for a removed page", () => {
    const pages = pageTextCache(database);
    pack(1, part("a", "before"));
    pages.of([1]);
    database.run("DELETE FROM content");
    expect(pages.of([1]).size).toBe(0);
  });

  it("is not cached beyond some megabytes", () => {
    const pages = pageTextCache(database);
    for (const page of [1, 2, 3]) pack(page, part("a", "x".repeat(4_000_000)));
    const first = pages.of([1]).get(1);
    pages.of([2, 3]);
    expect(pages.of([1]).get(1)).not.toBe(first);
  });
});
