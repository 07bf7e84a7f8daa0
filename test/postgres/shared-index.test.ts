// The index of a space in a shared store: who asks finds what was committed before,
// no matter who wrote it; it answers only those who are in the space now, and has nothing of an
// earlier space of the same name.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { accessRules, parseVaultPath } from "../../src/files/files.ts";
import { Turns } from "../../src/kernel/kernel.ts";
import { openSharedStore } from "../../src/journal/journal.ts";
import {
  admitMember,
  createStore,
  leaveSpace,
  removeMember,
  setRole,
  spaceNamed,
  type Store,
  type TaggedQuery,
} from "../../src/shared/shared.ts";
import { SERVER_ROLE } from "../../src/shared/schema/roles.ts";
import {
  append,
  deleteNote,
  editNote,
  moveFolder,
  moveNote,
  openSharedVault,
  type Vault,
} from "../../src/vault/vault.ts";
import { atTheEnd, temporaryFolder } from "../temporary-folder.ts";
import { SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase, newSpaceOf, type TestDatabase } from "./store-fixture.ts";

const log = () => {};
const WORDS = join(import.meta.dirname, "..", "..", "assets", "word-vectors", "words.bin");

describe.runIf(HAS_POSTGRESQL)("the index of a space", () => {
  let [admin, alice, bob]: Store[] = [];
  let database: TestDatabase;

  /** A login that may say for whom it works. */
  const serverLogin = async () => {
    const login = await database.newLogin("server");
    await database.superuser.script(`GRANT ${SERVER_ROLE} TO ${login}`);
    return login;
  };

  beforeAll(async () => {
    database = await newDatabase();
    admin = database.open(SUPERUSER);
    await createStore(admin);
    for (const name of ["alice", "bob"]) await admitMember(admin, { name, login: await database.newLogin(name) });
    [alice, bob] = ["alice", "bob"].map((name) => database.open(`${name}_${database.name}`));
  });

  const vaultOf = async (store: Store, space: string, cache: string): Promise<Vault> => {
    const vault = await openSharedVault({ store, space, folder: join("/nowhere", space) }, { cache, log });
    atTheEnd(vault.close);
    return vault;
  };
  const write = async (store: Store, space: string, path: string, text: string) => {
    const { journal } = await openSharedStore({ store, space, folder: join("/nowhere", space) }, { log });
    await journal.change({ tool: "test" }, () => ({
      message: "Written",
      steps: [{ kind: "create", path: parseVaultPath(path), bytes: Buffer.from(text) }],
    }));
  };
  /** Everything that can be asked of an index without naming a note. */
  const questions: readonly ((vault: Vault) => Promise<unknown>)[] = [
    ({ index }) => index.search("heron", { limit: 10 }),
    ({ index }) => index.tags(),
    ({ index }) => index.paths(),
    ({ index }) => index.headings("heron", 10),
    ({ index }) => index.filesNamed("heron", 10),
    ({ index }) => index.named("Heron"),
    ({ index }) => index.files(),
    ({ index }) => index.backlinks(["Heron.md"]),
    ({ index }) => index.links(["Heron.md"]),
    ({ index }) => index.similar("Heron.md", 3),
    ({ index }) => index.stamp(),
  ];

  it("refuses every question of a member who was removed, at once, also while another member is answered", async () => {
    await newSpaceOf("alice", admin!, "team");
    await setRole(alice!, await spaceNamed(alice!, "team"), "bob", "writer");
    await write(alice!, "team", "Heron.md", "# Heron\n\nA heron. #bird\n");
    const cache = temporaryFolder();
    const [ofAlice, ofBob] = [await vaultOf(alice!, "team", cache), await vaultOf(bob!, "team", cache)];
    for (const ask of questions) await ask(ofBob);
    expect((await ofBob.index.search("heron", { limit: 10 })).total).toBe(1);
    await removeMember(alice!, await spaceNamed(alice!, "team"), "bob");
    for (let round = 0; round < 5; round++)
      for (const ask of questions) {
        const [allowed, refused] = await Promise.allSettled([ask(ofAlice), ask(ofBob)]);
        expect(allowed).toMatchObject({ status: "fulfilled" });
        expect(refused, String(ask)).toMatchObject({ status: "rejected", reason: { code: "denied" } });
      }
    expect(await ofBob.index.namedLike("Heorn")).toEqual([]);
    // Their machine keeps nothing; nor does it answer with the index of another member.
    expect(readdirSync(cache).filter((name) => name.endsWith(".db"))).toHaveLength(1);
    const later = await vaultOf(bob!, "team", cache);
    await expect(later.index.tags()).rejects.toMatchObject({ code: "denied" });
    expect(await later.index.namedLike("Heorn")).toEqual([]);
  });

  const paths = async (vault: Vault, query: string) =>
    (await vault.index.search(query, { limit: 10 })).hits.map(({ path }) => path);
  it("finds what another process has written, renamed, moved with its folder, deleted and brought back", async () => {
    await newSpaceOf("alice", admin!, "changes");
    const cache = temporaryFolder();
    const [vault, other] = [await vaultOf(alice!, "changes", cache), await vaultOf(alice!, "changes", cache)];
    await write(alice!, "changes", "Birds/Heron.md", "# Heron\n\nA heron beside a crane.\n");
    await write(alice!, "changes", "Birds/Egret.md", "# Egret\n\nNo other bird.\n");
    // What is never indexed is not gone either.
    await alice!.transaction(
      (sql) => sql`
        INSERT INTO commonplace.file (space, path, key, folder, kind, bytes, hash, size, version, created, modified, member)
        SELECT space, '.obsidian/app.json', '.obsidian/app.json', '.obsidian', kind, bytes, hash, size, version, created, modified, member
        FROM commonplace.file WHERE path = 'Birds/Egret.md'`,
    );
    expect(await vault.index.refresh()).toMatchObject({ total: 2, changed: 2, removed: 0 });
    expect(await paths(vault, "heron")).toEqual(["Birds/Heron.md"]);
    expect(await paths(vault, "egret")).toEqual(["Birds/Egret.md"]);
    await moveFolder(other, { tool: "test" }, { path: "Birds", newPath: "Animals/Birds" });
    expect(await paths(vault, "heron")).toEqual(["Animals/Birds/Heron.md"]);
    expect((await vault.index.named("Heron")).answer).toEqual(["Animals/Birds/Heron.md"]);
    await moveNote(
      other,
      { tool: "test" },
      {
        path: "Animals/Birds/Heron.md",
        newPath: "Animals/Stork.md",
        overwrite: false,
      },
    );
    expect(await paths(vault, "stork")).toEqual(["Animals/Stork.md"]);
    expect((await vault.index.named("Stork")).answer).toEqual(["Animals/Stork.md"]);
    await editNote(other, { tool: "test" }, { filePath: "Animals/Stork.md", change: append("One crane more.") });
    expect(await paths(vault, "crane more")).toEqual(["Animals/Stork.md"]);
    await deleteNote(other, { tool: "test" }, "Animals/Stork.md");
    expect(await paths(vault, "crane")).toEqual([]);
    await other.journal.undo();
    expect(await paths(vault, "crane")).toEqual(["Animals/Stork.md"]);
    await vault.index.refresh({ rebuild: true });
    expect(await paths(vault, "egret")).toEqual(["Animals/Birds/Egret.md"]);
    expect(await paths(vault, "crane")).toEqual(["Animals/Stork.md"]);
  });

  it("has a note that is added beside those that it had of the same words", async () => {
    await newSpaceOf("alice", admin!, "added");
    const vault = await vaultOf(alice!, "added", temporaryFolder());
    for (const name of ["One.md", "Two.md", "Three.md"]) {
      await write(alice!, "added", name, `the word of ${name} is heron`);
      expect(await paths(vault, '"is heron"')).toContain(name);
    }
    expect((await paths(vault, '"is heron"')).toSorted()).toEqual(["One.md", "Three.md", "Two.md"]);
  });

  it("has a note as it is after a change that was committed while the note was being indexed", async () => {
    await newSpaceOf("alice", admin!, "race");
    await write(alice!, "race", "Note.md", "the word is heron");
    const { id: space } = await spaceNamed(alice!, "race");
    // As if another changed it after a slow process has read it, and before that has indexed it.
    let isRaced = false;
    const slow: Store = {
      ...alice!,
      call: async (name, values) => {
        const answer = await alice!.call(name, values);
        if (name === "read_texts" && !isRaced) {
          isRaced = true;
          await alice!.transaction(
            (change) => change`
              UPDATE commonplace.file SET bytes = 'the word is egret', hash = 'another', member = commonplace.current_member()
              WHERE space = ${space}`,
          );
        }
        return answer;
      },
    };
    const vault = await vaultOf(slow, "race", temporaryFolder());
    await vault.index.refresh();
    expect(isRaced).toBe(true);
    expect(await paths(vault, "egret")).toEqual(["Note.md"]);
    expect(await paths(vault, "heron")).toEqual([]);
  });

  it("is the same for readers with a login of their own, and through a server", async () => {
    await newSpaceOf("alice", admin!, "readers");
    await setRole(alice!, await spaceNamed(alice!, "readers"), "bob", "reader");
    await write(alice!, "readers", "Note.md", "the word is heron");
    const throughServer = database.open(await serverLogin()).forMember("bob");
    for (const store of [bob!, throughServer]) {
      const vault = await vaultOf(store, "readers", temporaryFolder());
      expect(await vault.index.search("heron", { limit: 10 })).toMatchObject({ total: 1, stale: false });
      expect(await vault.index.refresh({ rebuild: true })).toMatchObject({ total: 1, changed: 1, removed: 0 });
    }
  });

  it("waits for the change that has the lower number, and misses neither of two that are open at once", async () => {
    await newSpaceOf("alice", admin!, "open");
    const { id: space } = await spaceNamed(alice!, "open");
    await setRole(alice!, await spaceNamed(alice!, "open"), "bob", "writer");
    const vault = await vaultOf(alice!, "open", temporaryFolder());
    await vault.index.refresh();
    const added = (sql: TaggedQuery, path: string) =>
      sql`
        INSERT INTO commonplace.file (space, path, key, folder, kind, bytes, hash, size, version, created, modified, member)
        VALUES (${space}, ${path}, ${path}, '', 'file', 'a heron', ${path}, 7, 1, 1, 1, commonplace.current_member())`;
    const [isFirstOpen, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = alice!.transaction(async (sql) => {
      await added(sql, "First.md");
      isFirstOpen.resolve();
      await mayEnd.promise;
    });
    await isFirstOpen.promise;
    let isSecondDone = false;
    const second = bob!.transaction((sql) => added(sql, "Second.md")).then(() => (isSecondDone = true));
    await expect
      .poll(
        async () =>
          (
            await database.superuser`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = ${database.name}`
          ).length,
      )
      .toBe(1);
    expect(await paths(vault, "heron")).toEqual([]);
    expect(isSecondDone).toBe(false);
    mayEnd.resolve();
    await Promise.all([first, second]);
    expect((await paths(vault, "heron")).toSorted()).toEqual(["First.md", "Second.md"]);
  });

  it("is that of the space which has the name now, also if two spaces have swapped their names", async () => {
    const cache = temporaryFolder();
    for (const [name, text] of [
      ["one", "a heron"],
      ["other", "an egret"],
    ] as const) {
      await newSpaceOf("alice", admin!, name);
      await write(alice!, name, `${text}.md`, text);
    }
    const vaults = await Promise.all(["one", "other"].map((name) => vaultOf(alice!, name, cache)));
    const found = () =>
      Promise.all(vaults.map(async (vault) => [await paths(vault, "heron"), await paths(vault, "egret")]));
    expect(await found()).toEqual([
      [["a heron.md"], []],
      [[], ["an egret.md"]],
    ]);
    await database.superuser`
      UPDATE commonplace.space SET name = CASE name WHEN 'one' THEN 'swapped' ELSE 'one' END WHERE name IN ('one', 'other')`;
    await database.superuser`UPDATE commonplace.space SET name = 'other' WHERE name = 'swapped'`;
    expect(await found()).toEqual([
      [[], ["an egret.md"]],
      [["a heron.md"], []],
    ]);
  });

  it("is made again if the numbers of the store went back, or the store is another", async () => {
    const cache = temporaryFolder();
    await newSpaceOf("alice", admin!, "restored");
    await write(alice!, "restored", "Old.md", "the word is heron");
    const vault = await vaultOf(alice!, "restored", cache);
    const facts =
      await database.superuser`SELECT number FROM commonplace.file_state JOIN commonplace.space ON id = space WHERE name = 'restored'`;
    await write(alice!, "restored", "Lost.md", "the word is egret");
    expect(await paths(vault, "egret")).toEqual(["Lost.md"]);
    // What a backup from before the second change brings back: no trace of it, since who runs the database is no member.
    await database.superuser`DELETE FROM commonplace.file WHERE path = 'Lost.md'`;
    await database.superuser`DELETE FROM commonplace.file_feed WHERE file NOT IN (SELECT id FROM commonplace.file)`;
    await database.superuser`
      UPDATE commonplace.file_state SET number = ${Number(facts[0]!["number"])}
      WHERE space = (SELECT id FROM commonplace.space WHERE name = 'restored')`;
    expect(await paths(vault, "egret")).toEqual([]);
    expect(await paths(vault, "heron")).toEqual(["Old.md"]);
    await write(alice!, "restored", "Lost.md", "the word is crane");
    expect(await paths(vault, "crane")).toEqual(["Lost.md"]);
    // As pg_restore leaves it: the same rows in tables of their own, and numbers that have gone on since.
    await database.superuser`DELETE FROM commonplace.file WHERE path = 'Lost.md'`;
    await database.superuser.script("VACUUM FULL commonplace.file_feed");
    expect(await paths(vault, "crane")).toEqual([]);
  });

  it("shows nothing of what the settings hide", async () => {
    await newSpaceOf("alice", admin!, "hidden");
    await write(alice!, "hidden", "Private/Diary.md", "# Diary\n\nA heron. #secret [[Open]]\n");
    await write(alice!, "hidden", "Open.md", "# Open\n\nA heron. #bird\n");
    const access = accessRules({ hide: ["Private/"] });
    const place = { store: alice!, space: "hidden", folder: "/nowhere/hidden" };
    const vault = await openSharedVault(place, { cache: temporaryFolder(), log, access, wordVectors: WORDS });
    atTheEnd(vault.close);
    const { index } = vault;
    const answers = [
      await index.search("heron", { limit: 10, related: 3 }),
      await index.search("diary", { limit: 10, related: 3 }),
      await index.search("tag:secret", { limit: 10 }),
      await index.tags(),
      await index.paths(),
      await index.headings("diary", 10),
      await index.filesNamed("diary", 10),
      await index.named("Diary"),
      (await index.files()).answer.files,
      await index.backlinks(["Open.md"]),
      await index.links(["Private/Diary.md"]),
      await index.similar("Open.md", 3),
      await index.namedLike("Dairy"),
      [...(await index.filesTagged("secret"))!],
      [...(await index.filesLinking(["open"], "Private", new Turns()))!],
    ];
    expect(answers[0]).toMatchObject({ total: 1, hits: [{ path: "Open.md" }] });
    expect(JSON.stringify(answers)).not.toMatch(/Diary\.md|Private|secret/);
  });

  it("has nothing of an earlier space of the same name, in the same process and in another", async () => {
    const cache = temporaryFolder();
    await newSpaceOf("alice", admin!, "again");
    await write(alice!, "again", "Secret.md", "# Secret\n\nOnly of the first space. #hidden\n");
    const before = await vaultOf(alice!, "again", cache);
    expect((await before.index.tags()).answer).toEqual([{ tag: "hidden", count: 1 }]);
    await leaveSpace(alice!, await spaceNamed(alice!, "again"));
    await expect(before.index.tags()).rejects.toMatchObject({ code: "denied" });
    await newSpaceOf("bob", admin!, "again");
    await setRole(bob!, await spaceNamed(bob!, "again"), "alice", "reader");
    for (const vault of [before, await vaultOf(alice!, "again", cache), await vaultOf(bob!, "again", cache)]) {
      expect(await vault.index.namedLike("Secert")).toEqual([]);
      expect((await vault.index.tags()).answer).toEqual([]);
      expect((await vault.index.paths()).answer).toEqual([]);
      expect((await vault.index.search("secret", { limit: 10 })).hits).toEqual([]);
    }
  });

  it("is not that of the earlier space if a file has the same path, size, times and version there", async () => {
    const cache = temporaryFolder();
    await newSpaceOf("alice", admin!, "twin");
    await write(alice!, "twin", "Note.md", "the word is heron");
    const vault = await vaultOf(alice!, "twin", cache);
    expect((await vault.index.search("heron", { limit: 10 })).total).toBe(1);
    const [facts] = await alice!.transaction(
      (sql) => sql`SELECT version, created, modified FROM commonplace.file WHERE path = 'Note.md'`,
    );
    await leaveSpace(alice!, await spaceNamed(alice!, "twin"));
    await newSpaceOf("alice", admin!, "twin");
    await write(alice!, "twin", "Note.md", "the word is egret");
    await alice!.transaction(
      (sql) => sql`
        UPDATE commonplace.file SET version = ${Number(facts!["version"])}, created = ${Number(facts!["created"])},
          modified = ${Number(facts!["modified"])}, member = commonplace.current_member() WHERE path = 'Note.md'`,
    );
    expect((await vault.index.search("heron", { limit: 10 })).total).toBe(0);
    expect((await vault.index.search("egret", { limit: 10 })).total).toBe(1);
  });
});
