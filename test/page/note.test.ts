// A note in the page: rendered as in Obsidian, with its links and its history,
// and updated with every change.
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { CONTEXT } from "../contract/vault.ts";
import { connectHttp, ERAS } from "../processes/program.ts";
import { BROWSER, isSkipped, servePage, showChanges, writeSampleVault, type OpenServer } from "./open-page.ts";

describe.skipIf(isSkipped)("a note", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    server = await servePage(writeSampleVault(), { COMMONPLACE_TOOLSETS: "all" });
  });

  const writeAsAssistant = async (name: string, sent: object) => {
    const client = await connectHttp(`${server.origin}/mcp`, ERAS["2026-07-28"]);
    const result = await client.callTool({ name, arguments: { context: CONTEXT, ...sent } });
    expect(result.isError).toBeFalsy();
    return result.structuredContent as { data: { sessionId: string } };
  };

  it("is rendered with all of Obsidian's syntax", async () => {
    const { page, faults } = await server.open("/note/Garden/Garden year.md");
    await page.getByRole("heading", { name: "Garden year", level: 1 }).waitFor();
    const prose = page.locator(".prose");
    await prose.getByRole("link", { name: "Crop rotation" }).waitFor();
    expect(await prose.locator("mark").textContent()).toBe("nine degrees");
    expect(await prose.locator(".callout[data-tone=success] .callout-title").textContent()).toBe("The one rule");
    expect(await prose.locator("li.task").count()).toBe(4);
    await expect.poll(() => prose.getByRole("checkbox", { checked: true }).count()).toBe(2);
    expect(await prose.locator("td.align-right").first().textContent()).toBe("June");
    expect(await prose.locator(".footnotes li").textContent()).toContain("ten centimetres deep");
    expect(await prose.getByText("A note that nobody has written").getAttribute("class")).toBe("broken");
    expect(await prose.getByRole("link", { name: "#garden/spring" }).getAttribute("href")).toBe(
      "/search?q=tag%3A%23garden%2Fspring",
    );
    expect(await prose.getByRole("link", { name: "Compost › What goes in" }).getAttribute("href")).toBe(
      "/note/Garden/Compost.md#at-what-goes-in",
    );
    const properties = page.locator(".properties");
    expect(await properties.locator("dt").allTextContents()).toEqual(["tags", "status", "season", "started", "source"]);
    expect(faults).toEqual([]);
  });

  it("keeps its properties folded, and those of other notes as they are", async () => {
    const { page } = await server.open("/note/Garden/Garden year.md", {});
    const properties = page.locator("details.properties");
    await properties.getByText("Properties").click();
    await page.locator("details.properties:not([open])").waitFor();
    await page.getByRole("link", { name: "Runner beans" }).first().click();
    await page.getByRole("heading", { name: "Runner beans", level: 1 }).waitFor();
    await page.locator("details.properties[open]").waitFor();
    await page.reload();
    await page.locator("details.properties[open]").waitFor();
    await page.goto(`${server.origin}/note/Garden/Garden%20year.md`);
    await page.getByRole("heading", { name: "Garden year", level: 1 }).waitFor();
    await properties.waitFor();
    expect(await properties.getAttribute("open")).toBeNull();
    await properties.getByText("Properties").click();
    await page.locator("details.properties[open]").waitFor();
    await page.reload();
    await page.locator("details.properties[open]").waitFor();
  });

  it("shows its embeds and coloured code", async () => {
    const { page } = await server.open("/note/Garden/Runner beans.md");
    await page.locator(".embed", { hasText: "Four beds, four years" }).waitFor();
    await page.goto(`${server.origin}/note/Work/Layers%20of%20a%20program.md`);
    await page.locator(".code .code-keyword", { hasText: "export" }).first().waitFor();
    expect(await page.locator(".code .code-comment").textContent()).toContain("What changes at different speeds");
  });

  it("lists its headings, backlinks and links", async () => {
    const { page } = await server.open("/note/Garden/Garden year.md");
    const aside = page.getByRole("complementary", { name: "About this note" });
    await aside
      .getByRole("link", { name: /Crop rotation/ })
      .first()
      .waitFor();
    expect(await aside.getByRole("navigation").getByRole("link").allTextContents()).toEqual([
      "Garden year",
      "Spring",
      "Summer",
      "Autumn",
    ]);
    const from = aside.getByRole("region", { name: "Linked from" });
    expect(await from.getByRole("link").allTextContents()).toEqual(["Crop rotation Garden"]);
    const to = aside.getByRole("region", { name: "Links to" });
    expect(await to.locator("li").allTextContents()).toEqual([
      "Crop rotation Garden",
      "Beds Garden",
      "Runner beans Garden",
      "Compost Garden",
      "A note that nobody has written",
    ]);
    await aside.getByRole("link", { name: "Autumn" }).click();
    await page.waitForURL("**/note/Garden/Garden%20year.md#at-autumn");
    await to.getByRole("link", { name: /Compost/ }).click();
    await page.getByRole("heading", { name: "Compost", level: 1 }).waitFor();
  });

  it("opened from a search is scrolled to the match, which is highlighted", async () => {
    const { page } = await server.open("/note/Garden/Garden year.md?q=sweet+peas", {
      viewport: { width: 1000, height: 500 },
    });
    await expect.poll(() => page.evaluate("CSS.highlights.get('match')?.size")).toBeGreaterThanOrEqual(4);
    await expect.poll(() => page.evaluate("scrollY")).toBeGreaterThan(200);
  });

  it("shows a change on disk", async () => {
    const { page } = await server.open("/note/Travel/Lisbon.md");
    await page.getByText("Custard tarts").waitFor();
    await page.locator(".live[data-state=live]").waitFor({ state: "attached" });
    appendFileSync(join(server.vault, "Travel/Lisbon.md"), "\nThe ferry to Cacilhas at dusk.\n");
    await page.getByText("The ferry to Cacilhas").waitFor();
  });

  it("shows what an assistant changed, and undoes it from its history", async () => {
    const { page } = await server.open("/note/Reading/The living mountain.md");
    await page.getByText("No assistant has changed this note.").waitFor();
    await writeAsAssistant("contentManager_appendContent", {
      filePath: "Reading/The living mountain.md",
      content: "Written by an assistant.",
    });
    await page.locator(".prose").getByText("Written by an assistant.").waitFor();
    const history = page.getByRole("region", { name: "History" });
    await history.getByRole("button", { name: /^Undo:/ }).click();
    await history.getByRole("button", { name: "Undo this" }).click();
    await page.locator(".prose").getByText("Written by an assistant.").waitFor({ state: "detached" });
    await history.getByText("undone").waitFor();
    await history.getByRole("button", { name: /^Redo:/ }).click();
    await history.getByRole("button", { name: "Redo this" }).click();
    await page.locator(".prose").getByText("Written by an assistant.").waitFor();
    // An undo that would overwrite a later change is not offered, and the page says why.
    writeFileSync(join(server.vault, "Reading/The living mountain.md"), "All new.\n");
    await page.getByText("All new.").waitFor();
    await history.getByRole("button", { name: /^Undo:/ }).click();
    await history.getByText("This stands in the way").waitFor();
    expect(await history.getByRole("button", { name: "Undo this" }).count()).toBe(0);
  });

  it("that was changed after a change shows before, then and now, and keeps a copy of before", async () => {
    const filePath = "Inbox/Later.md";
    await writeAsAssistant("contentManager_createContent", { filePath, content: "First text.\n" });
    await writeAsAssistant("contentManager_appendContent", { filePath, content: "Second text." });
    await writeAsAssistant("contentManager_appendContent", { filePath, content: "Third text." });
    const { page } = await server.open(`/note/${filePath}`);
    const history = page.getByRole("region", { name: "History" });
    await history
      .getByRole("button", { name: /^Undo:/ })
      .nth(1)
      .click();
    await history.getByText("This stands in the way").waitFor();
    await history.getByLabel(`Difference of ${filePath}`, { exact: true }).getByText("Second text.").waitFor();
    await history.getByLabel(`Later difference of ${filePath}`).getByText("Third text.").waitFor();
    await history.getByRole("button", { name: "Keep a copy of what it was before" }).click();
    await history
      .getByRole("status")
      .getByRole("link", { name: /Later \(before / })
      .click();
    await page.locator(".prose").getByText("First text.").waitFor();
    expect(await page.locator(".prose").textContent()).not.toContain("Second text.");
  });

  it("that does not exist comes with a hint for a person, and no call of a tool; so do rows and conversations", async () => {
    const { page } = await server.open("/note/Zyzzyva/Quux.md");
    await page.getByText("No note has that path, or a name like it.").waitFor();
    expect(await page.locator("main").textContent()).not.toContain("{");
    await page.goto(`${server.origin}/conversation/00000000-0000-4000-8000-000000000000`);
    const problem = page.getByRole("alert");
    await problem.waitFor();
    expect(await problem.textContent()).not.toMatch(/[{_]/);
  });

  it("is listed in the activity view, with an undo button for each change", async () => {
    await writeAsAssistant("contentManager_createContent", { filePath: "Inbox/Idea.md", content: "An idea.\n" });
    const { page } = await server.open("/activity");
    await showChanges(page);
    const step = page.locator(".change", { hasText: "Inbox/Idea.md" });
    await step.waitFor();
    expect(await page.getByRole("img", { name: /^Notes changed in the last 56 days/ }).count()).toBe(1);
    await step.getByRole("button", { name: /^Undo:/ }).click();
    await step.getByRole("button", { name: "Undo this" }).click();
    await step.getByText("undone").waitFor();
    await page.goto(`${server.origin}/note/Inbox/Idea.md`);
    await page.getByText("File not found: Inbox/Idea.md").waitFor();
  });

  it("is listed under the session in which it was changed", async () => {
    const begun = { name: "Plan the year", sessionGoal: "Know what to sow" };
    const { data } = await writeAsAssistant("memoryManager_createSession", begun);
    const context = { ...CONTEXT, sessionId: data.sessionId };
    await writeAsAssistant("contentManager_createContent", {
      filePath: "Garden/Sowing.md",
      content: "Peas.\n",
      context,
    });
    const { page } = await server.open("/activity");
    const session = page.locator(".session", { hasText: "Know what to sow" });
    await session.getByRole("heading", { name: /^test/ }).waitFor();
    await session.getByRole("link", { name: "Sowing" }).waitFor();
    // The page itself leaves no session.
    await page.goto(`${server.origin}/note/Garden/Sowing.md`);
    await page.getByText("Peas.").waitFor();
    const sessions = await writeAsAssistant("memoryManager_loadSession", {});
    expect(JSON.stringify(sessions)).not.toContain('"page"');
  });
});
