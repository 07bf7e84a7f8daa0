// The activity in the page: what each assistant did, by session, every change as
// a difference, and undo of one change or of a session, shown before it is made.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { CONTEXT } from "../contract/vault.ts";
import { atTheEnd, ERAS, TOKEN } from "../processes/program.ts";
import { HOSTILE_TEXTS } from "./hostile-texts.ts";
import { BROWSER, isSkipped, servePage, showChanges, writeVault, type OpenServer } from "./open-page.ts";

describe.skipIf(isSkipped)("the activity", BROWSER, () => {
  let server: OpenServer;
  const text = (path: string) => readFileSync(join(server.vault, path), "utf8");

  const assistant = async (name: string, era: keyof typeof ERAS) => {
    const client = new Client({ name, version: "1" }, ERAS[era]);
    const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`), { requestInit }));
    atTheEnd(() => client.close());
    return async (tool: string, sessionId: string, primaryGoal: string, sent: object) => {
      const why = primaryGoal.length > 3 ? "Ana asked for it" : "";
      const context = { ...CONTEXT, sessionId, primaryGoal, sessionDescription: primaryGoal, toolContext: why };
      const result = await client.callTool({ name: tool, arguments: { ...sent, context } });
      expect(result.isError).toBeFalsy();
    };
  };

  beforeAll(async () => {
    const notes = { "Garden.md": "# Garden\n\nSow beans in May.\n\nWater in the evening.\n", "Other.md": "Other\n" };
    server = await servePage(writeVault(notes), { COMMONPLACE_TOOLSETS: "all" });
    const claude = await assistant("claude-code", "2026-07-28");
    const goal = "Plan the garden year";
    await claude("contentManager_replaceContent", "garden", goal, {
      filePath: "Garden.md",
      oldContent: "in May",
      newContent: "in late April",
    });
    await claude("contentManager_appendContent", "garden", goal, { filePath: "Garden.md", content: "\nMulch.\n" });
    await claude("vaultManager_moveNote", "garden", goal, { path: "Garden.md", newPath: "Garden year.md" });
    const cursor = await assistant("cursor-vscode", "2025-11-25 and before");
    await cursor("contentManager_appendContent", "other", "d", { filePath: "Other.md", content: "More\n" });
  });

  it("shows on one card a session's goal and reason, and what it made of each note", async () => {
    const { page, faults } = await server.open("/");
    const claude = page.getByRole("region", { name: /^Claude Code/ });
    await claude.getByText("Plan the garden year").waitFor();
    await claude.getByText("Ana asked for it").waitFor();
    const line = claude.locator(".touched > li");
    await expect
      .poll(() => line.allTextContents())
      .toEqual(["EditedGarden yearfrom Garden.md+3 −1 lines in Garden year"]);
    await claude.getByRole("button", { name: "Look" }).press("Enter");
    await line.locator(".difference-line[data-kind=added]", { hasText: "Mulch." }).waitFor();
    await claude.getByRole("link", { name: "Garden year" }).click();
    await page.getByRole("heading", { name: "Garden", level: 1 }).waitFor();
    expect(faults).toEqual([]);
  });

  it("says which assistant did what, in which session, with which goal, and not what says nothing", async () => {
    const { page, faults } = await server.open("/activity");
    const claude = page.getByRole("region", { name: /^Claude Code/ });
    await claude.getByText("Plan the garden year").waitFor();
    await showChanges(page);
    expect(await claude.locator(".change-message").allTextContents()).toEqual([
      "Moved Garden.md to Garden year.md",
      "Appended to Garden.md no longer there",
      expect.stringContaining("Garden.md"),
    ]);
    const cursor = page.getByRole("region", { name: /^Cursor/ });
    expect(await cursor.locator(".change").count()).toBe(1);
    expect(await page.locator(".session-goal").allTextContents()).toEqual(["Plan the garden year"]);
    expect(faults).toEqual([]);
  });

  it("shows a change as a difference of words, though the note was changed and moved since", async () => {
    const { page } = await server.open("/activity");
    await showChanges(page);
    const change = page.locator(".change").nth(3);
    await change.getByRole("button", { name: /^Show:/ }).focus();
    await page.keyboard.press("Enter");
    await change.locator(".difference-line[data-kind=removed]").waitFor();
    expect(await change.locator("[data-kind=removed] mark").allTextContents()).toEqual(["May"]);
    expect(await change.locator("[data-kind=added] mark").allTextContents()).toEqual(["late April"]);
    await change.getByRole("button", { name: /^Undo:/ }).click();
    await change.getByText("This stands in the way: Garden.md is gone.").waitFor();
    await change.getByText("“Moved Garden.md to Garden year.md”").waitFor();
    expect(await change.getByRole("button", { name: "Undo this" }).count()).toBe(0);
  });

  it("links to notes that are there, and says which are not", async () => {
    const { page } = await server.open("/activity");
    await showChanges(page);
    const moved = page.locator(".change", { hasText: "Appended to Garden.md" });
    await moved.getByText("no longer there").waitFor();
    expect(await moved.getByRole("link").count()).toBe(0);
    await moved.getByRole("button", { name: /^Show:/ }).click();
    await moved.locator(".difference-line[data-kind=added]").first().waitFor();
    expect(await moved.getByRole("link").count()).toBe(0);
    const other = page.locator(".change", { hasText: "Appended to Other.md" });
    await other.getByRole("link", { name: "Appended to Other.md" }).waitFor();
    const before = text("Other.md");
    rmSync(join(server.vault, "Other.md"));
    await other.getByText("no longer there").waitFor();
    expect(await other.getByRole("link").count()).toBe(0);
    writeFileSync(join(server.vault, "Other.md"), before);
    await other.getByRole("link", { name: "Appended to Other.md" }).waitFor();
  });

  it("undoes one change after it has shown what comes back, in every window", async () => {
    const { page } = await server.open("/activity");
    const other = await server.open("/note/Other.md");
    await other.page.getByText("More").waitFor();
    await page.bringToFront();
    await showChanges(page);
    const change = page.locator(".change", { hasText: "Appended to Other.md" });
    await change.getByRole("button", { name: /^Undo:/ }).click();
    await change.locator(".difference-line[data-kind=removed]", { hasText: "More" }).waitFor();
    expect(text("Other.md")).toContain("More");
    await change.getByRole("button", { name: "Undo this" }).click();
    await change.getByText("undone").waitFor();
    expect(text("Other.md")).toBe("Other\n");
    await other.page.getByText("More").waitFor({ state: "detached" });
    await change.getByRole("button", { name: /^Redo:/ }).click();
    await change.locator(".difference-line[data-kind=added]", { hasText: "More" }).waitFor();
    await change.getByRole("button", { name: "Redo this" }).click();
    await expect.poll(() => text("Other.md")).toContain("More");
  });

  it("undoes a whole session, the last change first, and stops where somebody else has written", async () => {
    const { page } = await server.open("/activity");
    const claude = page.getByRole("region", { name: /^Claude Code/ });
    const before = text("Garden year.md");
    await claude.getByRole("button", { name: "Undo all 3 …" }).click();
    const preview = claude.getByRole("group", { name: /^Undo all of/ });
    await preview.getByText("All 3 changes would be undone").waitFor();
    await showChanges(page);
    expect(await preview.locator("summary").allTextContents()).toHaveLength(3);
    expect(await preview.getByText("This stands in the way").count()).toBe(0);
    // The preview says at once what somebody else's change means for it.
    writeFileSync(join(server.vault, "Garden year.md"), "written by hand\n");
    await preview.getByText("This stands in the way: Garden year.md was changed since").waitFor();
    await preview.getByText(/^\d of 3 changes would be undone/).waitFor();
    expect(await preview.getByRole("button", { name: "Undo all 3" }).count()).toBe(0);
    expect(text("Garden year.md")).toBe("written by hand\n");
    writeFileSync(join(server.vault, "Garden year.md"), before);
    await preview.getByRole("button", { name: "Undo all 3" }).click();
    await expect.poll(() => claude.locator(".change.is-undone").count()).toBe(3);
    expect(text("Garden.md")).toBe("# Garden\n\nSow beans in May.\n\nWater in the evening.\n");
  });

  it("goes back to a moment by keys, after it has shown what would be taken back", async () => {
    const cursor = await assistant("cursor-vscode", "2026-07-28");
    const append = (content: string) =>
      cursor("contentManager_appendContent", "back", "Write down", { filePath: "Back.md", content });
    writeFileSync(join(server.vault, "Back.md"), "Begun.\n");
    await append("One\n");
    await append("Two\n");
    const { page, faults } = await server.open("/activity", {});
    const back = page.getByRole("region", { name: "Go back" });
    await back.getByText("Now", { exact: true }).waitFor();
    await back.getByRole("slider", { name: "Moment" }).press("ArrowLeft");
    await back.getByText(/: 1 change since$/).waitFor();
    await back.getByRole("slider", { name: "Moment" }).press("ArrowLeft");
    await back.getByText(/: 2 changes since$/).waitFor();
    await back.getByRole("button", { name: "Go back to here …" }).press("Enter");
    const preview = back.getByRole("group", { name: /^Undo all of the changes since/ });
    await preview.getByText("All 2 changes would be undone").waitFor();
    await preview.locator("summary").first().press("Enter");
    await preview.locator(".difference-line[data-kind=removed]", { hasText: "Two" }).waitFor();
    expect(text("Back.md")).toBe("Begun.\nOne\nTwo\n");
    await preview.getByRole("button", { name: "Go back to here", exact: true }).press("Enter");
    await expect.poll(() => text("Back.md")).toBe("Begun.\n");
    await back
      .getByText("Now", { exact: true })
      .or(back.getByText(/since$/))
      .waitFor();
    expect(faults).toEqual([]);
  });

  it("shows hostile notes, goals and names of assistants as text", async () => {
    const hostile = await assistant(`<img src=x onerror="window.hacked=1">`, "2026-07-28");
    await hostile("contentManager_createContent", "<script>window.hacked=1</script>", HOSTILE_TEXTS[0]!, {
      filePath: "Hostile.md",
      content: HOSTILE_TEXTS.join("\n\n"),
    });
    const { page, faults, requests } = await server.open("/activity");
    await page.getByRole("link", { name: "Hostile" }).waitFor();
    await showChanges(page);
    const change = page.locator(".change", { hasText: "Hostile.md" });
    await change.getByRole("button", { name: /^Show:/ }).click();
    await change.locator(".difference-line[data-kind=added]").first().waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(await change.locator(".difference script, .difference img, .difference iframe").count()).toBe(0);
    expect(faults).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(server.origin))).toEqual([]);
  });
});
