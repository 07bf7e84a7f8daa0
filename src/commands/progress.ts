// A progress bar on standard error, if that is a terminal. Used by the commands
// that bring an index up to date.
import type { Commonplace } from "../app/app.ts";
import { isWatched, showStatus } from "../kernel/kernel.ts";
import type { ResultNamed } from "../tools/tools.ts";

const WIDTH = 30;

type OnProgress = (done: number, total: number) => void;

/** Shows a progress bar while `work` runs. */
export async function withProgress<T>(label: string, work: (onProgress: OnProgress) => Promise<T>) {
  const started = performance.now();
  const isShown = isWatched();
  const result = await work(isShown ? progressBar(label, started) : () => {});
  if (isShown) showStatus("");
  return { result, seconds: ((performance.now() - started) / 1000).toFixed(1) };
}

/** The fields of a search result that report a first indexing. */
type Indexing = Pick<ResultNamed<"search">, "indexing" | "indexingConversations" | "waitingPdfs">;

/** Waits until the first indexing is complete, that of PDF files too. @returns whether there was anything to wait for */
export async function waitForFirstIndex(
  commonplace: Pick<Commonplace, "refreshIndex" | "conversations" | "settings">,
  { indexing, indexingConversations, waitingPdfs = 0 }: Indexing,
): Promise<boolean> {
  const isVaultIncomplete = indexing !== undefined || waitingPdfs > 0;
  for (const { name } of isVaultIncomplete ? commonplace.settings.vaults : [])
    // The search itself says what is wrong with a vault.
    await withProgress("indexing notes", (onProgress) => commonplace.refreshIndex({ onProgress }, name)).catch(
      () => undefined,
    );
  if (indexingConversations !== undefined) {
    const conversations = await commonplace.conversations();
    await withProgress("indexing conversations", (onProgress) => conversations.refresh({ onProgress }));
  }
  return isVaultIncomplete || indexingConversations !== undefined;
}

/** A bar with the rate and the remaining time. */
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
