// The index of the conversations of a space on each machine: it has what was committed
// before, answers only those who are in the space now, and keeps nothing of what was taken
// back.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openSharedConversations } from "../../src/conversations/shared/shared-conversations.ts";
import { openSpaceIndex, SPACE_VERSIONS } from "../../src/conversations/shared/space-index.ts";
import { SPACE_KIND } from "../../src/conversations/shared/space-kind.ts";
import {
  conversationFeed,
  removeMember,
  setRole,
  type Space,
  spaceNamed,
  Standing,
  type Store,
  type TaggedQuery,
  unshare,
} from "../../src/shared/shared.ts";
import type { Conversations } from "../../src/conversations/conversations.ts";
import { SERVER_ROLE } from "../../src/shared/schema/roles.ts";
import { redact } from "../../src/redaction/redaction.ts";
import { atTheEnd, temporaryFolder } from "../temporary-folder.ts";
import { type ConversationMachine, newConversationMachine, talk } from "./conversation-machines.ts";
import { HAS_POSTGRESQL } from "./store-fixture.ts";
import { twoMembers, type TwoMembers } from "./two-members.ts";

const log = () => {};

it("has a name of its own for each version of its tables", () => {
  expect(SPACE_KIND).toBe(`conversations-v${SPACE_VERSIONS - 1}`);
});

