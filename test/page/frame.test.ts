// What the page says while it does not know something yet, or where there is
// nothing: the first frame, addresses without a view, a token that has changed,
// links that are still being looked up, and lists that are longer than a page.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../processes/program.ts";
import { BROWSER, isSkipped, servePage, writeVault, type OpenServer } from "./open-page.ts";
import { writeConversations } from "./sample-conversations.ts";
import { SILENCE } from "./sample-sound.ts";

const CONVERSATIONS = 230;
const OUTLINES = 150;

/** Holds back the answers of a tool until the returned function is called. */
async function holdBack(page: Page, tool: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/mcp", async (route) => {
    if (route.request().headers()["mcp-name"] === tool) await promise;
    await route.continue();
  });
  return resolve;
}

describe.skipIf(isSkipped)("the page", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    const vault = writeVault({
      "Start.md":
        "A link to [[Other]], a dead one to [[Nothing]], and\n\n> [!note]\n> A hint\n\n> [!info] Title\n> More\n",
      "Other.md": "![[LICENSE]] ![[Plan.base]] ![[memo.wav]]\n",
      LICENSE: "MIT License\n",
      "Plan.base": "views:\n  - type: table\n",
      "Beds.canvas":
        '{"nodes":[{"id":"a","type":"text","text":"North bed","x":0,"y":0,"width":1,"height":1}],"edges":[]}',
    });
    // What a player cannot play becomes a card after a moment.
    writeFileSync(join(vault, "memo.wav"), SILENCE);
    mkdirSync(join(vault, "Outlines"));
    for (let i = 0; i < OUTLINES; i++)
      writeFileSync(
        join(vault, "Outlines", `Plan ${i}.opml`),
        `<opml version="2.0"><head/><body><outline text="Step of ${i}"/></body></opml>`,
      );
    const home = temporaryFolder();
    writeConversations(
      home,
      Array.from({ length: CONVERSATIONS }, (_, i) => ({
        id: `6f0f1c1e-2b7a-4c52-9d5e-${String(i).padStart(12, "0")}`,
        age: i + 1,
        said: [{ role: "user", text: `Question number ${i} about potatoes` }],
      })),
    );
    server = await servePage(vault, { HOME: home, USERPROFILE: home });
  });

  it("does not claim to be disconnected before it knows", async () => {
    const { page } = await server.open("/search", {});
    const state = page.locator(".live");
    await page.locator(".live[data-state=live]").waitFor();
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route("**/changes", async (route) => {
      await promise;
      await route.continue();
    });
    await page.reload();
    await state.waitFor({ state: "attached" });
    expect(await state.getAttribute("data-state")).toBe("unknown");
    expect(await state.textContent()).toBe("");
    resolve();
    await page.locator(".live[data-state=live]").waitFor();
  });

  it("shows a page of its own where there is nothing, and the status says so", async () => {
    const { page } = await server.open();
    const answer = await page.goto(`${server.origin}/nonsense/<img src=x onerror=window.hacked=1>`);
    expect(answer!.status()).toBe(404);
    await page.getByText("There is nothing at this address").waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    const json = await fetch(`${server.origin}/nonsense`, { headers: { Accept: "application/json" } });
    expect(json.status).toBe(404);
    expect(json.headers.get("content-type")).toContain("json");
  });

  it("asks for the token when the server no longer takes it, in whatever it was doing", async () => {
    const { page, faults } = await server.open("/note/Start.md", {});
    await page.getByRole("link", { name: "Other" }).first().waitFor();
    // Only what the click asks for: the note and the left column may still have been asking for something.
    await page.route("**/mcp", (route) =>
      route.request().headers()["mcp-name"] === "get_outline_structure"
        ? route.fulfill({ status: 401, body: "{}" })
        : route.continue(),
    );
    await page.getByRole("link", { name: "Outline", exact: true }).first().click();
    await page.getByText("The server's token has changed.").waitFor();
    expect(faults.filter((fault) => !fault.includes("401"))).toEqual([]);
  });

  it("says that the code of a view cannot be fetched, and shows the view once it can", async () => {
    const { page } = await server.open("/search", {});
    await page.locator(".result").first().waitFor();
    await page.route("**/activity-*.js", (route) => route.abort());
    await page.getByRole("link", { name: "Activity" }).click();
    await page.getByText("The code for the activity could not be loaded.").waitFor();
    await page.unroute("**/activity-*.js");
    await page.getByRole("heading", { name: "Activity", level: 1 }).waitFor();
  });

  it("draws links as unknown until it knows where they lead", async () => {
    const { page } = await server.open("/folder/", {});
    await page.locator(".entries a").first().waitFor();
    const release = await holdBack(page, "vaultLibrarian_links");
    await page
      .locator(".entries")
      .getByRole("link", { name: /^Start/ })
      .click();
    await page.locator(".prose .unresolved", { hasText: "Other" }).waitFor();
    expect(await page.locator(".broken").count()).toBe(0);
    expect(await page.getByText("No other note links here.").count()).toBe(0);
    release();
    await page.locator(".prose").getByRole("link", { name: "Other" }).waitFor();
    expect(await page.locator(".prose .broken").allTextContents()).toEqual(["Nothing"]);
    await page.getByText("No other note links here.").waitFor();
  });

  it("lays out callouts of every kind in one column", async () => {
    const { page } = await server.open("/note/Start.md");
    await page.locator(".callout").nth(1).waitFor();
    for (const callout of await page.locator(".callout").all())
      expect(
        await callout.evaluate((element) => element.ownerDocument.defaultView!.getComputedStyle(element).display),
      ).toBe("block");
  });

  it("shows files that are no notes as what they are", async () => {
    const { page, faults } = await server.open("/note/Other.md");
    await page.locator(".embed", { hasText: "MIT License" }).waitFor();
    await page.locator(".embed", { hasText: "Plan.base" }).locator(".base-count").waitFor();
    await page.locator("audio").waitFor({ state: "attached" });
    expect(await page.locator(".problem").count()).toBe(0);
    await page.goto(`${server.origin}/note/Beds.canvas`);
    await page.locator(".canvas-card", { hasText: "North bed" }).waitFor();
    await page.goto(`${server.origin}/note/LICENSE`);
    await page.locator("pre", { hasText: "MIT License" }).waitFor();
    expect(await page.locator("figcaption").textContent()).not.toContain("json");
    await page.goto(`${server.origin}/note/memo.wav`);
    await page.locator("audio").waitFor({ state: "attached" });
    expect(faults).toEqual([]);
  });

  it("lists every conversation, however many there are", async () => {
    const { page } = await server.open("/conversation/");
    await page.getByText(`${CONVERSATIONS} conversations`, { exact: true }).waitFor();
    await page.locator(".result", { hasText: "Question number 0 " }).waitFor();
    const last = page.locator(".result", { hasText: `Question number ${CONVERSATIONS - 1} ` });
    await expect
      .poll(async () => {
        await page.keyboard.press("End");
        return last.count();
      })
      .toBe(1);
    // Only what is near the window is in the document.
    expect(await page.locator(".result").count()).toBeLessThan(60);
  });

  it("reaches every result of a search by scrolling, and says in which kinds there are some", async () => {
    const { page } = await server.open("/search?q=potatoes");
    await page.getByText(`${CONVERSATIONS} results`).waitFor();
    const seen = new Set<string>();
    await expect
      .poll(async () => {
        for (const title of await page.locator(".result-title").allTextContents()) seen.add(title);
        // From the end back to the beginning: what a slow browser has not rendered in time is seen in the next round.
        await page.evaluate(
          `scrollY + innerHeight < document.documentElement.scrollHeight - 1 ? scrollBy(0, 700) : scrollTo(0, 0);
          new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`,
        );
        return seen.size;
      })
      .toBe(CONVERSATIONS);
    await page.goto(`${server.origin}/search?q=potatoes&kind=note`);
    await page.getByText("None in notes").waitFor();
    await page
      .locator("p", { hasText: `${CONVERSATIONS} in conversations` })
      .getByRole("button", { name: "show" })
      .click();
    await page.waitForURL("**/search?q=potatoes&kind=conversation");
    await page.getByText(`${CONVERSATIONS} results`).waitFor();
  });

  it("loads more results if their end is reached while they are loaded again", async () => {
    const { page } = await server.open("/search?q=potatoes", {});
    await page.getByText(`${CONVERSATIONS} results`).waitFor();
    await page.locator(".live[data-state=live]").waitFor();
    // Not one that only counts what there would be in a period.
    const again = page.waitForRequest((request) => request.postData()?.includes(`"counts":true`) ?? false);
    const release = await holdBack(page, "search");
    writeFileSync(join(server.vault, "Later.md"), "Written while somebody looks.\n");
    await again;
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await page.locator("[data-index='49']").waitFor();
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    release();
    await page.locator("[data-index='51']").waitFor({ state: "attached" });
  });

  it("offers outlines by folder, narrows them while typing, and remembers those that were open", async () => {
    const { page } = await server.open("/outline/Outlines/Plan%207.opml");
    await page.getByRole("treeitem", { name: "Step of 7" }).waitFor();
    await page.getByRole("button", { name: /^Outline:/ }).click();
    const field = page.getByRole("combobox", { name: "Outline" });
    await field.fill("outlines 142");
    await page.getByRole("option", { name: "Plan 142" }).waitFor();
    expect(await page.getByRole("option").count()).toBe(1);
    await field.press("Enter");
    await page.getByRole("treeitem", { name: "Step of 142" }).waitFor();
    await page.waitForURL("**/outline/Outlines/Plan%20142.opml");
    await page.getByRole("button", { name: /^Outline:/ }).click();
    expect(await page.locator(".chooser-group").first().textContent()).toBe("Recent");
    await page
      .getByRole("option", { name: /^Plan 7/ })
      .first()
      .waitFor();
    await field.press("Escape");
    await expect.poll(() => page.getByRole("option").count()).toBe(0);
  });
});
