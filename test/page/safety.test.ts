// Text of notes and file names stays text, whatever it is; and the content
// security policy would stop it if it did not.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { expectNoHarm } from "./harm.ts";
import { HOSTILE_NAMES, HOSTILE_PROPERTIES, HOSTILE_TEXTS } from "./hostile-texts.ts";
import { BROWSER, isSkipped, servePage, writeVault, type OpenServer } from "./open-page.ts";

describe.skipIf(isSkipped)("hostile text", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    const notes = Object.fromEntries(
      HOSTILE_TEXTS.map((text, i) => [`Texts/${i}.md`, `${text}\n\nharmless end ${i}\n`]),
    );
    const vault = writeVault({
      ...notes,
      "All.md": `${HOSTILE_PROPERTIES}\n${HOSTILE_TEXTS.join("\n\n")}\n\nthe very end\n`,
    });
    for (const name of HOSTILE_NAMES) writeFileSync(join(vault, name), `${name}\n\n[[All]] harmless\n`);
    server = await servePage(vault);
  });

  it("in a note stays text, alone and together with all other texts", async () => {
    const opened = await server.open("/note/All.md");
    const { page } = opened;
    await page.getByText("the very end").waitFor();
    await expectNoHarm(opened, server.origin);
    // Events on elements run nothing either.
    for (const element of await page.locator(".prose a, .prose summary, .prose kbd").all())
      await element.dispatchEvent("mouseover");
    await expectNoHarm(opened, server.origin);
    for (const [i] of HOSTILE_TEXTS.entries()) {
      await page.evaluate(
        `history.pushState(null, "", "/note/Texts/${i}.md"); dispatchEvent(new PopStateEvent("popstate"))`,
      );
      await page.locator("main", { hasText: `harmless end ${i}` }).waitFor();
    }
    await expectNoHarm(opened, server.origin);
  });

  it("in results, titles, file names and queries stays text", async () => {
    const opened = await server.open("/search?q=harmless&kind=note");
    const { page } = opened;
    await page.locator(".result").nth(10).waitFor();
    await expectNoHarm(opened, server.origin);
    for (const text of [
      `<img src=x onerror=window.hacked=1>`,
      `"><script>window.hacked=1</script>`,
      "constructor __proto__",
    ]) {
      await page.getByRole("searchbox").fill(text);
      await page.waitForURL((url) => url.searchParams.get("q") === text);
      await page.locator(".count, .empty").first().waitFor();
    }
    await expectNoHarm(opened, server.origin);
  });

  it("as the name of a file is listed and opened like any other", async () => {
    const opened = await server.open("/folder/");
    const { page } = opened;
    for (const name of HOSTILE_NAMES) {
      await page.locator(".entries a", { has: page.getByText(name.slice(0, -3), { exact: true }) }).click();
      await page.locator("main", { hasText: "harmless" }).locator(".prose a", { hasText: "All" }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/note/${encodeURIComponent(name)}`);
      await page.goBack();
    }
    await page.goto(`${server.origin}/note/All.md`);
    await page
      .locator(".links li")
      .nth(HOSTILE_NAMES.length - 1)
      .waitFor();
    await expectNoHarm(opened, server.origin);
  });

  it("in an address leads to a note that does not exist, and runs nothing", async () => {
    const opened = await server.open("/note/<img src=x onerror=window.hacked=1>/%2e%2e%2f%2e%2e%2fetc%2fpasswd");
    const { page } = opened;
    await page.getByRole("alert").waitFor();
    await page.goto(
      `${server.origin}/conversation/<script>window.hacked=1</script>?message="><img src=x onerror=window.hacked=1>`,
    );
    await page.locator("#main").waitFor();
    expect(await page.evaluate("window.hacked")).toBeUndefined();
  });
});

describe.skipIf(isSkipped)("an image", BROWSER, () => {
  it("in the vault is shown, and one on another host is only a link", async () => {
    const vault = writeVault({
      "Images.md": "![[beds.svg]] ![far](https://far.example/x.png) ![gone](gone.png)\n",
      "beds.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><script>parent.hacked=1</script><rect width="40" height="30"/></svg>`,
    });
    const server = await servePage(vault);
    const opened = await server.open("/note/Images.md");
    const { page } = opened;
    const image = page.getByRole("img", { name: "beds.svg" });
    await image.waitFor();
    expect(await image.getAttribute("src")).toMatch(/^\/media\/beds\.svg\?ticket=/);
    await expect.poll(() => page.evaluate("document.querySelector('img.image').naturalWidth")).toBe(40);
    const link = page.getByRole("link", { name: /far/ });
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    expect(await page.locator(".prose span.no-image").textContent()).toContain("gone");
    await expectNoHarm(opened, server.origin);
  });
});
