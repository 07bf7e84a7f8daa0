// Counts how many notes changed in each span of time: by the modification times of
// the files and, for notes that were changed again later, by the journal. Used by
// the tool history, which needs numbers only.
import type { Freshness } from "../search/search.ts";
import { kindOfFile } from "../markdown/markdown.ts";
import { nameOf, type VaultPath } from "../files/files.ts";
import { Problem } from "../kernel/kernel.ts";
import type { Vault } from "./vault.ts";

/** How many of the newest journal entries are read. */
const MAX_ENTRIES = 1000;

interface ChangedNotes {
  /** One number for each span between two times. */
  readonly counts: readonly number[];
  readonly freshness: Freshness;
}

/** @param times in milliseconds, each later than the one before */
export async function changedNotes(vault: Vault, times: readonly number[]): Promise<ChangedNotes> {
  if (times.some((time, i) => i > 0 && time <= times[i - 1]!))
    throw new Problem("invalid", "times must be in their order, the earliest first");
  const counts = times.slice(1).map(() => 0);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const remembered = await rememberedChanges(vault, times);
  const { answer, ...freshness } = await vault.index.noteTimes(
    { from: first, before: last },
    remembered.map(({ path }) => path),
  );
  for (const time of answer.changed) counts[spanOf(time, times)]!++;
  for (const { path, span } of remembered) {
    // A note whose modification time is in the same span is counted already.
    const time = answer.known.get(path);
    if (time === undefined || spanOf(time, times) !== span) counts[span]!++;
  }
  return { counts, freshness };
}

/** Counts a note once for every span in which the journal has a change of it. */
async function rememberedChanges(
  { journal }: Vault,
  times: readonly number[],
): Promise<{ path: string; span: number }[]> {
  const changes = (await journal.history({ limit: MAX_ENTRIES })).entries.flatMap(({ paths, time }) => {
    const span = spanOf(time, times);
    const notes = paths.filter((path) => kindOfFile(nameOf(path as VaultPath)) === "note");
    return span === -1 ? [] : notes.map((path) => [`${span} ${path}`, { path, span }] as const);
  });
  return [...new Map(changes).values()];
}

/** The index of the span that a time is in; -1 outside all spans. */
function spanOf(time: number, times: readonly number[]): number {
  const next = times.findIndex((bound) => time < bound);
  return next === -1 ? -1 : next - 1;
}
