// The view of tasks: grouped by day and by file, ticked, given another day, and added.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { expectFlow, heading, looksFrom, press } from "./by-keyboard.ts";
import { BROWSER, isSkipped, servePage, writeVault, type OpenServer } from "./open-page.ts";

const GARDEN = "- [ ] Sow peas 📅 2026-01-31\n- [ ] Pick apples 📅 2999-10-01\n- [ ] Learn to graft\n";

describe.skipIf(isSkipped)("the view of tasks", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    server = await servePage(writeVault({ "Garden.md": GARDEN, "House.md": "- [ ] Paint the door\n" }));
  });
  const garden = () => readFileSync(join(server.vault, "Garden.md"), "utf8");

  for (const look of looksFrom("light"))
    it(`groups, ticks, moves to another day and adds, by keys (${look.join(", ")})`, async () => {
      writeFileSync(join(server.vault, "Garden.md"), GARDEN);
      await expectFlow(server, look, async (page) => {
        await page.goto(`${server.origin}/tasks`);
        await heading(page, "Tasks").waitFor();
        const group = (name: string) => page.getByRole("region", { name });
        await group("Today").getByRole("checkbox", { name: "Sow peas" }).waitFor();
        await group("Upcoming").getByRole("checkbox", { name: "Pick apples" }).waitFor();
        await group("Someday").getByRole("checkbox", { name: "Paint the door" }).waitFor();
        await press(page, page.getByRole("checkbox", { name: "Sow peas" }), "Space");
        await expect.poll(garden).toContain("- [x] Sow peas");
        await press(page, page.getByRole("button", { name: "No day: change the day of Learn to graft" }));
        await page.getByLabel("Due day of Learn to graft").fill("2999-11-02");
        await page.keyboard.press("Enter");
        await expect.poll(garden).toContain("- [ ] Learn to graft 📅 2999-11-02");
        await group("Upcoming").getByRole("checkbox", { name: "Learn to graft" }).waitFor();
        await press(page, page.locator(".toast").getByRole("button", { name: "Undo" }));
        await expect.poll(garden).not.toContain("2999-11-02");
        await press(page, page.getByRole("textbox", { name: "New task, in today’s note" }), "F8");
        const name = `Buy twine ${look.join(" ")}`;
        await page.keyboard.type(name);
        await page.keyboard.press("Enter");
        await group("Someday").getByRole("checkbox", { name }).waitFor();
        await press(page, page.getByRole("button", { name: "By file" }));
        await group("House").getByRole("link", { name: "Paint the door" }).waitFor();
      });
    });
});
