// A note has one name in the page, wherever it is listed: that of its file.
import { describe, expect, it } from "vitest";
import { BROWSER, isSkipped, servePage, writeVault } from "./open-page.ts";

describe.skipIf(isSkipped)("a note whose first heading is not its name", BROWSER, () => {
  it("is listed by its file name among recent notes, in results, in its folder and in the palette", async () => {
    const server = await servePage(
      writeVault({
        "Plans/2026-11 quarry.md": "# What we meant to do\n\nDig for slate.\n",
        "Other.md": "[[2026-11 quarry]]\n",
      }),
    );
    const { page } = await server.open("/search");
    const title = page.locator(".result-title");
    await expect.poll(() => title.allTextContents()).toContain("2026-11 quarry");
    await page.getByRole("searchbox").fill("slate");
    await expect.poll(() => title.allTextContents()).toEqual(["2026-11 quarry"]);
    // A search for the heading shows it.
    await page.getByRole("searchbox").fill("meant to do");
    await expect.poll(() => page.locator(".result").first().textContent()).toContain("What we meant to do");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("quarry");
    await page
      .getByRole("option", { name: /^2026-11 quarry/ })
      .first()
      .waitFor();
    await page.goto(`${server.origin}/folder/Plans`);
    await page.locator(".entries a", { hasText: "2026-11 quarry" }).waitFor();
  });
});
