// What a person does in the page of a server with two vaults, beside two assistants
// and another process: outlines, notes, activity, undo. One server for all.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { CONTEXT } from "../contract/vault.ts";
import { connectHttp, connectStdio, ERAS, temporaryFolder } from "../processes/program.ts";
import { BROWSER, isSkipped, servePage, showChanges, writeVault, type OpenServer } from "./open-page.ts";
import { pasteImage } from "./paste-image.ts";
import { SAMPLE_OUTLINE } from "./sample-outline.ts";

const rowOf = (page: Page, topic: string) =>
  page.getByRole("treeitem").filter({ has: page.locator(".row-topic").getByText(topic, { exact: true }) });

describe.skipIf(isSkipped)("a person with two vaults", BROWSER, () => {
  let server: OpenServer;
  let home: string;
  let work: string;
  let file: string;
  const inHome = (path: string) => readFileSync(join(home, path), "utf8");
  const inWork = (path: string) => readFileSync(join(work, path), "utf8");
  const call = async (client: Client, name: string, sent: object = {}) => {
    const context = /Manager|Librarian/.test(name) ? { context: CONTEXT } : {};
    const { isError, structuredContent } = await client.callTool({ name, arguments: { ...sent, ...context } });
    expect(isError, JSON.stringify(structuredContent)).toBeFalsy();
    return structuredContent as Record<string, unknown>;
  };
  const assistant = (era: keyof typeof ERAS) => connectHttp(`${server.origin}/mcp`, ERAS[era]);

  beforeAll(async () => {
    home = writeVault({ "Apple.md": "# Apple\n\nAn apple at home.\n", "Days.md": "- Monday\n- Tuesday\n" });
    work = writeVault({
      "Apple.md": "# Apple\n\nAn apple at work.\n",
      "Sprint.md": "- Plan\n- Build\n",
      "Plan.opml": SAMPLE_OUTLINE,
    });
    file = join(temporaryFolder(), "Projects.opml");
    writeFileSync(file, SAMPLE_OUTLINE);
    server = await servePage(`Home=${home}|Work=${work}`, { COMMONPLACE_OUTLINE: file, COMMONPLACE_TOOLSETS: "all" });
  });

  it("opens another outline in the page, and no assistant writes there", async () => {
    const [session, stateless] = [await assistant("2025-11-25 and before"), await assistant("2026-07-28")];
    const process = await connectStdio(temporaryFolder(), ERAS["2025-11-25 and before"], ["--toolsets", "all"], {
      env: { COMMONPLACE_VAULT: `Home=${home}|Work=${work}`, COMMONPLACE_OUTLINE: file },
    });
    const { page, faults } = await server.open("/outline");
    await rowOf(page, "Reading").waitFor();
    await page.getByRole("button", { name: "Open another outline" }).click();
    await page.getByRole("combobox", { name: "Outline" }).fill("Sprint");
    await page.keyboard.press("Enter");
    await rowOf(page, "Build").waitFor();
    for (const [i, client] of [session, stateless, process].entries())
      await call(client, "add_row", { topic: `Of client ${i}` });
    expect(inWork("Sprint.md")).toBe("- Plan\n- Build\n");
    const written = readFileSync(file, "utf8");
    for (const i of [0, 1, 2]) expect(written).toContain(`Of client ${i}`);
    const found = await call(session, "search", { query: "cold frame" });
    expect(JSON.stringify(found["results"])).toContain("Mend the cold frame");
    // What the person edits is what the page shows, whatever an assistant opens.
    await call(session, "open_document", { path: join(work, "Plan.opml") });
    await rowOf(page, "Build").locator(".row-topic").click();
    await page.getByRole("button", { name: "Add a row" }).click();
    await page.keyboard.type("Ship");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await expect.poll(() => inWork("Sprint.md")).toBe("- Plan\n- Build\n- Ship\n");
    // An assistant's change of the outline that is shown arrives.
    await call(stateless, "add_row", { topic: "Rest", documentName: "Sprint" });
    await rowOf(page, "Rest").waitFor();
    expect(faults).toEqual([]);
  });

  it("undoes and redoes edits of an outline, in the outline and in the activity", async () => {
    writeFileSync(file, SAMPLE_OUTLINE);
    const { page, faults } = await server.open("/outline?vault=Work");
    await rowOf(page, "Putty").locator(".row-topic").click();
    await page.getByRole("button", { name: "Delete the row" }).click();
    await expect.poll(() => readFileSync(file, "utf8")).not.toContain("Putty");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => readFileSync(file, "utf8")).toBe(SAMPLE_OUTLINE);
    await rowOf(page, "Putty").waitFor();
    await page.getByRole("button", { name: "Redo" }).click();
    await expect.poll(() => readFileSync(file, "utf8")).not.toContain("Putty");
    await page.goto(`${server.origin}/activity?vault=Work`);
    await showChanges(page);
    const change = page.locator(".change", { hasText: "Deleted" }).first();
    await change.getByRole("button", { name: /^Undo:/ }).click();
    await change.getByRole("button", { name: "Undo this" }).click();
    await expect.poll(() => readFileSync(file, "utf8")).toBe(SAMPLE_OUTLINE);
    expect(faults).toEqual([]);
  });

  it("drags a row, clicks another, and deletes the one that was clicked", async () => {
    writeFileSync(file, SAMPLE_OUTLINE);
    const { page, faults } = await server.open("/outline");
    const handleOf = async (topic: string) => (await rowOf(page, topic).locator(".row-fold").boundingBox())!;
    const grab = async (topic: string) => {
      const { x, y } = await handleOf(topic);
      await page.mouse.move(x + 8, y + 8);
      await page.mouse.down();
      await page.mouse.move(x + 8, y + 60, { steps: 4 });
      await page.locator(".drop-line").waitFor();
    };
    const clickAndDelete = async (topic: string) => {
      await rowOf(page, topic).locator(".row-topic").click();
      await expect.poll(() => rowOf(page, topic).getAttribute("aria-selected")).toBe("true");
      await page.keyboard.press("Delete");
      await expect.poll(() => readFileSync(file, "utf8")).not.toContain(topic);
      await expect.poll(() => page.locator(".edit-status").first().textContent()).toContain(`Deleted “${topic}”`);
    };
    await rowOf(page, "Reading").waitFor();
    // Dropped: the row that was moved is the selected one.
    await grab("Order seeds");
    await page.mouse.up();
    await page.locator(".drop-line").waitFor({ state: "detached" });
    await expect.poll(() => rowOf(page, "Order seeds").getAttribute("aria-selected")).toBe("true");
    await clickAndDelete("Putty");
    // Given up with Escape, released afterwards.
    await grab("Order seeds");
    await page.keyboard.press("Escape");
    await page.locator(".drop-line").waitFor({ state: "detached" });
    await page.mouse.up();
    await clickAndDelete("The living mountain");
    // Released outside of the window.
    await grab("Order seeds");
    await page.mouse.move(-20, -20);
    await page.mouse.up();
    await page.locator(".drop-line").waitFor({ state: "detached" });
    await clickAndDelete("How buildings learn");
    // The arrow still folds, and what is folded away is not what Delete removes.
    await rowOf(page, "Buy glass").locator(".row-topic").click();
    await rowOf(page, "Mend the cold frame").locator(".row-fold").click();
    await rowOf(page, "Buy glass").waitFor({ state: "detached" });
    await page.keyboard.press("Delete");
    await expect.poll(() => readFileSync(file, "utf8")).not.toContain("Mend the cold frame");
    for (const kept of ["Garden", "Order seeds", "Reading"]) expect(readFileSync(file, "utf8")).toContain(kept);
    // A press on an arrow marks no row that a key would change.
    await page.reload();
    await rowOf(page, "Reading").waitFor();
    await rowOf(page, "Garden").locator(".row-fold").click();
    await page.keyboard.press("Delete");
    expect(await page.locator(".row.is-active").count()).toBe(0);
    expect(readFileSync(file, "utf8")).toContain("Garden");
    expect(faults).toEqual([]);
  });

  it("drags with a finger, taps another row, and deletes the one that was tapped", async () => {
    writeFileSync(file, SAMPLE_OUTLINE);
    const { page } = await server.open("/outline", { hasTouch: true, viewport: { width: 800, height: 900 } });
    await rowOf(page, "Reading").waitFor();
    const { x, y } = (await rowOf(page, "Order seeds").locator(".row-fold").boundingBox())!;
    const touch = await page.context().newCDPSession(page);
    const send = (type: "touchStart" | "touchMove" | "touchEnd", at?: number) =>
      touch.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: at === undefined ? [] : [{ x: x + 8, y: at }],
      });
    await send("touchStart", y + 8);
    for (const step of [20, 40, 60, 80]) await send("touchMove", y + step);
    await page.locator(".drop-line").waitFor();
    await send("touchEnd");
    await page.locator(".drop-line").waitFor({ state: "detached" });
    // Until it is saved, the rows may still move under the finger.
    await expect.poll(() => readFileSync(file, "utf8")).not.toBe(SAMPLE_OUTLINE);
    // A touch that the browser takes for the second of a double tap, or for the end of a scroll, is no click: then another
    // one follows. The first that is a click selects.
    await page.evaluate("window.clicks = 0; addEventListener('click', () => window.clicks++, true)");
    await expect
      .poll(
        async () => {
          await rowOf(page, "Putty").locator(".row-topic").tap();
          await page.waitForTimeout(200);
          return page.evaluate<number>("window.clicks");
        },
        { interval: 1_500 },
      )
      .toBeGreaterThan(0);
    await expect.poll(() => rowOf(page, "Putty").getAttribute("aria-selected")).toBe("true");
    await page.getByRole("button", { name: "Delete the row" }).tap();
    await expect.poll(() => readFileSync(file, "utf8")).not.toContain("Putty");
    expect(readFileSync(file, "utf8")).toContain("Order seeds");
  });

  it("loses no text by Escape: a new row stays, and an edit can be saved after all", async () => {
    writeFileSync(file, SAMPLE_OUTLINE);
    const { page } = await server.open("/outline");
    await rowOf(page, "Putty").locator(".row-topic").click();
    await page.getByRole("button", { name: "Add a row" }).click();
    await page.keyboard.type("A thought of an hour");
    await page.keyboard.press("Escape");
    await expect.poll(() => readFileSync(file, "utf8")).toContain("A thought of an hour");
    await page.getByText("Added “A thought of an hour”. Undo takes it out.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => readFileSync(file, "utf8")).toBe(SAMPLE_OUTLINE);
    await rowOf(page, "Putty").locator(".row-topic").click();
    await page.keyboard.press("Enter");
    await page.keyboard.type(" and pins");
    await page.keyboard.press("Escape");
    await page.getByText("Not saved: “Putty and pins”").waitFor();
    expect(readFileSync(file, "utf8")).toBe(SAMPLE_OUTLINE);
    await page.getByRole("button", { name: "Save it" }).click();
    await expect.poll(() => readFileSync(file, "utf8")).toContain("Putty and pins");
  });

  it("edits, pastes into, ticks and moves notes of the second vault, and undoes it in the activity", async () => {
    const { page, faults } = await server.open("/note/Apple.md?vault=Work");
    await page.getByText("An apple at work.").waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).press("Enter");
    await page.getByRole("textbox", { name: /^Text of/ }).waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("- [ ] Peel it ");
    await pasteImage(page, "core.png");
    await page.getByText("![[core.png]]").waitFor();
    await page.keyboard.press("Control+s");
    await expect.poll(() => inWork("Apple.md")).toContain("- [ ] Peel it");
    expect(inHome("Apple.md")).toBe("# Apple\n\nAn apple at home.\n");
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.goto(`${server.origin}/activity?vault=Work`);
    await showChanges(page);
    const pasted = page.locator(".change", { hasText: "core.png" });
    await pasted.first().waitFor();
    expect(await page.locator("body").textContent()).not.toContain("Unknown program");
    const edited = page.locator(".change", { hasText: "Apple.md" }).first();
    await edited.getByRole("button", { name: /^Undo:/ }).click();
    await edited.getByRole("button", { name: "Undo this" }).click();
    await expect.poll(() => inWork("Apple.md")).toBe("# Apple\n\nAn apple at work.\n");
    // Changes of both vaults and of outlines are listed, wherever the person is.
    const client = await assistant("2025-11-25 and before");
    await call(client, "contentManager_appendContent", {
      filePath: "Days.md",
      content: "- Wednesday\n",
      vault: "Home",
    });
    await call(client, "add_row", { topic: "Beans" });
    await page.locator(".session").getByRole("link", { name: "Days" }).first().waitFor();
    await expect
      .poll(async () => {
        await showChanges(page);
        return page.locator(".change", { hasText: "Beans" }).count();
      })
      .toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });
});
