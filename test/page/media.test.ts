// Files of the vault in a real browser: shown by their addresses with tickets,
// and hostile ones run nothing in the origin of this server.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TOKEN } from "../processes/program.ts";
import { BROWSER, isSkipped, servePage, writeVault, type OpenServer } from "./open-page.ts";
import { SILENCE } from "./sample-sound.ts";

const HOSTILE = `parent.document.title="taken"; top.document.title="taken"; document.documentElement.setAttribute("data-ran", "yes")`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" onload='${HOSTILE}'><script>${HOSTILE}</script></svg>`;

describe.skipIf(isSkipped)("files of the vault in a browser", BROWSER, () => {
  let server: OpenServer;

  const opened = async () => {
    if (server === undefined) {
      const vault = writeVault({ "Note.md": "text", "evil.svg": SVG, "evil.html": `<script>${HOSTILE}</script>` });
      writeFileSync(join(vault, "tone.wav"), SILENCE);
      server = await servePage(vault);
    }
    return server.open("/note/Note.md");
  };

  const addressOf = async (page: Awaited<ReturnType<typeof opened>>["page"], path: string) =>
    page.evaluate(
      async ([address, token]) => {
        const answer = await fetch(address!, { method: "POST", headers: { Authorization: `Bearer ${token}` } });
        return ((await answer.json()) as { url: string }).url;
      },
      [`/media/${path}`, TOKEN],
    );

  it("are shown as images, and played, by an address with a ticket", async () => {
    const { page, faults } = await opened();
    const [image, sound] = [await addressOf(page, "evil.svg"), await addressOf(page, "tone.wav")];
    const width = await page.evaluate(
      `(async () => { const shown = new Image(); shown.src = "${image}"; await shown.decode(); return shown.naturalWidth; })()`,
    );
    expect(width).toBe(20);
    const duration = await page.evaluate(`new Promise((resolve, reject) => {
      const player = new Audio("${sound}");
      player.onloadedmetadata = () => resolve(player.duration);
      player.onerror = () => reject(new Error(player.error?.message));
    })`);
    expect(duration).toBe(1);
    expect(faults).toEqual([]);
  });

  it("run no script in a frame, or in a window of their own", async () => {
    const { page, context } = await opened();
    const svg = await addressOf(page, "evil.svg");
    await page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.onload = resolve;
      frame.src = "${svg}";
      document.body.append(frame);
    })`);
    expect(await page.title()).not.toContain("taken");
    const alone = await context.newPage();
    await alone.goto(`${server.origin}${svg}`);
    expect(await alone.evaluate("document.documentElement.outerHTML")).not.toContain("data-ran=");
    expect(await alone.evaluate("self.origin")).toBe("null");
    const html = await addressOf(page, "evil.html");
    const download = alone.waitForEvent("download");
    await alone.goto(`${server.origin}${html}`).catch(() => {});
    expect((await download).suggestedFilename()).toBe("evil.html");
  });
});
