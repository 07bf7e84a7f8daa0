// A process that does not look where another one did, because a variable names
// the folder for one of them only.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { claudeCodeStore } from "../../../test/program-stores/claude-code.ts";
import { madeConversations } from "../../../test/program-stores/made-conversation.ts";
import { homeIn } from "../../../test/source-reader.ts";
import { atTheEnd, temporaryFolder } from "../../../test/temporary-folder.ts";
import { openConversations } from "../conversation-library.ts";
import { claudeCode } from "../sources/claude-code/claude-code.ts";

it("what is elsewhere is not taken for deleted, and what is deleted is", async () => {
  const [home, elsewhere] = [temporaryFolder(), temporaryFolder()];
  claudeCodeStore.write(elsewhere, madeConversations(1, 1));
  const file = join(home, "conversations.db");
  const archivedBy = async (environment: Record<string, string>) => {
    const homes = [{ ...homeIn(home), environment }];
    const given = { file, sources: [claudeCode], homes, redact: (text: string) => text, log: () => {} };
    const conversations = openConversations(given);
    atTheEnd(() => conversations.close());
    const { answer } = await conversations.recall({ limit: 10 }, { complete: true });
    await conversations.close();
    return answer.conversations.map(({ isArchived }) => isArchived);
  };
  const variable = { CLAUDE_CONFIG_DIR: join(elsewhere, ".claude") };
  expect(await archivedBy(variable)).toEqual([false]);
  expect(await archivedBy({})).toEqual([false]);
  rmSync(elsewhere, { recursive: true });
  expect(await archivedBy({})).toEqual([true]);
});