describe.runIf(HAS_POSTGRESQL)("the index of the conversations of a space", () => {
  let members: TwoMembers;
  let server = "";
  beforeAll(async () => {
    members = await twoMembers();
    server = await members.database.newLogin("server");
    await members.database.superuser.script(`GRANT ${SERVER_ROLE} TO ${server}`);
  });

  /** What a member finds whose own machine has no conversations. */
  const reader = (store: Store, cache = temporaryFolder()): Conversations => {
    const conversations = openSharedConversations({ store, cache, redact, log });
    atTheEnd(() => conversations.close());
    return conversations;
  };
  const ids = async (conversations: Conversations | ConversationMachine, query: string) => {
    const { answer } = await ("conversations" in conversations ? conversations.conversations : conversations).recall({
      query,
      limit: 50,
    });
    return answer.conversations.map(({ id }) => id).toSorted();
  };
  const setUp = async () => {
    const shared = await members.newSpace();
    const space = await spaceNamed(shared.asAlice, shared.name);
    return { ...shared, space, one: newConversationMachine(shared.asAlice, shared.name) };
  };
  const added = (sql: TaggedQuery, { id }: Space, key: string, title: string) => sql`
    INSERT INTO commonplace.conversation (space, member, source, key, content, stamps, redaction, title, created, updated,
      time_known, messages, type, keywords, opening, files, touched, abandoned, has_dropped)
    VALUES (${id}, commonplace.current_member(), 'codex', ${key}, '', '{}', 1, ${title}, 1, 1, 'stored', 1, 'general', '',
      '', '', '[]', '[]', false)`;

  it("waits for the push that has the lower number, and misses neither of two that are open at once", async () => {
    const { asAlice, asBob, space } = await setUp();
    const conversations = reader(asAlice);
    expect(await ids(conversations, "heron")).toEqual([]);
    const [isFirstOpen, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = asAlice.transaction(async (sql) => {
      await added(sql, space, "first", "A heron");
      isFirstOpen.resolve();
      await mayEnd.promise;
    });
    await isFirstOpen.promise;
    let isSecondDone = false;
    const second = asBob.transaction((sql) => added(sql, space, "second", "A heron")).then(() => (isSecondDone = true));
    await expect
      .poll(
        async () =>
          (
            await members.database
              .superuser`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = ${members.database.name}`
          ).length,
      )
      .toBe(1);
    expect(await ids(conversations, "heron")).toEqual([]);
    expect(isSecondDone).toBe(false);
    mayEnd.resolve();
    await Promise.all([first, second]);
    expect(await ids(conversations, "heron")).toEqual(["first", "second"]);
    await unshare(asAlice, space);
    await unshare(asBob, space);
  });

  it("keeps nothing of what was unshared, or is redacted again, in its file", async () => {
    const { asAlice, asBob, name, space, one } = await setUp();
    talk(one.home, "kept", "Where do the jackdaws nest?", "In the tower.");
    talk(one.home, "gone", "Where do the wryneckings nest?", "In the wryneckery.");
    talk(one.home, "spoken", "What is the wrasseword?", "It is wrassefish.");
    await one.push();
    const cache = temporaryFolder();
    const conversations = reader(asBob, cache);
    expect(await ids(conversations, "nest")).toEqual(["gone", "kept"]);
    expect(await ids(conversations, "wrassefish")).toEqual(["spoken"]);
    const bytes = () =>
      readdirSync(cache)
        .map((file) => readFileSync(join(cache, file), "latin1"))
        .join("\n");
    // The full text keeps of a word only what differs from the word before.
    expect(bytes().includes("ryneckery")).toBe(true);
    const [gone] = await asAlice.reading((sql) => sql`SELECT id FROM commonplace.conversation WHERE key = 'gone'`);
    await unshare(asAlice, await spaceNamed(asAlice, name), { conversation: Number(gone!["id"]) });
    // As a release pushes it that knows more secrets.
    await asAlice.transaction(async (sql) => {
      await sql`DELETE FROM commonplace.conversation_page USING commonplace.conversation
        WHERE conversation.id = conversation_page.conversation AND key = 'spoken'`;
      await sql`UPDATE commonplace.conversation SET title = 'Said', redaction = redaction + 1 WHERE key = 'spoken'`;
    });
    expect(await ids(conversations, "nest")).toEqual(["kept"]);
    expect(await ids(conversations, "wrassefish")).toEqual([]);
    expect(await ids(conversations, "said")).toEqual(["spoken"]);
    await conversations.close();
    expect(bytes().includes("ackdaws")).toBe(true);
    expect(/ryneck|rasse/.exec(bytes())?.[0]).toBeUndefined();
    await unshare(asAlice, space);
  });

  it("is deleted from the machine of a member who was removed, at the first contact after it", async () => {
    const { asAlice, name, space, asBob, one } = await setUp();
    talk(one.home, "secret", "The borogove plan", "Mimsy.");
    await one.push();
    const cache = temporaryFolder();
    const machine = newConversationMachine(asBob, name, undefined, cache);
    expect(await ids(machine, "borogove")).toEqual(["secret"]);
    const files = () => readdirSync(cache).filter((file) => file.startsWith(SPACE_KIND));
    const before = files();
    expect(before.length).toBeGreaterThan(0);
    await removeMember(asAlice, space, "bob");
    expect(await ids(machine, "borogove")).toEqual([]);
    expect(files().filter((file) => file.includes(`-${space.id}.db`))).toEqual([]);
    expect(before.filter((file) => file.includes(`-${space.id}.db`))).not.toEqual([]);
    await unshare(asAlice, space);
  });

  it("is shared by the members of a server, and answers none who is not in the space now", async () => {
    const { asAlice, name, space, one } = await setUp();
    talk(one.home, "ours", "The tulgey wood", "Burbled.");
    await one.push();
    const cache = temporaryFolder();
    const login = members.database.open(server);
    const [alice, bob] = ["alice", "bob"].map((member) => reader(login.forMember(member), cache));
    expect(await ids(alice!, "tulgey")).toEqual(["ours"]);
    const files = readdirSync(cache);
    expect(await ids(bob!, "tulgey")).toEqual(["ours"]);
    expect(readdirSync(cache)).toEqual(files);
    await removeMember(asAlice, space, "bob");
    for (let round = 0; round < 3; round++)
      expect(await Promise.all([ids(alice!, "tulgey"), ids(bob!, "tulgey")])).toEqual([["ours"], []]);
    await setRole(asAlice, await spaceNamed(asAlice, name), "bob", "reader");
    expect(await ids(bob!, "tulgey")).toEqual(["ours"]);
    await unshare(asAlice, space);
  });

  it("is that of its own space, also if two spaces have swapped their names", async () => {
    const [first, other] = [await setUp(), await setUp()];
    talk(first.one.home, "of-first", "The uffish heron", "Yes.");
    talk(other.one.home, "of-other", "The uffish egret", "Yes.");
    await first.one.push();
    await other.one.push();
    await removeMember(first.asAlice, first.space, "bob");
    const conversations = reader(first.asBob);
    expect(await ids(conversations, "uffish")).toEqual(["of-other"]);
    const { superuser } = members.database;
    const rename = (id: number, name: string) =>
      superuser`UPDATE commonplace.space SET name = ${name} WHERE id = ${id}`;
    await rename(first.space.id, "swapped");
    await rename(other.space.id, first.name);
    await rename(first.space.id, other.name);
    const { answer } = await conversations.recall({ query: "uffish", limit: 5 });
    expect(answer.conversations).toMatchObject([{ id: "of-other", shared: { space: first.name } }]);
    await unshare(first.asAlice, first.space);
    await unshare(first.asAlice, other.space);
  });

  it("is made again if the numbers of the store went back, or the store is another", async () => {
    const { asAlice, asBob, space } = await setUp();
    const { superuser } = members.database;
    await asAlice.transaction((sql) => added(sql, space, "old", "The word is heron"));
    const conversations = reader(asBob);
    expect(await ids(conversations, "heron")).toEqual(["old"]);
    await asAlice.transaction((sql) => added(sql, space, "lost", "The word is egret"));
    expect(await ids(conversations, "egret")).toEqual(["lost"]);
    // What a backup from before the second change brings back: no trace of it, since who runs the database is no member.
    const forget = async () => {
      await superuser`DELETE FROM commonplace.conversation WHERE key = 'lost'`;
      await superuser`
        DELETE FROM commonplace.conversation_feed WHERE conversation NOT IN (SELECT id FROM commonplace.conversation)`;
    };
    await forget();
    expect(await ids(conversations, "egret")).toEqual([]);
    expect(await ids(conversations, "heron")).toEqual(["old"]);
    await asAlice.transaction((sql) => added(sql, space, "lost", "The word is crane"));
    expect(await ids(conversations, "crane")).toEqual(["lost"]);
    // As pg_restore leaves it: the same rows in tables of their own, and numbers that have gone on since.
    await superuser`DELETE FROM commonplace.conversation WHERE key = 'lost'`;
    await superuser.script("VACUUM FULL commonplace.file_feed");
    expect(await ids(conversations, "crane")).toEqual([]);
    await unshare(asAlice, space);
  });

  it("is read newest first, says up to which date while it is read, and goes on where it was left", async () => {
    const { asAlice, space } = await setUp();
    const title = (i: number) => `The galumph number ${i}`;
    await asAlice.transaction(async (sql) => {
      for (let i = 0; i < 250; i++) await added(sql, space, `key-${i}`, title(i));
      await sql`UPDATE commonplace.conversation SET updated = 1000 * substring(key FROM 5)::int WHERE space = ${space.id}`;
    });
    const standing = (await Standing.ofConversations(asAlice.call)).find((one) => one.space === space.id);
    const index = openSpaceIndex(join(temporaryFolder(), "index.db"), log);
    atTheEnd(() => index.close());
    const feed = conversationFeed(asAlice, standing!, false);
    const read: number[][] = [];
    const counted = (limit: number): typeof feed => ({
      ...feed,
      contents: async (wanted) => {
        if (read.length === limit) throw new Error("The store is gone.");
        read.push([...wanted]);
        return feed.contents(wanted);
      },
    });
    await expect(index.follow(counted(2), {})).rejects.toThrow("The store is gone.");
    // Two portions of 100: the newest ones.
    expect(index.state()).toMatchObject({ swept: 0, done: 200, total: 250 });
    expect(index.missingUntil()).toBe(49_000);
    const keys = index.database.all("SELECT key FROM conversation ORDER BY updated DESC").map(({ key }) => key);
    expect([keys[0], keys.at(-1), keys.length]).toEqual(["key-249", "key-50", 200]);
    read.length = 0;
    expect(await index.follow(counted(9), {})).toBe(true);
    expect(read.flat()).toHaveLength(50);
    expect([index.missingUntil(), index.fed()]).toEqual([
      0,
      { identity: standing!.identity, number: standing!.number },
    ]);
    await unshare(asAlice, space);
  });
});
