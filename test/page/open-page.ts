// Opens the page of the packed program in a real Chromium, for the tests of the
// page: a vault, a server, a browser, and the faults that were seen.
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { findChromium } from "../../scripts/chromium.mjs";
import { atTheEnd, serveHttp, temporaryFolder, TOKEN } from "../processes/program.ts";
import { MUST_NOT_SKIP } from "../tiers.ts";
import { SAMPLE_IMAGE, SAMPLE_NOTES, timeOf } from "./sample-vault.ts";

const executablePath = findChromium();

/** Browsers are slow on a busy machine. */
export const BROWSER = { timeout: 600_000 };

/** Without a browser the tests of the page are reported as skipped. */
export const isSkipped = executablePath === undefined && !MUST_NOT_SKIP;

let browser: Promise<Browser> | undefined;

function openBrowser(): Promise<Browser> {
  browser ??= chromium
    .launch({ executablePath: executablePath!, args: ["--no-sandbox"], ...BROWSER })
    .then((opened) => {
      atTheEnd(() => opened.close());
      return opened;
    });
  return browser;
}

// A window that a test has left open would load everything again whenever another
// test changes something. One that was opened before the first test stays open.
const ofThisTest: { readonly close: () => Promise<void> }[] = [];
beforeEach(() => void ofThisTest.splice(0));
afterEach(async () => {
  for (const opened of ofThisTest.splice(0)) await opened.close();
});

export function writeVault(files: Readonly<Record<string, string>>): string {
  const vault = join(temporaryFolder(), "vault");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text);
  }
  return vault;
}

export function writeSampleVault(): string {
  const texts = Object.fromEntries(Object.entries(SAMPLE_NOTES).map(([path, { text }]) => [path, text]));
  const vault = writeVault({ ...texts, "Garden/beds.svg": SAMPLE_IMAGE });
  for (const [path, note] of Object.entries(SAMPLE_NOTES)) utimesSync(join(vault, path), timeOf(note), timeOf(note));
  return vault;
}

export interface OpenServer {
  /** http://127.0.0.1:PORT */
  readonly origin: string;
  readonly vault: string;
  /** Opens an address in a new window, signed in: the search unless another is named. */
  readonly open: (path?: string, options?: Parameters<Browser["newContext"]>[0]) => Promise<OpenedPage>;
}

export interface OpenedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The address of every request of the page. */
  readonly requests: string[];
  /** Errors of scripts, violations of the content security policy, dialogs. */
  readonly faults: string[];
}

export async function servePage(vault: string, env: Record<string, string> = {}): Promise<OpenServer> {
  const home = temporaryFolder();
  const settings = { COMMONPLACE_TOKEN: TOKEN, COMMONPLACE_VAULT: vault, COMMONPLACE_HOME: home };
  const { url } = await serveHttp(home, { ...settings, ...env });
  const { origin } = new URL(url);
  let shared: Promise<BrowserContext> | undefined;
  return {
    origin,
    vault,
    open: async (path = "/search", options) => {
      const context = await (options === undefined ? (shared ??= newContext()) : newContext(options));
      const opened = watched(await context.newPage(), context);
      ofThisTest.push(options === undefined ? opened.page : context);
      await opened.page.goto(`${origin}${path}#token=${TOKEN}`);
      return opened;
    },
  };
}

export async function newContext(options: Parameters<Browser["newContext"]>[0] = {}): Promise<BrowserContext> {
  const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(BROWSER.timeout / 4);
  atTheEnd(() => context.close());
  return context;
}

/** Holds back what the editor saves, until the returned function is called. */
export async function holdSaves(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/mcp", async (route) => {
    if (route.request().headers()["mcp-name"] === "contentManager_replaceContent") await promise;
    await route.continue();
  });
  return resolve;
}

/** Unfolds the changes of every session in the activity view. */
export async function showChanges(page: Page): Promise<void> {
  await page.locator(".every-change").first().waitFor();
  await page.evaluate("for (const each of document.querySelectorAll('.every-change')) each.open = true");
}

export function watched(page: Page, context: BrowserContext): OpenedPage {
  const requests: string[] = [];
  const faults: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  return { page, context, requests, faults };
}
