// Where a note comes from: the conversation that wrote it, and its lines that still stand.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../processes/program.ts";
import { expectFlow, heading, looksFrom, press } from "./by-keyboard.ts";
import { BROWSER, isSkipped, servePage, type OpenServer } from "./open-page.ts";
import { writeConversations } from "./sample-conversations.ts";

const BEANS = "---\nkind: bed\n---\n# Beans\n\nSow them in late April.\n\nBy hand.\n";

describe.skipIf(isSkipped)("where a note comes from", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    const home = temporaryFolder();
    const vault = join(home, "Notes");
    mkdirSync(vault);
    writeFileSync(join(vault, "Beans.md"), BEANS);
    writeFileSync(join(vault, "Plain.md"), "Nobody else wrote this.\n");
    writeConversations(home, [
      {
        id: "5f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e01",
        age: 0.2,
        said: [
          { role: "user", text: "When do I sow beans?" },
          {
            role: "assistant",
            text: "Later than you think.",
            tool: {
              name: "Edit",
              input: {
                file_path: join(vault, "Beans.md"),
                old_string: "Sow them in May.",
                new_string: "Sow them in late April.",
              },
              output: "The file was updated.",
            },
          },
        ],
      },
    ]);
    server = await servePage(vault, { HOME: home, USERPROFILE: home });
  });

  for (const look of looksFrom("dark"))
    it(`is said beside it, with the lines that stand, and leads to the message (${look.join(", ")})`, async () => {
      await expectFlow(server, look, async (page) => {
        await page.goto(`${server.origin}/note/Beans.md`);
        await heading(page, "Beans").waitFor();
        const from = page.locator(".written-by");
        await press(page, from.locator("summary"));
        await from.getByText("Line 6 is its own").waitFor();
        const link = from.getByRole("link", { name: /When do I sow beans/ });
        await page.keyboard.press("Tab");
        expect(await page.locator(".prose .is-meant").allTextContents()).toEqual(["Sow them in late April."]);
        await link.press("Enter");
        await page.locator(".message", { hasText: "Later than you think." }).waitFor();
        await page.goto(`${server.origin}/note/Plain.md`);
        await press(page, page.locator(".written-by summary"));
        await page.getByText(/No conversation is known to have written this/).waitFor();
      });
    });
});
