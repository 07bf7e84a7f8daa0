// Conversations by keyboard alone, on a phone, a tablet and a wide screen, in both
// themes, with axe at the end: the list with its filters and map of days, and one
// conversation with its prompts, words to find, edits, forks, copies and export.
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { codexStore } from "../program-stores/codex.ts";
import { temporaryFolder } from "../processes/program.ts";
import { choose, destination, heading, looksFrom, press, tabTo, expectFlow } from "./by-keyboard.ts";
import { BROWSER, isSkipped, servePage, writeSampleVault, type OpenServer } from "./open-page.ts";
import { writeConversations, type SampleConversation } from "./sample-conversations.ts";

const DAY = 24 * 60 * 60 * 1000;
/** Noon of yesterday, so that the days between two conversations are the same at any time of the day. */
const NEWEST = new Date().setHours(12, 0, 0, 0) - DAY;
const ageOf = (daysBefore: number) => (Date.now() - NEWEST) / DAY + daysBefore;
const ID = "7f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e0";
const [PARSER, LETTER, RIVERS, LATHE] = [
  "Mend the parser, please",
  "Draft a letter",
  "Name three rivers",
  "Which lathe should I buy?",
];

const edit = (file: string) => ({
  name: "Edit",
  input: { file_path: file, old_string: "one\ntwo\n", new_string: "one\nthree\n" },
  output: "The file was updated.",
});

const CONVERSATIONS: readonly SampleConversation[] = [
  {
    id: `${ID}1`,
    age: ageOf(0),
    model: "oak-5",
    branch: "main",
    said: [
      { role: "user", text: PARSER! },
      { role: "assistant", text: "It is mended.", tool: edit("/home/person/layers/src/parser.ts") },
      { role: "user", text: "And its test?" },
      { role: "assistant", text: "The test of the parser passes." },
    ],
  },
  {
    id: `${ID}2`,
    age: ageOf(3),
    model: "elm-2",
    branch: "drafts",
    forkedFrom: `${ID}3`,
    said: [
      { role: "user", text: LETTER! },
      { role: "assistant", text: "Dear reader." },
      { role: "user", text: "Shorter" },
      { role: "assistant", text: "Hello." },
      { role: "user", text: "Thanks" },
    ],
  },
  {
    id: `${ID}3`,
    age: ageOf(40),
    model: "oak-5",
    branch: "main",
    said: [
      { role: "user", text: RIVERS! },
      { role: "assistant", text: "Rhine, Rhone, Po." },
      { role: "user", text: "And one more" },
    ],
  },
];

