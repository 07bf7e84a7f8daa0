// npm run pictures: makes every picture of the README and the guide from the real page:
// the built program on the sample data of the tests, in a real Chromium; and
// assets/icon.png, the icon of the bundle, from that of the page.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";
import { writeConversations } from "../test/page/sample-conversations.ts";
import { SAMPLE_OUTLINE } from "../test/page/sample-outline.ts";
import { SAMPLE_IMAGE, SAMPLE_NOTES, timeOf } from "../test/page/sample-vault.ts";
import { findOrInstallChromium } from "./chromium.mjs";

/** The address of each picture, and what is there once it is whole. */
const PICTURES: readonly (readonly [file: string, address: string, ready: string])[] = [
  ["docs/page.png", "/note/Garden/Garden%20year.md", ".prose .box"],
  ["docs/guide/pictures/search.png", "/search?q=runner+beans", ".result >> nth=2"],
  ["docs/guide/pictures/conversations.png", "/conversation/", ".week-bars button"],
  ["docs/guide/pictures/graph.png", "/graph", ".graph-box[data-settled=true]"],
];
const ICON = "assets/icon.png";
const ICON_SIZE = 512;
const TOKEN = "a-token-for-the-picture-only";
const executablePath = findOrInstallChromium();
if (executablePath === undefined) throw new Error("There is no Chromium here: name one in CHROMIUM.");

const home = mkdtempSync(join(tmpdir(), "commonplace-picture-"));
const vault = join(home, "Notes");
for (const [path, note] of Object.entries(SAMPLE_NOTES)) {
  const file = join(vault, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, note.text);
  utimesSync(file, timeOf(note), timeOf(note));
}
writeFileSync(join(vault, "Garden", "beds.svg"), SAMPLE_IMAGE);
writeFileSync(join(home, "Projects.opml"), SAMPLE_OUTLINE);
writeConversations(home);

const server = spawn(process.execPath, ["bin/commonplace.js", "serve", "--http", "0"], {
  env: {
    PATH: process.env["PATH"],
    HOME: home,
    COMMONPLACE_HOME: join(home, "commonplace"),
    COMMONPLACE_VAULT: vault,
    COMMONPLACE_OUTLINE: join(home, "Projects.opml"),
    COMMONPLACE_TOKEN: TOKEN,
  },
  stdio: ["ignore", "ignore", "pipe"],
});
try {
  const origin = await new Promise<string>((resolve, reject) => {
    server.stderr.setEncoding("utf8").on("data", (text: string) => {
      const [, url] = /serving on (\S+)/.exec(text) ?? [];
      if (url !== undefined) resolve(new URL(url).origin);
    });
    server.on("exit", () => reject(new Error("The server ended before it served.")));
  });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1240, height: 760 }, colorScheme: "light" });
  await page.goto(`${origin}/#token=${TOKEN}`);
  await page.locator(".live[data-state=live]").waitFor();
  for (const [file, address, ready] of PICTURES) {
    await page.goto(origin + address);
    await page.locator(ready).first().waitFor();
    await page.evaluate("document.fonts.ready.then(() => document.activeElement.blur())");
    mkdirSync(dirname(file), { recursive: true });
    await page.screenshot({ path: file });
    console.log(`${file}: ${Math.round(statSync(file).size / 1000)} kB`);
  }
  const drawing = await browser.newPage({ viewport: { width: ICON_SIZE, height: ICON_SIZE } });
  await drawing.setContent(`<body style="margin:0">${readFileSync("web/icon.svg", "utf8")}</body>`);
  await drawing.screenshot({ path: ICON, omitBackground: true });
  await browser.close();
} finally {
  server.kill();
  rmSync(home, { recursive: true, force: true });
}
