// The longest task of a window, in processor time of its main thread: elapsed time
// would depend on what else the machine does. For the tests of long documents.
import type { CDPSession, Page } from "playwright-core";
import { expect } from "vitest";

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** In microseconds of the thread. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** A busy machine adds to the processor time of a task, too, and never takes away from it: the least of this many counts. */
const MAX_WALKS = 5;

/** @param walk uses the page, and returns its longest task in milliseconds */
export async function expectShortTasks(limit: number, walk: () => Promise<number>): Promise<void> {
  const longest: number[] = [];
  do longest.push(await walk());
  while (longest.at(-1)! >= limit && longest.length < MAX_WALKS);
  expect(longest.at(-1)).toBeLessThan(limit);
}

/** @returns a function that ends the watch, and returns the longest task since then in milliseconds */
export async function watchTasks(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"] },
  });
  return async () => {
    await ended(session);
    const threads = new Set(events.filter(isMainThread).map(({ pid, tid }) => `${pid} ${tid}`));
    const tasks = events.filter(({ name, pid, tid }) => name.endsWith("RunTask") && threads.has(`${pid} ${tid}`));
    if (tasks.length === 0) throw new Error("The trace has no task of the page.");
    return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
  };
}

function isMainThread({ name, args }: TraceEvent): boolean {
  return name === "thread_name" && args?.name === "CrRendererMain";
}

function ended(session: CDPSession): Promise<void> {
  return new Promise((resolve, reject) => {
    session.on("Tracing.tracingComplete", () => resolve());
    session.send("Tracing.end").catch(reject);
  });
}
