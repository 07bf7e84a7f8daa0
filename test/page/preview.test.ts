// What a link leads to, beside the link: by the pointer, and by a key.
import { beforeAll, describe, expect, it } from "vitest";
import { expectFlow, heading, looksFrom, tabTo } from "./by-keyboard.ts";
import { HOSTILE_TEXTS } from "./hostile-texts.ts";
import { BROWSER, isSkipped, servePage, writeVault, type OpenServer } from "./open-page.ts";

describe.skipIf(isSkipped)("a preview", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    server = await servePage(
      writeVault({
        "Start.md": "To [[Far]], to [[Far#Second]], and to [[Hostile]].\n",
        "Far.md": "---\nkind: place\n---\nIt is cold there.\n\n## Second\n\nAnd dark.\n",
        "Hostile.md": HOSTILE_TEXTS.join("\n\n"),
      }),
    );
  });

  for (const look of looksFrom("light"))
    it(`shows the note of the link that has the focus, and goes with Escape (${look.join(", ")})`, async () => {
      await expectFlow(server, look, async (page) => {
        await page.goto(`${server.origin}/note/Start.md`);
        await heading(page, "Start").waitFor();
        const preview = page.locator(".hover-preview");
        await tabTo(page, page.locator(".prose").getByRole("link", { name: "Far", exact: true }));
        await page.keyboard.press("p");
        await preview.getByText("It is cold there.").waitFor();
        expect(await preview.textContent()).not.toContain("kind: place");
        await page.keyboard.press("Escape");
        await preview.waitFor({ state: "detached" });
        await tabTo(page, page.locator(".prose").getByRole("link", { name: /Second/ }));
        await page.keyboard.press("p");
        await preview.getByText("And dark.").waitFor();
        expect(await preview.textContent()).not.toContain("It is cold there.");
      });
    });

  it("comes when the pointer rests on a link, goes when it leaves, and shows hostile text as text", async () => {
    const { page, faults, requests } = await server.open("/note/Start.md", {});
    const preview = page.locator(".hover-preview");
    await page.locator(".prose").getByRole("link", { name: "Hostile" }).hover();
    await preview.locator(".prose").waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(await preview.locator("script, iframe, [onerror]").count()).toBe(0);
    await page.getByRole("heading", { name: "Start", level: 1 }).hover();
    await preview.waitFor({ state: "detached" });
    expect(faults).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(server.origin))).toEqual([]);
  });
});
