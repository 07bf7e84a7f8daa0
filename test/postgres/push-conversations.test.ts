// Conversations of several machines in one store: what is pushed, and what stays.
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  leaveSpace,
  ownConversation,
  shareAgain,
  spaceNamed,
  type Store,
  unshare,
  unsharedConversation,
} from "../../src/shared/shared.ts";
import { answer, ClaudeHome, prompt, said, toolResult } from "../claude-home.ts";
import { newConversationMachine, talk } from "./conversation-machines.ts";
import { HAS_POSTGRESQL, type TestDatabase } from "./store-fixture.ts";
import { twoMembers, type TwoMembers } from "./two-members.ts";

describe.runIf(HAS_POSTGRESQL)("conversations that are pushed to a shared store", () => {
  let database: TestDatabase;
  let newSpace: TwoMembers["newSpace"];

  beforeAll(async () => {
    ({ database, newSpace } = await twoMembers());
  });

  /** All rows of a space, as they are, without what differs from push to push. */
  const stored = async (space: string) => {
    const rows = (table: string) =>
      database.superuser.run(
        `SELECT * FROM commonplace.${table} WHERE space = (SELECT id FROM commonplace.space WHERE name = $1) ORDER BY 1, 2`,
        [space],
      );
    const [conversations, pages, wholes, fed] = await Promise.all(
      ["", "_page", "_whole", "_feed"].map((part) => rows(`conversation${part}`)),
    );
    return { conversations: conversations!, pages: pages!, wholes: wholes!, fed: fed! };
  };
  const keysIn = async (space: string) => (await stored(space)).conversations.map((row) => row["key"]);
  it("are those of the projects that were named, and no others", async () => {
    const { name, asAlice } = await newSpace();
    const one = newConversationMachine(asAlice, name);
    talk(one.home, "shared", "How do zebras sleep?", "Standing.");
    talk(one.home, "private", "My diary", "Quiet.", "/code/diary");
    expect(await one.push()).toEqual({
      added: 1,
      changed: 0,
      unchanged: 0,
      ofOthers: 0,
      unshared: 0,
      hidden: 0,
      projects: [{ name: "shop", conversations: 1 }],
      sent: { messages: 2, bytes: expect.any(Number), redactions: 0 },
    });
    expect(await keysIn(name)).toEqual(["shared"]);
    await expect(one.push({ project: "shp" })).rejects.toMatchObject({ hint: "Similar names: shop." });
  });

  it("are stored once, even if several machines push them at the same time, and pushing again changes nothing", async () => {
    const { name, asAlice } = await newSpace();
    const home = new ClaudeHome();
    for (let i = 0; i < 30; i++) talk(home, `session-${i}`, `Question ${i} about lamps`, `Answer ${i}`);
    const machines = [0, 1, 2].map(() => newConversationMachine(asAlice, name, home));
    const pushed = await Promise.all(machines.map(({ push }) => push()));
    expect(pushed.reduce((sum, { added }) => sum + added, 0)).toBe(30);
    expect(pushed.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(60);
    const before = await stored(name);
    expect(before.conversations).toHaveLength(30);
    for (const { push } of machines) expect(await push()).toMatchObject({ added: 0, changed: 0, unchanged: 30 });
    expect(await stored(name)).toEqual(before);
  });

  it("are updated when they have grown, page by page, and never by an older copy", async () => {
    const { name, asAlice } = await newSpace();
    const [one, old] = [newConversationMachine(asAlice, name), newConversationMachine(asAlice, name)];
    const first = [prompt("p1", "Which lamp?"), said("a1", "m1", `The green one. ${"It is bright. ".repeat(600)}`)];
    one.home.write("session", first);
    // In the middle of the first answer.
    old.home.write("session", [first[0]!, said("a1", "m1", "The green", { timestamp: first[0]!.timestamp })]);
    await one.push();
    const before = await stored(name);
    one.home.append("session", prompt("p2", "And the xylophone?"), said("a2", "m2", "In the hall."));
    expect(await one.push()).toMatchObject({ added: 0, changed: 1 });
    const after = await stored(name);
    expect(after.conversations[0]!["messages"]).toBe(4);
    const unchanged = before.pages.filter((page) => after.pages.some(({ content }) => content === page["content"]));
    expect(unchanged.length).toBeGreaterThan(0);
    expect(Number(after.fed[0]!["number"])).toBeGreaterThan(Number(before.fed[0]!["number"]));
    // A machine that is not in sync.
    expect(await old.push()).toMatchObject({ changed: 0, unchanged: 1 });
    const { pages, fed } = await stored(name);
    expect([pages, fed]).toEqual([after.pages, after.fed]);
    expect(await one.push()).toMatchObject({ changed: 0, unchanged: 1 });
  });

  it("belong to the member that pushed them first", async () => {
    const { name, space, asAlice, asBob } = await newSpace();
    const home = new ClaudeHome();
    talk(home, "common", "Where is the quartz?", "In the drawer.");
    const [ofAlice, ofBob] = [newConversationMachine(asAlice, name, home), newConversationMachine(asBob, name, home)];
    await ofAlice.push();
    talk(home, "common", "Where is the quartz?", "In the drawer, on the left.");
    expect(await ofBob.push()).toMatchObject({ added: 0, changed: 0, ofOthers: 1 });
    const [row] = await database.superuser`
      SELECT member.name FROM commonplace.conversation JOIN commonplace.member ON member.id = member WHERE space = ${space.id}`;
    expect(row).toEqual({ name: "alice" });
    expect(await unshare(asBob, space)).toEqual({ events: 0, conversations: 0 });
    await unshare(asAlice, space);
    expect(await ofBob.push()).toMatchObject({ added: 1 });
  });

  it("leave the machine without secrets, and not at all if they mention hidden files", async () => {
    const { name, asAlice } = await newSpace();
    const one = newConversationMachine(asAlice, name);
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const key = `-----BEGIN PRIVATE KEY-----\n${"QUJD".repeat(16)}\n-----END PRIVATE KEY-----`;
    one.home.write("secrets", [
      prompt("p1", `Use ${secret} as a title`),
      answer("a1", "m1", {
        type: "tool_use",
        id: "toolu_1",
        name: "Write",
        input: { file_path: `/code/shop/${secret}.md`, content: `x ${secret}` },
      }),
      toolResult("r1", `${"line\n".repeat(200)}${key}\n${secret}`),
      said("a2", "m2", `Done with ${secret}\n${key}`, { gitBranch: secret }),
    ]);
    one.home.write("hidden", [
      prompt("p2", "Read my diary"),
      answer("a3", "m3", {
        type: "tool_use",
        id: "toolu_2",
        name: "Read",
        input: { file_path: "/code/shop/Diary/a.md" },
      }),
      said("a4", "m4", "It is private."),
    ]);
    const pushed = await one.push({ isHidden: (path) => path.startsWith("Diary/") });
    // One in the title and the question each, two in the call, its result and the answer each.
    expect(pushed).toMatchObject({ added: 1, hidden: 1, sent: { messages: 2, redactions: 8 } });
    const { conversations, pages, wholes } = await stored(name);
    expect(conversations.map((row) => row["key"])).toEqual(["secrets"]);
    const { partsIn } = await import("../../src/conversations/store/pages.ts");
    const { textsIn } = await import("../../src/conversations/store/tool-texts/text-blocks.ts");
    const read = [
      JSON.stringify(conversations),
      ...pages.map(({ parts }) => JSON.stringify(partsIn(parts))),
      ...wholes.map(({ texts: block }) => JSON.stringify(textsIn(block as Uint8Array))),
    ].join("\n");
    expect(wholes.length).toBeGreaterThan(0);
    expect(read).toContain("[redacted: ");
    expect(read).toContain("line");
    expect(read.toLowerCase()).not.toContain(secret.toLowerCase());
    expect(read).not.toContain("QUJDQUJD");
    expect(read.toLowerCase()).not.toContain("diary");
  });

  it("are pushed to the end after an interruption, with whole conversations in between", async () => {
    const { name, asAlice } = await newSpace();
    const one = newConversationMachine(asAlice, name);
    for (let i = 0; i < 120; i++) talk(one.home, `session-${i}`, `Question ${i}`, `Answer ${i}`);
    let transactions = 0;
    const failing: Store = {
      ...asAlice,
      transaction: (work) => {
        if (transactions++ === 1) throw new Error("interrupted");
        return asAlice.transaction(work);
      },
    };
    await expect(one.push({ store: failing })).rejects.toThrow("interrupted");
    const { conversations, pages, fed } = await stored(name);
    expect([conversations, pages, fed].map(({ length }) => length)).toEqual([50, 50, 50]);
    const progress: number[] = [];
    const onProgress = (done: number) => void progress.push(done);
    expect(await one.push({ onProgress })).toMatchObject({ added: 70, unchanged: 50 });
    expect(progress.at(-1)).toBe(120);
  });

  it("are compared and counted by a preview, which sends nothing", async () => {
    const { name, asAlice } = await newSpace();
    const one = newConversationMachine(asAlice, name);
    talk(one.home, "first", "Where are the lamps?", `Use ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)} for them.`);
    const preview = await one.push({ isPreview: true });
    expect(preview).toMatchObject({ added: 1, sent: { messages: 2, redactions: 1 } });
    expect(preview.sent.bytes).toBeGreaterThan(0);
    const { conversations, pages, fed } = await stored(name);
    expect([conversations, pages, fed]).toEqual([[], [], []]);
    expect(await one.push()).toEqual(preview);
    talk(one.home, "second", "And the candles?", "Below.");
    expect(await one.push({ isPreview: true })).toMatchObject({ added: 1, unchanged: 1, sent: { redactions: 0 } });
    expect(await keysIn(name)).toEqual(["first"]);
  });

  it("have the tokens that their program has counted, for everybody who reads them", async () => {
    const { name, asAlice, asBob } = await newSpace();
    const [one, two] = [newConversationMachine(asAlice, name), newConversationMachine(asBob, name)];
    const usage = { input_tokens: 1, cache_read_input_tokens: 20, cache_creation_input_tokens: 300, output_tokens: 7 };
    const counted = (...given: Parameters<typeof said>) => {
      const record = said(...given) as ReturnType<typeof said> & { readonly message: object };
      return { ...record, message: { ...record.message, usage } };
    };
    one.home.write("counted", [prompt("p1", "How many weasels?"), counted("a1", "m1", "Seven.")]);
    talk(one.home, "uncounted", "How many stoats?", "Some.");
    await one.push();
    const tokensOf = async (id: string) => two.conversations.tokens(await two.conversations.find(id));
    expect(await tokensOf("counted")).toEqual({ input: 321, output: 7, cached: 20 });
    expect(await tokensOf("uncounted")).toBeUndefined();
    one.home.append("counted", prompt("p2", "Sure?"), counted("a2", "m2", "Yes."));
    expect(await one.push()).toMatchObject({ changed: 1, unchanged: 1 });
    expect(await tokensOf("counted")).toEqual({ input: 642, output: 14, cached: 40 });
  });

  it("are unshared one by one, with all of their rows, and stay away from every machine until they are wanted again", async () => {
    const { name, space, asAlice, asBob } = await newSpace();
    const home = new ClaudeHome();
    const [one, other] = [newConversationMachine(asAlice, name, home), newConversationMachine(asAlice, name, home)];
    const ofBob = newConversationMachine(asBob, name, home);
    talk(one.home, "kept-one", "About quasars", "Bright.");
    talk(one.home, "gone-one", "About quokkas", "Small.");
    await one.push();
    await expect(ownConversation(asBob, space, "gone-one")).rejects.toThrow("You have pushed no conversation gone-one");
    await expect(ownConversation(asAlice, space, "gone-two")).rejects.toThrow("You have pushed no conversation");
    const { number, key } = await ownConversation(asAlice, space, "gone-o");
    expect(key).toBe("gone-one");
    expect(await unshare(asBob, space, { conversation: number })).toEqual({ events: 0, conversations: 0 });
    expect(await unshare(asAlice, space, { conversation: number })).toEqual({ events: 0, conversations: 1 });
    expect(await keysIn(name)).toEqual(["kept-one"]);
    for (const part of ["page", "whole"])
      expect(
        await database.superuser.run(`SELECT 1 FROM commonplace.conversation_${part} WHERE conversation = $1`, [
          number,
        ]),
        part,
      ).toEqual([]);
    // What the store keeps of it is a hash, which only its member sees.
    const kept = await database.superuser.run("SELECT name FROM commonplace.unshared WHERE space = $1", [space.id]);
    expect(kept).toEqual([{ name: createHash("sha256").update("conversation claude-code/gone-one").digest() }]);
    const seen = (store: Store) =>
      store.reading((sql) => sql`SELECT 1 FROM commonplace.unshared WHERE space = ${space.id}`);
    expect([(await seen(asAlice)).length, await seen(asBob)]).toEqual([1, []]);
    // It grows, and stays away.
    talk(one.home, "gone-one", "About quokkas", "Small, and furry.");
    for (const { push } of [one, other, one])
      expect(await push()).toMatchObject({ added: 0, changed: 0, unchanged: 1, unshared: 1 });
    const again = "claude-code/gone-one";
    expect(await one.push({ isPreview: true, again: new Set([again]) })).toMatchObject({ added: 1, unshared: 0 });
    expect(await keysIn(name)).toEqual(["kept-one"]);
    await shareAgain(asBob, space, [unsharedConversation(again)]);
    expect(await one.push()).toMatchObject({ added: 0, unshared: 1 });
    // Another member decides for themselves.
    expect(await ofBob.push()).toMatchObject({ added: 1, ofOthers: 1, unshared: 0 });
    await unshare(asBob, space);
    await shareAgain(asAlice, space, [unsharedConversation(again)]);
    expect(await other.push()).toMatchObject({ added: 1, unchanged: 1, unshared: 0 });
  });

  it("are deleted with their pages when they are unshared or their member leaves", async () => {
    const { name, space, asAlice, asBob } = await newSpace();
    const [one, two] = [newConversationMachine(asAlice, name), newConversationMachine(asBob, name)];
    talk(one.home, "of-alice", "About quasars", "Bright.");
    talk(one.home, "diary", "About quiet", "Calm.", "/code/diary");
    talk(two.home, "of-bob", "About quokkas", "Small.");
    await one.push();
    await one.push({ project: "diary" });
    await two.push();
    expect(await unshare(asAlice, space, { project: "diary" })).toEqual({ events: 0, conversations: 1 });
    expect(await keysIn(name)).toEqual(["of-alice", "of-bob"]);
    const keptOf = (member: string) =>
      database.superuser.run(
        "SELECT 1 FROM commonplace.unshared JOIN commonplace.member ON id = member WHERE space = $1 AND member.name = $2",
        [space.id, member],
      );
    await unshare(asBob, space, {}, ["path:/code/shop"]);
    expect([(await keptOf("alice")).length, (await keptOf("bob")).length]).toEqual([2, 2]);
    await leaveSpace(asBob, await spaceNamed(asBob, name));
    expect(await keptOf("bob")).toEqual([]);
    expect(await keysIn(name)).toEqual(["of-alice"]);
    await leaveSpace(asAlice, await spaceNamed(asAlice, name));
    for (const part of ["", "_page", "_whole", "_feed"].map((end) => `conversation${end}`).concat("unshared"))
      expect(
        await database.superuser.run(`SELECT 1 FROM commonplace.${part} WHERE space = $1`, [space.id]),
        part,
      ).toEqual([]);
  });
});
