// A vault whose drive is not mounted, in the page: the notes say so, and Status lets
// the person say that they are gone on purpose.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../processes/program.ts";
import { BROWSER, isSkipped, servePage } from "./open-page.ts";

describe.skipIf(isSkipped)("a vault without its notes", BROWSER, () => {
  it("is a problem with what to do, until the person accepts it", async () => {
    const vault = join(temporaryFolder(), "Notes");
    mkdirSync(vault);
    for (const name of ["One", "Two", "Three"]) writeFileSync(join(vault, `${name}.md`), "apple\n");
    const server = await servePage(vault);
    const { page, faults } = await server.open("/folder/");
    await page.locator(".entries a", { hasText: "Two" }).waitFor();
    await page.goto(`${server.origin}/search?q=apple`);
    await page
      .getByText(/3 results/)
      .first()
      .waitFor();
    for (const name of ["One", "Two", "Three"]) rmSync(join(vault, `${name}.md`));
    await page.goto(`${server.origin}/folder/`);
    await page
      .getByText(/has none of the notes that were in it/)
      .first()
      .waitFor();
    await page.goto(`${server.origin}/status`);
    await page.getByRole("button", { name: "It is gone on purpose …" }).click();
    await page.getByRole("button", { name: "Yes, use it as it is" }).click();
    await page.getByText("Everything is in order.").waitFor();
    writeFileSync(join(vault, "Later.md"), "pear\n");
    await page.goto(`${server.origin}/folder/`);
    await page.locator(".entries a", { hasText: "Later" }).waitFor();
    expect(faults.filter((fault) => !/\b4\d\d\b/.test(fault))).toEqual([]);
  });
});
