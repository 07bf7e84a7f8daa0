// Outlines are written in the page: by keyboard alone, with the mouse, and by two
// at once.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../processes/program.ts";
import { destination, looksFrom, openByPalette, press, tabTo, expectFlow } from "./by-keyboard.ts";
import { HOSTILE_TEXTS } from "./hostile-texts.ts";
import { rowOf } from "./outline-rows.ts";
import { SAMPLE_OUTLINE } from "./sample-outline.ts";
import { BROWSER, isSkipped, servePage, writeSampleVault, type OpenServer } from "./open-page.ts";

/** The rows of an OPML file as indented text. */
function rowsIn(file: string): string {
  const lines: string[] = [];
  let level = 0;
  for (const [tag, topic] of readFileSync(file, "utf8").matchAll(/<outline text="([^"]*)"[^>]*>|<\/outline>/g)) {
    if (tag === "</outline>") level--;
    else lines.push("  ".repeat(level) + topic);
    if (tag !== "</outline>" && !tag.endsWith("/>")) level++;
  }
  return lines.join("\n");
}

/** The rows that are rendered, as indented text. */
async function rowsShown(page: Page): Promise<string> {
  const rows = await page.getByRole("treeitem").all();
  const lines = rows.map(async (row) => {
    const level = Number(await row.getAttribute("aria-level"));
    return "  ".repeat(level - 1) + (await row.locator(".row-topic").textContent());
  });
  return (await Promise.all(lines)).join("\n");
}

async function selectRow(page: Page, name: string): Promise<void> {
  await rowOf(page, name).locator(".row-topic").click();
  await expect.poll(() => rowOf(page, name).getAttribute("aria-selected")).toBe("true");
  await page.getByRole("tree").focus();
}

