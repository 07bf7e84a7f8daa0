// Shows how far work is that the person waits for: a bar in a terminal, nothing
// elsewhere. Used by the commands that bring an index up to date.
import type { Commonplace } from "../app.ts";
import { isWatched, showStatus } from "../kernel/kernel.ts";
import type { ResultNamed } from "../tools/tools.ts";

const WIDTH = 30;

type OnProgress = (done: number, total: number) => void;

/** Runs work that says how far it is. */
export async function shownWhile<T>(label: string, work: (onProgress: OnProgress) => Promise<T>) {
  const started = performance.now();
  const isShown = isWatched();
  const result = await work(isShown ? progressBar(label, started) : () => {});
  if (isShown) showStatus("");
  return { result, seconds: ((performance.now() - started) / 1000).toFixed(1) };
}

/** What a search says while everything is indexed for the first time. */
type Indexing = Pick<ResultNamed<"search">, "indexing" | "indexingConversations">;

/** Waits until the first indexing is complete. @returns whether there was anything to wait for */
export async function waitForFirstIndex(
  commonplace: Pick<Commonplace, "refreshIndex" | "conversations">,
  { indexing, indexingConversations }: Indexing,
): Promise<boolean> {
  if (indexing !== undefined)
    await shownWhile("indexing notes", (onProgress) => commonplace.refreshIndex({ onProgress }));
  if (indexingConversations !== undefined) {
    const conversations = await commonplace.conversations();
    await shownWhile("indexing conversations", (onProgress) => conversations.refresh({ onProgress }));
  }
  return indexing !== undefined || indexingConversations !== undefined;
}

/** A bar with the rate and the time that is left. */
function progressBar(label: string, started: number): OnProgress {
  return (done, total) => {
    if (total === 0) return;
    const seconds = Math.max(0.001, (performance.now() - started) / 1000);
    const rate = done / seconds;
    const left = rate === 0 ? "?" : Math.ceil((total - done) / rate);
    const filled = Math.round((done / total) * WIDTH);
    showStatus(
      `${label} ${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${done} of ${total}, ${Math.round(rate)}/s, ${left} s left`,
    );
  };
}
