// Every flow of the page by keyboard alone, on a phone, a tablet and a wide screen,
// in both themes, with axe at its end. Those of conversations are in
// keyboard-conversations.test.ts, and those of outlines in outline-editing.test.ts.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { CONTEXT } from "../contract/vault.ts";
import { connectHttp, ERAS, temporaryFolder } from "../processes/program.ts";
import {
  destination,
  hasFocus,
  heading,
  looksFrom,
  openByPalette,
  press,
  tabTo,
  expectFlow,
  WIDTHS,
} from "./by-keyboard.ts";
import { BROWSER, holdSaves, isSkipped, servePage, writeSampleVault, type OpenServer } from "./open-page.ts";
import { pasteImage } from "./paste-image.ts";
import { writeConversations } from "./sample-conversations.ts";

describe.skipIf(isSkipped)("by keyboard alone a person", BROWSER, () => {
  let server: OpenServer;
  let vault: string;
  let home: string;
  const text = (path: string) => readFileSync(join(vault, path), "utf8");

  beforeAll(async () => {
    vault = writeSampleVault();
    home = temporaryFolder();
    writeConversations(home);
    const second = join(home, "Second");
    for (const folder of [second, join(home, ".config", "obsidian"), join(home, ".cursor")])
      mkdirSync(folder, { recursive: true });
    writeFileSync(join(second, "Elsewhere.md"), "Here\n");
    const vaults = { a: { path: vault, ts: 2, open: true }, b: { path: second, ts: 1 } };
    writeFileSync(join(home, ".config", "obsidian", "obsidian.json"), JSON.stringify({ vaults }));
    writeFileSync(join(home, ".cursor", "mcp.json"), "{}\n");
    for (const width of WIDTHS) {
      writeFileSync(join(vault, `Index ${width}.md`), `To [[Draft ${width}]].\n`);
      writeFileSync(join(vault, `Trust ${width}.md`), "Before\n");
      writeFileSync(join(vault, `Same ${width}.md`), "one\ntwo");
    }
    // Chosen in the config file, so that another one can be chosen in the page.
    const own = temporaryFolder();
    writeFileSync(join(own, "config.json"), JSON.stringify({ vault }));
    const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: join(home, ".config"), COMMONPLACE_HOME: own };
    server = await servePage("", env);
    const assistant = await connectHttp(`${server.origin}/mcp`, ERAS["2026-07-28"]);
    for (const width of WIDTHS)
      for (const content of ["First\n", "Second\n"]) {
        const context = { ...CONTEXT, sessionId: `trust-${width}`, primaryGoal: `Tidy up at ${width}` };
        const sent = { filePath: `Trust ${width}.md`, content, context };
        await assistant.callTool({ name: "contentManager_appendContent", arguments: sent });
      }
  });

  /** Agrees to the change that a dialog shows. */
  async function agree(page: Page, title: string, verb: string): Promise<void> {
    const dialog = page.getByRole("dialog", { name: title });
    await dialog.locator(".difference-line[data-kind]").first().waitFor();
    await press(page, dialog.getByRole("button", { name: verb, exact: true }));
    await dialog.getByText("Written.").waitFor();
    await press(page, dialog.locator("footer").getByRole("button", { name: "Close" }));
    await dialog.waitFor({ state: "detached" });
  }

  async function begin(page: Page): Promise<void> {
    const configuration = () => readFileSync(join(home, ".cursor", "mcp.json"), "utf8");
    await openByPalette(page, ">set up", /^Set up/);
    await heading(page, "Set up").waitFor();
    const notes = page.getByRole("region", { name: "Notes" });
    await press(page, page.getByRole("button", { name: `Choose ${join(home, "Second")}` }));
    await agree(page, "Use this vault", "Use it");
    await notes.getByText("1 note, 0 other files").waitFor();
    await tabTo(page, page.getByLabel("Another folder"));
    await page.keyboard.type(vault);
    await page.keyboard.press("Enter");
    await agree(page, "Use this vault", "Use it");
    await notes.getByText(/^\d\d notes, 1 other file/).waitFor();
    await press(page, page.getByRole("button", { name: "Connect Cursor", exact: true }));
    await agree(page, "Connect Cursor", "Connect");
    expect(configuration()).toContain("commonplace");
    await press(page, page.getByRole("button", { name: "Disconnect Cursor" }));
    await agree(page, "Disconnect Cursor", "Disconnect");
    expect(configuration()).not.toContain("commonplace");
  }

  async function readStatus(page: Page): Promise<void> {
    await press(page, destination(page, "Status"));
    await page.locator(".verdict").waitFor();
    const keep = page.getByRole("button", { name: "Keep them every six hours …" });
    await press(page, keep);
    await page.getByRole("dialog").locator(".difference-line[data-kind=added]").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => hasFocus(keep)).toBe(true);
    await press(page, page.locator("summary", { hasText: "Not there, and not needed" }));
    await page.locator("details[open] .found-list li").first().waitFor();
  }

  async function find(page: Page, width: number): Promise<void> {
    await openByPalette(page, "lisbon", /^Lisbon/);
    await heading(page, "Lisbon").waitFor();
    // The search field had the focus: now the keys belong to the note.
    await expect.poll(() => hasFocus(page.locator("main"))).toBe(true);
    await page.keyboard.press("/");
    await page.keyboard.type("year");
    await page.waitForURL("**/search?q=year");
    const old = page.locator("[aria-busy=false] .result", { hasText: "Garden/Compost.md" });
    await old.waitFor();
    await press(page, page.getByRole("group", { name: "Filters" }).getByRole("button", { name: /^Notes/ }));
    await page.waitForURL("**/search?q=year&kind=note");
    if (width === 1440)
      await press(page, page.getByRole("region", { name: "Changed" }).getByRole("button", { name: "Past week" }));
    else {
      await press(page, page.getByRole("button", { name: /^Changed:/ }));
      await page.getByRole("combobox", { name: "Changed" }).waitFor();
      await page.keyboard.type("past week");
      await page.getByRole("option", { name: "Past week", selected: true }).waitFor();
      await page.keyboard.press("Enter");
    }
    await page.waitForURL(/since=\d{4}-\d\d-\d\d/);
    await old.waitFor({ state: "detached" });
    await page.locator("[aria-busy=false] .result").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.press("ArrowDown");
    const first = page.locator(".result a").first();
    await expect.poll(() => hasFocus(first)).toBe(true);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => hasFocus(page.locator(".result a").nth(1))).toBe(true);
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => hasFocus(first)).toBe(true);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/note/**");
    await page.locator(".prose").waitFor();
  }

  async function read(page: Page, width: number): Promise<void> {
    await openByPalette(page, "garden year", /^Garden year/);
    await heading(page, "Garden year").waitFor();
    const aside = page.getByRole("complementary", { name: "About this note" });
    await press(page, page.locator(".prose").getByRole("link", { name: "Crop rotation" }));
    await heading(page, "Crop rotation").waitFor();
    await press(page, aside.getByRole("region", { name: "Linked from" }).getByRole("link", { name: /^Garden year/ }));
    await heading(page, "Garden year").waitFor();
    const season = page.getByRole("definition").filter({ hasText: "Spring" });
    await season.waitFor();
    await press(page, page.locator(".properties summary"));
    await season.waitFor({ state: "hidden" });
    await page.keyboard.press("Enter");
    await season.waitFor();
    // On narrower screens the palette leads to headings.
    if (width === 1440) await press(page, aside.getByRole("link", { name: "Summer" }));
    else await openByPalette(page, "summer", /^Summer/);
    await page.waitForURL("**#at-summer");
    await press(page, page.locator("summary", { hasText: "Unlinked mentions" }));
    await aside.locator("details[open]").getByText("No other note mentions it.").waitFor();
    await press(page, page.locator("summary", { hasText: "Graph" }));
    const graph = page.getByRole("group", { name: /^Graph of/ });
    await tabTo(page, graph);
    const place = () => graph.locator(".drawing-layer").getAttribute("style");
    for (const key of ["+", "ArrowRight", "ArrowDown", "-"]) {
      const before = await place();
      await page.keyboard.press(key);
      await expect.poll(place).not.toBe(before);
    }
    await press(page, graph.getByRole("link", { name: "Runner beans" }));
    await heading(page, "Runner beans").waitFor();
    await aside.getByText("Linked from").waitFor();
  }

  async function write(page: Page, width: number): Promise<void> {
    const name = `Draft ${width}`;
    await page.locator(".result").first().waitFor();
    // The search field has the focus: what is typed there is a query.
    await press(page, destination(page, "Notes"));
    await heading(page, "Notes").waitFor();
    await page.keyboard.press("n");
    await page.getByRole("textbox", { name: "Path" }).waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    const editor = page.getByRole("textbox", { name: `Text of ${name}` });
    await editor.waitFor();
    await page.keyboard.type("- [ ] Dig the bed");
    await page.keyboard.press("Escape");
    await press(page, page.getByRole("checkbox", { name: "Dig the bed" }), "Space");
    await page.getByRole("checkbox", { name: "Dig the bed", checked: true }).waitFor();
    expect(text(`${name}.md`)).toContain("- [x] Dig the bed");
    await press(page, page.getByRole("button", { name: "Edit", exact: true }));
    await editor.waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("And rake it.");
    // The editor lets the focus go.
    await press(page, page.getByRole("button", { name: "Done" }));
    await page.locator(".prose").getByText("And rake it.").waitFor();
    await press(page, page.getByRole("button", { name: "Rename or move" }));
    await page.getByRole("textbox", { name: "New path" }).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(`Archive/Done ${width}.md`);
    await page.keyboard.press("Enter");
    await page.getByText(`Would rewrite 1 link in Index ${width}.md`).waitFor();
    await press(page, page.getByRole("button", { name: "Move it" }));
    await page.waitForURL(`**/note/Archive/Done%20${width}.md`);
    expect(text(`Index ${width}.md`)).toBe(`To [[Done ${width}]].\n`);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("c");
    await page.getByRole("textbox", { name: "What to add" }).waitFor();
    await page.keyboard.type(`Bought at ${width}`);
    await page.keyboard.press("Control+Enter");
    await press(page, page.getByRole("dialog").getByRole("link"));
    await page.locator(".prose").getByText(`Bought at ${width}`).waitFor();
  }

  async function edit(page: Page, width: number): Promise<void> {
    const name = `Same ${width}`;
    await openByPalette(page, name.toLowerCase(), new RegExp(`^${name}`));
    await press(page, page.getByRole("button", { name: "Edit", exact: true }));
    await page.getByRole("textbox", { name: `Text of ${name}` }).waitFor();
    const release = await holdSaves(page);
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" see [[runner");
    await page.getByRole("option", { name: "Runner beans", selected: true }).waitFor();
    // CodeMirror takes no key for a list that has just appeared: it was pressed for the text.
    await page.waitForTimeout(150);
    await page.keyboard.press("Enter");
    await page.getByText("see [[Runner beans]]").waitFor();
    await pasteImage(page, `temple ${width}.png`);
    await page.getByText(`![[temple ${width}.png]]`).waitFor();
    writeFileSync(join(vault, `${name}.md`), "one\nthree");
    release();
    const conflict = page.getByRole("region", { name: "Conflicting changes" });
    await conflict.getByText("three").waitFor();
    await expect.poll(() => hasFocus(conflict)).toBe(true);
    await press(page, conflict.getByRole("radio", { name: "Keep mine" }), "Space");
    for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowDown");
    await conflict.getByRole("radio", { name: "Keep both", checked: true }).waitFor();
    expect(text(`${name}.md`)).toBe("one\nthree");
    await press(page, conflict.getByRole("button", { name: "Save" }));
    await page.getByText("Saved", { exact: true }).waitFor();
    await press(page, page.getByRole("button", { name: "Done" }));
    await expect.poll(() => page.evaluate("document.querySelector('img.image')?.naturalWidth")).toBe(3);
    expect(text(`${name}.md`)).toBe(`one\ntwo see [[Runner beans]]![[temple ${width}.png]]\nthree`);
  }

  async function undo(page: Page, width: number): Promise<void> {
    const path = `Trust ${width}.md`;
    await press(page, destination(page, "Activity"));
    const session = page
      .getByRole("region")
      .filter({ hasText: `Tidy up at ${width}` })
      .last();
    await press(page, session.getByRole("button", { name: "Look" }));
    await session.locator(".difference-line[data-kind=added]", { hasText: "Second" }).waitFor();
    await press(page, session.getByRole("button", { name: "Close" }));
    await press(page, session.locator("summary", { hasText: "one by one" }));
    const change = session.locator(".change").first();
    await press(page, change.getByRole("button", { name: /^Show:/ }));
    await change.locator(".difference-line[data-kind=added]", { hasText: "Second" }).waitFor();
    await press(page, change.getByRole("button", { name: /^Undo:/ }));
    await change.locator(".difference-line[data-kind=removed]", { hasText: "Second" }).waitFor();
    expect(text(path)).toBe("Before\nFirst\nSecond\n");
    await press(page, change.getByRole("button", { name: "Undo this" }));
    await change.getByText("undone").waitFor();
    expect(text(path)).toBe("Before\nFirst\n");
    await press(page, change.getByRole("button", { name: /^Redo:/ }));
    await press(page, change.getByRole("button", { name: "Redo this" }));
    await change.getByText("undone").waitFor({ state: "detached" });
    expect(text(path)).toBe("Before\nFirst\nSecond\n");
    await press(page, session.getByRole("button", { name: "Undo all 2 …" }));
    await session.getByText("All 2 changes would be undone").waitFor();
    await press(page, session.locator(".session-undo summary").first());
    await session.locator(".difference-line[data-kind=removed]", { hasText: "Second" }).waitFor();
    await press(page, session.getByRole("button", { name: "Undo all 2", exact: true }));
    await expect.poll(() => session.locator(".change.is-undone").count()).toBe(2);
    expect(text(path)).toBe("Before\n");
  }

  const FLOWS = [
    ["chooses a vault, and connects and disconnects an assistant", begin, "light"],
    ["reads the status, and looks at what it offers to change", readStatus, "dark"],
    ["finds notes by the palette, and by a search with filters", find, "light"],
    ["reads a note, its properties, links and graph", read, "dark"],
    ["writes, ticks, renames and captures notes", write, "light"],
    ["links, pastes an image, and chooses where somebody else wrote too", edit, "dark"],
    ["sees what an assistant did, and undoes it", undo, "dark"],
  ] as const;

  it.each(FLOWS.flatMap(([name, walk, theme]) => looksFrom(theme).map((look) => [name, ...look, walk] as const)))(
    "%s at %i px, %s",
    (_, width, theme, walk) => expectFlow(server, [width, theme], (page) => walk(page, width)),
  );
});