describe.skipIf(isSkipped)("by keyboard alone a person", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    const home = temporaryFolder();
    writeConversations(home, CONVERSATIONS);
    const tool = { file: "/home/person/workshop/lathes.md", output: "Two of them" };
    const turn = { at: NEWEST - 5 * DAY, prompt: LATHE!, thinking: "Two or one?", tool, answer: "The small one." };
    const workshop = { folder: "/home/person/workshop", branch: "main", title: LATHE!, model: "ash-1" };
    codexStore.write(home, [{ id: "0a1b2c3d-5e6f-4a7b-8c9d-0e1f2a3b4c5d", ...workshop, turns: [turn] }]);
    server = await servePage(writeSampleVault(), { HOME: home, USERPROFILE: home });
  });
  const expectTitles = async (page: Page, ...titles: (string | undefined)[]) => {
    await expect.poll(() => page.locator(".result-title").allTextContents()).toEqual(titles);
  };
  const inFocus = (page: Page) => page.evaluate<string>("document.activeElement?.textContent");
  const copied = (page: Page) => page.evaluate<string>("navigator.clipboard.readText()");

  it.each(looksFrom("light"))("filters and orders the conversations at %i px, %s", (...look) =>
    expectFlow(server, look, async (page) => {
      await press(page, destination(page, "Conversations"));
      await heading(page, "Conversations").waitFor();
      await expectTitles(page, PARSER, LETTER, LATHE, RIVERS);
      await choose(page, "Program", "Codex");
      await expectTitles(page, LATHE);
      await choose(page, "Program", "Any program");
      await choose(page, "Project", "layers");
      await expectTitles(page, PARSER, LETTER, RIVERS);
      await choose(page, "Model", "oak-5");
      await expectTitles(page, PARSER, RIVERS);
      await choose(page, "Time", "Past week");
      await expectTitles(page, PARSER);
      // Each choice says what it would leave, whichever is chosen.
      await press(page, page.getByRole("button", { name: "Time: Past week" }));
      await expect
        .poll(() => page.getByRole("option", { name: /^Past (?:week|year)/ }).allTextContents())
        .toEqual(["Past week1", "Past year2"]);
      await page.keyboard.press("Escape");
      await choose(page, "Time", "Any time");
      await choose(page, "Model", "Any model");
      await choose(page, "Branch", "drafts");
      await expectTitles(page, LETTER);
      await page.reload();
      await expectTitles(page, LETTER);
      await choose(page, "Branch", "Any branch");
      await choose(page, "Project", "Any project");
      await tabTo(page, page.getByRole("textbox", { name: "Touched file" }));
      await page.keyboard.type("PARSER.ts");
      await expectTitles(page, PARSER);
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      await expectTitles(page, PARSER, LETTER, LATHE, RIVERS);
      // The map of days: the newest has the focus first.
      await tabTo(page, page.getByRole("region", { name: "Days" }).locator("[tabindex='0']"));
      for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await expectTitles(page, LATHE);
      await page.keyboard.press("Enter");
      await expectTitles(page, PARSER, LETTER, LATHE, RIVERS);
      await choose(page, "Order", "Oldest first");
      await expectTitles(page, RIVERS, LATHE, LETTER, PARSER);
      await choose(page, "Order", "Most messages first");
      await expectTitles(page, LETTER, PARSER, RIVERS, LATHE);
    }),
  );

  it.each(looksFrom("dark"))("reads, searches, copies and exports a conversation at %i px, %s", (...look) =>
    expectFlow(server, look, async (page, { context }) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const { keyboard } = page;
      await press(page, destination(page, "Conversations"));
      await expectTitles(page, PARSER, LETTER, LATHE, RIVERS);
      await tabTo(page, page.locator(".result a").first());
      await keyboard.press("ArrowDown");
      await expect.poll(() => inFocus(page)).toContain(LETTER);
      await keyboard.press("ArrowUp");
      await expect.poll(() => inFocus(page)).toContain(PARSER);
      await keyboard.press("Enter");
      await heading(page, PARSER!).waitFor();
      await page.locator(".message", { hasText: "The test of the parser passes." }).waitFor();
      await page.locator(".prompts").waitFor();
      // From prompt to prompt.
      await keyboard.press("j");
      await expect.poll(() => inFocus(page)).toContain(PARSER);
      await keyboard.press("j");
      await expect.poll(() => inFocus(page)).toContain("And its test?");
      await keyboard.press("k");
      await expect.poll(() => inFocus(page)).toContain(PARSER);
      // The outline of prompts, which is folded above the messages of a narrow screen.
      const prompts = page.getByRole("region", { name: "Prompts" });
      if (look[0] !== 1440) await press(page, prompts.locator("summary"));
      await press(page, prompts.getByRole("link", { name: "And its test?" }));
      await expect.poll(() => inFocus(page)).toContain("And its test?");
      // What the assistant did, and its edit as a difference.
      await press(page, page.locator(".steps summary", { hasText: "Edit" }));
      const difference = page.getByRole("group", { name: "Change of /home/person/layers/src/parser.ts" });
      await tabTo(page, difference);
      await difference.locator("[data-kind=added]", { hasText: "three" }).waitFor();
      await tabTo(page, page.getByRole("textbox", { name: "Find in this conversation" }));
      await keyboard.type("parser");
      await page.waitForURL(/find=parser/);
      const count = page.getByRole("toolbar").getByRole("status");
      await count.getByText(/^[23] messages$/).waitFor();
      await keyboard.press("Enter");
      await count.getByText(/^1 of/).waitFor();
      await press(page, page.getByRole("button", { name: "Next match" }));
      await count.getByText(/^2 of/).waitFor();
      await expect.poll(() => page.evaluate("CSS.highlights.get('match')?.size")).toBeGreaterThan(0);
      // Copies, and the export.
      const answer = page.locator(".message", { hasText: "The test of the parser passes." });
      await press(page, answer.getByRole("button", { name: "Copy the message" }));
      await expect.poll(() => copied(page)).toBe("The test of the parser passes.");
      await press(page, page.getByRole("button", { name: /^Copy the command/ }));
      await expect.poll(() => copied(page)).toBe(`cd /home/person/layers && claude --resume ${ID}1`);
      await press(page, page.getByRole("button", { name: "Export as Markdown" }));
      const written = page.locator(".export [role=status] code");
      await written.waitFor();
      expect(readFileSync((await written.textContent())!, "utf8")).toContain("The test of the parser passes.");
    }),
  );

  it.each(looksFrom("light"))("follows a fork to what it continues, and back, at %i px, %s", (...look) =>
    expectFlow(server, look, async (page) => {
      await press(page, destination(page, "Conversations"));
      await expectTitles(page, PARSER, LETTER, LATHE, RIVERS);
      await press(page, page.locator(".result a", { hasText: LETTER }));
      await press(page, page.locator(".relatives").getByRole("link", { name: RIVERS }));
      await heading(page, RIVERS!).waitFor();
      await press(page, page.locator(".relatives").getByRole("link", { name: LETTER }));
      await heading(page, LETTER!).waitFor();
    }),
  );
});
