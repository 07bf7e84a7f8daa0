// The commit that a line of a file came with. Used by project.ts.
import { runGit } from "./git-process.ts";

export interface LineCommit {
  readonly commit: string;
  readonly subject: string;
}

const TIME_LIMIT = 5_000;

/** Undefined if git does not know it: not committed, no repository, no such line. */
export async function commitOfLine(
  root: string,
  path: string,
  line: number,
  signal?: AbortSignal,
): Promise<LineCommit | undefined> {
  const range = `${line},${line}`;
  const outcome = await runGit({
    folder: root,
    args: ["blame", "--porcelain", "--no-textconv", "-L", range, "--", path],
    timeLimit: TIME_LIMIT,
    signal,
  });
  if (outcome?.code !== 0) return undefined;
  const text = outcome.stdout.toString("utf8");
  const commit = /^([0-9a-f]{40,64}) /.exec(text)?.[1];
  if (commit === undefined || /^0+$/.test(commit)) return undefined;
  return { commit, subject: /^summary (.*)$/m.exec(text)?.[1] ?? "" };
}
