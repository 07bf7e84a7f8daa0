// Outlines of any length in the page: a tree with checkboxes that folds.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../processes/program.ts";
import { longOutline, SAMPLE_OUTLINE } from "./sample-outline.ts";
import { HOSTILE_TEXTS } from "./hostile-texts.ts";
import { BROWSER, isSkipped, servePage, showChanges, writeSampleVault, type OpenServer } from "./open-page.ts";

function outlineFile(text: string): string {
  const file = join(temporaryFolder(), "Projects.opml");
  writeFileSync(file, text);
  return file;
}

describe.skipIf(isSkipped)("an outline", BROWSER, () => {
  let server: OpenServer;
  let file: string;
  beforeAll(async () => {
    file = outlineFile(SAMPLE_OUTLINE);
    server = await servePage(writeSampleVault(), { COMMONPLACE_OUTLINE: file });
  });

  it("is a tree with notes that the keyboard navigates, folds and checks", async () => {
    const { page, faults } = await server.open("/outline");
    const row = (name: string | RegExp) => page.getByRole("treeitem", { name });
    await row("Mend the cold frame").waitFor();
    expect(await row(/Order seeds/).textContent()).toContain("two kinds of lettuce");
    await page.getByRole("tree").focus();
    await page.keyboard.press("ArrowLeft");
    await row("Buy glass").waitFor({ state: "detached" });
    await page.keyboard.press("ArrowRight");
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
    expect(await row("Buy glass").getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Space");
    await expect.poll(() => row("Buy glass").getAttribute("aria-checked")).toBe("true");
    await expect.poll(() => readFileSync(file, "utf8")).toContain('<outline text="Buy glass" _status="checked"/>');
    // The box of a row above others is its own.
    expect(await row("Mend the cold frame").getAttribute("aria-checked")).toBe("false");
    for (const state of ["checked", "unchecked"]) {
      await row("Mend the cold frame").locator(".box").first().click();
      await expect.poll(() => readFileSync(file, "utf8")).toContain(`text="Mend the cold frame" _status="${state}"`);
      expect(readFileSync(file, "utf8")).toContain('text="Putty" _status="checked"');
    }
    expect(faults).toEqual([]);
  });

  it("is checked with the mouse, shows outside changes, and can be undone in the activity view", async () => {
    const { page } = await server.open("/outline");
    const row = page.getByRole("treeitem", { name: "How buildings learn" });
    await row.locator(".box").click();
    await expect.poll(() => row.getAttribute("aria-checked")).toBe("true");
    const checked = '<outline text="How buildings learn" _status="checked"/>';
    await expect.poll(() => readFileSync(file, "utf8")).toContain(checked);
    writeFileSync(file, readFileSync(file, "utf8").replace('text="Reading"', 'text="Books"'));
    await page.getByRole("treeitem", { name: "Books" }).waitFor();
    // Undo needs the file as the change left it.
    writeFileSync(file, readFileSync(file, "utf8").replace('text="Books"', 'text="Reading"'));
    await page.getByRole("treeitem", { name: "Reading" }).waitFor();
    await page.goto(`${server.origin}/activity`);
    await showChanges(page);
    const step = page.locator(".change", { hasText: "How buildings learn" });
    await step.getByRole("button", { name: /^Undo:/ }).click();
    await step.getByRole("button", { name: "Undo this" }).click();
    await step.getByText("undone").waitFor();
    expect(readFileSync(file, "utf8")).toContain('<outline text="How buildings learn" _status="unchecked"/>');
  });

  it("shows a checked row together with an outside change right before it", async () => {
    const { page } = await server.open("/outline");
    const row = page.getByRole("treeitem", { name: "The living mountain" });
    await row.waitFor();
    const before = await row.getAttribute("aria-checked");
    const text = readFileSync(file, "utf8");
    const [saved] = text.match(/The living mountain".*/)!;
    writeFileSync(file, text.replace('text="Garden"', 'text="The whole garden"'));
    await row.locator(".box").click();
    await page.getByRole("treeitem", { name: "The whole garden" }).waitFor();
    await expect.poll(() => row.getAttribute("aria-checked")).not.toBe(before);
    // A box is shown as checked before it is saved.
    await expect.poll(() => readFileSync(file, "utf8").match(/The living mountain".*/)![0]).not.toBe(saved);
    writeFileSync(file, readFileSync(file, "utf8").replace('text="The whole garden"', 'text="Garden"'));
    await page.getByRole("treeitem", { name: "Garden", exact: true }).waitFor();
    await row.locator(".box").click();
    await expect.poll(() => readFileSync(file, "utf8")).toBe(text);
  });

  it("is found by the search, and opened at the row that was found", async () => {
    const { page } = await server.open("/search?q=putty&kind=outline");
    await page.locator(".result a").click();
    await page.waitForURL(/\/outline\?row=/);
    const row = page.getByRole("treeitem", { name: "Putty" });
    await expect.poll(() => row.getAttribute("aria-selected")).toBe("true");
    expect(await row.locator("mark").textContent()).toBe("Putty");
    await page.reload();
    await expect.poll(() => row.getAttribute("aria-selected")).toBe("true");
  });
});

describe.skipIf(isSkipped)("an outline of 100,000 rows", BROWSER, () => {
  it("renders only visible rows, folds and unfolds at once, and scrolls to its end", async () => {
    const server = await servePage(writeSampleVault(), { COMMONPLACE_OUTLINE: outlineFile(longOutline(1_000)) });
    const { page } = await server.open("/outline");
    await page.getByText("100,000 rows").waitFor();
    await page.getByText("Loading the rest").waitFor({ state: "detached" });
    const rows = page.getByRole("treeitem");
    expect(await rows.count()).toBeLessThan(100);
    await page.getByRole("button", { name: "Unfold all" }).click();
    await page.getByRole("treeitem", { name: "Row 0.1", exact: true }).waitFor();
    expect(await rows.count()).toBeLessThan(100);
    await page.getByRole("tree").focus();
    await page.keyboard.press("End");
    await page.getByRole("treeitem", { name: "Row 999.98", exact: true }).waitFor();
    await page.keyboard.press("Space");
    await expect.poll(() => page.getByRole("treeitem", { selected: true }).getAttribute("aria-checked")).toBe("true");
    await page.keyboard.press("Home");
    await page.getByRole("treeitem", { name: "Section 0", exact: true }).waitFor();
    expect(await rows.count()).toBeLessThan(100);
  });
});

describe.skipIf(isSkipped)("hostile text in an outline", BROWSER, () => {
  it("stays text", async () => {
    const escaped = HOSTILE_TEXTS.filter((text) => !/\p{Cc}/u.test(text)).map((text) =>
      text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`),
    );
    const rows = escaped.map((text) => `<outline text="${text}" _note="${text}"/>`).join("\n");
    const file = outlineFile(`<?xml version="1.0"?><opml version="2.0"><head/><body>${rows}</body></opml>`);
    const server = await servePage(writeSampleVault(), { COMMONPLACE_OUTLINE: file });
    const { page, requests, faults } = await server.open("/outline");
    await page.getByRole("treeitem").nth(10).waitFor();
    await page.getByRole("tree").focus();
    await page.keyboard.press("End");
    await page.getByRole("treeitem", { selected: true }).waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(await page.locator("main script, main img, main iframe, main a[href^=javascript]").count()).toBe(0);
    expect(faults).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(server.origin))).toEqual([]);
  });
});
