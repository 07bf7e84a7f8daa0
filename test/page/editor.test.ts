// Writing a note in the page, in a real browser: by keyboard alone, by two windows
// at once, after a reload; and renaming it, and ticking its tasks.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { BROWSER, holdSaves, isSkipped, servePage, writeVault, type OpenServer } from "./open-page.ts";
import { PASTED, pasteImage } from "./paste-image.ts";

describe.skipIf(isSkipped)("the editor of a note", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    server = await servePage(
      writeVault({
        "Plan.md": "# Plan\r\n\r\nFirst line\r\nMiddle\nLast line\r\n",
        "Both.md": "one\ntwo\nthree\n",
        "Same.md": "one\ntwo\nthree\n",
        "Draft.md": "text\n",
        "Old.md": "old\n",
        "Links.md": "See [[Old]] and [[Old|it]].\n",
        "Tasks.md": "---\nkind: list\n---\n- [ ] water the beans 📅 2026-03-01 🔁 every week\n- [x] sow peas\n",
      }),
    );
  });

  const read = (name: string) => readFileSync(join(server.vault, name), "utf8");
  const edit = async (page: Page) => {
    await page.getByRole("button", { name: "Edit", exact: true }).press("Enter");
    await page.getByRole("textbox", { name: /^Text of/ }).waitFor();
  };

  const saved = (page: Page) => page.getByText("Saved", { exact: true });

  it("begins where the text is clicked, saves by itself, and keeps the line endings of the other lines", async () => {
    const { page, faults } = await server.open("/note/Plan.md");
    await page.getByText("First line").click({ position: { x: 2, y: 8 } });
    await page.getByRole("textbox", { name: /^Text of/ }).waitFor();
    // Keys that are shortcuts elsewhere are text here.
    await page.keyboard.type("g / ? t e: see [[Li");
    await page.getByRole("option", { name: "Links", selected: true }).waitFor();
    // The list takes no keys in its first 75 ms, so that nobody accepts what has just appeared.
    await page.waitForTimeout(300);
    await page.keyboard.press("Enter");
    await saved(page).waitFor();
    expect(read("Plan.md")).toBe("# Plan\r\n\r\ng / ? t e: see [[Links]]First line\r\nMiddle\nLast line\r\n");
    await page.keyboard.type(" and ");
    await saved(page).waitFor({ state: "detached" });
    await saved(page).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".prose").getByRole("link", { name: "Links" }).waitFor();
    // All saves of a visit are one change.
    const history = page.getByRole("region", { name: "History" });
    await history.getByRole("button", { name: /^Undo/ }).waitFor();
    expect(await history.locator(".change-message").allTextContents()).toEqual(["Edited Plan.md by You"]);
    expect(faults).toEqual([]);
  });

  it("takes back with Undo what a visit saved", async () => {
    const { page } = await server.open("/note/Draft.md");
    await page.locator(".prose").waitFor();
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: /^Text of/ }).waitFor();
    await page.keyboard.type("/tas");
    await page.getByRole("option", { name: /^\/task/, selected: true }).waitFor();
    await page.waitForTimeout(300);
    await page.keyboard.press("Enter");
    await page.keyboard.type("sow ");
    await page.keyboard.press("Control+s");
    await saved(page).waitFor();
    expect(read("Draft.md")).toBe("- [ ] sow text\n");
    await page.locator(".editor-bar").getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => read("Draft.md")).toBe("text\n");
    await expect.poll(() => page.getByRole("textbox", { name: /^Text of/ }).textContent()).toBe("text");
  });

  it("merges what another window writes in other lines while it is written, without a question", async () => {
    const [mine, theirs] = [await server.open("/note/Both.md"), await server.open("/note/Both.md", {})];
    await mine.page.bringToFront();
    await edit(mine.page);
    await edit(theirs.page);
    const release = await holdSaves(mine.page);
    await mine.page.keyboard.press("Control+Home");
    await mine.page.keyboard.type("mine ");
    await theirs.page.keyboard.press("Control+End");
    await theirs.page.keyboard.type("theirs");
    await expect.poll(() => read("Both.md")).toBe("one\ntwo\nthree\ntheirs");
    release();
    await mine.page.getByText("Somebody else wrote in this note just now").waitFor();
    await expect.poll(() => read("Both.md")).toBe("mine one\ntwo\nthree\ntheirs");
    // The caret is where it was.
    await mine.page.keyboard.type("own ");
    await expect.poll(() => read("Both.md")).toBe("mine own one\ntwo\nthree\ntheirs");
  });

  it("lets the person choose where both wrote in the same line; nothing is written before", async () => {
    const { page } = await server.open("/note/Same.md");
    await edit(page);
    const release = await holdSaves(page);
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("mine ");
    writeFileSync(join(server.vault, "Same.md"), "their one\ntwo\nthree\n");
    release();
    const conflict = page.getByRole("region", { name: "Conflicting changes" });
    await conflict.getByText("mine one").waitFor();
    expect(await conflict.locator(".conflict-sides pre").allTextContents()).toEqual(["one", "mine one", "their one"]);
    expect(await conflict.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    expect(read("Same.md")).toBe("their one\ntwo\nthree\n");
    await conflict.getByRole("radio", { name: "Keep both" }).press("Space");
    await conflict.getByRole("button", { name: "Save" }).press("Enter");
    await expect.poll(() => read("Same.md")).toBe("mine one\ntheir one\ntwo\nthree\n");
  });

  it("saves what was typed when the note is left, and keeps what cannot be saved until it can", async () => {
    const { page } = await server.open("/note/Draft.md", {});
    await edit(page);
    await page.keyboard.type("kept ");
    await page.getByRole("link", { name: "Activity" }).click();
    await expect.poll(() => read("Draft.md")).toBe("kept text\n");
    await page.goto(`${server.origin}/note/Draft.md`);
    await edit(page);
    const fails = (route: Route) =>
      route.request().headers()["mcp-name"] === "contentManager_replaceContent" ? route.abort() : route.continue();
    await page.route("**/mcp", fails);
    await page.keyboard.type("not yet ");
    await page.getByText("The server cannot be reached.").waitFor();
    // Leaving asks: here the person leaves all the same.
    page.removeAllListeners("dialog").on("dialog", (dialog) => void dialog.accept());
    await page.goto(`${server.origin}/note/Draft.md`);
    await page.getByText("something here that is not saved").waitFor();
    await page.unroute("**/mcp", fails);
    await page.getByRole("button", { name: "Continue" }).press("Enter");
    await page.getByText("What was not saved is back.").waitFor();
    await expect.poll(() => read("Draft.md")).toBe("not yet kept text\n");
  });

  it("renames a note after it has shown which links change", async () => {
    const { page } = await server.open("/note/Old.md");
    await page.getByRole("button", { name: "Rename or move" }).press("Enter");
    await page.getByRole("textbox", { name: "New path" }).fill("Archive/New.md");
    await page.keyboard.press("Enter");
    await page.getByText("Would rewrite 2 links in Links.md").waitFor();
    expect(await page.getByText("preview").count()).toBe(0);
    expect(existsSync(join(server.vault, "Old.md"))).toBe(true);
    await page.getByRole("button", { name: "Move it" }).press("Enter");
    await page.waitForURL("**/note/Archive/New.md");
    expect(read("Links.md")).toBe("See [[New]] and [[New|it]].\n");
  });

  it("ticks a task in place, and a recurring one makes its next", async () => {
    const { page } = await server.open("/note/Tasks.md");
    const box = page.getByRole("checkbox", { name: /water the beans/ });
    await box.press("Space");
    await expect.poll(() => page.getByRole("checkbox", { name: /water the beans/ }).count()).toBe(2);
    const text = read("Tasks.md");
    expect(text).toContain("- [ ] water the beans 📅 2026-03-08 🔁 every week\n");
    expect(text).toContain("- [x] water the beans");
    await page.getByRole("checkbox", { name: "sow peas" }).press("Space");
    await expect.poll(() => read("Tasks.md")).toContain("- [ ] sow peas");
  });

  it("creates a note with n, open in the editor, in the folder that is shown", async () => {
    const { page, faults } = await server.open("/folder/Archive");
    await page.getByRole("heading", { name: "Archive", level: 1 }).waitFor();
    await page.keyboard.press("n");
    const path = page.getByRole("textbox", { name: "Path" });
    expect(await path.inputValue()).toBe("Archive/");
    await path.press("End");
    await page.keyboard.type("Fresh");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Text of Fresh" }).waitFor();
    await page.keyboard.type("First words");
    await page.keyboard.press("Control+s");
    await expect.poll(() => read("Archive/Fresh.md")).toBe("First words");
    expect(faults).toEqual([]);
  });

  it("adds to the note of today with c, from anywhere", async () => {
    const { page } = await server.open("/activity");
    await page.getByRole("heading", { name: "Activity", level: 1 }).waitFor();
    await page.keyboard.press("c");
    await page.getByRole("textbox", { name: "What to add" }).fill("- buy milk");
    await page.keyboard.press("Control+Enter");
    const link = page.getByRole("dialog").getByRole("link");
    await link.waitFor();
    expect(read(`${await link.textContent()}.md`)).toBe("- buy milk\n");
    await link.press("Enter");
    await page.getByText("buy milk").waitFor();
  });

  it("adds an image that is pasted, and embeds it", async () => {
    const { page, faults } = await server.open("/note/Draft.md");
    await edit(page);
    await pasteImage(page, "temple.png");
    await page.getByText("![[temple.png]]").waitFor();
    expect(readFileSync(join(server.vault, "temple.png"))).toEqual(PASTED);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate("document.querySelector('img.image')?.naturalWidth")).toBe(3);
    expect(faults).toEqual([]);
  });

  it("shows what others write while nothing is being edited", async () => {
    const { page } = await server.open("/note/Links.md");
    await page.locator(".live[data-state=live]").waitFor({ state: "attached" });
    appendFileSync(join(server.vault, "Links.md"), "From outside.\n");
    await page.getByText("From outside.").waitFor();
  });
});
