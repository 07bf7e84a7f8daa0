// The rows of an outline in the page, for its tests.
import type { Page } from "playwright-core";

/** By its topic alone: notes are part of the name of a row. */
export const rowOf = (page: Page, topic: string) =>
  page.getByRole("treeitem").filter({ has: page.locator(".row-topic").getByText(topic, { exact: true }) });
