// The list of conversations in the page: the map of days, and filters that nothing
// passes. Its other filters and its order are tested by keyboard.
import { beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { expectNoViolationIn, loadAxe } from "./axe.ts";
import { temporaryFolder } from "../processes/program.ts";
import { BROWSER, isSkipped, servePage, writeSampleVault, type OpenServer } from "./open-page.ts";
import { writeConversations, type SampleConversation } from "./sample-conversations.ts";

const edit = (file: string) => ({
  name: "Edit",
  input: { file_path: file, old_string: "one\ntwo\n", new_string: "one\nthree\n" },
  output: "The file was updated.",
});

const CONVERSATIONS: readonly SampleConversation[] = [
  {
    id: "7f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e01",
    age: 0.01,
    model: "oak-5",
    branch: "main",
    said: [
      { role: "user", text: "Mend the parser, please" },
      { role: "assistant", text: "It is mended.", tool: edit("/home/person/layers/src/parser.ts") },
    ],
  },
  {
    id: "7f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e02",
    age: 3,
    model: "elm-2",
    branch: "drafts",
    said: [
      { role: "user", text: "Draft a letter" },
      { role: "assistant", text: "Dear reader." },
      { role: "user", text: "Shorter" },
      { role: "assistant", text: "Hello." },
    ],
  },
  {
    id: "7f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e03",
    age: 40,
    model: "oak-5",
    branch: "main",
    said: [
      { role: "user", text: "Name three rivers" },
      { role: "assistant", text: "Rhine, Rhone, Po." },
      { role: "user", text: "And one more" },
    ],
  },
];

const [PARSER, LETTER, RIVERS] = ["Mend the parser, please", "Draft a letter", "Name three rivers"];

describe.skipIf(isSkipped)("the list of conversations", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    const home = temporaryFolder();
    writeConversations(home, CONVERSATIONS);
    server = await servePage(writeSampleVault(), { HOME: home, USERPROFILE: home });
  });
  const expectTitles = async (page: Page, ...titles: (string | undefined)[]) => {
    await expect.poll(() => page.locator(".result-title").allTextContents()).toEqual(titles);
  };

  it("has a map of days with totals, in which a day is chosen by a click or by keys", async () => {
    const { page } = await server.open("/conversation/");
    await expectTitles(page, PARSER, LETTER, RIVERS);
    const totals = page.locator(".totals dd");
    await expect.poll(async () => (await totals.allTextContents()).slice(0, 4)).toEqual(["3", "9", "3", "1"]);
    const days = page.getByRole("region", { name: "Days" });
    const full = days.getByRole("button", { name: /: 1 conversation$/ });
    await expect.poll(() => full.count()).toBe(3);
    await full.nth(1).click();
    await expectTitles(page, LETTER);
    // The totals stay those of all days.
    expect((await totals.allTextContents())[0]).toBe("3");
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expectTitles(page, PARSER);
    await page.keyboard.press("Enter");
    await expectTitles(page, PARSER, LETTER, RIVERS);
  });

  it("has pictures by week and by model, which filter, and a cost only by prices that were entered", async () => {
    const { page, faults } = await server.open("/conversation/", {});
    await expectTitles(page, PARSER, LETTER, RIVERS);
    const weeks = page.locator(".week-bars").getByRole("button");
    // A week without any is a gap, not left out.
    await expect.poll(() => weeks.count()).toBeGreaterThanOrEqual(6);
    expect(await weeks.nth(1).isDisabled()).toBe(true);
    await weeks.first().press("Enter");
    await expectTitles(page, RIVERS);
    await page.getByRole("button", { name: / to .* / }).press("Enter");
    await expectTitles(page, PARSER, LETTER, RIVERS);
    await page.getByRole("button", { name: "Model", exact: true }).press("Enter");
    await page.locator(".usage-names").getByRole("button", { name: "elm-2" }).press("Enter");
    await expectTitles(page, LETTER);
    expect(await page.getByText("cost, by your prices").count()).toBe(0);
    await page.getByText("Prices", { exact: true }).click();
    await page.getByLabel("Price of elm-2, out").fill("1000000");
    await page.keyboard.press("Enter");
    const cost = page.locator(".totals div", { hasText: "cost, by your prices" }).locator("dd");
    const out = page.locator(".totals div", { hasText: "tokens out" }).locator("dd");
    await cost.waitFor();
    expect(Number(((await cost.textContent()) ?? "").replaceAll(",", ""))).toBe(
      Number(((await out.textContent()) ?? "").replace("K", "000")),
    );
    await page.getByRole("img", { name: /^Hours of the week. The most, 1,/ }).waitFor();
    expect(faults).toEqual([]);
    await loadAxe(page);
    await expectNoViolationIn(page, "pictures of conversations");
  });

  it("says that nothing passes its filters, and leads back", async () => {
    const { page } = await server.open("/conversation/?model=ash-1&file=%3Cimg%20src=x%20onerror=window.hacked=1%3E");
    await page.getByText("No conversation passes these filters").waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    await page.getByRole("link", { name: "All conversations" }).click();
    await expectTitles(page, PARSER, LETTER, RIVERS);
  });
});
