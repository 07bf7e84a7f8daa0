// Folders of any size in the page; and notes and conversations that do not exist.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { expectNoViolationIn, loadAxe } from "./axe.ts";
import { BROWSER, isSkipped, servePage, writeVault, type OpenServer } from "./open-page.ts";

const MANY = Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`Many/Note ${i + 1000}.md`, "x"]));

describe.skipIf(isSkipped)("a folder", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    server = await servePage(
      writeVault({ "Alder.md": "To [[Leaf]].\n", "Beech/Leaf.md": "x", "Cedar.md": "x", ...MANY }),
    );
  });

  it("shows its folders first, then its notes", async () => {
    const { page } = await server.open("/folder/");
    await page.locator(".entries li").nth(3).waitFor();
    expect(await page.locator(".entry-name").allTextContents()).toEqual(["Beech", "Many", "Alder", "Cedar"]);
  });

  it("unfolds in the left column, takes what is dragged onto it with its links, and gives it back", async () => {
    const { page, faults } = await server.open("/note/Cedar.md", {});
    const column = page.getByRole("navigation", { name: "Main" });
    const undo = page.locator(".toast").getByRole("button", { name: "Undo" });
    const vaultList = column.getByRole("list", { name: "Vault", exact: true });
    const cedar = vaultList.getByRole("link", { name: "Cedar" });
    expect(await cedar.getAttribute("aria-current")).toBe("page");
    await column.getByRole("button", { name: "Beech", exact: true }).press("Enter");
    await column
      .getByRole("link", { name: "Leaf" })
      .dragTo(vaultList.getByRole("button", { name: "Many", exact: true }));
    await page.getByText("Moved Leaf to Many").waitFor();
    expect(existsSync(join(server.vault, "Many", "Leaf.md"))).toBe(true);
    await undo.press("Enter");
    await expect.poll(() => existsSync(join(server.vault, "Beech", "Leaf.md"))).toBe(true);
    // Somebody else makes a note: it is in the column at once.
    writeFileSync(join(server.vault, "Beech", "Nut.md"), "x");
    await vaultList.getByRole("link", { name: "Nut" }).press("Enter");
    await page.getByRole("button", { name: "Pin", exact: true }).press("Enter");
    await column.getByRole("list", { name: "Pinned" }).getByRole("link", { name: "Nut" }).waitFor();
    await page.reload();
    await column.getByRole("list", { name: "Pinned" }).getByRole("link", { name: "Nut" }).waitFor();
    await column.getByRole("list", { name: "Beech" }).getByRole("link", { name: "Leaf" }).waitFor();
    expect(faults).toEqual([]);
    await loadAxe(page);
    await expectNoViolationIn(page, "folders in the left column");
    rmSync(join(server.vault, "Beech", "Nut.md"));
  });

  it("gets notes and folders by its menu, other names by F2, and gives to the trash, all by keys", async () => {
    const { page, faults } = await server.open("/note/Beech/Leaf.md", {});
    const column = page.getByRole("navigation", { name: "Main" });
    const vaultList = column.getByRole("list", { name: "Vault", exact: true });
    const undo = page.locator(".toast").getByRole("button", { name: "Undo" });
    const at = (path: string) => existsSync(join(server.vault, path));
    await column.getByRole("button", { name: "New in the vault" }).press("Enter");
    await page.getByRole("menuitem", { name: "New folder" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await column.getByRole("textbox", { name: "Name of the new folder" }).waitFor();
    await page.keyboard.type("Ivy");
    await page.keyboard.press("Enter");
    await column.getByRole("button", { name: "Actions for Ivy" }).press("Enter");
    await page.getByRole("menuitem", { name: "New note" }).waitFor();
    await loadAxe(page);
    await expectNoViolationIn(page, "the menu of a folder");
    await page.keyboard.press("Enter");
    await column.getByRole("textbox", { name: "Name of the new note" }).waitFor();
    await page.keyboard.type("Vine");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Text of Vine" }).waitFor();
    await expect.poll(() => at("Ivy/Vine.md")).toBe(true);
    // The note that is open keeps its place on the page when it gets another name; the link to it follows.
    await page.goto(`${server.origin}/note/Beech/Leaf.md`);
    await vaultList.getByRole("link", { name: "Leaf" }).press("F2");
    await column.getByRole("textbox", { name: "New name of Leaf" }).waitFor();
    await page.keyboard.type("Blade");
    await page.keyboard.press("Enter");
    await page.getByText("Renamed Leaf to Blade; 1 link follows.").waitFor();
    await page.getByRole("heading", { name: "Blade", level: 1 }).waitFor();
    expect(readFileSync(join(server.vault, "Alder.md"), "utf8")).toBe("To [[Blade]].\n");
    await undo.press("Enter");
    await page.getByRole("heading", { name: "Leaf", level: 1 }).waitFor();
    await column.getByRole("button", { name: "Ivy", exact: true }).press("Delete");
    await page.getByText("Moved Ivy with 1 file to the trash.").waitFor();
    expect(at("Ivy")).toBe(false);
    await undo.press("Enter");
    await expect.poll(() => at("Ivy/Vine.md")).toBe(true);
    await column.getByRole("button", { name: "Ivy", exact: true }).press("Delete");
    await expect.poll(() => at("Ivy")).toBe(false);
    expect(faults).toEqual([]);
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
    server = await servePage(writeVault({ "Beech/Leaf.md": "x", "Beech/Root.md": "To [[Bark]].\n" }));
  });

  it("suggests a similar name and a search for a note that does not exist", async () => {
    const { page } = await server.open("/note/Beech/Laef.md");
    await page.getByText("File not found: Beech/Laef.md. Did you mean 'Beech/Leaf.md'?").waitFor();
    await page.getByRole("link", { name: "Search for “Laef”" }).click();
    await page.waitForURL("**/search?q=Laef");
    await page.getByRole("link", { name: /Leaf/ }).waitFor();
  });

  it("makes the note that a dead link names, and opens one whose name is taken", async () => {
    const { page, faults } = await server.open("/note/Beech/Root.md");
    await page.getByRole("link", { name: "Bark" }).first().press("Enter");
    await page.getByRole("button", { name: "Make this note" }).press("Enter");
    await page.getByRole("textbox", { name: "Text of Bark" }).waitFor();
    expect(existsSync(join(server.vault, "Bark.md"))).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Edit", exact: true }).waitFor();
    await page.keyboard.press("n");
    await page.getByRole("textbox", { name: "Path" }).fill("Beech/Leaf");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("link", { name: "Open it" }).press("Enter");
    await page.getByRole("heading", { name: "Leaf", level: 1 }).waitFor();
    expect(faults).toEqual([]);
  });

  it("offers the list of conversations for one that does not exist", async () => {
    const { page } = await server.open("/conversation/nowhere");
    await page.getByText("There is no conversation with the id nowhere.").waitFor();
    expect(await page.locator("main").textContent()).not.toContain("recall_conversations");
    await page.getByRole("link", { name: "All conversations" }).click();
    await page.getByText("No conversations yet").waitFor();
  });
});
