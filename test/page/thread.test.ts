// A thread in the page: find, jumps, the outline of prompts, edits as differences,
// copy and export; and threads of 5,000 messages.
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../processes/program.ts";
import { expectShortTasks, watchTasks } from "./longest-task.ts";
import { BROWSER, isSkipped, servePage, writeSampleVault, type OpenServer } from "./open-page.ts";
import { writeConversations, type SampleConversation } from "./sample-conversations.ts";

const LONG: SampleConversation = {
  id: "8f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e01",
  age: 5,
  branch: "main",
  said: Array.from({ length: 5_000 }, (_, i) => ({
    role: i % 2 === 0 ? ("user" as const) : ("assistant" as const),
    text:
      i === 4_801
        ? "Here is the heron that you look for."
        : `Message ${i}: some **words** of it.\n\n- one\n- two\n\n\`\`\`ts\nconst at = ${i};\n\`\`\``,
    ...(i === 1 && {
      tool: {
        name: "Edit",
        input: {
          file_path: "/home/person/layers/a.ts",
          old_string: "let a = 1;\nb();",
          new_string: "let a = 2;\nb();",
        },
        output: "Updated.",
      },
    }),
    ...(i === 3 && { tool: { name: "Lookup", input: { word: "heath", options: { deep: true } }, output: "moor" } }),
  })),
};

/** Reads, searches and jumps through the thread. @returns the longest task of the window */
async function walkThrough(page: Page): Promise<number> {
  await page.locator(".result").first().waitFor();
  const longestTask = await watchTasks(page);
  await page.locator(".result a").first().click();
  await page.locator(".message").first().waitFor();
  const prompts = page.getByRole("region", { name: "Prompts" }).getByRole("link");
  await expect.poll(() => prompts.count()).toBe(2_500);
  expect(await page.locator(".thread-facts").textContent()).toContain("branch main");
  await page.getByText("750K tokens in, 375K out, 10M from a cache").waitFor();
  expect(await page.locator(".thread-facts").textContent()).toMatch(/\d (?:h|days)/);
  // Keys jump from prompt to prompt.
  await page.keyboard.press("j");
  await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toContain("Message 0:");
  await page.keyboard.press("j");
  await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toContain("Message 2:");
  await page.keyboard.press("k");
  await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toContain("Message 0:");
  // A prompt that is not loaded yet.
  await prompts.nth(2_000).click();
  await page.locator(".message", { hasText: "Message 4000:" }).waitFor();
  // Words far from what is loaded.
  await page.getByRole("textbox", { name: "Find in this conversation" }).focus();
  await page.keyboard.type("heron");
  await page.getByText("1 message", { exact: true }).waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("");
  await page.keyboard.press("Enter");
  await page.locator(".message", { hasText: "Here is the heron" }).waitFor();
  await page.getByText("1 of 1").waitFor();
  await expect.poll(() => page.evaluate("CSS.highlights.get('match')?.size")).toBe(1);
  for (let i = 0; i < 10; i++) await page.mouse.wheel(0, 4_000);
  return longestTask();
}

describe.skipIf(isSkipped)("a thread of 5,000 messages", BROWSER, () => {
  let server: OpenServer;
  let home: string;
  beforeAll(async () => {
    home = temporaryFolder();
    writeConversations(home, [LONG]);
    server = await servePage(writeSampleVault(), { HOME: home, USERPROFILE: home });
  });

  it("is read, searched and jumped through without a task of the window above 200 ms", async () => {
    await expectShortTasks(200, async () => {
      const { page, faults } = await server.open("/conversation/");
      const longest = await walkThrough(page);
      expect(faults).toEqual([]);
      await page.close();
      return longest;
    });
  });

  it("shows edits as differences and calls with their arguments, and is copied and exported", async () => {
    const { page, context } = await server.open(`/conversation/${LONG.id}`);
    await page.locator(".steps", { hasText: "Edit" }).locator("summary").click();
    const difference = page.getByRole("group", { name: "Change of /home/person/layers/a.ts" });
    await difference.waitFor();
    expect(await difference.locator("[data-kind=removed] mark").allTextContents()).toEqual(["1"]);
    expect(await difference.locator("[data-kind=added] mark").allTextContents()).toEqual(["2"]);
    await page.locator(".steps", { hasText: "Lookup" }).locator("summary").click();
    const call = page.locator(".step-arguments");
    await call.waitFor();
    expect(await call.locator("dt").allTextContents()).toEqual(["word", "options"]);
    expect(await call.locator("dd").allTextContents()).toEqual(["heath", '{"deep":true}']);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator(".message").first().getByRole("button", { name: "Copy the message" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toContain("Message 0: some **words**");
    await page.getByRole("button", { name: "Export as Markdown" }).click();
    const path = await page.locator(".export code").textContent();
    expect(path!.startsWith(home)).toBe(true);
    expect(readFileSync(path!, "utf8")).toContain("Here is the heron");
  });
});
