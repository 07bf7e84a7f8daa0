// Recall with a shared store: conversations of this machine and of the store in one
// answer.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openSharedConversations } from "../../src/conversations/shared/shared-conversations.ts";
import { exportConversations, folderWriter, type Question } from "../../src/conversations/conversations.ts";
import { Problem } from "../../src/kernel/kernel.ts";
import { removeMember, spaceNamed, unshare } from "../../src/shared/shared.ts";
import { SERVER_ROLE } from "../../src/shared/schema/roles.ts";
import { redact } from "../../src/redaction/redaction.ts";
import { answer, prompt, said, toolResult } from "../claude-home.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type ConversationMachine, newConversationMachine, talk } from "./conversation-machines.ts";
import { HAS_POSTGRESQL, type TestDatabase } from "./store-fixture.ts";
import { twoMembers, type TwoMembers } from "./two-members.ts";

describe.runIf(HAS_POSTGRESQL)("recall with a shared store", () => {
  let database: TestDatabase;
  let newSpace: TwoMembers["newSpace"];
  let server = "";

  beforeAll(async () => {
    ({ database, newSpace } = await twoMembers());
    server = await database.newLogin("server");
    await database.superuser.script(`GRANT ${SERVER_ROLE} TO ${server}`);
  });

  /** Two machines of two members, and a space that both are in. */
  const twoMachines = async () => {
    const shared = await newSpace();
    const { name, asAlice, asBob } = shared;
    return { ...shared, one: newConversationMachine(asAlice, name), two: newConversationMachine(asBob, name) };
  };
  const found = async ({ conversations }: ConversationMachine, question: Omit<Question, "limit">) =>
    (await conversations.recall({ limit: 50, ...question }, { complete: true })).answer;
  const ids = async (machine: ConversationMachine, question: Omit<Question, "limit">) =>
    (await found(machine, question)).conversations.map(({ id }) => id);
  /** Tests share a database, and with it the members' spaces: each leaves nothing behind. */
  const cleared = async ({ space, asAlice, asBob }: Awaited<ReturnType<typeof twoMachines>>) => {
    await unshare(asAlice, space);
    await unshare(asBob, space);
  };

  it("finds what others pushed beside what is here, names whose it is, and shows each conversation once", async () => {
    const machines = await twoMachines();
    const { name, one, two } = machines;
    talk(one.home, "of-alice", "How does the zephyr engine start?", "With a lever on the left side.");
    talk(two.home, "of-bob", "Where is the zephyr manual?", "On the shelf.");
    talk(two.home, "of-alice", "How does the zephyr engine start?", "With a lever on the left side.");
    await one.push();
    await two.push();
    const answers = await found(one, { query: "zephyr" });
    expect(answers.total).toBe(2);
    expect(answers.conversations.map(({ id, shared }) => [id, shared]).toSorted()).toEqual([
      ["of-alice", undefined],
      ["of-bob", { member: "bob", space: name }],
    ]);
    expect(answers.conversations.find(({ id }) => id === "of-bob")).toMatchObject({
      source: "claude-code",
      project: "shop",
      messages: 2,
    });
    expect((await found(one, { query: "shelf" })).conversations).toMatchObject([
      { id: "of-bob", snippet: "On the shelf.", message: "msg-of-bob" },
    ]);
    expect(await ids(one, {})).toEqual(["of-bob", "of-alice"]);
    await cleared(machines);
    expect(await ids(one, { query: "zephyr" })).toEqual(["of-alice"]);
  });

  it("filters, groups and orders conversations of the store as it does those of this machine", async () => {
    const machines = await twoMachines();
    const { one, two } = machines;
    talk(one.home, "first", "Plan the quixotic garden", "With roses, and a fountain.");
    talk(one.home, "second", "Debug the crash of the quixotic mill", "The error was a missing gear.");
    talk(one.home, "third", "Quixotic quiet", "Nothing else.", "/code/other");
    await one.push();
    await one.push({ project: "other" });
    const questions: Omit<Question, "limit">[] = [
      { query: "quixotic" },
      { query: "quixotic -garden" },
      { query: '"quixotic mill"' },
      { query: "quixotc" },
      { query: "how did we debug the quixotic crash of the mill" },
      { query: "quixo" },
      { query: "fountain roses gear" },
      { tags: ["roses"] },
      { title: "GARDEN" },
      { types: ["debugging"] },
      { sources: ["codex"] },
      { project: "other" },
      { project: "nowhere" },
      { since: Date.now() - 1000 },
      { before: Date.now() },
      { branch: "main", model: "claude-opus" },
      { order: "oldest" },
      { prompt: "quixotic mill gear" },
      { query: "%%" },
      { touched: "nothing.md" },
      { here: "/code/shop" },
    ];
    for (const question of questions) {
      const [here, there] = [await found(one, question), await found(two, question)];
      const shown = ({ conversations, ...counts }: typeof here) => ({
        counts,
        conversations: conversations.map(
          ({ row: _, page: __, shared: ___, folder: ____, ...conversation }) => conversation,
        ),
      });
      expect(shown(there), JSON.stringify(question)).toEqual(shown(here));
    }
    for (const groupBy of ["project", "tool", "type", "model", "branch", "day", "hour"] as const)
      expect((await found(two, { groupBy })).groups, groupBy).toEqual((await found(one, { groupBy })).groups);
    expect(await two.conversations.countPerHour({ limit: 0 })).toEqual(
      await one.conversations.countPerHour({ limit: 0 }),
    );
    expect(await two.conversations.project("shp")).toMatchObject({ folders: [], similar: ["shop"] });
    await cleared(machines);
  });

  it("reads a conversation of the store as on its machine, with what tools returned, and exports it", async () => {
    const machines = await twoMachines();
    const { one, two } = machines;
    const output = `${"a line of output\n".repeat(300)}the end`;
    one.home.write("whole-conversation", [
      prompt("p1", "List the jabberwock files"),
      answer("a1", "m1", { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls jabberwock" } }),
      toolResult("r1", output),
      said("a2", "m2", "There are three."),
      prompt("p2", "Thanks"),
      said("a3", "m3", "You are welcome."),
    ]);
    await one.push();
    const read = async ({ conversations }: ConversationMachine) => {
      const conversation = await conversations.find("whole-conversation", { complete: true, withTools: true });
      const messages = [...conversations.messages(conversation)].flat().map((message) => ({ ...message }));
      return {
        messages,
        chunk: conversations.chunkOf(conversation, "m3"),
        relatives: conversations.relatives(conversation),
      };
    };
    const [here, there] = [await read(one), await read(two)];
    expect(there).toEqual(here);
    expect(there.messages.some(({ text }) => text.endsWith("the end"))).toBe(true);
    expect(await ids(two, { query: "jabberwock", includeTools: true })).toEqual(["whole-conversation"]);
    const conversation = await two.conversations.find("claude-code/whole-conv");
    expect(conversation.shared).toMatchObject({ member: "alice" });
    await expect(two.conversations.find("nothing-of-it")).rejects.toThrow("There is no conversation with the id");
    const folder = temporaryFolder();
    const { files } = await exportConversations(two.conversations, { format: "md", limit: 5 }, folderWriter(folder));
    expect(files).toHaveLength(1);
    expect(readFileSync(join(folder, files[0]!.split("/").at(-1)!), "utf8")).toContain("There are three.");
    await cleared(machines);
  });

  it("ends with the membership", async () => {
    const machines = await twoMachines();
    const { name, asAlice, one, two } = machines;
    talk(one.home, "secret", "The vorpal plan", "Snicker-snack.");
    await one.push();
    expect(await ids(two, { query: "vorpal" })).toEqual(["secret"]);
    await removeMember(asAlice, await spaceNamed(asAlice, name), "bob");
    expect(await ids(two, { query: "vorpal" })).toEqual([]);
    await expect(two.conversations.find("secret")).rejects.toThrow("There is no conversation");
    await unshare(asAlice, machines.space);
  });

  it("is of the store alone for a server that works for a member", async () => {
    const machines = await twoMachines();
    const { one } = machines;
    talk(one.home, "served", "The frumious report", "It is done.");
    await one.push();
    const cache = temporaryFolder();
    const asked = async (member: string) => {
      const conversations = openSharedConversations({
        store: database.open(server, { member }),
        cache,
        redact,
        log: () => {},
      });
      const { answer: recalled } = await conversations.recall({ query: "frumious", limit: 5 });
      return { conversations, ids: recalled.conversations.map(({ id }) => id) };
    };
    const { conversations, ids: seen } = await asked("bob");
    expect(seen).toEqual(["served"]);
    const conversation = await conversations.find("served");
    expect([...conversations.messages(conversation)].flat().map(({ text }) => text)).toEqual([
      "The frumious report",
      "It is done.",
    ]);
    expect((await asked("nobody")).ids).toEqual([]);
    await expect(conversations.importArchive("x.zip")).rejects.toThrow("no conversations of its own");
    await cleared(machines);
  });

  it("takes any text: words that are too long find nothing, and a NUL character is refused with a sentence", async () => {
    const machines = await twoMachines();
    const { one, two } = machines;
    talk(one.home, "plain", "The slithy toves", "They gyre.");
    await one.push();
    for (const long of ["x".repeat(3_000), "é".repeat(3_000), "ж".repeat(1_999), "𐐨".repeat(3_000)]) {
      expect(await ids(two, { tags: [long] })).toEqual([]);
      expect(await ids(two, { query: `"${long}"` })).toEqual([]);
      expect(await ids(two, { query: `slithy toves -${long}` })).toEqual(["plain"]);
    }
    expect(await ids(two, { query: "slithy \uD800 toves \0" })).toEqual(["plain"]);
    const shared = openSharedConversations({ store: machines.asBob, cache: temporaryFolder(), redact, log: () => {} });
    await expect(shared.find("\0")).rejects.toThrow("A text has a NUL character in it. Send it without.");
    await expect(shared.find("\uD800")).rejects.toBeInstanceOf(Problem);
    await cleared(machines);
  });
});
