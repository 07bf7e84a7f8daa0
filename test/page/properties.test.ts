// The properties of a note: changed where they are read, by keys alone.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { expectFlow, heading, looksFrom, press } from "./by-keyboard.ts";
import { BROWSER, isSkipped, servePage, writeVault, type OpenServer } from "./open-page.ts";

const BOOK =
  '---\nstatus: open\nrating: 7\nread: false\nstarted: 2026-03-01\ntags: [book]\nauthor: "[[Ann]]"\n---\nIt begins.\n';
const OTHER = "---\nstatus: lent\n---\n";

describe.skipIf(isSkipped)("properties", BROWSER, () => {
  let server: OpenServer;
  let vault: string;
  let second: string;
  beforeAll(async () => {
    vault = writeVault({
      ".obsidian/types.json": '{"types":{"due":"date","pages":"number"}}',
      "Book.md": BOOK,
      "Ann.md": "---\npages: 3\n---\nA writer.\n",
    });
    second = writeVault({ "Book.md": OTHER });
    server = await servePage(`Home=${vault}|Work=${second}`);
  });
  const file = () => join(vault, "Book.md");
  const text = () => readFileSync(file(), "utf8");

  for (const look of looksFrom("light"))
    it(`are changed, added and removed by keys, and given back (${look.join(", ")})`, async () => {
      writeFileSync(file(), BOOK);
      await expectFlow(server, look, async (page) => {
        await page.goto(`${server.origin}/note/Book.md`);
        await heading(page, "Book").waitFor();
        const form = page.locator(".property-form");
        await press(page, form.getByRole("button", { name: "status: open" }));
        await page.keyboard.type("read");
        await page.keyboard.press("Enter");
        await form.getByRole("button", { name: "status: read" }).waitFor();
        expect(text()).toBe(BOOK.replace("status: open", "status: read"));
        await press(page, form.getByRole("checkbox", { name: "read" }), "Space");
        await expect.poll(text).toContain("read: true");
        await press(page, form.getByRole("button", { name: "rating: 7" }));
        await page.keyboard.type("9");
        await page.keyboard.press("Enter");
        await expect.poll(text).toContain("rating: 9\n");
        await press(page, form.getByRole("button", { name: "Add to tags" }));
        await page.keyboard.type("novel");
        await page.keyboard.press("Enter");
        await expect.poll(text).toContain("novel");
        await press(page, form.getByRole("button", { name: "Remove book from tags" }));
        await expect.poll(text).not.toContain("book");
        // The link is followed, and changed by the button beside it.
        expect(await form.getByRole("link", { name: "Ann" }).getAttribute("href")).toContain("/note/Ann.md");
        await press(page, form.getByRole("button", { name: "Add property" }));
        await page.keyboard.type("due");
        // Obsidian keeps the type of it.
        await expect.poll(() => form.getByLabel("Type of the property").inputValue()).toBe("date");
        await page.keyboard.press("Enter");
        await form.locator("input[type=date]").fill("2026-12-24");
        await page.keyboard.press("Enter");
        await expect.poll(text).toContain("due: 2026-12-24");
        await press(page, form.getByRole("button", { name: "Remove due" }));
        await expect.poll(text).not.toContain("due");
        await press(page, page.locator(".toast").getByRole("button", { name: "Undo" }));
        await expect.poll(text).toContain("due: 2026-12-24");
        expect(text()).toContain("It begins.\n");
      });
    });

  it("take what somebody else writes at the same time, and leave the other vault alone", async () => {
    writeFileSync(file(), BOOK);
    const { page, faults } = await server.open("/note/Book.md", {});
    await heading(page, "Book").waitFor();
    writeFileSync(file(), BOOK.replace("rating: 7", "rating: 8"));
    await page.getByRole("button", { name: "rating: 8" }).waitFor();
    await page.getByRole("button", { name: "status: open" }).press("Enter");
    await page.keyboard.type("read");
    await page.keyboard.press("Enter");
    await expect.poll(text).toBe(BOOK.replace("rating: 7", "rating: 8").replace("status: open", "status: read"));
    expect(readFileSync(join(second, "Book.md"), "utf8")).toBe(OTHER);
    expect(faults).toEqual([]);
  });
});
