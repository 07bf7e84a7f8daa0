// The palette: Ctrl-K opens notes, headings, rows, conversations and recent
// things, and runs commands, with the keyboard alone.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../processes/program.ts";
import { HOSTILE_NAMES, HOSTILE_TEXTS } from "./hostile-texts.ts";
import { BROWSER, isSkipped, servePage, writeSampleVault, writeVault, type OpenServer } from "./open-page.ts";
import { SAMPLE_CONVERSATIONS, writeConversations } from "./sample-conversations.ts";
import { SAMPLE_OUTLINE } from "./sample-outline.ts";

async function openPalette(page: Page, typed: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Open or do" }).waitFor();
  await page.keyboard.type(typed);
}

describe.skipIf(isSkipped)("the palette", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    const outline = join(temporaryFolder(), "Projects.opml");
    writeFileSync(outline, SAMPLE_OUTLINE);
    const home = temporaryFolder();
    writeConversations(home, SAMPLE_CONVERSATIONS);
    server = await servePage(writeSampleVault(), { HOME: home, USERPROFILE: home, COMMONPLACE_OUTLINE: outline });
  });

  it("opens a note, a heading and a conversation by a part of their names", async () => {
    const { page, faults } = await server.open("/folder/");
    await page.locator(".entries a").first().waitFor();
    await openPalette(page, "crop rot");
    await page.getByRole("option", { name: "Crop rotation Garden" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Crop rotation", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/note/Garden/Crop%20rotation.md");

    await openPalette(page, "goes in");
    const heading = page.getByRole("option", { name: /^What goes in/ });
    await heading.waitFor();
    await expect
      .poll(async () => {
        if ((await heading.getAttribute("aria-selected")) !== "true") await page.keyboard.press("ArrowDown");
        return heading.getAttribute("aria-selected");
      })
      .toBe("true");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/note/Garden/Compost.md#at-what-goes-in");

    await openPalette(page, "data or a cache");
    await page.getByRole("option", { name: /^What did we decide/ }).click();
    await page.waitForURL("**/conversation/**");
    await page.getByText("Delete it, and it comes back.").waitFor();
    expect(faults).toEqual([]);
  });

  it("works from a text field, opens rows, and closes with Escape", async () => {
    const { page } = await server.open("/");
    await page.getByRole("searchbox").focus();
    await openPalette(page, "cold frame");
    const row = page.getByRole("option").filter({ hasText: "Projects" }).first();
    await row.waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await openPalette(page, "cold frame");
    await row.click();
    await page.waitForURL("**/outline?row=*");
  });

  it("offers what was opened last, and commands", async () => {
    const { page } = await server.open("/note/Garden/Compost.md", {});
    await page.getByRole("heading", { name: "Compost", level: 1 }).waitFor();
    await page.goto(`${server.origin}/note/Travel/Lisbon.md`);
    await page.getByRole("heading", { name: "Lisbon", level: 1 }).waitFor();
    await openPalette(page, "");
    const recent = page.getByRole("option").first();
    expect(await recent.textContent()).toContain("Compost");
    await page.keyboard.type(">activ");
    await page.getByRole("option", { name: /^Go to activity/ }).waitFor();
    expect(await page.getByRole("option").count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Activity", level: 1 }).waitFor();
    await openPalette(page, "xyzzyqq");
    await page.getByRole("option", { name: /^Search everything/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/search?q=xyzzyqq");
  });

  it("shows hostile names and headings as text", async () => {
    const notes = Object.fromEntries(HOSTILE_TEXTS.map((text, i) => [`Texts/${i}.md`, `# harmless ${text}\n`]));
    const vault = writeVault(notes);
    for (const name of HOSTILE_NAMES) writeFileSync(join(vault, name), "harmless\n");
    const hostile = await servePage(vault);
    const { page, faults, requests } = await hostile.open("/", {});
    await page.locator(".result").first().waitFor();
    await page.evaluate(
      `localStorage.setItem("recent-visited", JSON.stringify([{kind: "note", address: "javascript:window.hacked=1", title: "x"}, {kind: "note", address: "//elsewhere.example", title: "y"}, 5]))`,
    );
    await openPalette(page, "");
    expect(await page.getByRole("option", { name: /^[xy]$/ }).count()).toBe(0);
    await page.keyboard.type("harmless");
    await page.getByRole("option").nth(8).waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(faults).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(hostile.origin))).toEqual([]);
  });
});
