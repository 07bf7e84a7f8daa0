// Hostile names and texts in the parts of the page around a note: graph, mentions,
// bases, completion, conflicts, the report of a move, dialogs and choosers. Notes,
// results, outlines, conversations, canvases and the activity have such tests
// beside their others.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../processes/program.ts";
import { expectNoHarm } from "./harm.ts";
import { HOSTILE_NAMES, HOSTILE_PROPERTIES, HOSTILE_TEXTS } from "./hostile-texts.ts";
import { BROWSER, holdSaves, isSkipped, servePage, writeVault, type OpenServer } from "./open-page.ts";
import { writeConversations } from "./sample-conversations.ts";

const IMAGE = "<img src=x onerror=window.hacked=1>";
const [FIRST = ""] = HOSTILE_NAMES;
const BASE = `views:
  - {type: table, name: "${IMAGE}", order: [file.name, link, url, tags, wiki, formula.shown]}
formulas: {shown: '"${IMAGE}" + file.name'}
`;

describe.skipIf(isSkipped)("hostile names and texts stay text", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    const home = temporaryFolder();
    const said = HOSTILE_TEXTS.map((text, i) => ({
      role: i % 5 === 4 ? ("assistant" as const) : ("user" as const),
      text,
    }));
    const branch = `"onclick="window.hacked=1 ${IMAGE}`;
    const id = "9f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e0";
    writeConversations(home, [
      { id: `${id}1`, age: 0.1, model: `oak ${IMAGE}`, branch, said },
      { id: `${id}2`, age: 0.2, model: "oak", branch: "main", said: said.slice(2) },
    ]);
    const links = HOSTILE_NAMES.map((name) => `[](<${encodeURI(name)}>)`).join("\n");
    const vault = writeVault({
      "Hub.md": `${HOSTILE_PROPERTIES}\n${links}\n`,
      "Around.md": `[[Hub]] ${HOSTILE_TEXTS.slice(0, 20).join(" ")}\n`,
      "Mentions.md": `Hub ${IMAGE}\n`,
      "Notes.base": BASE,
      "Same.md": "one\n",
      [`${IMAGE.replaceAll("/", "")}.opml`]:
        '<?xml version="1.0"?><opml version="2.0"><head/><body><outline text="One"/></body></opml>',
      "Plain.opml": '<?xml version="1.0"?><opml version="2.0"><head/><body><outline text="Two"/></body></opml>',
    });
    for (const name of HOSTILE_NAMES) writeFileSync(join(vault, name), `${name}\n\n[[Hub]]\n`);
    server = await servePage(vault, { HOME: home, USERPROFILE: home });
  });

  it("in the graph, backlinks and mentions of a note, and in a base", async () => {
    const opened = await server.open("/note/Hub.md");
    const { page } = opened;
    await page.locator(".links li").nth(5).waitFor();
    await page.locator("summary", { hasText: "Unlinked mentions" }).press("Enter");
    await page.getByText(`Hub ${IMAGE}`).waitFor();
    await page.locator("summary", { hasText: "Graph" }).press("Enter");
    await page.locator(".drawing a", { hasText: IMAGE }).first().waitFor();
    await expectNoHarm(opened, server.origin);
    await page.goto(`${server.origin}/note/Notes.base`);
    await page.locator(".base td", { hasText: `${IMAGE}Hub` }).waitFor();
    await expectNoHarm(opened, server.origin);
  });

  it("in the editor, its completion, its conflicts and the report of a move", async () => {
    const opened = await server.open("/note/Same.md");
    const { page } = opened;
    await page.getByRole("button", { name: "Edit", exact: true }).press("Enter");
    await page.getByRole("textbox", { name: /^Text of/ }).waitFor();
    const release = await holdSaves(page);
    await page.keyboard.insertText(`mine ${HOSTILE_TEXTS.slice(0, 12).join(" ")} [[img`);
    await page.getByRole("option", { name: FIRST.replace(/\.md$/, ""), exact: true }).waitFor();
    await page.keyboard.press("Escape");
    writeFileSync(join(server.vault, "Same.md"), `theirs ${HOSTILE_TEXTS.slice(0, 12).join(" ")}\n`);
    release();
    await page.locator(".conflict-sides pre", { hasText: "theirs <script>" }).waitFor();
    await expectNoHarm(opened, server.origin);
    page.removeAllListeners("dialog").on("dialog", (dialog) => void dialog.accept());
    await page.goto(`${server.origin}/note/Hub.md`);
    await page.getByRole("button", { name: "Rename or move" }).press("Enter");
    await page.getByRole("textbox", { name: "New path" }).fill(`${IMAGE}.md`.replaceAll("<", "(").replaceAll(">", ")"));
    await page.keyboard.press("Enter");
    await page.locator(".link-report li", { hasText: IMAGE }).first().waitFor();
    await expectNoHarm(opened, server.origin);
  });

  it("in the filters, prompts and facts of conversations, and in the choice of an outline", async () => {
    const opened = await server.open("/conversation/");
    const { page } = opened;
    await page.locator(".result").nth(1).waitFor();
    for (const filter of ["Model", "Branch"]) {
      await page.getByRole("button", { name: new RegExp(`^${filter}:`) }).press("Enter");
      await page.getByRole("option", { name: IMAGE }).waitFor();
      await expectNoHarm(opened, server.origin);
      await page.getByRole("option", { name: IMAGE }).click();
      await expect.poll(() => page.locator(".result").count()).toBe(1);
    }
    await page.locator(".result a").press("Enter");
    await page.locator(".thread-facts", { hasText: IMAGE }).waitFor();
    await page.locator(".prompts a").nth(10).waitFor();
    await page.getByRole("textbox", { name: "Find in this conversation" }).fill("onerror");
    await page.waitForURL(/find=onerror/);
    await expectNoHarm(opened, server.origin);
    await page.goto(`${server.origin}/outline/Plain.opml`);
    await page.getByRole("button", { name: /^Outline:/ }).press("Enter");
    await page.getByRole("option", { name: IMAGE }).first().waitFor();
    await expectNoHarm(opened, server.origin);
  });
});
