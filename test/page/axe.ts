// Runs axe in a window of the page. Used by the tests of its accessibility, and of
// its flows by keyboard.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(AXE);
}

async function violationsIn(page: Page) {
  const found = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as { violations: Violation[] };
  return found.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
}

/** Also expects that nothing is wider than the window. @param look for the message */
export async function expectNoViolationIn(page: Page, look: string): Promise<void> {
  // Under load it takes some frames until all parts have the colours of the theme.
  await expect.poll(() => violationsIn(page), { message: look }).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
}
