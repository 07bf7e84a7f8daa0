// The index of a space in a shared store: who asks finds what was committed before,
// no matter who wrote it; it answers only those who are in the space now, and has nothing of an
// earlier space of the same name.
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
  type Value,
} from "../../src/postgres/postgres.ts";
import { SERVER_ROLE } from "../../src/postgres/schema/roles.ts";
import { indexWaiting } from "../../src/vault/note-index/shared/indexing.ts";
import {
  append,
  deleteNote,
  editNote,
  linksOf,
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
    // Nor on a machine that has the index of another member.
    const later = await vaultOf(bob!, "team", cache);
    await expect(later.index.tags()).rejects.toMatchObject({ code: "denied" });
    expect(await later.index.namedLike("Heorn")).toEqual([]);
  });

  const paths = async (vault: Vault, query: string) =>
    (await vault.index.search(query, { limit: 10 })).hits.map(({ path }) => path);
  const waiting = async () =>
    Number((await database.superuser`SELECT count(*) FROM commonplace.note_waiting`)[0]!["count"]);

  it("finds what another process has written, renamed, moved with its folder, deleted and brought back, and counts its words", async () => {
    await newSpaceOf("alice", admin!, "changes");
    const cache = temporaryFolder();
    const [vault, other] = [await vaultOf(alice!, "changes", cache), await vaultOf(alice!, "changes", cache)];
    /** In how many notes each of these words is. */
    const words = async () =>
      Object.fromEntries(
        (
          await database.superuser`
            SELECT term, texts::int FROM commonplace.note_word
            WHERE term IN ('heron', 'egret', 'crane', 'stork') AND space = (SELECT id FROM commonplace.space WHERE name = 'changes')`
        ).map((row) => [row["term"], row["texts"]]),
      );
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
    expect(await words()).toEqual({ crane: 1, egret: 1, heron: 1 });
    await moveFolder(other, { tool: "test" }, { path: "Birds", newPath: "Animals/Birds" });
    expect(await waiting()).toBe(0);
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
    expect(await words()).toEqual({ crane: 1, egret: 1, heron: 1, stork: 1 });
    expect(await paths(vault, "crane more")).toEqual(["Animals/Stork.md"]);
    await deleteNote(other, { tool: "test" }, "Animals/Stork.md");
    expect(await paths(vault, "crane")).toEqual([]);
    expect(await words()).toEqual({ egret: 1 });
    await other.journal.undo();
    expect(await paths(vault, "crane")).toEqual(["Animals/Stork.md"]);
    const counted = () =>
      database.superuser`
        SELECT term, note_word.texts, occurrences, state.texts AS all, words FROM commonplace.note_word
        JOIN commonplace.note_state AS state USING (space) JOIN commonplace.space ON space.id = note_word.space
        WHERE space.name = 'changes' ORDER BY term`;
    const before = await counted();
    await vault.index.refresh({ rebuild: true });
    expect(await counted()).toEqual(before);
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
    const vault = await vaultOf(alice!, "race", temporaryFolder());
    // As if a slow process had read the note, and another changed it before the end.
    await alice!.transaction(async (sql) => {
      const raced: TaggedQuery = Object.assign(
        async (strings: TemplateStringsArray, ...values: readonly Value[]) => {
          const rows = await sql(strings, ...values);
          if (strings[0]!.includes("SELECT id, bytes"))
            await alice!.transaction(
              (change) => change`
                UPDATE commonplace.file SET bytes = 'the word is egret', hash = 'another', member = commonplace.current_member()
                WHERE space = ${space}`,
            );
          return rows;
        },
        { run: sql.run, script: sql.script },
      );
      expect(await indexWaiting(raced, space)).toMatchObject({ changed: 1 });
    });
    expect(await waiting()).toBe(1);
    expect(await paths(vault, "egret")).toEqual(["Note.md"]);
    expect(await waiting()).toBe(0);
  });

  it("is written by writers and servers; a reader with a login of its own finds what they have indexed, and is told if that is not all", async () => {
    await newSpaceOf("alice", admin!, "readers");
    await setRole(alice!, await spaceNamed(alice!, "readers"), "bob", "reader");
    await write(alice!, "readers", "Note.md", "the word is heron");
    const [ofBob, ofAlice] = [
      await vaultOf(bob!, "readers", temporaryFolder()),
      await vaultOf(alice!, "readers", temporaryFolder()),
    ];
    expect(await ofBob.index.search("heron", { limit: 10 })).toMatchObject({
      hits: [],
      stale: true,
      waitsForWriter: true,
    });
    for (const rebuild of [false, true])
      await expect(ofBob.index.refresh({ rebuild })).rejects.toMatchObject({
        code: "denied",
        message: "You may read the space readers, but not index it: a writer or a server has to.",
      });
    expect(await linksOf(ofBob, { path: "Note.md", type: "backlinks" })).toMatchObject({
      path: "Note.md",
      links: [],
      freshness: { waitsForWriter: true },
    });
    expect(await waiting()).toBe(1);
    expect(await ofAlice.index.search("heron", { limit: 10 })).toMatchObject({ total: 1, stale: false });
    expect(await ofBob.index.search("heron", { limit: 10 })).toMatchObject({ total: 1, stale: false });
    expect(await ofBob.index.refresh()).toMatchObject({ total: 1, changed: 0, removed: 0 });
    await write(alice!, "readers", "Second.md", "the word is egret");
    const throughServer = database.open(await serverLogin()).forMember("bob");
    const served = await vaultOf(throughServer, "readers", temporaryFolder());
    expect(await served.index.search("egret", { limit: 10 })).toMatchObject({ total: 1, stale: false });
    expect(await ofBob.index.search("egret", { limit: 10 })).toMatchObject({ total: 1, stale: false });
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
