// Reads a repository's history with one `git log`: the newest commits, and where
// that is asked for what each of them changed. Used by repository.ts alone.
import { runGit } from "./git.ts";
import { COMMITS_KEPT, HistoryReader, type History } from "./history.ts";

/** How much of a history is read: the newest commits alone are there long before all changes are. */
export type Extent = "commits" | "changes";

/** Commits that are read for what changes how often; older ones would weigh next to nothing. */
const MOST_COMMITS = 1000;
/** What has come of the history by then is used: it comes newest first. */
const TIME_LIMIT = 10_000;
const MOST_BYTES = 32 * 1024 * 1024;

const WHAT: Readonly<Record<Extent, readonly string[]>> = {
  commits: ["--no-patch", `--max-count=${COMMITS_KEPT}`],
  // Only renames without a change: finding others means reading every file that ever was.
  changes: ["--name-status", "-M100%", `--max-count=${MOST_COMMITS}`],
};

/** @param isPart whether the folder is a part of the work tree: only what concerns it is read */
export async function readLog(folder: string, commit: string, extent: Extent, isPart: boolean): Promise<History> {
  const reader = new HistoryReader();
  await runGit({
    folder,
    args: [
      "log",
      "-z",
      "--format=%x01%H%x02%ct%x02%an%x02%s",
      ...WHAT[extent],
      "--no-ext-diff",
      "--no-textconv",
      "--no-show-signature",
      "--no-notes",
      "--no-mailmap",
      "-O/dev/null",
      commit,
      ...(isPart ? ["--relative", "--", "."] : []),
    ],
    timeLimit: TIME_LIMIT,
    mostBytes: MOST_BYTES,
    onOutput: (part) => reader.take(part),
  });
  return reader.finish();
}
