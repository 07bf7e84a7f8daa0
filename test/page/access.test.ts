// Accessibility of the page: axe finds no violation in any view, in both themes,
// on a wide screen, a tablet and a phone, and nothing is wider than the screen.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { repeats } from "../campaign.ts";
import { CONTEXT } from "../contract/vault.ts";
import { connectHttp, ERAS, temporaryFolder } from "../processes/program.ts";
import { expectNoViolationIn, loadAxe } from "./axe.ts";
import { SAMPLE_CONVERSATIONS, writeConversations } from "./sample-conversations.ts";
import { SAMPLE_OUTLINE } from "./sample-outline.ts";
import {
  BROWSER,
  holdSaves,
  isSkipped,
  servePage,
  showChanges,
  writeSampleVault,
  type OpenServer,
} from "./open-page.ts";

const VIEWS: readonly (readonly [name: string, path: string, ready: string])[] = [
  ["today", "/", ".session"],
  ["recent changes", "/search", ".result"],
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
  ["the activity", "/activity", ".touched"],
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

/** What a view opens has the same style sheets: every width and theme once is enough. */
const SOME_LOOKS = LOOKS.filter(([theme, width]) => (theme === "light") === (width === 1440));

const USUAL_LOOKS = repeats({ short: SOME_LOOKS, long: [...LOOKS] });

/** What is opened in a view: how, and what is there then. */
const OPENED: readonly (readonly [
  name: string,
  path: string,
  open: (page: Page, vault: string) => Promise<Locator>,
])[] = [
  ["the choice of a filter", "/conversation/", (page) => opened(page, button(page, /^Program:/), ".chooser-panel")],
  ["the choice of an outline", "/outline", (page) => opened(page, button(page, /^Outline:/), ".chooser-panel")],
  [
    "the graph around a note, and who mentions it",
    "/note/Garden/Runner beans.md",
    async (page) => {
      await page.locator("summary", { hasText: "Unlinked mentions" }).press("Enter");
      return opened(page, page.locator("summary", { hasText: "Graph" }), ".drawing a");
    },
  ],
  [
    "the report before a move",
    "/note/Garden/Runner beans.md",
    async (page) => {
      await button(page, "Rename or move").press("Enter");
      await page.getByRole("textbox", { name: "New path" }).fill("Garden/Beans.md");
      await page.keyboard.press("Enter");
      return page.locator(".link-report li").first();
    },
  ],
  [
    "the editor with names to complete",
    "/note/Garden/Beds.md",
    async (page) => {
      await button(page, "Edit").press("Enter");
      await page.getByRole("textbox", { name: /^Text of/ }).waitFor();
      await page.keyboard.press("Control+End");
      await page.keyboard.type("[[gard");
      return page.getByRole("option", { name: "Garden year" });
    },
  ],
  [
    "the three-way view of a conflict",
    "/note/Travel/Lisbon.md",
    async (page, vault) => {
      await button(page, "Edit").press("Enter");
      await page.getByRole("textbox", { name: /^Text of/ }).waitFor();
      const release = await holdSaves(page);
      await page.keyboard.press("Control+Home");
      await page.keyboard.type("Mine ");
      writeFileSync(join(vault, "Travel", "Lisbon.md"), "# Theirs\n");
      release();
      return page.getByRole("region", { name: "Conflicting changes" });
    },
  ],
  [
    "what an assistant did in a conversation",
    `/conversation/${SAMPLE_CONVERSATIONS[0]!.id}`,
    (page) => opened(page, page.locator(".steps summary").first(), ".step-body"),
  ],
  [
    "the preview of the undo of a session",
    "/activity",
    async (page) => {
      await button(page, /^Undo all/).press("Enter");
      for (const i of [0, 1]) await page.locator(".session-undo summary").nth(i).press("Enter");
      return page.locator(".session-undo .difference").nth(1);
    },
  ],
  [
    "two changes of one note",
    "/activity",
    async (page) => {
      await showChanges(page);
      for (const i of [0, 1])
        await page
          .getByRole("button", { name: /^Show:/ })
          .nth(i)
          .press("Enter");
      return page.locator(".difference").nth(1);
    },
  ],
  [
    "the choice of a vault",
    "/begin",
    async (page) => {
      await page.getByLabel("Another folder").fill(temporaryFolder());
      await page.keyboard.press("Enter");
      return page.locator("dialog .difference");
    },
  ],
  ["the form of a new note", "/folder/Garden", (page) => opened(page, button(page, "New note"), "dialog input")],
  [
    "the form of today's note",
    "/folder/Garden",
    (page) => opened(page, button(page, "Add to today"), "dialog textarea"),
  ],
];

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" }).first();

async function opened(page: Page, by: Locator, what: string): Promise<Locator> {
  await by.press("Enter");
  return page.locator(what).first();
}

async function expectNoViolations(page: Page, ready: Locator, looks = USUAL_LOOKS): Promise<void> {
  await loadAxe(page);
  for (const [colorScheme, width] of looks) {
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
    writeFileSync(join(vault, "Garden", "Plan.opml"), SAMPLE_OUTLINE);
    server = await servePage(vault, env);
    const assistant = await connectHttp(`${server.origin}/mcp`, ERAS["2026-07-28"]);
    for (const content of ["\nSow peas.\n", "\nAnd beans.\n"])
      await assistant.callTool({
        name: "contentManager_appendContent",
        arguments: { filePath: "Garden/Garden year.md", content, context: CONTEXT },
      });
    ({ page } = await server.open());
  });

  it.each(VIEWS)("%s", async (_, path, ready) => {
    await page.goto(server.origin + path);
    await expectNoViolations(page, page.locator(ready).first());
  });

  it.each(OPENED)("%s", async (_, path, open) => {
    // In a window of its own: what is being written would hold up the next view.
    const { page: own } = await server.open(path);
    await own.setViewportSize({ width: 1440, height: 900 });
    await expectNoViolations(own, await open(own, server.vault), SOME_LOOKS);
  });

  it("the list of shortcuts", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(server.origin);
    await page.getByRole("button", { name: "Shortcuts" }).click();
    await expectNoViolations(page, page.getByRole("dialog"));
  });

  it("the palette", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${server.origin}/search`);
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
    await showChanges(page);
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
