// What the repository's own configuration says that matters here: its remotes,
// and the filters that it wants to have run. Pure; repository.ts runs git.
import { recordsOf } from "./git-output.ts";
import type { GitOutcome } from "./git.ts";
import { withoutCredentials } from "./remotes.ts";

export interface Remote {
  readonly name: string;
  readonly url: string;
}

export interface Config {
  /** Says whether it is still the same; empty where that cannot be told. */
  readonly key: string;
  /** Settings that switch the filters off. */
  readonly overrides: readonly (readonly [string, string])[];
  readonly remotes: readonly Remote[];
}

/** Switches off the filters that the repository brings along, and reads its remotes. */
export function readConfig(answer: GitOutcome | undefined, key: string): Config {
  const records = answer?.code === 0 ? recordsOf(answer.stdout) : [];
  const filters = new Set<string>();
  const remotes: Remote[] = [];
  let includesOthers = false;
  for (let i = 0; i + 1 < records.length; i += 2) {
    const isOwn = records[i] === "local" || records[i] === "worktree";
    const [name = "", ...value] = records[i + 1]!.split("\n");
    if (!isOwn) continue;
    if (/^include(?:if)?\./.test(name)) includesOthers = true;
    const filter = /^filter\.(.*)\.(?:clean|smudge|process|required)$/s.exec(name)?.[1];
    if (filter !== undefined) filters.add(filter);
    const remote = /^remote\.(.*)\.url$/s.exec(name)?.[1];
    if (remote !== undefined) remotes.push({ name: remote, url: withoutCredentials(value.join("\n")) });
  }
  const overrides = [...filters].flatMap((name) => [
    [`filter.${name}.clean`, ""] as const,
    [`filter.${name}.process`, ""] as const,
    [`filter.${name}.required`, "false"] as const,
  ]);
  // An included file can change without a trace in this one: then nothing is kept.
  return { key: includesOthers ? "" : key, overrides, remotes };
}
