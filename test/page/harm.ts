// What would be seen in the page if text had become markup, for the tests of
// hostile text.
import { expect } from "vitest";
import type { OpenedPage } from "./open-page.ts";

/** Elements and attributes that would be in the page only if text had become markup. */
const HARM = `[
  ...document.querySelectorAll("#page script, iframe, object, embed, #page link, #page meta, base, #page style, form:not(.sign-in form, dialog form)"),
  ...[...document.querySelectorAll("#page *")].filter((element) =>
    [...element.attributes].some(({ name, value }) =>
      /^on/i.test(name) || (/^(href|src|action|formaction|xlink:href)$/i.test(name) && !/^(https?:|mailto:|\\/|#|\\?)/i.test(value)))),
].map((element) => element.outerHTML.slice(0, 200)).concat(window.hacked === undefined ? [] : ["hacked"])`;

export async function expectNoHarm({ page, requests, faults }: OpenedPage, origin: string): Promise<void> {
  expect(await page.evaluate(HARM)).toEqual([]);
  expect(faults).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(origin))).toEqual([]);
}
