// The names of projects in results, through the store.
import { join } from "node:path";
import { expect, it } from "vitest";
import { openStore } from "../../../../test/conversation-store.ts";
import { claudeCodeStore } from "../../../../test/program-stores/claude-code.ts";
import { madeConversations } from "../../../../test/program-stores/made-conversation.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { claudeCode } from "../../sources/claude-code/claude-code.ts";

async function projectsOf(...folders: readonly string[]) {
  const home = temporaryFolder();
  const made = madeConversations(folders.length, 1);
  claudeCodeStore.write(
    home,
    made.map((conversation, i) => ({ ...conversation, folder: folders[i]! })),
  );
  const conversations = openStore(home, [claudeCode], join(home, "conversations.db"));
  const { answer } = await conversations.recall({ limit: 100 }, { complete: true });
  const byFolder = new Map(answer.conversations.map(({ folder, project }) => [folder, project]));
  const count = async (project: string) =>
    (await conversations.recall({ project, limit: 100 }, { asItIs: true })).answer.total;
  const similar = async (name: string) => (await conversations.project(name, { asItIs: true })).similar;
  return { names: folders.map((folder) => byFolder.get(folder)), count, similar };
}

it("projects have the shortest names that tell them apart, and are found by these", async () => {
  const { names, count } = await projectsOf("/nowhere/new/shop", "/nowhere/old/shop", "/nowhere/blog");
  expect(names).toEqual(["new/shop", "old/shop", "blog"]);
  for (const name of names) expect(await count(name!)).toBe(1);
  expect(await count("shop")).toBe(2);
});

it("an unknown project has similar names: all that it may be", async () => {
  const { similar } = await projectsOf("/nowhere/new/shop", "/nowhere/old/shop", "/nowhere/blog");
  expect(await similar("shpo")).toEqual(["new/shop", "old/shop"]);
  expect(await similar("Blogs")).toEqual(["blog"]);
  expect(await similar("zebra")).toEqual([]);
  expect(await similar("shop")).toEqual([]);
});

it("worktrees that are gone belong to their repository, wherever a program keeps them", async () => {
  const { names, count } = await projectsOf(
    "/nowhere/shop",
    "/nowhere/shop/.worktrees/dark-theme",
    "/nowhere/.codex/worktrees/654c/shop",
    "/nowhere/.cursor/worktrees/shop/abcde",
    "/nowhere/.codex/worktrees/1a2b/other",
  );
  expect(names).toEqual(["shop", "shop", "shop", "shop", "other"]);
  expect(await count("shop")).toBe(4);
});

it("a worktree is nobody's where two repositories have its name", async () => {
  const { names } = await projectsOf("/nowhere/a/shop", "/nowhere/b/shop", "/nowhere/.codex/worktrees/654c/shop");
  expect(names).toEqual(["a/shop", "b/shop", "654c/shop"]);
});
