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

function selectedText(page: Page): Promise<string | null> {
  return page.locator("[role=option][aria-selected=true]").textContent();
}

/** Presses a key as soon as the page is in the document, before it is painted, and looks where the next one would go. */
const PRESS_AT_ONCE = `
  const [key, modifier] = new URLSearchParams(location.search).get("keys")?.split("+").toReversed() ?? [];
  let wasPressed = false;
  new MutationObserver(() => {
    const dialog = document.querySelector("dialog");
    if (dialog !== null) window.hadTheFocus ??= dialog.open && dialog.contains(document.activeElement);
    if (wasPressed || document.querySelector(".rail") === null) return;
    wasPressed = true;
    document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key, ctrlKey: modifier === "Control", bubbles: true, cancelable: true }),
    );
  }).observe(document, { childList: true, subtree: true });
`;

const LOOK = `(() => {
  const dialog = document.querySelector("dialog");
  const { border, borderRadius, backgroundColor, color, boxShadow } = getComputedStyle(dialog);
  const behind = getComputedStyle(dialog, "::backdrop").backgroundColor;
  return { border, borderRadius, backgroundColor, color, boxShadow, behind };
})()`;

/** Moves to an option; what is selected stays selected when other options arrive. */
async function select(page: Page, name: RegExp): Promise<void> {
  const option = page.getByRole("option", { name });
  await option.waitFor();
  while ((await option.getAttribute("aria-selected")) !== "true") await page.keyboard.press("ArrowDown");
}

/** Holds back the answers to a search until the returned function is called. */
async function holdBack(page: Page, query: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/mcp", async (route) => {
    if (route.request().postDataJSON().params.arguments?.query === query) await promise;
    await route.continue();
  });
  return resolve;
}

describe.skipIf(isSkipped)("the palette", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    const outline = join(temporaryFolder(), "Projects.opml");
    writeFileSync(outline, SAMPLE_OUTLINE);
    const home = temporaryFolder();
    writeConversations(home, SAMPLE_CONVERSATIONS);
    const vault = writeSampleVault();
    writeFileSync(join(vault, "Water.md"), "Rain is best.\n");
    writeFileSync(join(vault, "Water butts.md"), "Two of them, and one leaks.\n");
    writeFileSync(join(vault, "Garden/Crop table.base"), "views:\n  - type: table\n    name: All\n");
    writeFileSync(join(vault, "Crop board.canvas"), '{"nodes":[],"edges":[]}');
    server = await servePage(vault, { HOME: home, USERPROFILE: home, COMMONPLACE_OUTLINE: outline });
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
    await select(page, /^What goes in/);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/note/Garden/Compost.md#at-what-goes-in");

    await openPalette(page, "data or a cache");
    await page.getByRole("option", { name: /^What did we decide/ }).click();
    await page.waitForURL("**/conversation/**");
    await page.getByText("Delete it, and it comes back.").waitFor();
    expect(faults).toEqual([]);
  });

  it("offers each base and canvas once, by a part of its name", async () => {
    const { page } = await server.open("/folder/");
    await page.locator(".entries a").first().waitFor();
    await openPalette(page, "crop");
    await page.locator("[role=listbox][aria-busy=false]").waitFor();
    await page.getByRole("option", { name: "Crop table.base Garden" }).waitFor();
    expect(await page.getByRole("option", { name: "Crop board.canvas" }).count()).toBe(1);
    await select(page, /^Crop table.base/);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/note/Garden/Crop%20table.base");
    await openPalette(page, "board canv");
    await select(page, /^Crop board.canvas/);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/note/Crop%20board.canvas*");
  });

  it("works from a text field, opens rows, and closes with Escape", async () => {
    const { page } = await server.open("/search");
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

  it("opens what was selected, wherever results that arrive later move it", async () => {
    const { page } = await server.open("/folder/", {});
    await page.locator(".entries a").first().waitFor();
    const release = await holdBack(page, "water butts");
    await openPalette(page, "water");
    await expect.poll(() => page.getByRole("option").first().textContent()).toMatch(/^Water(?! butts)/);
    await page.keyboard.type(" butts");
    await select(page, /^Water butts/);
    release();
    await expect.poll(() => page.getByRole("option").first().textContent()).toMatch(/^Water butts/);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/note/Water%20butts.md");
  });

  it("opens what is selected, whatever changes in the vault while it is looked at", async () => {
    const { page } = await server.open("/folder/", {});
    await page.locator(".live[data-state=live]").waitFor();
    await openPalette(page, "cold f");
    const first = page.getByRole("option").first();
    await page.getByRole("option", { name: "Search everything for “cold f”" }).waitFor();
    await page.locator("[role=listbox][aria-busy=false]").waitFor();
    const before = await selectedText(page);
    expect(before).toContain("cold frame");
    writeFileSync(join(server.vault, "Cold f.md"), "A name that is all that was typed.\n");
    await expect.poll(() => first.textContent()).toMatch(/^Cold f(?!r)/);
    expect(await selectedText(page)).toBe(before);
  });

  it("looks like every dialog, has the keys from the moment it is there, and opens by a key from the moment the page is there", async () => {
    const { page } = await server.open("/search", {});
    await page.addInitScript(PRESS_AT_ONCE);
    const looks: unknown[] = [];
    for (const keys of ["Control+k", "c", "n", "?"]) {
      await page.goto(`${server.origin}/note/Water.md?keys=${encodeURIComponent(keys)}`);
      await page.getByRole("dialog").waitFor();
      expect([keys, await page.evaluate("window.hadTheFocus")]).toEqual([keys, true]);
      looks.push(await page.evaluate(LOOK));
    }
    expect(looks).toEqual(looks.map(() => looks[0]));
  });

  it("opens again by a key that is pressed as soon as it is closed", async () => {
    const { page } = await server.open("/search", {});
    await page.locator(".rail").waitFor();
    await openPalette(page, "");
    await page.evaluate(`
      document.querySelector("dialog").close();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true }));
    `);
    await page.locator("dialog.palette[open]").waitFor();
    // The browser has reported the first one's end by the next task.
    await page.evaluate("new Promise((done) => setTimeout(done))");
    expect(await page.locator("dialog.palette[open]").count()).toBe(1);
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
    const { page, faults, requests } = await hostile.open("/search", {});
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
