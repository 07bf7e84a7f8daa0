// The keys of a person, for the tests of the page: Tab until something has the
// focus, which must be seen, then a key; and the looks in which every flow is
// walked through.
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { sampled } from "../campaign.ts";
import { expectNoViolationIn, loadAxe } from "./axe.ts";
import type { OpenedPage, OpenServer } from "./open-page.ts";

export const WIDTHS = [390, 768, 1440] as const;

/** More presses than any view has places for the focus. */
const MAX_PRESSES = 250;

const IS_SEEN = `(() => {
  const element = document.activeElement;
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const [x, y] = [(Math.max(left, 0) + Math.min(right, innerWidth)) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
  const there = document.elementFromPoint(x, y);
  return element.matches(":focus-visible") && there !== null && (element.contains(there) || there.contains(element));
})()`;

export const hasFocus = (target: Locator) =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

/** Whether an element comes before the one that has the focus. */
const isBefore = (target: Locator) =>
  target.evaluate((element) => {
    const { activeElement } = element.ownerDocument;
    return activeElement !== null && (activeElement.compareDocumentPosition(element) & 2) !== 0;
  });

/** Presses Tab, or Shift-Tab, until an element has the focus, which must be drawn, in the window and not covered. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const key = (await isBefore(target)) ? "Shift+Tab" : "Tab";
  for (let i = 0; !(await hasFocus(target)); i++) {
    if (i === MAX_PRESSES) throw new Error(`${key} does not reach ${String(target)}`);
    await page.keyboard.press(key);
  }
  const message = `${String(target)} can be seen while it has the focus`;
  await expect.poll(() => page.evaluate(IS_SEEN), { message }).toBe(true);
}

export async function press(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

export async function openByPalette(page: Page, typed: string, option: RegExp): Promise<void> {
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Open or do" });
  await palette.waitFor();
  await page.keyboard.type(typed);
  const wanted = palette.getByRole("option", { name: option }).first();
  await wanted.waitFor();
  while ((await wanted.getAttribute("aria-selected")) !== "true") await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await palette.waitFor({ state: "detached" });
}

export const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1, exact: true });

/** A link of the navigation, which is beside the view or at the bottom of the window. */
export const destination = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });

/** Picks an option of a chooser by a part of its name. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await press(page, page.getByRole("button", { name: new RegExp(`^${label}:`) }));
  await page.getByRole("combobox", { name: label }).waitFor();
  await page.keyboard.type(option);
  await expect.poll(() => page.getByRole("option", { selected: true }).textContent()).toContain(option);
  await page.keyboard.press("Enter");
}

type Theme = "light" | "dark";

let flows = 0;

/**
 * Each flow is seen in both themes, and each width too. In the short form it has
 * one look, and the next flow another one.
 */
export function looksFrom(first: Theme): readonly (readonly [width: (typeof WIDTHS)[number], theme: Theme])[] {
  const other = first === "light" ? "dark" : "light";
  const looks = WIDTHS.map((width) => [width, width === 768 ? other : first] as const);
  return sampled(looks, looks.length, flows++);
}

/** Opens the page, walks through a flow in it, and expects no fault and no violation at its end. */
export async function expectFlow(
  server: OpenServer,
  [width, colorScheme]: readonly [width: number, theme: Theme],
  walk: (page: Page, opened: OpenedPage) => Promise<void>,
): Promise<void> {
  const look = { viewport: { width, height: 844 }, colorScheme, reducedMotion: "reduce" } as const;
  const opened = await server.open("/search", look);
  const { page, faults } = opened;
  await page.locator(".result").first().waitFor();
  await walk(page, opened);
  await loadAxe(page);
  await expectNoViolationIn(page, `${colorScheme}, ${width} px wide`);
  expect(faults).toEqual([]);
}
