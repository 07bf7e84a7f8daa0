// Reads files for plans once they rest. A program that saves in place empties a
// note and writes it a moment later: a change that is planned in between would be
// one of an empty or half text. So a file that was written just now is read again
// until it rests, and longer if it is empty, or shorter than it was known to be.
// Used by open-journal.ts.
import { setTimeout as pause } from "node:timers/promises";
import { type Content, type FileStats, identityOf, type PlannableFiles } from "../../files/files.ts";

/** How long a file must be left alone, in milliseconds. Programs write a long text in several calls. */
const REST = 20;

/**
 * The same for a file that is empty, or shorter than it was: seconds may pass until its text comes, but nobody shall
 * wait for more than one. What comes later is brought back.
 */
const REST_EMPTIED = 700;

/** How long a file is waited for that never rests. */
const MAX_WAIT = 900;

/** Files whose size and time are remembered. */
const MAX_KNOWN = 2_000;

/** The files as this process left them, or read them when they rested. */
export class KnownFiles {
  /** By identity: a program that saves in place keeps it. */
  readonly #known = new Map<string, Pick<FileStats, "size" | "mtimeNs">>();

  add(stats: FileStats): void {
    const identity = identityOf(stats);
    this.#known.delete(identity);
    this.#known.set(identity, { size: stats.size, mtimeNs: stats.mtimeNs });
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value!);
  }

  has(stats: FileStats): boolean {
    const known = this.#known.get(identityOf(stats));
    return known?.size === stats.size && known.mtimeNs === stats.mtimeNs;
  }

  /** Returns whether it was longer. */
  wasLonger(stats: FileStats): boolean {
    const known = this.#known.get(identityOf(stats));
    return known !== undefined && known.size > stats.size;
  }
}

/** @param hasLeft whether a change of any process left a file with content of this hash */
export function settledFiles(
  files: PlannableFiles,
  known: KnownFiles,
  hasLeft: (hash: string) => boolean,
): PlannableFiles {
  const read: PlannableFiles["read"] = async (path, most) => {
    const began = performance.now();
    let [last, since]: [FileStats | undefined, number] = [undefined, began];
    for (;;) {
      const content = await files.read(path, most);
      if (content === undefined || known.has(content.stats)) return content;
      if (last === undefined || !isSame(last, content.stats)) [last, since] = [content.stats, performance.now()];
      const rested = Math.max(ageOf(content), performance.now() - since);
      const wait = Math.min(restOf(content, known) - rested, MAX_WAIT - (performance.now() - began));
      if (wait <= 0 || (content.stats.size > 0n && hasLeft(content.hash))) {
        known.add(content.stats);
        return content;
      }
      await pause(Math.min(wait, REST));
    }
  };
  return { ...files, read };
}

function restOf({ stats }: Content, known: KnownFiles): number {
  return stats.size === 0n || known.wasLonger(stats) ? REST_EMPTIED : REST;
}

function isSame(one: FileStats, other: FileStats): boolean {
  return one.size === other.size && one.mtimeNs === other.mtimeNs && identityOf(one) === identityOf(other);
}

/** Milliseconds since it was written. A time in the future, such as of a clock that was set back, counts as no time at all. */
function ageOf({ stats }: Content): number {
  const written = stats.mtimeMs > stats.ctimeMs ? stats.mtimeMs : stats.ctimeMs;
  return Math.max(0, Date.now() - Number(written));
}
