// What writing the events of a source costs, on files that a program rewrites.
import { expect, it, vi } from "vitest";
import { openStore } from "../../../../test/conversation-store.ts";
import { madeConversations } from "../../../../test/program-stores/made-conversation.ts";
import { clineStore } from "../../../../test/program-stores/cline.ts";
import { atTheEnd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { IndexDatabase } from "../../../sqlite/sqlite.ts";
import { cline } from "../../sources/cline/cline.ts";

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
