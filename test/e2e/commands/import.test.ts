// `commonplace import`, as the built program: an archive in, then searched, read
// and renewed by the other commands.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { zipArchive } from "../../fixtures/zip-archives.ts";
import { runProgram, temporaryFolder } from "../../processes/program.ts";
import { chatGptConversation, claudeAiConversation } from "../../program-stores/archives.ts";
import { madeConversations, type MadeConversation } from "../../program-stores/made-conversation.ts";

const [CLAUDE, CHATGPT] = madeConversations(2, 2) as [MadeConversation, MadeConversation];

function homeWithArchives(): string {
  const home = temporaryFolder();
  mkdirSync(join(home, "vault"));
  const claude = JSON.stringify([claudeAiConversation(CLAUDE)]);
  const members = [
    { name: "conversations.json", content: claude },
    { name: "users.json", content: '[{"full_name": "Anna", "email_address": "anna@example.org"}]' },
    { name: "projects.json", content: "[]" },
  ];
  writeFileSync(join(home, "claude.zip"), zipArchive(members));
  writeFileSync(join(home, "conversations.json"), JSON.stringify([chatGptConversation(CHATGPT)]));
  return home;
}

const run = (home: string, ...words: string[]) => runProgram([...words, "--vault", join(home, "vault")], { home });

describe("commonplace import", () => {
  it("takes in both services, and what it took in is found, read, and survives every renewal", async () => {
    const home = homeWithArchives();
    const claude = await run(home, "import", join(home, "claude.zip"));
    expect(claude.stdout).toContain("claude.ai: 1 conversation added, in ");
    expect(claude.code).toBe(0);
    const chatgpt = await run(home, "import", join(home, "conversations.json"), "--json");
    expect(JSON.parse(chatgpt.stdout)).toMatchObject({ from: ["ChatGPT"], added: 1, unchanged: 0 });
    const again = await run(home, "import", join(home, "claude.zip"));
    expect(again.stdout).toContain("0 conversations added, 1 there already");

    for (const renewal of [["index"], ["index", "--rebuild"], ["index", "--forget", "--yes"]]) {
      expect((await run(home, ...renewal)).code, renewal.join(" ")).toBe(0);
      const found = await run(home, "search", "answer1x1");
      expect(found.stdout, renewal.join(" ")).toContain(`chatgpt`);
      const read = await run(home, "read", CLAUDE.id);
      expect(read.stdout).toContain(CLAUDE.turns[1]!.prompt);
      expect(read.stdout).not.toContain(CLAUDE.turns[1]!.thinking);
    }
  });

  it("says that an archive is empty", async () => {
    const home = homeWithArchives();
    writeFileSync(join(home, "conversations.json"), "[]");
    const { stdout, code } = await run(home, "import", join(home, "conversations.json"));
    expect([stdout, code]).toEqual(["The archive has no conversations.\n", 0]);
  });

  it.each([
    [[], 2, "Name the file to import."],
    [["gone.zip"], 1, "There is no file"],
    [["a.zip", "b.zip"], 2, "Unexpected argument 'b.zip'."],
  ])("refuses %j with a sentence", async (words, code, message) => {
    const result = await run(homeWithArchives(), "import", ...words);
    expect(result.stderr).toContain(message);
    expect(result.code).toBe(code);
  });
});
