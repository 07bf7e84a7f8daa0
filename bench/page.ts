// How fast the page of the built program is in a real Chromium, with 10,000 notes
// and 300 conversations: from input to results, how much the first view loads, and
// the longest tasks while long documents are open and a graph is panned.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { findChromium } from "../scripts/chromium.mjs";
import { watchTasks } from "../test/page/longest-task.ts";
import { writeConversations } from "../test/page/sample-conversations.ts";
import { longOutline } from "../test/page/sample-outline.ts";
import { writeLivedNotes } from "./data/lived-notes.ts";
import { makeTranscripts } from "./data/transcripts.ts";
import { randomNumbers, randomWord } from "./data/words.ts";
import { goal, median, ms, quantile, report, table, times } from "./measurement/measure.ts";
import { exactProcessorTimeOf } from "./measurement/process-memory.ts";
import { untilQuiet } from "./measurement/warm-calls.ts";

const NOTES = 10_000;
/** 300 sessions of about 330 kB. */
const TRANSCRIPTS = 100_000_000;
const QUERIES = 60;
const TOKEN = "a-token-for-the-benchmark-of-the-page";
const PROGRAM = join(import.meta.dirname, "..", "bin", "commonplace.js");
const HUB = "Hub.md";

export async function run(): Promise<void> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("There is no Chromium here: name one in CHROMIUM.");
  const home = mkdtempSync(join(tmpdir(), "commonplace-bench-page-"));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    await measure(home, browser);
  } finally {
    await browser.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function measure(home: string, browser: Browser): Promise<void> {
  const vault = writeLivedNotes(home, NOTES);
  const around = Array.from({ length: 150 }, (_, i) => `[[Note ${i * 60}]]`);
  writeFileSync(join(vault, HUB), around.join("\n"));
  const { files } = makeTranscripts(home, TRANSCRIPTS);
  writeConversations(home, [LONG_THREAD]);
  const outline = join(home, "Long.opml");
  writeFileSync(outline, longOutline(1_000));
  const env = { PATH: process.env["PATH"], HOME: home, COMMONPLACE_TOKEN: TOKEN };
  const settings = ["--vault", vault, "--home", join(home, "commonplace")];
  spawnSync(process.execPath, [PROGRAM, "index", ...settings], { env });
  const serving = async (own: readonly string[], work: (origin: string, pid: number) => Promise<void>) => {
    const server = spawn(process.execPath, [PROGRAM, "serve", "--http", "0", ...settings, ...own], {
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    try {
      await work(await addressOf(server), server.pid!);
    } finally {
      server.kill();
    }
  };
  report(`${NOTES} notes, ${files.length + 1} conversations`);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await serving([], async (origin, pid) => {
    await measureSize(page, origin);
    await search(page, "first");
    await untilQuiet(() => exactProcessorTimeOf(pid) ?? Number.NaN);
    await measureInput(page);
  });
  await serving(["--outline", outline], (origin) => measureTasks(page, origin));
}

/** As the tests have it: what is said in 5,000 messages. */
const LONG_THREAD = {
  id: "8f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e01",
  age: 0,
  said: Array.from({ length: 5_000 }, (_, i) => ({
    role: i % 2 === 0 ? ("user" as const) : ("assistant" as const),
    text: `Message ${i}: some **words** of it.\n\n- one\n- two\n\n\`\`\`ts\nconst at = ${i};\n\`\`\``,
  })),
};

function addressOf(server: ReturnType<typeof spawn>): Promise<string> {
  return new Promise((resolve, reject) => {
    server.stderr!.setEncoding("utf8").on("data", (text: string) => {
      const [, url] = /serving on (\S+)/.exec(text) ?? [];
      if (url !== undefined) resolve(new URL(url).origin);
    });
    server.on("exit", () => reject(new Error("The server ended before it served.")));
  });
}

/** Bytes as they were sent, until the first results are there. */
async function measureSize(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const files = new Set<string>();
  let bytes = 0;
  session.on("Network.responseReceived", ({ requestId, response }) => {
    if (new URL(response.url).pathname.startsWith("/assets/") || response.mimeType === "text/html")
      files.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (files.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto(`${origin}/#token=${TOKEN}`);
  await page.locator(".result").first().waitFor();
  goal(
    bytes < 100_000,
    `the first view is below 100 kB compressed: ${(bytes / 1000).toFixed(1)} kB in ${files.size} files`,
  );
  const first = bytes;
  await page.goto(`${origin}/note/${HUB}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.locator(".cm-content").waitFor();
  report(`a note and its editor, which come with their first use: ${((bytes - first) / 1000).toFixed(1)} kB`);
  await page.goto(origin);
  await page.locator(".result").first().waitFor();
}

/** Types into a field at once, as a paste does. @returns until the results are painted, in milliseconds */
function inputTime(page: Page, typed: { query: string; field: string; list: string }): Promise<number> {
  return page.evaluate(`(${INPUT_TIME})(${JSON.stringify(typed)})`);
}

const search = (page: Page, query: string) =>
  inputTime(page, { query, field: "search input", list: ".results[data-typing]" });
const palette = (page: Page, query: string) =>
  inputTime(page, { query, field: ".palette input", list: "#palette-list" });

/** The list is busy from the first rendering after the input until the answer is rendered. */
const INPUT_TIME = `async ({ query, field, list }) => {
  const input = document.querySelector(field);
  const isBusy = () => document.querySelector(list)?.getAttribute("aria-busy") === "true";
  const started = performance.now();
  const seen = new Promise((resolve) => {
    let wasBusy = false;
    const observer = new MutationObserver(() => {
      wasBusy ||= isBusy();
      if (!wasBusy || isBusy()) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  input.value = query;
  input.dispatchEvent(new InputEvent("input", { bubbles: true }));
  await seen;
  await new Promise((resolve) => requestAnimationFrame(resolve));
  return performance.now() - started;
}`;

async function measureInput(page: Page): Promise<void> {
  const random = randomNumbers(23);
  const word = () => randomWord(random);
  const kinds: Readonly<Record<string, () => string>> = {
    "a word": word,
    "two words": () => `${word()} ${word()}`,
    "five words": () => Array.from({ length: 5 }, word).join(" "),
    "the beginning of a word": () => word().slice(0, 3),
  };
  const rows: string[][] = [];
  const all: number[] = [];
  const asked = new Set<string>();
  // What was typed already would change nothing.
  const fresh = (query: () => string): string => {
    let one = query();
    while (asked.has(one)) one = query();
    asked.add(one);
    return one;
  };
  for (const [name, query] of Object.entries(kinds)) {
    const taken: number[] = [];
    for (let i = 0; i < QUERIES / 4; i++) taken.push(await search(page, fresh(query)));
    all.push(...taken);
    rows.push([name, ms(median(taken)), ms(quantile(taken, 0.95))]);
  }
  await page.keyboard.press("Control+k");
  await page.locator(".palette input").waitFor();
  const named: number[] = [];
  for (let i = 0; i < QUERIES / 4; i++) named.push(await palette(page, `note ${i * 7}`));
  rows.push(["the palette, a name", ms(median(named)), ms(quantile(named, 0.95))]);
  await page.keyboard.press("Escape");
  table("From input to painted results", ["what", "p50", "p95"], rows);
  const sent = { queries: Array.from({ length: QUERIES / 4 }, () => fresh(word)), token: TOKEN };
  const alone = median(await page.evaluate<number[]>(`(${ANSWER_TIMES})(${JSON.stringify(sent)})`));
  const [p50, p95] = [median([...all, ...named]), quantile([...all, ...named], 0.95)];
  report(`the server's answer alone, a word: ${ms(alone)}; with the page: ${times(p50 / alone)} of it`);
  goal(p95 < 100, `input to results is below 100 ms: p50 ${ms(p50)}, p95 ${ms(p95)}`);
}

/** The same call, without rendering. */
const ANSWER_TIMES = `async ({ queries, token }) => {
  const taken = [];
  for (const query of queries) {
    const started = performance.now();
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "benchmark", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { name: "search", arguments: { query, limit: 50, counts: true, hitsOnly: true }, _meta };
    const answer = await fetch("/mcp", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        Authorization: "Bearer " + token,
        "Mcp-Method": "tools/call",
        "Mcp-Name": "search",
        "Mcp-Protocol-Version": "2026-07-28",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    await answer.text();
    taken.push(performance.now() - started);
  }
  return taken;
}`;

async function measureTasks(page: Page, origin: string): Promise<void> {
  const inOutline = await watchTasks(page);
  await page.goto(`${origin}/outline#token=${TOKEN}`);
  await page.getByText("100,000 rows").waitFor();
  await page.getByText("Loading the rest").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Unfold all" }).click();
  await page.getByRole("tree").focus();
  await page.keyboard.press("End");
  await page.locator(".row-topic", { hasText: "Row 999.98" }).waitFor();
  const outline = await inOutline();
  goal(outline < 200, `no task above 200 ms while an outline of 100,000 rows is open: ${ms(outline)}`);

  const inThread = await watchTasks(page);
  await page.goto(`${origin}/conversation/claude-code/${LONG_THREAD.id}`);
  await page.locator(".message").first().waitFor();
  await page.getByRole("region", { name: "Prompts" }).getByRole("link").nth(2_000).click();
  await page.locator(".message", { hasText: "Message 4000:" }).waitFor();
  for (let i = 0; i < 20; i++) await page.mouse.wheel(0, 3_000);
  const thread = await inThread();
  goal(thread < 200, `no task above 200 ms while a thread of 5,000 messages is open: ${ms(thread)}`);

  await page.goto(`${origin}/note/${HUB}`);
  await page.getByText("Graph of what surrounds this note").click();
  const graph = page.locator(".drawing").first();
  await graph.waitFor();
  const { x, y, width, height } = (await graph.boundingBox())!;
  const inGraph = await watchTasks(page);
  const frames = page.evaluate<number[]>(`(${FRAME_TIMES})(1_500)`);
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  for (let i = 0; i < 60; i++) await page.mouse.move(x + width / 2 + i * 3, y + height / 2 + (i % 20) * 4);
  await page.mouse.up();
  const between = await frames;
  const task = await inGraph();
  const name = await page
    .getByLabel(/^Graph of \d/)
    .first()
    .getAttribute("aria-label");
  goal(task < 50, `no frame above 50 ms while panning the ${name?.split(".")[0]?.toLowerCase()}: ${ms(task)} of work`);
  report(`between two frames: p50 ${ms(median(between))}, p95 ${ms(quantile(between, 0.95))}`);
}

const FRAME_TIMES = `async (duration) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const taken = [];
  const end = performance.now() + duration;
  let last = await frame();
  while (last < end) {
    const now = await frame();
    taken.push(now - last);
    last = now;
  }
  return taken;
}`;
