// The index on this machine of a space in a shared store: it belongs to that space,
// not to its name, and answers only those who are in the space now.
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parseVaultPath } from "../../src/files/files.ts";
import { openSharedStore } from "../../src/journal/journal.ts";
import {
  admitMember,
  createStore,
  leaveSpace,
  removeMember,
  setRole,
  spaceNamed,
  type Store,
} from "../../src/postgres/postgres.ts";
import { openSharedVault, type Vault } from "../../src/vault/vault.ts";
import { atTheEnd, temporaryFolder } from "../temporary-folder.ts";
import { SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase, newSpaceOf } from "./store-fixture.ts";

const log = () => {};

describe.runIf(HAS_POSTGRESQL)("the index of a space", () => {
  let [admin, alice, bob]: Store[] = [];

  beforeAll(async () => {
    const database = await newDatabase();
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
    expect(ofBob.index.namedLike("Heorn")).toEqual([]);
    // Nor on a machine that has the index of another member.
    const later = await vaultOf(bob!, "team", cache);
    await expect(later.index.tags()).rejects.toMatchObject({ code: "denied" });
    expect(later.index.namedLike("Heorn")).toEqual([]);
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
      expect(vault.index.namedLike("Secert")).toEqual([]);
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
