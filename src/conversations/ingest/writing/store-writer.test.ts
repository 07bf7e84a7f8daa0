// The cost of writing a source's events, on files that a program rewrites.
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { openStore } from "../../../../test/conversation-store.ts";
import { madeConversations } from "../../../../test/program-stores/made-conversation.ts";
import { clineStore } from "../../../../test/program-stores/cline.ts";
import { atTheEnd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { IndexDatabase } from "../../../sqlite/sqlite.ts";
import { cline } from "../../sources/cline/cline.ts";
import type { Usage } from "../../sources/source.ts";
import { CONVERSATIONS } from "../../store/tables.ts";
import { addTranscripts } from "../transcript-rows.ts";
import { StoreWriter } from "./store-writer.ts";

function openCline(home: string) {
  const conversations = openStore(home, [cline]);
  return async () => (await conversations.recall({ limit: 10 }, { complete: true })).answer.conversations;
}

it("removes nothing of a new file, since that looks at every message of the store", async () => {
  const run = vi.spyOn(IndexDatabase.prototype, "run");
  atTheEnd(() => run.mockRestore());
  const removals = () => run.mock.calls.filter(([sql]) => sql.startsWith("UPDATE unit SET rest_stamp = NULL")).length;
  const home = temporaryFolder();
  clineStore.write(home, madeConversations(3, 1));
  const recall = openCline(home);
  expect(await recall()).toHaveLength(3);
  expect(removals()).toBe(0);
  clineStore.write(home, [madeConversations(3, 2)[0]!]);
  await recall();
  expect(removals()).toBe(1);
});

it("counts the messages of a file that was rewritten once", async () => {
  const home = temporaryFolder();
  clineStore.write(home, madeConversations(1, 1));
  const recall = openCline(home);
  await recall();
  clineStore.write(home, madeConversations(1, 2));
  await recall();
  clineStore.write(home, madeConversations(1, 3));
  const [again] = await recall();
  const [fresh] = await openCline(home)();
  expect(again!.messages).toBe(fresh!.messages);
});

it("writes the tokens of a transaction once for each session: a total replaces what was counted before it, and nothing after it", () => {
  const database = new IndexDatabase(join(temporaryFolder(), "store.db"), () => {}, CONVERSATIONS);
  atTheEnd(() => database.close());
  const transcript = { path: "/one", stamp: "1", size: 1, changed: 1 };
  const [id] = addTranscripts(database, [{ source: cline, transcript }]).values();
  const stored = { id: id!, source: cline.name, reader: 1, emitsNonProseOnce: false, isNonProse: false, transcript };
  const usage = (input: number, rest: Partial<Usage> = {}) => {
    const tokens = { input, output: 2 * input, cached: 0 };
    return { kind: "usage", usage: { conversation: "c", tokens, ...rest } } as const;
  };
  const writer = new StoreWriter(database);
  writer.add(stored, [usage(1), usage(2), usage(10, { session: "agent" }), usage(100, { isTotal: true })]);
  writer.add(stored, [usage(20, { session: "agent" }), usage(5)]);
  writer.flush();
  const counts = () => database.all("SELECT session, input, output FROM usage ORDER BY session");
  expect(counts()).toMatchObject([
    { session: "", input: 105, output: 210 },
    { session: "agent", input: 30, output: 60 },
  ]);
  writer.add(stored, [usage(7)]);
  writer.flush();
  expect(counts()).toMatchObject([{ input: 112 }, { input: 30 }]);
});
