import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { IndexDatabase } from "../../../sqlite/index/index-database.ts";
import { SeenMessages } from "./seen-messages.ts";
import { hashOf } from "../../store/part-hash.ts";
import { CONVERSATIONS } from "../../store/tables.ts";

let folder: string;
let store: IndexDatabase;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "commonplace-known-"));
  store = open();
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const open = () => new IndexDatabase(join(folder, "conversations.db"), () => {}, CONVERSATIONS);
const hash = (key: string) => hashOf("codex", "part", key);

async function add(database: IndexDatabase, key: string, page: number): Promise<void> {
  await database.write(() => {
    const known = new SeenMessages(database);
    known.add(hash(key), page);
    known.flush();
  });
}

const pagesOf = (database: IndexDatabase, ...keys: string[]) => {
  const known = new SeenMessages(database);
  known.look(keys.map(hash));
  return keys.map((key) => known.pageOf(hash(key)));
};

describe("seen messages", () => {
  it("include those of every transaction since the store was empty", async () => {
    expect(pagesOf(store, "a")).toEqual([undefined]);
    for (let i = 0; i < 2_000; i++) await add(store, `part ${i}`, i);
    expect(pagesOf(store, "part 0", "part 1999", "part 2000")).toEqual([0, 1999, undefined]);
  });

  it("include those that another process has added", async () => {
    await add(store, "ours", 1);
    const other = open();
    await add(other, "theirs", 2);
    expect(pagesOf(store, "ours", "theirs", "nobody's")).toEqual([1, 2, undefined]);
    await add(store, "ours again", 3);
    expect(pagesOf(other, "ours", "theirs", "ours again")).toEqual([1, 2, 3]);
    other.close();
  });

  it("include those of earlier processes", async () => {
    await add(store, "before", 1);
    store.close();
    store = open();
    expect(pagesOf(store, "before")).toEqual([1]);
  });

  it("do not include those of a transaction that failed", async () => {
    await expect(
      store.write(() => {
        const known = new SeenMessages(store);
        known.add(hash("lost"), 1);
        known.flush();
        throw new Error("stop");
      }),
    ).rejects.toThrow("stop");
    expect(pagesOf(store, "lost")).toEqual([undefined]);
  });
});