describe.skipIf(isSkipped)("an outline in the page", BROWSER, () => {
  let server: OpenServer;
  let file: string;
  beforeEach(async () => {
    file = join(temporaryFolder(), "Projects.opml");
    writeFileSync(file, SAMPLE_OUTLINE);
    server = await servePage(writeSampleVault(), { COMMONPLACE_OUTLINE: file });
  });
  const expectRows = async (page: Page, rows: string) => {
    await expect.poll(() => rowsIn(file)).toBe(rows);
    await expect.poll(() => rowsShown(page)).toBe(rows);
  };
  const START = `Garden
  Order seeds
  Mend the cold frame
    Buy glass
    Putty
Reading
  How buildings learn
  The living mountain`;

  it.each(looksFrom("light"))(
    "is edited, added to, indented, outdented, moved, noted, deleted and undone by keyboard alone at %i px, %s",
    (...look) =>
      expectFlow(server, look, async (page) => {
        const { keyboard } = page;
        await press(page, destination(page, "Outline"));
        await rowOf(page, "Reading").waitFor();
        await tabTo(page, page.getByRole("tree"));
        await keyboard.press("Enter");
        const topic = page.getByRole("textbox", { name: "Row", exact: true });
        await expect.poll(() => topic.inputValue()).toBe("Garden");
        await keyboard.type(" & beds");
        await keyboard.press("Enter");
        const added = page.getByRole("textbox", { name: "New row" });
        await added.waitFor();
        await keyboard.type("Dig");
        await keyboard.press("Enter");
        await expect.poll(() => added.inputValue()).toBe("");
        await keyboard.press("Tab");
        await keyboard.type("Borrow a spade");
        await keyboard.press("Enter");
        await expect.poll(() => added.inputValue()).toBe("");
        await keyboard.press("Shift+Tab");
        await keyboard.type("Rake");
        await keyboard.press("Enter");
        await expect.poll(() => added.inputValue()).toBe("");
        await keyboard.press("Escape");
        await added.waitFor({ state: "detached" });
        const written = `Garden &amp; beds
  Dig
    Borrow a spade
  Rake
  Order seeds
  Mend the cold frame
    Buy glass
    Putty
Reading
  How buildings learn
  The living mountain`;
        await expect.poll(() => rowsIn(file)).toBe(written);
        await expect.poll(() => rowsShown(page)).toBe(written.replace("&amp;", "&"));
        // The row that was added last is selected, and the tree has the focus.
        expect(await rowOf(page, "Rake").getAttribute("aria-selected")).toBe("true");
        await keyboard.press("Alt+Shift+ArrowRight");
        await expect.poll(() => rowsIn(file)).toContain("    Borrow a spade\n    Rake\n");
        await keyboard.press("Alt+Shift+ArrowUp");
        await expect.poll(() => rowsIn(file)).toContain("    Rake\n    Borrow a spade\n");
        await keyboard.press("Alt+Shift+ArrowDown");
        await expect.poll(() => rowsIn(file)).toContain("    Borrow a spade\n    Rake\n");
        await keyboard.press("Alt+Shift+ArrowLeft");
        await expect.poll(() => rowsIn(file)).toBe(written);
        await keyboard.press("Shift+Enter");
        await page.getByRole("textbox", { name: "Note of Rake" }).waitFor();
        await keyboard.type("The wide one");
        await keyboard.press("Control+Enter");
        await expect.poll(() => readFileSync(file, "utf8")).toContain('text="Rake" _note="The wide one"');
        await rowOf(page, "Rake").getByText("The wide one").waitFor();
        await keyboard.press("Delete");
        await page.getByRole("status").getByText("Deleted “Rake”").waitFor();
        await expect.poll(() => rowsIn(file)).not.toContain("Rake");
        for (let i = 0; i < 2; i++) await keyboard.press("Control+z");
        await expect.poll(() => rowsIn(file)).toBe(written);
        await expect.poll(() => readFileSync(file, "utf8")).not.toContain("The wide one");
        await keyboard.press("Control+Shift+z");
        await expect.poll(() => readFileSync(file, "utf8")).toContain("The wide one");
        for (let i = 0; i < 9; i++) await keyboard.press("Control+z");
        await expect.poll(() => readFileSync(file, "utf8")).toBe(SAMPLE_OUTLINE);
        await expectRows(page, START);
      }),
  );

  it.each(looksFrom("dark"))("is chosen among others, folded and checked by keyboard alone at %i px, %s", (...look) => {
    const other = join(server.vault, "Plans", "House.opml");
    mkdirSync(dirname(other), { recursive: true });
    writeFileSync(other, SAMPLE_OUTLINE.replaceAll("Putty", "Paint"));
    writeFileSync(join(server.vault, "Plans", "Boat.opml"), SAMPLE_OUTLINE);
    return expectFlow(server, look, async (page) => {
      await openByPalette(page, ">outline", /^Go to outline/);
      await rowOf(page, "Putty").waitFor();
      await press(page, page.getByRole("button", { name: /^Outline:/ }));
      await page.getByRole("combobox", { name: "Outline" }).waitFor();
      await page.keyboard.type("plans house");
      await page.getByRole("option", { name: /^House/, selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await rowOf(page, "Paint").waitFor();
      await tabTo(page, page.getByRole("tree"));
      await page.keyboard.press("ArrowLeft");
      await rowOf(page, "Paint").waitFor({ state: "detached" });
      await page.keyboard.press("ArrowRight");
      await rowOf(page, "Paint").waitFor();
      for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Space");
      await expect.poll(() => readFileSync(other, "utf8")).toContain('text="Paint" _status="unchecked"');
    });
  });

  it("takes hostile text that is typed into its rows and notes for text", async () => {
    const { page, faults, requests } = await server.open("/outline");
    const { keyboard } = page;
    // XML has no control characters, and a row is one line.
    const texts = HOSTILE_TEXTS.map((text) => text.replaceAll(/\p{Cc}/gu, " "));
    await selectRow(page, "The living mountain");
    await keyboard.press("Enter");
    await keyboard.press("Enter");
    const added = page.getByRole("textbox", { name: "New row" });
    await added.waitFor();
    const rows = Array.from({ length: Math.ceil(texts.length / 6) }, (_, i) => texts.slice(6 * i, 6 * i + 6).join(" "));
    for (const [i, row] of rows.entries()) {
      await keyboard.insertText(`${row} harmless ${i}`);
      await keyboard.press("Enter");
      await expect.poll(() => added.inputValue()).toBe("");
    }
    await keyboard.press("Escape");
    await added.waitFor({ state: "detached" });
    await keyboard.press("Shift+Enter");
    await page.getByRole("textbox", { name: /^Note of/ }).waitFor();
    await keyboard.insertText(texts.join("\n"));
    await keyboard.press("Control+Enter");
    // One row of the sample has a note already.
    await expect.poll(() => readFileSync(file, "utf8").split("_note=").length - 1).toBe(2);
    await expect.poll(() => rowsIn(file).split("\n").length).toBe(START.split("\n").length + rows.length);
    await page.reload();
    await rowOf(page, "The living mountain").waitFor();
    await page.getByRole("tree").focus();
    await keyboard.press("End");
    const last = page.getByRole("treeitem").filter({ hasText: `harmless ${rows.length - 1}` });
    await last.waitFor();
    expect(await last.locator(".row-note").textContent()).toContain(HOSTILE_TEXTS[0]);
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    const harm = "[role=tree] :is(script, img, iframe, object, embed, form, style, link, [onerror], [onclick])";
    expect(await page.locator(harm).count()).toBe(0);
    expect(faults).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(server.origin))).toEqual([]);
  });

  it("is edited with the mouse and its buttons: a second click edits, leaving saves, Escape does not", async () => {
    const { page } = await server.open("/outline");
    await selectRow(page, "Putty");
    await rowOf(page, "Putty").locator(".row-topic").click();
    await page.keyboard.type(" and pins");
    await page.keyboard.press("Escape");
    await rowOf(page, "Putty").locator(".row-topic").click();
    await page.keyboard.type(", soft");
    await page.getByRole("heading", { level: 1 }).click();
    await expect.poll(() => rowsIn(file)).toContain("Putty, soft");
    await page.getByRole("button", { name: "Outdent" }).click();
    await expect.poll(() => rowsIn(file)).toContain("    Buy glass\n  Putty, soft\nReading");
    await page.getByRole("button", { name: "Move up" }).click();
    await expect.poll(() => rowsIn(file)).toContain("  Putty, soft\n  Mend the cold frame\n    Buy glass\nReading");
    await page.getByRole("button", { name: "Delete the row" }).click();
    await expect.poll(() => rowsIn(file)).not.toContain("Putty");
    const undo = page.getByRole("button", { name: "Undo" });
    for (const rest of ["up", "out", "text", "all"]) {
      await expect.poll(() => undo.getAttribute("aria-disabled"), { message: rest }).toBe("false");
      const before = readFileSync(file, "utf8");
      await undo.click();
      await expect.poll(() => readFileSync(file, "utf8")).not.toBe(before);
    }
    await expectRows(page, START);
  });

  it("is rearranged by dragging a row to another place and depth", async () => {
    const { page } = await server.open("/outline");
    const drag = async (from: string, to: string, x: number) => {
      const start = (await rowOf(page, from).locator(".row-fold").boundingBox())!;
      const end = (await rowOf(page, to).boundingBox())!;
      await page.mouse.move(start.x + 8, start.y + 8);
      await page.mouse.down();
      await page.mouse.move(start.x + 8 + x, end.y + end.height - 2, { steps: 4 });
      await page.locator(".drop-line").waitFor();
      await page.mouse.up();
      await page.locator(".drop-line").waitFor({ state: "detached" });
    };
    await rowOf(page, "Reading").waitFor();
    await drag("How buildings learn", "Order seeds", 0);
    await expect.poll(() => rowsIn(file)).toContain("  Order seeds\n  How buildings learn\n  Mend the cold frame");
    // One level deeper, with all below it; the arrow that was dragged does not fold it.
    await drag("Mend the cold frame", "The living mountain", 26);
    const moved = `Garden
  Order seeds
  How buildings learn
Reading
  The living mountain
    Mend the cold frame
      Buy glass
      Putty`;
    await expectRows(page, moved);
  });

  it("that is shown in two windows is edited in both, and a text that both change is asked about", async () => {
    const { page: one } = await server.open("/outline");
    const { page: two } = await server.open("/outline");
    await selectRow(one, "Putty");
    await selectRow(two, "Putty");
    await two.keyboard.press("Enter");
    await two.keyboard.type(" of linseed");
    // Another row: both edits stay.
    await one.bringToFront();
    await rowOf(one, "Garden").locator(".row-topic").click();
    await one.getByRole("button", { name: "Edit the row" }).click();
    await one.keyboard.type("s");
    await one.keyboard.press("Enter");
    await one.keyboard.press("Escape");
    await expect.poll(() => rowsIn(file)).toContain("Gardens");
    // The same row: the second one to save is asked.
    await selectRow(one, "Putty");
    await one.keyboard.press("Enter");
    await one.keyboard.type(", white");
    await one.keyboard.press("Enter");
    await expect.poll(() => rowsIn(file)).toContain("Putty, white");
    await two.bringToFront();
    await two.keyboard.press("Enter");
    await two.getByText("was changed elsewhere").waitFor();
    expect(rowsIn(file)).toContain("Putty, white");
    expect(await two.locator(".text-conflict").textContent()).toContain("Putty of linseed");
    await two.getByRole("button", { name: "Keep mine" }).click();
    await expect.poll(() => rowsIn(file)).toContain("Putty of linseed");
    await expect.poll(() => rowsIn(file)).toContain("Gardens");
  });

  it("stays the one that is written to when another window opens another", async () => {
    writeFileSync(join(server.vault, "Other.opml"), SAMPLE_OUTLINE.replaceAll("Putty", "Other putty"));
    const { page: one } = await server.open("/outline");
    await selectRow(one, "Putty");
    const { page: two } = await server.open("/outline/Other.opml");
    await rowOf(two, "Other putty").waitFor();
    await one.bringToFront();
    await one.keyboard.press("Enter");
    await one.keyboard.type(" here");
    await one.keyboard.press("Enter");
    await expect.poll(() => rowsIn(file)).toContain("Putty here");
    expect(rowsIn(join(server.vault, "Other.opml"))).toContain("    Other putty\n");
  });
});
