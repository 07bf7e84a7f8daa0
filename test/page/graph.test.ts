// The graph of the whole vault: drawn, panned, pointed at and opened, by keys too.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { expectFlow, heading, looksFrom, tabTo } from "./by-keyboard.ts";
import { BROWSER, isSkipped, servePage, writeVault, type OpenServer } from "./open-page.ts";

const BRANCHES = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [`${i % 2 === 0 ? "Oaks" : "Elms"}/Branch ${i}.md`, "To [[Trunk]].\n"]),
);

describe.skipIf(isSkipped)("the graph of the vault", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    server = await servePage(writeVault({ "Trunk.md": "It stands.\n", "Apart.md": "Alone.\n", ...BRANCHES }));
  });

  for (const look of looksFrom("dark"))
    it(`names the note that is gone to by keys, lights its neighbours, and opens it (${look.join(", ")})`, async () => {
      await expectFlow(server, look, async (page) => {
        await page.keyboard.press("Escape");
        await page.evaluate("document.activeElement.blur()");
        await page.keyboard.press("g");
        await page.keyboard.press("r");
        await heading(page, "Graph").waitFor();
        await page.getByText("42 notes, 40 links").waitFor();
        const box = page.locator(".graph-box");
        await page.locator(".graph-box[data-settled=true]").waitFor();
        await tabTo(page, box);
        await page.keyboard.press("n");
        await page.getByText("Trunk: 40 links").waitFor();
        // A name is drawn, and not only told.
        const drawn = `(() => {
          const canvas = document.querySelectorAll(".graph-box canvas")[1];
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return data.some((value) => value > 0);
        })()`;
        expect(await page.evaluate(drawn)).toBe(true);
        for (const key of ["ArrowLeft", "+", "-", "ArrowRight"]) await page.keyboard.press(key);
        await page.keyboard.press("n");
        await page.getByText(/^Branch \d+ in (?:Oaks|Elms): 1 links$/).waitFor();
        await page.keyboard.press("Shift+N");
        await page.keyboard.press("Enter");
        await heading(page, "Trunk").waitFor();
      });
    });

  it("shows what somebody else writes while it is open", async () => {
    const { page, faults } = await server.open("/graph", {});
    await page.getByText("42 notes, 40 links").waitFor();
    writeFileSync(join(server.vault, "New.md"), "To [[Apart]].\n");
    await page.getByText("43 notes, 41 links").waitFor();
    expect(faults).toEqual([]);
  });
});
