// An outline of 100,000 rows is written in the page without a long task.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../processes/program.ts";
import { expectShortTasks, watchTasks } from "./longest-task.ts";
import { BROWSER, isSkipped, servePage, writeSampleVault } from "./open-page.ts";
import { rowOf } from "./outline-rows.ts";
import { longOutline } from "./sample-outline.ts";

/** Edits, indents, moves and undoes, so that the outline is as it was. @returns the longest task of the window */
async function editAndUndo(page: Page, file: string): Promise<number> {
  const longestTask = await watchTasks(page);
  await page.getByRole("link", { name: "Outline" }).first().click();
  await page.getByText("100,000 rows").waitFor();
  await page.getByText("Loading the rest").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Unfold all" }).click();
  await rowOf(page, "Row 0.1").waitFor();
  await page.getByRole("tree").focus();
  await page.keyboard.press("End");
  await rowOf(page, "Row 999.98").waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type(" edited");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "New row" }).waitFor();
  await page.keyboard.type("The very last");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect
    .poll(() =>
      readFileSync(file, "utf8").endsWith('text="The very last" _status="unchecked"/></outline></body></opml>\n'),
    )
    .toBe(true);
  await page.keyboard.press("Alt+Shift+ArrowRight");
  await page.keyboard.press("Alt+Shift+ArrowLeft");
  await page.keyboard.press("Alt+Shift+ArrowUp");
  await expect
    .poll(() => readFileSync(file, "utf8"))
    .toContain('"The very last" _status="unchecked"/><outline text="Row 999.98 edited"');
  for (let i = 0; i < 5; i++) await page.keyboard.press("Control+z");
  await expect.poll(() => readFileSync(file, "utf8") === longOutline(1_000), BROWSER).toBe(true);
  await rowOf(page, "Row 999.98").waitFor();
  return longestTask();
}

describe.skipIf(isSkipped)("an outline of 100,000 rows", BROWSER, () => {
  it("is edited, indented, moved and undone without a task of the window above 200 ms", async () => {
    const file = join(temporaryFolder(), "Long.opml");
    writeFileSync(file, longOutline(1_000));
    const server = await servePage(writeSampleVault(), { COMMONPLACE_OUTLINE: file });
    await expectShortTasks(200, async () => {
      const { page } = await server.open("/search");
      const longest = await editAndUndo(page, file);
      await page.close();
      return longest;
    });
  });
});
