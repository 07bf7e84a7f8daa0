// Pastes an image into the editor of the page, for its tests. Playwright cannot put
// an image on the clipboard of a headless browser: the event is what the browser sends.
import type { Page } from "playwright-core";
import { png } from "../fixtures/media-files.ts";

/** Three pixels wide and two high. */
export const PASTED = png(3, 2);

export async function pasteImage(page: Page, name: string): Promise<void> {
  const sent = JSON.stringify({ name, image: PASTED.toString("base64") });
  await page.evaluate(`(({ name, image }) => {
    const bytes = Uint8Array.from(atob(image), (one) => one.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], name, { type: "image/png" }));
    const text = document.querySelector(".editor-text").shadowRoot.querySelector(".cm-content");
    text.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  })(${sent})`);
}
