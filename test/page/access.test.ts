// Everybody can use the page: axe finds nothing in any view, by day and by night,
// on a wide screen and on a phone, and nothing is cut off on any of them.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { CONTEXT } from "../contract/vault.ts";
import { connectHttp, ERAS, temporaryFolder } from "../program.ts";
import { SAMPLE_CONVERSATIONS, writeConversations } from "./sample-conversations.ts";
import { SAMPLE_OUTLINE } from "./sample-outline.ts";
import { BROWSER, isSkipped, servePage, writeSampleVault, type OpenServer } from "./open-page.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

const VIEWS: readonly (readonly [name: string, path: string, ready: string])[] = [
  ["what changed last", "/", ".result"],
  ["results", "/search?q=beans", ".result"],
  ["no results", "/search?q=xyzzyq", ".empty"],
  ["a folder", "/folder/Garden", ".entries a"],
  ["a note", "/note/Garden/Garden year.md", ".links a"],
  ["a note with code and an embed", "/note/Work/Layers of a program.md", ".code"],
  ["a note that is not there", "/note/Nowhere.md", ".refusal"],
  ["an outline", "/outline", ".row"],
  ["conversations", "/conversation/", ".result"],
  ["a conversation that is not there", "/conversation/nowhere", ".refusal"],
  ["an outline that is not there", "/outline/nowhere.opml", ".refusal"],
  ["a conversation", `/conversation/${SAMPLE_CONVERSATIONS[0]!.id}`, ".message"],
  ["the activity", "/activity", ".change"],
];

/** Each view is opened once and seen in all of these: colours and sizes change as it stands there. */
const LOOKS = [
  ["light", 1440],
  ["dark", 1440],
  ["dark", 390],
  ["light", 390],
] as const;

async function violationsIn(page: Page) {
  const found = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as { violations: Violation[] };
  return found.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
}

async function expectNothingInAnyLook(page: Page, ready: Locator): Promise<void> {
  await page.evaluate(AXE);
  for (const [colorScheme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    await ready.waitFor();
    // What depends on the size of the window is drawn anew.
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
    // Under load the colours of a theme reach all parts of a page only after some frames.
    await expect.poll(() => violationsIn(page), { message: `${colorScheme}, ${width} px wide` }).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  }
}

describe.skipIf(isSkipped)("axe finds nothing in", BROWSER, () => {
  let server: OpenServer;
  let page: Page;
  beforeAll(async () => {
    const outline = join(temporaryFolder(), "Projects.opml");
    writeFileSync(outline, SAMPLE_OUTLINE);
    const home = temporaryFolder();
    writeConversations(home);
    const env = { HOME: home, USERPROFILE: home, COMMONPLACE_OUTLINE: outline };
    server = await servePage(writeSampleVault(), env);
    const assistant = await connectHttp(`${server.origin}/mcp`, ERAS["2026-07-28"]);
    await assistant.callTool({
      name: "contentManager_appendContent",
      arguments: { filePath: "Garden/Garden year.md", content: "\nSow peas.\n", context: CONTEXT },
    });
    ({ page } = await server.open());
  });

  it.each(VIEWS)("%s", async (_, path, ready) => {
    await page.goto(server.origin + path);
    await expectNothingInAnyLook(page, page.locator(ready).first());
  });

  it("the shortcuts", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(server.origin);
    await page.getByRole("button", { name: "Shortcuts" }).click();
    await expectNothingInAnyLook(page, page.getByRole("dialog"));
  });

  it("the page that asks for the token", async () => {
    await page.evaluate("sessionStorage.clear()");
    await page.goto("about:blank");
    await page.goto(server.origin);
    await expectNothingInAnyLook(page, page.getByLabel("Token"));
  });
});
