// Files that are not notes, in a real browser: bases as tables, canvases as
// drawings, audio, video and PDF; and the graph and the mentions of a note.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { BROWSER, isSkipped, servePage, writeVault, type OpenServer } from "./open-page.ts";
import { HOSTILE_TEXTS } from "./hostile-texts.ts";
import { SILENCE } from "./sample-sound.ts";

const BASE = `filters: file.hasTag("book")
properties:
  note.author: {displayName: Written by}
views:
  - type: table
    name: All
    order: [file.name, author, rating, file.mtime]
    sort: [{property: rating, direction: DESC}]
    summaries: {rating: Average}
  - type: cards
    name: Shelf
    order: [file.name, author]
`;

const CANVAS = {
  nodes: [
    { id: "g", type: "group", label: "Plan", x: -20, y: -20, width: 600, height: 400, color: "4" },
    { id: "a", type: "text", text: "# Idea\n- [ ] one [[Dune]]", x: 0, y: 0, width: 200, height: 150 },
    { id: "b", type: "file", file: "Dune.md", x: 320, y: 0, width: 200, height: 150 },
    { id: "c", type: "link", url: "javascript:window.hacked=1", x: 0, y: 220, width: 200, height: 60 },
    ...HOSTILE_TEXTS.map((text, i) => ({ id: `h${i}`, type: "text", text, x: 900, y: 80 * i, width: 200, height: 60 })),
  ],
  edges: [{ id: "e", fromNode: "a", toNode: "b", label: "<img src=x onerror=window.hacked=1>" }],
};

describe.skipIf(isSkipped)("a file that is not a note", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    const vault = writeVault({
      "Dune.md": "---\ntags: book\nauthor: '[[Frank Herbert]]'\nrating: 9\n---\nSand.",
      "Emma.md": "---\ntags: book\nauthor: Jane Austen\nrating: 7\n---\nSee [[Dune]].",
      "Frank Herbert.md": "He wrote Dune, and Emma is not his.",
      "Books.base": BASE,
      "Broken.base": "filters: [",
      "Board.canvas": JSON.stringify(CANVAS),
      "Torn.canvas": '{"nodes": [',
      "Reading.md":
        "# Reading\n\n![[Books.base#Shelf]]\n\n![[Board.canvas]]\n\n![[talk.pdf#page=2]]\n\n```mermaid\ngraph TD\n```\n",
      "talk.pdf": "%PDF-1.4\n%%EOF\n",
      "data.bin": "bytes",
    });
    writeFileSync(join(vault, "tone.wav"), SILENCE);
    writeFileSync(join(vault, "torn.wav"), Buffer.alloc(64));
    server = await servePage(vault);
  });

  it("is a table with titles, links, order and summaries, if it is a base; other views can be chosen by keys", async () => {
    const { page, faults } = await server.open("/note/Books.base");
    const table = page.getByRole("table");
    await table.waitFor();
    expect(await table.getByRole("columnheader").allTextContents()).toEqual([
      "Name",
      "Written by",
      "rating",
      "Modified",
    ]);
    expect(await table.locator("tbody td:first-child").allTextContents()).toEqual(["Dune", "Emma"]);
    expect(await table.locator("tfoot").textContent()).toContain("Average 8");
    await page.getByRole("button", { name: "Shelf" }).press("Enter");
    await page.locator(".base-cards").getByRole("link", { name: "Frank Herbert" }).press("Enter");
    await page.getByRole("heading", { name: "Frank Herbert", level: 1 }).waitFor();
    expect(faults).toEqual([]);
  });

  it("says what is wrong with a base or canvas that cannot be read", async () => {
    const { page } = await server.open("/note/Broken.base");
    await page.getByRole("alert").filter({ hasText: "is not valid YAML" }).waitFor();
    await page.goto(`${server.origin}/note/Torn.canvas`);
    await page.getByRole("alert").filter({ hasText: "not valid JSON" }).waitFor();
  });

  it("is a drawing that moves and zooms by keys, if it is a canvas; hostile cards are text", async () => {
    const { page, faults, requests } = await server.open("/note/Board.canvas");
    const drawing = page.getByRole("group", { name: /^Canvas with/ });
    await drawing.getByRole("heading", { name: "Idea" }).waitFor();
    await drawing.getByText("Sand.").waitFor();
    const transform = () => page.evaluate("document.querySelector('.drawing-layer').style.transform");
    await expect.poll(transform).toContain("scale");
    const before = await transform();
    await drawing.focus();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(transform).not.toBe(before);
    const moved = await transform();
    await page.keyboard.press("+");
    await expect.poll(transform).not.toBe(moved);
    await page.getByRole("button", { name: "Fit" }).press("Enter");
    await expect.poll(transform).toBe(before);
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(await page.locator("a[href^='javascript:']").count()).toBe(0);
    expect(requests.filter((url) => !url.startsWith(server.origin))).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("is shown where a note embeds it: a base as the view that is named, a canvas, a PDF; a diagram is folded source", async () => {
    const { page } = await server.open("/note/Reading.md");
    await page.locator(".embed .base-cards").getByRole("link", { name: "Dune" }).waitFor();
    await page.locator(".embed .drawing").getByRole("heading", { name: "Idea" }).waitFor();
    expect(await page.locator("iframe.pdf").getAttribute("src")).toMatch(/^\/media\/talk\.pdf\?ticket=.*#page=2$/);
    const diagram = page.locator("details.quiet-source");
    expect(await diagram.locator("summary").textContent()).toContain("Mermaid diagram");
    expect(await diagram.getAttribute("open")).toBeNull();
  });

  it("is played, or offered as a download; a card says that it cannot be played", async () => {
    const { page } = await server.open("/note/tone.wav");
    await page.locator("audio[controls]").waitFor({ state: "attached" });
    await page.goto(`${server.origin}/note/torn.wav`);
    await page.locator(".file-card", { hasText: "cannot be read" }).waitFor();
    await page.goto(`${server.origin}/note/data.bin`);
    expect(await page.locator(".file-card[download]").getAttribute("href")).toMatch(/^\/media\/data\.bin\?ticket=/);
  });

  it("surrounds a note in its graph, which leads on; mentions and backlinks say where", async () => {
    const { page, faults } = await server.open("/note/Dune.md");
    const aside = page.getByRole("complementary", { name: "About this note" });
    await aside.getByText("Linked from").waitFor();
    await page.locator("summary", { hasText: "Unlinked mentions" }).press("Enter");
    await aside.getByText("He wrote Dune, and Emma is not his.").waitFor();
    await page.locator("summary", { hasText: "Graph" }).press("Enter");
    const graph = page.getByRole("group", { name: /^Graph of/ });
    await graph.getByRole("link", { name: "Emma" }).press("Enter");
    await page.getByRole("heading", { name: "Emma", level: 1 }).waitFor();
    expect(faults).toEqual([]);
  });
});
