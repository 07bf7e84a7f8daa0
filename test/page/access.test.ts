// Accessibility of the page: axe finds no violation in any view, in both themes,
// on a wide screen, a tablet and a phone, and nothing is wider than the screen.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { CONTEXT } from "../contract/vault.ts";
import { connectHttp, ERAS, temporaryFolder } from "../processes/program.ts";
import { expectNoViolationIn, loadAxe } from "./axe.ts";
import { SAMPLE_CONVERSATIONS, writeConversations } from "./sample-conversations.ts";
import { SAMPLE_OUTLINE } from "./sample-outline.ts";
import { BROWSER, isSkipped, servePage, writeSampleVault, type OpenServer } from "./open-page.ts";

const VIEWS: readonly (readonly [name: string, path: string, ready: string])[] = [
  ["recent changes", "/", ".result"],
  ["results", "/search?q=beans", ".result"],
  ["no results", "/search?q=xyzzyq", ".empty"],
  ["a folder", "/folder/Garden", ".entries a"],
  ["a note", "/note/Garden/Garden year.md", ".links a"],
  ["a note with code and an embed", "/note/Work/Layers of a program.md", ".code"],
  ["a base", "/note/Garden/Plants.base", ".base td"],
  ["a canvas", "/note/Garden/Plan.canvas", ".canvas-card"],
  ["a missing note", "/note/Nowhere.md", ".problem"],
  ["nothing", "/nonsense", ".empty"],
  ["an outline", "/outline", ".row"],
  ["conversations", "/conversation/", ".result"],
  ["a missing conversation", "/conversation/nowhere", ".problem"],
  ["a missing outline", "/outline/nowhere.opml", ".problem"],
  ["a conversation", `/conversation/${SAMPLE_CONVERSATIONS[0]!.id}`, ".message"],
  ["the activity", "/activity", ".change"],
  ["the set-up", "/begin", ".card"],
  ["the status", "/status", ".verdict"],
];

const BASE = `views:
  - {type: table, name: All, order: [file.name, tags, file.mtime]}
  - {type: cards, name: Cards, order: [file.name]}
`;
const CANVAS = JSON.stringify({
  nodes: [
    { id: "g", type: "group", label: "Beds", x: 0, y: 0, width: 500, height: 300, color: "3" },
    { id: "a", type: "text", text: "# Plan\n[[Compost]]", x: 20, y: 40, width: 180, height: 120 },
    { id: "b", type: "file", file: "Garden/Compost.md", x: 280, y: 40, width: 180, height: 200, color: "#3366cc" },
  ],
  edges: [{ id: "e", fromNode: "a", toNode: "b", label: "needs" }],
});

/** Each view is opened once and checked in all of these. */
const LOOKS = [
  ["light", 1440],
  ["dark", 1440],
  ["light", 768],
  ["dark", 768],
  ["dark", 390],
  ["light", 390],
] as const;

async function expectNoViolations(page: Page, ready: Locator): Promise<void> {
  await loadAxe(page);
  for (const [colorScheme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    await ready.waitFor();
    // The page renders again what depends on the size of the window.
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
    await expectNoViolationIn(page, `${colorScheme}, ${width} px wide`);
  }
}

describe.skipIf(isSkipped)("axe finds no violation in", BROWSER, () => {
  let server: OpenServer;
  let page: Page;
  beforeAll(async () => {
    const outline = join(temporaryFolder(), "Projects.opml");
    writeFileSync(outline, SAMPLE_OUTLINE);
    const home = temporaryFolder();
    writeConversations(home);
    const env = { HOME: home, USERPROFILE: home, COMMONPLACE_OUTLINE: outline };
    const vault = writeSampleVault();
    writeFileSync(join(vault, "Garden", "Plants.base"), BASE);
    writeFileSync(join(vault, "Garden", "Plan.canvas"), CANVAS);
    server = await servePage(vault, env);
    const assistant = await connectHttp(`${server.origin}/mcp`, ERAS["2026-07-28"]);
    await assistant.callTool({
      name: "contentManager_appendContent",
      arguments: { filePath: "Garden/Garden year.md", content: "\nSow peas.\n", context: CONTEXT },
    });
    ({ page } = await server.open());
  });

  it.each(VIEWS)("%s", async (_, path, ready) => {
    await page.goto(server.origin + path);
    await expectNoViolations(page, page.locator(ready).first());
  });

  it("the list of shortcuts", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(server.origin);
    await page.getByRole("button", { name: "Shortcuts" }).click();
    await expectNoViolations(page, page.getByRole("dialog"));
  });

  it("the palette", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(server.origin);
    await page.locator(".result").first().waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("garden");
    await expectNoViolations(page, page.getByRole("option", { name: "Garden year" }).first());
  });

  it("an outline while a row and its note are written", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${server.origin}/outline`);
    await page.locator(".row").first().waitFor();
    await page.getByRole("tree").focus();
    await page.keyboard.press("Shift+Enter");
    await expectNoViolations(page, page.getByRole("textbox", { name: "Note of Garden" }));
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+Enter");
    await expectNoViolations(page, page.getByRole("textbox", { name: "New row" }));
  });

  it("the preview of an undo", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${server.origin}/activity`);
    await page
      .getByRole("button", { name: /^Undo:/ })
      .first()
      .click();
    await expectNoViolations(page, page.locator(".difference"));
  });

  it("a change of a host's configuration", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${server.origin}/begin`);
    await page.getByRole("button", { name: "Connect Claude Code" }).click();
    await expectNoViolations(page, page.locator(".difference"));
  });

  it("the sign-in form", async () => {
    await page.evaluate("sessionStorage.clear()");
    await page.goto("about:blank");
    await page.goto(server.origin);
    await expectNoViolations(page, page.getByLabel("Token"));
  });
});
