// A person without notes or conversations finds something in every view.
import { beforeAll, describe, expect, it } from "vitest";
import { BROWSER, isSkipped, servePage, type OpenServer } from "./open-page.ts";

describe.skipIf(isSkipped)("a newcomer", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    // No vault: an empty variable counts as unset.
    server = await servePage("");
  });

  it("sees the guide from its beginning, without its markup", async () => {
    const { page, faults } = await server.open();
    await page.locator(".result").nth(3).waitFor();
    expect(await page.locator(".result-title").allTextContents()).toEqual([
      "Welcome",
      "Ask your assistant",
      "Your own notes",
      "Nothing is lost",
    ]);
    expect(await page.locator(".results").first().textContent()).not.toMatch(/\[\[|\]\]/);
    await page
      .getByRole("main")
      .getByRole("link", { name: /Welcome/ })
      .click();
    await page.getByRole("link", { name: "Your own notes" }).first().click();
    await page.getByRole("heading", { name: "Your own notes", level: 1 }).waitFor();
    expect(faults).toEqual([]);
  });

  it("gets the shortcuts by typing ? into the empty search field, and a ? in a query", async () => {
    const { page } = await server.open();
    await page.locator(".result").first().waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.type("/why?");
    await page.waitForURL("**/search?q=why%3F");
  });

  it("has an outline to check off, and learns what the other views are for", async () => {
    const { page } = await server.open("/outline");
    await page.getByRole("treeitem", { name: "Ask your assistant" }).waitFor();
    await page.goto(`${server.origin}/conversation/`);
    await page.getByText("No conversations yet").waitFor();
    await page.goto(`${server.origin}/activity`);
    await page.getByText("Nothing has changed yet").waitFor();
    await page.getByRole("figure").filter({ hasText: "Conversations" }).getByText("none in this period").waitFor();
    await page.getByRole("img", { name: /Notes changed: 4/ }).waitFor();
  });

  it("begins with three steps, and writes the first note of the day", async () => {
    const { page, faults } = await server.open("/");
    const steps = page.getByRole("list", { name: "First steps" }).locator(":scope > li");
    await expect.poll(() => steps.locator(".card-title").allTextContents()).toHaveLength(3);
    await page.getByText("No assistant changed anything.").waitFor();
    await page.getByText("No task is due.").waitFor();
    await page.getByRole("textbox", { name: "Write in today’s note" }).fill("- [ ] Sow peas 📅 2026-01-31");
    await page.keyboard.press("Control+Enter");
    const due = page.getByRole("region", { name: "Due" });
    await due.getByRole("checkbox", { name: "Sow peas" }).press("Space");
    await due.getByText("No task is due.").waitFor();
    await page.locator(".day-note [role=checkbox][aria-checked=true]").waitFor();
    // A click into the note writes where it is clicked.
    await page
      .locator(".day-note")
      .getByText("Sow peas")
      .click({ position: { x: 1, y: 10 } });
    await page.getByRole("textbox", { name: /^Text of/ }).waitFor();
    await page.keyboard.type("Early: ");
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".day-note .prose").getByText("Early: Sow peas").waitFor();
    const days = page.getByRole("navigation", { name: "Thirty days" }).getByRole("link");
    expect(await days.count()).toBe(30);
    await days.nth(20).press("Enter");
    await page.getByText("There is no note of this day.").waitFor();
    await page.getByRole("link", { name: "Back to today" }).press("Enter");
    await page.locator(".day-note [role=checkbox][aria-checked=true]").waitFor();
    expect(faults.filter((fault) => !fault.includes("404"))).toEqual([]);
  });
});
