// The files of a space: read, listed, changed, undone and kept apart as on a disk,
// by any number of members at once.
import { beforeAll, describe, expect, it } from "vitest";
import { accessRules, contentHash, parseEntryPath, parseFolderPath, parseVaultPath } from "../../src/files/files.ts";
import { openSharedStore, type SharedFileStore, type Step } from "../../src/journal/journal.ts";
import { trimEntries } from "../../src/journal/shared/shared-entries.ts";
import { removeMember, setRole, spaceNamed, type Store } from "../../src/shared/shared.ts";
import { HAS_POSTGRESQL, newSpaceOf, type TestDatabase } from "./store-fixture.ts";
import { twoMembers, type TwoMembers } from "./two-members.ts";

const at = (path: string) => parseVaultPath(path);
const create = (path: string, text: string): Step => ({ kind: "create", path: at(path), bytes: Buffer.from(text) });
const replace = (path: string, before: string, text: string): Step => ({
  kind: "replace",
  path: at(path),
  before: contentHash(Buffer.from(before)),
  bytes: Buffer.from(text),
});

describe.runIf(HAS_POSTGRESQL)("the files of a space", () => {
  let database: TestDatabase;
  let members: TwoMembers;

  beforeAll(async () => {
    members = await twoMembers();
    ({ database } = members);
  });

  /** A space of its own for each test, that both members write. */
  const newSpace = async () => {
    const { name, asAlice, asBob } = await members.newSpace();
    return { name, alice: await filesOf(asAlice, name), bob: await filesOf(asBob, name) };
  };
  const filesOf = (store: Store, space: string, options: object = {}) =>
    openSharedStore({ store, space, folder: `/nowhere/${space}` }, { log: () => {}, ...options });
  const change = ({ journal }: SharedFileStore, ...steps: Step[]) =>
    journal.change({ tool: "test" }, () => ({ message: "A change", steps }));
  const textOf = async ({ root }: SharedFileStore, path: string) => (await root.read(at(path)))?.bytes.toString();
  const pathsIn = async ({ root }: SharedFileStore) =>
    [...(await root.list(parseFolderPath("")))].map(({ path, kind }) => (kind === "folder" ? `${path}/` : path));

  it("are what one member writes and another reads, to the byte", async () => {
    const { alice, bob } = await newSpace();
    const bytes = Buffer.from([0, 255, 13, 10, 0x65, 0xcc, 0x81]);
    await change(alice, { kind: "create", path: at("a/b/é.bin"), bytes }, create("note.md", ""));
    const content = (await bob.root.read(at("a/b/e\u0301.bin")))!;
    expect(content.bytes).toEqual(bytes);
    expect(content.hash).toBe(contentHash(bytes));
    expect((await bob.root.read(at("note.md")))!.bytes).toHaveLength(0);
    expect(await bob.root.locate(at("a/b"))).toMatchObject({ kind: "folder", path: "a/b" });
    expect(await bob.root.locate(at("a/c.md"))).toMatchObject({ kind: "absent", stats: undefined });
    expect(await pathsIn(bob)).toEqual(["a/", "a/b/", "a/b/é.bin", "note.md"]);
    await expect(bob.root.read(at("a/b"))).rejects.toThrow("Not a file: a/b");
    await expect(bob.root.locate(at("note.md/x.md"))).rejects.toThrow("Invalid path: note.md/x.md");
    await expect(bob.root.read(at("a/b/é.bin"), 3)).rejects.toThrow("too large");
  });

  it("keep every byte, whether they are text or not, and whatever their name is", async () => {
    const { alice, bob } = await newSpace();
    // Text, with the mark of its encoding too; what no text may have in PostgreSQL, or anywhere; what looks like ours.
    const contents = ["\n", "\ufeff# Ω 𝄞\r\n", "\\x00ff", "[1, true]\n", "\u0000"]
      .map((text) => Buffer.from(text))
      .concat([[0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82], [0xff]].map(Buffer.from));
    const paths = contents.map((_, i) => at(`${i} "it's" é.md`));
    await change(alice, ...contents.map((bytes, i): Step => ({ kind: "create", path: paths[i]!, bytes })));
    for (const [i, path] of paths.entries()) {
      const read = (await bob.root.read(path))!;
      expect({ bytes: read.bytes, hash: read.hash }, path).toEqual({
        bytes: contents[i],
        hash: contentHash(contents[i]!),
      });
      expect(Number(read.stats.size)).toBe(contents[i]!.length);
    }
  });

  it("are those of the space that has the name now", async () => {
    const { name, asAlice, space } = await members.newSpace();
    const alice = await filesOf(asAlice, name);
    await change(alice, create("a.md", "before"));
    expect(await textOf(alice, "a.md")).toBe("before");
    await database.superuser`DELETE FROM commonplace.space WHERE id = ${space.id}`;
    await expect(alice.root.read(at("a.md"))).rejects.toThrow("no access");
    await newSpaceOf("alice", members.admin, name);
    expect(await textOf(alice, "a.md")).toBeUndefined();
    await change(alice, create("a.md", "after"));
    expect(await textOf(alice, "a.md")).toBe("after");
  });

  it("are listed as a disk lists them: folders before their content, by name, to a depth, without hidden ones", async () => {
    const { alice } = await newSpace();
    await change(alice, ...["b.md", "a b/x.md", "a/z.md", "a/y/k.md", "a.md"].map((path) => create(path, path)));
    await change(alice, { kind: "remove", path: at("b.md") });
    expect(await pathsIn(alice)).toEqual(["a/", "a/y/", "a/y/k.md", "a/z.md", "a b/", "a b/x.md", "a.md"]);
    const listed = [...(await alice.root.list(parseFolderPath("a"), { depth: 1 }))];
    expect(listed.map(({ path, depth }) => [path, depth])).toEqual([
      ["a/y", 1],
      ["a/z.md", 1],
    ]);
    expect([...(await alice.root.list(parseFolderPath("none")))]).toEqual([]);
    expect((await alice.root.locate(parseEntryPath(".trash/b.md"))).kind).toBe("file");
  });

  it("move with everything below them, and back", async () => {
    const { alice, bob } = await newSpace();
    await change(alice, create("a/b/one.md", "1"), create("a/two.md", "2"), create("ab.md", "3"));
    await change(bob, { kind: "rename", path: at("a"), to: at("c/d") });
    expect(await pathsIn(alice)).toEqual(["ab.md", "c/", "c/d/", "c/d/b/", "c/d/b/one.md", "c/d/two.md"]);
    await bob.journal.undo();
    expect(await pathsIn(alice)).toEqual(["a/", "a/b/", "a/b/one.md", "a/two.md", "ab.md"]);
    await bob.journal.redo();
    expect(await textOf(alice, "c/d/b/one.md")).toBe("1");
  });

  it("are changed all or nothing", async () => {
    const { alice } = await newSpace();
    await change(alice, create("a.md", "a"), create("b.md", "b"));
    const before = await alice.journal.count();
    await expect(change(alice, replace("a.md", "a", "new"), replace("b.md", "other", "new"))).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining(`its content hash is now ${contentHash(Buffer.from("b"))}`),
    });
    await expect(change(alice, replace("a.md", "a", "new"), create("b.md", ""))).rejects.toMatchObject({
      code: "exists",
    });
    expect([await textOf(alice, "a.md"), await alice.journal.count()]).toEqual(["a", before]);
    expect(await change(alice)).toBeUndefined();
    expect(await alice.journal.count()).toBe(before);
  });

  it("that two members edit in the same second give one of them a conflict with the current hash, and lose nothing", async () => {
    const { alice, bob } = await newSpace();
    await change(alice, create("n.md", "0"));
    for (let round = 0; round < 10; round++) {
      const results = await Promise.allSettled([
        change(alice, replace("n.md", `${round}`, `${round + 1}`)),
        change(bob, replace("n.md", `${round}`, `${round + 1}`)),
      ]);
      const refused = results.flatMap((each) => (each.status === "rejected" ? [each.reason as Error] : []));
      expect(refused).toHaveLength(1);
      expect(refused[0]!.message).toContain(contentHash(Buffer.from(`${round + 1}`)));
    }
    // Who reads under the lock waits instead.
    const append = ({ journal }: SharedFileStore, text: string) =>
      journal.change({ tool: "append" }, async (read) => {
        const { bytes, hash } = (await read(at("n.md")))!;
        const edits = [{ offset: bytes.length, length: 0, bytes: Buffer.from(text) }];
        return { message: text, steps: [{ kind: "replace", path: at("n.md"), before: hash, edits }] };
      });
    await Promise.all(Array.from({ length: 20 }, (_, i) => append(i % 2 === 0 ? alice : bob, `,${i}`)));
    const parts = (await textOf(bob, "n.md"))!.split(",");
    expect(parts.slice(1).toSorted()).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`).toSorted());
  });

  it("have a history with the member of each change, and undo takes one's own newest", async () => {
    const { alice, bob } = await newSpace();
    const first = (await change(alice, create("a.md", "a")))!;
    await bob.journal.change({ tool: "edit", by: { asker: "Claude" } }, () => ({
      message: "By Bob",
      steps: [create("b.md", "b")],
    }));
    const { entries } = await alice.journal.history();
    expect(entries.map(({ message, by }) => [message, by?.member, by?.asker])).toEqual([
      ["By Bob", "bob", "Claude"],
      ["A change", "alice", "program"],
    ]);
    expect(await alice.journal.next("undo")).toMatchObject({ id: first.id, isOwn: true });
    expect((await alice.journal.undo()).paths).toEqual(["a.md"]);
    expect(await pathsIn(bob)).toEqual(["b.md"]);
    // Nothing of one's own is left: that of another is taken only by its id, with who made it.
    await expect(alice.journal.undo()).rejects.toThrow("There is nothing to undo");
    const { id } = entries[0]!;
    expect(await alice.journal.undo({ id })).toMatchObject({ paths: ["b.md"], ofOthers: { by: { member: "bob" } } });
    expect(await pathsIn(alice)).toEqual([]);
    expect(await bob.journal.redo({ id: first.id })).toMatchObject({
      message: "Redid a change of alice: A change",
      ofOthers: { by: { member: "alice" } },
    });
    // One's own, by its id, with no more words.
    const again = await alice.journal.undo({ id: first.id });
    expect(again.message).toBe("Undid: A change");
    expect(again.ofOthers).toBeUndefined();
    await alice.journal.redo({ id: first.id });
    expect(await textOf(bob, "a.md")).toBe("a");
    // The oldest of all, also if it is not among the newest.
    const ofOne = await bob.journal.history({ limit: 1, path: "b" });
    expect(ofOne.entries.map(({ paths }) => paths)).toEqual([["b.md"]]);
    expect((await bob.journal.history({ path: "no" })).entries).toEqual([]);
    const paged = await bob.journal.history({ limit: 2 });
    expect(paged.entries).toHaveLength(2);
    expect((await bob.journal.history({ limit: 20, cursor: paged.nextCursor! })).entries).toHaveLength(5);
    expect(await bob.journal.changes(first.id)).toMatchObject({
      files: [{ kind: "created", path: "a.md", after: "a" }],
    });
  });

  it("are not undone if they were changed since: what stands in the way is named, and whose it is", async () => {
    const { alice, bob } = await newSpace();
    const first = (await change(alice, create("a.md", "one")))!;
    const second = (await change(bob, replace("a.md", "one", "two")))!;
    await expect(alice.journal.undo({ id: first.id })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("a.md was changed since"),
      hint: expect.stringMatching(
        new RegExp(`A later change of bob, not yours, stands in the way: ${second.id} .*undo ${second.id} first\\.$`),
      ),
    });
    const third = (await change(alice, create("c.md", "one")))!;
    const fourth = (await change(alice, replace("c.md", "one", "two")))!;
    await expect(alice.journal.undo({ id: third.id })).rejects.toMatchObject({
      hint: `Nothing was changed. A later change stands in the way: undo ${fourth.id} first (A change).`,
    });
    expect(await alice.journal.forecastUndo([second.id, first.id])).toEqual({ possible: 2 });
    expect(await alice.journal.forecastUndo([first.id])).toMatchObject({ possible: 0 });
    expect(await alice.journal.undo({ id: second.id })).toMatchObject({
      message: "Undid a change of bob: A change",
      ofOthers: { by: { member: "bob" } },
    });
    expect(await textOf(bob, "a.md")).toBe("one");
  });

  it("obey the settings of each machine: what they hide is absent, and what they protect stays", async () => {
    const { alice, name } = await newSpace();
    await change(alice, create("Private/x.md", "secret"), create("Fixed.md", "fixed"), create("open.md", "open"));
    const access = accessRules({ hide: ["Private/"], protect: ["Fixed.md"] });
    const guarded = await filesOf(database.open(members.bob), name, { access });
    expect(await pathsIn(guarded)).toEqual(["Fixed.md", "open.md"]);
    expect(await guarded.root.read(at("Private/x.md"))).toBeUndefined();
    await expect(change(guarded, replace("Fixed.md", "fixed", "x"))).rejects.toThrow("The settings protect Fixed.md");
    await expect(change(guarded, create("Private/y.md", ""))).rejects.toThrow("out of reach");
    const [newest] = (await guarded.journal.history()).entries;
    expect(newest).toBeUndefined();
  });

  it("are read by readers, who change nothing, and by nobody who was removed", async () => {
    const space = await newSpace();
    const { name } = space;
    await change(space.alice, create("a.md", "a"));
    const store = database.open(members.alice);
    await setRole(store, await spaceNamed(store, name), "bob", "reader");
    expect(await textOf(space.bob, "a.md")).toBe("a");
    await expect(change(space.bob, create("b.md", ""))).rejects.toThrow("You are a reader of the space");
    await expect(space.bob.journal.undo()).rejects.toThrow("You are a reader of the space");
    await expect(space.bob.journal.purge()).rejects.toThrow("Only an owner");
    await removeMember(store, await spaceNamed(store, name), "bob");
    await expect(space.bob.root.read(at("a.md"))).rejects.toThrow(`You have no access to the space ${name}`);
    await expect(space.bob.root.list(parseFolderPath(""))).rejects.toThrow("no access");
    await expect(space.bob.journal.history()).rejects.toThrow("no access");
    expect(await space.alice.journal.purge()).toBe(1);
    expect((await space.alice.journal.history()).entries).toEqual([]);
  });

  it("have a history of 30 days and 500 MB, of which readers and strangers delete nothing", async () => {
    const { name, space, asAlice, asBob } = await members.newSpace();
    const other = await members.newSpace();
    await change(await filesOf(asAlice, name), create("a.md", "a"));
    const day = 24 * 60 * 60 * 1000;
    const add = (number: number, bytes: number) => database.superuser`
      INSERT INTO commonplace.file_change (space, number, nonce, time, tool, message, actions, removed)
      VALUES (${space.id}, ${number}, ${String(number)}, ${Date.now()}, 'test', 'large', '[]',
        convert_to(repeat('x', ${bytes}), 'UTF8'))`;
    const now = Date.now();
    // By their numbers, which are times of the database, whatever the clock of a member said.
    await add(now - 31 * day, 1);
    for (let i = 6; i > 0; i--) await add(now - i * day, 100 * 1024 * 1024);
    const ages = async () => {
      const rows = await database.superuser`
        SELECT number FROM commonplace.file_change WHERE space = ${space.id} ORDER BY number`;
      return rows.map((row) => Math.round((now - Number(row["number"])) / day));
    };
    const trim = (store: Store) => store.transaction((sql) => trimEntries(sql, space.id));
    await setRole(asAlice, space, "bob", "reader");
    await trim(asBob);
    await removeMember(asAlice, await spaceNamed(asAlice, name), "bob");
    await trim(other.asBob);
    expect(await ages()).toEqual([31, 6, 5, 4, 3, 2, 1, 0]);
    await setRole(asAlice, space, "bob", "writer");
    await trim(asBob);
    expect(await ages()).toEqual([4, 3, 2, 1, 0]);
    await expect((await filesOf(asBob, name)).journal.purge()).rejects.toThrow("Only an owner");
    expect(await ages()).toEqual([4, 3, 2, 1, 0]);
  });

  it("are replaced by the thousand in one change", async () => {
    const { alice } = await newSpace();
    const paths = Array.from({ length: 1_200 }, (_, i) => `n/${i}.md`);
    await change(alice, ...paths.map((path) => create(path, path)));
    await change(alice, ...paths.map((path) => replace(path, path, `new ${path}`)));
    expect(await textOf(alice, "n/1199.md")).toBe("new n/1199.md");
    await alice.journal.undo();
    expect(await textOf(alice, "n/7.md")).toBe("n/7.md");
    await alice.journal.undo();
    expect(await pathsIn(alice)).toEqual([]);
  });
});
