// Folders of any size in the page; and notes and conversations that do not exist.
import { beforeAll, describe, expect, it } from "vitest";
import { BROWSER, isSkipped, servePage, writeVault, type OpenServer } from "./open-page.ts";

const MANY = Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`Many/Note ${i + 1000}.md`, "x"]));

describe.skipIf(isSkipped)("a folder", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    server = await servePage(writeVault({ "Alder.md": "x", "Beech/Leaf.md": "x", "Cedar.md": "x", ...MANY }));
  });

  it("shows its folders first, then its notes", async () => {
    const { page } = await server.open("/folder/");
    await page.locator(".entries li").nth(3).waitFor();
    expect(await page.locator(".entry-name").allTextContents()).toEqual(["Beech", "Many", "Alder", "Cedar"]);
  });

  it("with very many notes shows some of them, and more on request", async () => {
    const { page } = await server.open("/folder/Many");
    await page.getByText("Note 1000").waitFor();
    expect(await page.locator(".entries li").count()).toBe(500);
    await page.getByRole("button", { name: "Show more of 700" }).click();
    await page.getByText("Note 1699").waitFor();
    expect(await page.locator(".entries li").count()).toBe(700);
    expect(await page.getByRole("button", { name: /Show more/ }).count()).toBe(0);
  });
});

describe.skipIf(isSkipped)("the page", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    server = await servePage(writeVault({ "Beech/Leaf.md": "x" }));
  });

  it("suggests a similar name and a search for a note that does not exist", async () => {
    const { page } = await server.open("/note/Beech/Laef.md");
    await page.getByText("File not found: Beech/Laef.md. Did you mean 'Beech/Leaf.md'?").waitFor();
    await page.getByRole("link", { name: "Search for “Laef”" }).click();
    await page.waitForURL("**/search?q=Laef");
    await page.getByRole("link", { name: /Leaf/ }).waitFor();
  });

  it("offers the list of conversations for one that does not exist", async () => {
    const { page } = await server.open("/conversation/nowhere");
    await page.getByText("There is no conversation with the id nowhere.").waitFor();
    expect(await page.locator("main").textContent()).not.toContain("recall_conversations");
    await page.getByRole("link", { name: "All conversations" }).click();
    await page.getByText("No conversations yet").waitFor();
  });
});
