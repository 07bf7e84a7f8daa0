// Archives of claude.ai and ChatGPT in the page: dropped on the view of
// conversations, or chosen with the keyboard.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileChooser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { zipArchive } from "../fixtures/zip-archives.ts";
import { temporaryFolder } from "../processes/program.ts";
import { chatGptConversation, claudeAiConversation } from "../program-stores/archives.ts";
import { madeConversations, type MadeConversation } from "../program-stores/made-conversation.ts";
import { BROWSER, isSkipped, servePage, writeSampleVault, type OpenedPage, type OpenServer } from "./open-page.ts";

const [FIRST, SECOND] = madeConversations(2, 2) as [MadeConversation, MadeConversation];

/** Drops a file beside the list, where the browser would open it. */
async function drop({ page }: OpenedPage, name: string, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    `(() => { const dragged = new DataTransfer(); dragged.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)})); return dragged; })()`,
  );
  await page.dispatchEvent("nav", "dragover", { dataTransfer });
  await page.locator(".archive-import.is-over").waitFor();
  await page.dispatchEvent("nav", "drop", { dataTransfer });
}

async function serveEmpty(env: Record<string, string> = {}): Promise<OpenServer> {
  const home = temporaryFolder();
  return servePage(writeSampleVault(), { HOME: home, USERPROFILE: home, ...env });
}

describe.skipIf(isSkipped)("an archive in the page", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    server = await serveEmpty();
  });

  it("is imported when it is dropped; the second time changes nothing", async () => {
    const opened = await server.open("/conversation/");
    const { page, faults } = opened;
    await page.getByText("No conversations yet").waitFor();
    const content = JSON.stringify([chatGptConversation(FIRST)]);
    await drop(opened, "conversations.json", content);
    await page.getByText("conversations.json: ChatGPT: 1 conversation added.").waitFor();
    await page.locator(".result", { hasText: FIRST.title }).waitFor();
    expect(await page.locator(".archive-import.is-over, .archive-import progress").count()).toBe(0);
    await drop(opened, "again.json", content);
    await page.getByText("again.json: ChatGPT: 0 conversations added, 1 there already.").waitFor();
    expect(await page.locator(".result").count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it("is imported when it is chosen with the keyboard, and a problem is a sentence", async () => {
    const { page } = await server.open("/conversation/");
    // Long before the key: the browser has to be told to report it instead of opening a dialog.
    const choosing = new Promise<FileChooser>((resolve) => page.once("filechooser", resolve));
    const folder = temporaryFolder();
    const members = [{ name: "conversations.json", content: JSON.stringify([claudeAiConversation(SECOND)]) }];
    writeFileSync(join(folder, "claude.zip"), zipArchive(members));
    writeFileSync(join(folder, "diary.json"), "Dear diary");
    const button = page.getByRole("button", { name: "Import an archive" });
    await button.focus();
    await page.keyboard.press("Enter");
    const chooser = await choosing;
    await chooser.setFiles([join(folder, "claude.zip"), join(folder, "diary.json")]);
    await page.getByRole("status").getByText("claude.zip: claude.ai: 1 conversation added.").waitFor();
    await page.getByRole("alert").getByText("diary.json: The file is no JSON").waitFor();
    await page.locator(".result", { hasText: SECOND.title }).waitFor();
    expect(await button.isEnabled()).toBe(true);
  });

  it("is refused with a sentence by a server that is read-only", async () => {
    const opened = await (await serveEmpty({ COMMONPLACE_READ_ONLY: "1" })).open("/conversation/");
    await opened.page.getByText("No conversations yet").waitFor();
    await drop(opened, "conversations.json", JSON.stringify([chatGptConversation(FIRST)]));
    await opened.page.getByRole("alert").getByText("Nothing is imported while the server is read-only.").waitFor();
  });
});
