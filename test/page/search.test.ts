// The page in a real browser: signing in, searching, keyboard, theme and size.
import { beforeAll, describe, expect, it } from "vitest";
import { TOKEN } from "../processes/program.ts";
import { BROWSER, isSkipped, servePage, watched, writeSampleVault, type OpenServer } from "./open-page.ts";

/** Sends answers to other windows only once the test says so. */
const HOLD_BACK_THE_TOKEN = `{
  const { postMessage } = BroadcastChannel.prototype;
  let held = [];
  BroadcastChannel.prototype.postMessage = function (message) {
    const send = () => postMessage.call(this, message);
    if (message.token === undefined || held === undefined) send();
    else held.push(send);
  };
  window.answer = () => {
    for (const send of held) send();
    held = undefined;
  };
}`;

describe.skipIf(isSkipped)("the page", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    server = await servePage(writeSampleVault());
  });

  it("removes the token from the address at once, and never sends it in one", async () => {
    const { page, requests, faults } = await server.open("/note/Garden/Compost.md");
    await page.getByRole("heading", { name: "Compost", exact: true }).waitFor();
    expect(page.url()).toBe(`${server.origin}/note/Garden/Compost.md`);
    expect(requests.filter((url) => url.includes(TOKEN) && !url.includes(`#token=${TOKEN}`))).toEqual([]);
    expect(await page.evaluate("document.body.innerHTML + document.cookie")).not.toContain(TOKEN);
    await page.reload();
    await page.getByRole("heading", { name: "Compost", exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it("asks for a missing token, rejects a wrong one, and accepts the whole address", async () => {
    const { context } = await server.open();
    const stranger = await context.browser()!.newContext();
    const { page } = watched(await stranger.newPage(), stranger);
    await page.goto(`${server.origin}/search`);
    const field = page.getByLabel("Token");
    await field.fill("not-the-token");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("This is not the server's token.").waitFor();
    await field.fill(`${server.origin}/search#token=${TOKEN}`);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("link", { name: /^Note: Garden year/ }).waitFor();
    await stranger.close();
  });

  it("keeps a token that works, whatever a link brings", async () => {
    const { page, requests } = await server.open();
    await page.getByRole("link", { name: /^Note: Garden year/ }).waitFor();
    await page.goto(`${server.origin}/search?q=lisbon#token=a-token-from-elsewhere`);
    await page.getByRole("link", { name: /Lisbon/ }).waitFor();
    expect(page.url()).toBe(`${server.origin}/search?q=lisbon`);
    expect(await page.evaluate("sessionStorage.getItem('token')")).toBe(TOKEN);
    await page.goto(`${server.origin}/search?q=garden#invitation=an-invitation-from-elsewhere`);
    await page.getByRole("link", { name: /^Note: Garden year/ }).waitFor();
    expect(await page.evaluate("sessionStorage.getItem('token')")).toBe(TOKEN);
    expect(requests.filter((url) => url.endsWith("/invitation"))).toEqual([]);
  });

  it("tries the token of a link if its own does not work", async () => {
    const { context } = await server.open();
    const stranger = await context.browser()!.newContext();
    const { page } = watched(await stranger.newPage(), stranger);
    await page.goto(`${server.origin}/search`);
    await page.getByLabel("Token").waitFor();
    await page.evaluate("sessionStorage.setItem('token', 'a-token-of-yesterday')");
    await page.goto(`${server.origin}/search?q=lisbon#token=a-token-from-elsewhere`);
    await page.getByText("This is not the server's token.").waitFor();
    await page.evaluate("sessionStorage.setItem('token', 'a-token-of-yesterday')");
    await page.goto(`${server.origin}/search?q=garden#token=${TOKEN}`);
    await page.getByRole("link", { name: /^Note: Garden year/ }).waitFor();
    expect(page.url()).toBe(`${server.origin}/search?q=garden`);
    await page.reload();
    await page.getByRole("link", { name: /^Note: Garden year/ }).waitFor();
    await stranger.close();
  });

  it("shares the token with a second window of the same browser", async () => {
    const { context } = await server.open();
    const { page } = watched(await context.newPage(), context);
    await page.goto(`${server.origin}/search?q=lisbon`);
    await page.getByRole("link", { name: /Lisbon/ }).waitFor();
  });

  it("takes the token of another window that answers after the form is shown", async () => {
    const { page: busy, context } = await server.open("/search", {});
    await busy.addInitScript(HOLD_BACK_THE_TOKEN);
    await busy.reload();
    await busy.getByRole("link", { name: /^Note: Garden year/ }).waitFor();
    const { page } = watched(await context.newPage(), context);
    await page.goto(`${server.origin}/search?q=lisbon`);
    await page.getByLabel("Token").waitFor();
    await busy.evaluate("window.answer()");
    await page.getByRole("link", { name: /Lisbon/ }).waitFor();
  });

  it("shows recent changes before anything is typed, and results while typing", async () => {
    const { page, faults } = await server.open();
    await page.getByRole("link", { name: /^Note: Garden year/ }).waitFor();
    const first = page.locator(".result").first();
    expect(await first.textContent()).toContain("Garden year");
    await page.keyboard.type("runner bean");
    await page.waitForURL("**/search?q=runner+bean");
    await page.locator(".result", { hasText: "Garden/Runner beans.md" }).waitFor();
    expect(await first.locator("mark").allTextContents()).toContain("Runner");
    expect(faults).toEqual([]);
  });

  it("can be used with the keyboard alone", async () => {
    const { page } = await server.open("/note/Travel/Lisbon.md");
    await page.getByText("Custard tarts").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("compost");
    // Results appear while typing: wait for those of the whole word.
    await page.waitForURL("**/search?q=compost");
    await page.locator("[aria-busy=false] .result", { hasText: "Garden/Compost.md" }).waitFor();
    await page.keyboard.press("ArrowDown");
    const second = page.locator(".result a").nth(1);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => second.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/note/Garden/Compost.md?q=compost");
    await page.getByText("Green and brown").waitFor();
    await page.goBack();
    await page.waitForURL("**/search?q=compost");
    await page.locator(".result").first().waitFor();
    await page.goBack();
    await page.waitForURL("**/note/Travel/Lisbon.md");
    await page.getByText("Custard tarts").waitFor();
    await page.goForward();
    await page.waitForURL("**/search?q=compost");
    await page.locator(".result a").first().focus();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.waitForURL(`${server.origin}/search`);
    await page.getByRole("link", { name: /All notes/ }).focus();
    // Both at once: the second key belongs to the first for a second only.
    await Promise.all([page.keyboard.press("g"), page.keyboard.press("n")]);
    await page.getByRole("heading", { name: "Notes", level: 1 }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it.each([
    ["opens", "Enter", "/note/Garden/Compost.md?q=compost", "null"],
    ["focuses", "ArrowDown", "/search?q=compost", "/note/Garden/Compost.md?q=compost"],
  ])("%s with %s what was found for all that was typed, not for the letters before", async (_, key, at, focused) => {
    const { page } = await server.open("/search?q=lisbon", {});
    await page.getByRole("link", { name: /Lisbon/ }).waitFor();
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route("**/mcp", async (route) => {
      if (route.request().postData()?.includes('"query":"compost"')) await promise;
      await route.continue();
    });
    await page.getByRole("searchbox").fill("compost");
    await page.waitForURL("**/search?q=compost");
    await page.getByRole("searchbox").press(key);
    resolve();
    await page.waitForURL(`**${at}`);
    await expect.poll(() => page.evaluate("`${document.activeElement.getAttribute('href')}`")).toBe(focused);
  });

  it("keeps every filter in the address", async () => {
    const { page } = await server.open("/search?q=year&in=Garden");
    const old = page.locator(".result", { hasText: "Garden/Compost.md" });
    const elsewhere = page.locator(".result", { hasText: "Work/" });
    await old.waitFor();
    expect(await elsewhere.count()).toBe(0);
    const changed = page.getByRole("region", { name: "Changed" });
    // How many it would leave; today depends on the time of day.
    const counts = async () => (await changed.getByRole("listitem").allTextContents()).slice(1);
    await expect.poll(counts).toEqual(["Past week2", "Past month3", "Past year3"]);
    await changed.getByRole("button", { name: "Past week" }).click();
    await page.waitForURL(/since=\d{4}-\d\d-\d\d/);
    await old.waitFor({ state: "detached" });
    await expect.poll(counts).toEqual(["Past week2", "Past month3", "Past year3"]);
    await page.reload();
    await page.locator(".result", { hasText: "Garden/Crop rotation.md" }).waitFor();
    expect(await old.count()).toBe(0);
    await page.getByRole("button", { name: "in Garden" }).click();
    await elsewhere.first().waitFor();
  });

  it("remembers the chosen theme, and follows the system by default", async () => {
    const { page } = await server.open("/search", { colorScheme: "dark" });
    const ground = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    await page.getByRole("button", { name: "Theme: system" }).waitFor();
    expect(await ground()).toBe("rgb(22, 21, 19)");
    await page.getByRole("button", { name: "Theme: system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Theme: light" }).waitFor();
    expect(await ground()).toBe("rgb(250, 248, 243)");
  });

  it("is small, and sends no request to another host", async () => {
    const { page, requests, context } = await server.open("/");
    await page.getByText("No assistant changed anything.").waitFor();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    // The two typefaces have a limit of their own: they come once, and the text is there before them.
    const fonts = new Set<string>();
    session.on("Network.requestWillBeSent", ({ requestId, request }) => {
      if (request.url.endsWith(".woff2")) fonts.add(requestId);
    });
    let [bytes, ofFonts] = [0, 0];
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (fonts.has(requestId)) ofFonts += encodedDataLength;
      else bytes += encodedDataLength;
    });
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    await page.reload();
    await page.getByText("No assistant changed anything.").waitFor();
    expect(bytes).toBeGreaterThan(10_000);
    // Today with its note: markdown-it is more than half of it.
    expect(bytes).toBeLessThan(90_000);
    expect(ofFonts).toBeLessThan(250_000);
    expect(requests.filter((url) => !url.startsWith(server.origin))).toEqual([]);
  });
});
