// The set-up in the page: a person begins, chooses a vault, connects an assistant
// and sees how the program is doing, with the keyboard alone; and hostile names
// of files stay text.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../processes/program.ts";
import { BROWSER, isSkipped, servePage, type OpenServer } from "./open-page.ts";
import { SAMPLE_CONVERSATIONS, writeConversations } from "./sample-conversations.ts";

const HOSTILE = `Notes <img src=x onerror="window.hacked=1">`;

describe.skipIf(isSkipped)("the set-up", BROWSER, () => {
  let home: string;
  let server: OpenServer;
  const configuration = () => join(home, ".cursor", "mcp.json");
  beforeAll(async () => {
    home = temporaryFolder();
    writeConversations(home, SAMPLE_CONVERSATIONS);
    for (const name of ["Mine", HOSTILE]) {
      mkdirSync(join(home, name));
      writeFileSync(join(home, name, "My own note.md"), "Here\n");
    }
    mkdirSync(join(home, ".config", "obsidian"), { recursive: true });
    const vaults = { a: { path: join(home, "Mine"), ts: 2, open: true }, b: { path: join(home, HOSTILE), ts: 1 } };
    writeFileSync(join(home, ".config", "obsidian", "obsidian.json"), JSON.stringify({ vaults }));
    mkdirSync(join(home, ".cursor"));
    writeFileSync(configuration(), '{"mcpServers": {"<script>window.hacked=1</script>": {"command": "x"}}}');
    server = await servePage("", { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: join(home, ".config") });
  });

  it("is offered to a person whose notes are those of the guide", async () => {
    const { page, faults } = await server.open("/");
    await page.getByRole("list", { name: "First steps" }).getByRole("link", { name: "Choose" }).click();
    await page.getByRole("heading", { name: "Set up", level: 1 }).waitFor();
    const conversations = page.getByRole("region", { name: "Conversations" });
    await conversations.getByText(/^3 conversations, \d+ messages/).waitFor();
    await page.getByRole("region", { name: "Notes" }).getByText("4 notes, 0 other files").waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(faults).toEqual([]);
  });

  it("shows the change of a host's configuration, makes it with the keyboard, and takes it out", async () => {
    const before = readFileSync(configuration(), "utf8");
    const { page, faults } = await server.open("/begin");
    await page.getByRole("button", { name: "Connect Cursor" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Connect Cursor" });
    await dialog.locator(".difference-line[data-kind=added]", { hasText: "commonplace" }).first().waitFor();
    expect(readFileSync(configuration(), "utf8")).toBe(before);
    // Somebody else writes in between: nothing is written, and what is shown is renewed.
    writeFileSync(configuration(), before.replace('"x"', '"y"'));
    await dialog.getByRole("button", { name: "Connect" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByText("changed since this was shown").waitFor();
    expect(readFileSync(configuration(), "utf8")).toBe(before.replace('"x"', '"y"'));
    writeFileSync(configuration(), before);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Connect Cursor" }).click();
    await dialog.getByRole("button", { name: "Connect" }).click();
    await dialog.getByText("Written.").waitFor();
    expect(readFileSync(configuration(), "utf8")).toContain('"commonplace"');
    const [, backup = ""] = /Before, it was: (.*)/.exec((await dialog.textContent()) ?? "") ?? [];
    expect(existsSync(/^\/[^:]*?mcp\.json/.exec(backup)?.[0] ?? "")).toBe(true);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("button", { name: "Disconnect Cursor" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("Written.").waitFor();
    expect(readFileSync(configuration(), "utf8")).toBe(before);
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(faults.filter((fault) => !fault.includes("400"))).toEqual([]);
  });

  it("says how the program is doing, and what to do about problems", async () => {
    const { page } = await server.open("/status");
    await page.getByText("Everything is in order.").waitFor();
    await page
      .getByRole("region", { name: /^Space used/ })
      .getByText("Conversations")
      .waitFor();
    await page.getByText("Everything is kept.").waitFor();
    writeFileSync(configuration(), "{broken <img src=x onerror=window.hacked=1>");
    await page.reload();
    await page.getByText("1 problem").waitFor();
    await page.locator(".card-hint").getByText("Repair it first").waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    writeFileSync(configuration(), "{}");
    await page.getByRole("button", { name: "Keep them every six hours …" }).click();
    await page.getByRole("dialog").locator(".difference-line[data-kind=added]").first().waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  });

  it("chooses a vault that Obsidian knows, in every window at once", async () => {
    const { page } = await server.open("/begin");
    const other = await server.open("/folder/");
    await other.page.locator(".entries a", { hasText: "Welcome" }).waitFor();
    await page.getByRole("button", { name: `Choose ${join(home, "Mine")}` }).click();
    const dialog = page.getByRole("dialog", { name: "Use this vault" });
    await dialog.locator(".difference-line[data-kind=added]", { hasText: "Mine" }).waitFor();
    await dialog.getByRole("button", { name: "Use it" }).click();
    await dialog.getByText("Written.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("region", { name: "Notes" }).getByText("1 note, 0 other files").waitFor();
    await other.page.locator(".entries a", { hasText: "My own note" }).waitFor();
    await page.bringToFront();
    await page.getByLabel("Another folder").fill(join(home, "Nowhere"));
    await page.getByLabel("Another folder").press("Enter");
    await page.getByRole("dialog").getByText("There is no folder").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /onerror/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Use it" }).click();
    await page.getByText("Written.").waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
  });
});
