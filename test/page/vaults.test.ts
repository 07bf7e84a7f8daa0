// The page of a server with several vaults: the choice is part of the address, and
// results of a search say where they are.
import { beforeAll, describe, expect, it } from "vitest";
import { BROWSER, isSkipped, servePage, writeVault, type OpenServer } from "./open-page.ts";

describe.skipIf(isSkipped)("the page of several vaults", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    const notes = writeVault({ "Apple.md": "An apple at home, see [[Pear]].\n", "Pear.md": "A pear.\n" });
    const image = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>';
    const work = writeVault({
      "Apple.md": "An apple at work, see [[Plum]] ![[a.svg]]\n",
      "Plum.md": "A plum.\n",
      "a.svg": image,
    });
    server = await servePage(`Home=${notes}|Work=${work}`);
  });

  it("keeps the chosen vault in every link, and reads notes, links and images from it", async () => {
    const { page, faults } = await server.open("/folder/", {});
    const chooser = page.getByRole("combobox", { name: "Vault" });
    expect(await chooser.inputValue()).toBe("Home");
    await page.getByRole("link", { name: /Pear/ }).first().waitFor();
    await chooser.selectOption("Work");
    await page.getByRole("link", { name: /Plum/ }).first().waitFor();
    expect(new URL(page.url()).searchParams.get("vault")).toBe("Work");
    await page.getByRole("link", { name: /Apple/ }).first().click();
    await page.getByText("An apple at work").waitFor();
    await page.locator("img.image").waitFor();
    await page.getByRole("link", { name: "Plum" }).first().click();
    await page.getByText("A plum.").first().waitFor();
    await page.reload();
    await page.getByText("A plum.").first().waitFor();
    expect(await chooser.inputValue()).toBe("Work");
    await page.goBack();
    await page.getByText("An apple at work").waitFor();
    expect(faults).toEqual([]);
  });

  it("finds notes in every vault, and opens each where it is", async () => {
    const { page } = await server.open("/search?q=apple", {});
    await page.getByText("Home › Apple.md").waitFor();
    await page.getByText("Work › Apple.md").click();
    await page.getByText("An apple at work").waitFor();
    expect(await page.getByRole("combobox", { name: "Vault" }).inputValue()).toBe("Work");
  });

  it("offers the choice in one low line on a phone", async () => {
    const { page } = await server.open("/folder/", { viewport: { width: 390, height: 844 } });
    await page.getByRole("combobox", { name: "Vault" }).waitFor();
    const heights = await page.evaluate(
      `[".rail", ".rail ul"].map((name) => document.querySelector(name).getBoundingClientRect().height)`,
    );
    const [bar, destinations] = heights as [number, number];
    expect(bar - destinations).toBeLessThan(48);
    // As wide as a finger needs, and not wider than the screen.
    const chooser = (await page.getByRole("combobox", { name: "Vault" }).boundingBox())!;
    expect(chooser.height).toBeGreaterThanOrEqual(24);
    expect(chooser.x + chooser.width).toBeLessThanOrEqual(390);
    await page.getByRole("combobox", { name: "Vault" }).selectOption("Work");
    await page.getByRole("link", { name: /Plum/ }).first().waitFor();
  });

  it("has no choice if there is one vault only", async () => {
    const alone = await servePage(writeVault({ "Note.md": "One.\n" }));
    const { page } = await alone.open("/folder/", {});
    await page
      .getByRole("link", { name: /Note just/ })
      .first()
      .waitFor();
    expect(await page.getByRole("combobox", { name: "Vault" }).count()).toBe(0);
    expect(page.url()).not.toContain("vault");
  });
});
