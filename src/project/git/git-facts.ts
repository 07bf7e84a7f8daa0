// The git part of get_project_info: branch, commits, remotes and the number
// of changed files. Used by project.ts.
import { EMPTY_HISTORY, type Commit } from "./history.ts";
import type { Listing } from "../listing.ts";
import type { Remote } from "./git-output.ts";
import type { Repository, RepositoryState } from "./repository.ts";

/** The input of a call: the state of the repository, and the files. */
export type ProjectState = RepositoryState & { readonly listing: Listing };

export interface GitFacts {
  /** True if git could report its state; if not, only what can be seen without git is known. */
  readonly isKnown: boolean;
  readonly isRepository: boolean;
  readonly gitFound: boolean;
  readonly isBare: boolean;
  readonly branch: string | undefined;
  readonly isDetached: boolean;
  readonly commit: string | undefined;
  readonly upstream: string | undefined;
  readonly ahead: number | undefined;
  readonly behind: number | undefined;
  readonly staged: number;
  readonly modified: number;
  readonly deleted: number;
  readonly conflicts: number;
  readonly untracked: number;
  readonly lastCommits: readonly Commit[];
  readonly remotes: readonly Remote[];
  readonly isLinkedWorkTree: boolean;
  readonly isShallow: boolean;
  readonly submodules: readonly string[];
  /** The path from the top of the repository to the project; empty if they are the same. */
  readonly prefix: string;
  readonly problem: string | undefined;
}

const UNKNOWN = {
  isKnown: false,
  isBare: false,
  branch: undefined,
  isDetached: false,
  commit: undefined,
  upstream: undefined,
  ahead: undefined,
  behind: undefined,
  staged: 0,
  modified: 0,
  deleted: 0,
  conflicts: 0,
  untracked: 0,
  lastCommits: [],
  remotes: [],
  isLinkedWorkTree: false,
  isShallow: false,
  submodules: [],
  prefix: "",
} as const;

export async function gitFactsOf(repository: Repository, state: ProjectState, signal?: AbortSignal): Promise<GitFacts> {
  const { location, git, problem, listing } = state;
  if (location.kind !== "work tree") {
    const found = { ...UNKNOWN, isRepository: location.isRepository, gitFound: location.gitFound, problem };
    if (location.kind === "none") return found;
    const { commit, branch } = await repository.head(signal);
    const { commits } = commit === undefined ? EMPTY_HISTORY : await repository.history(undefined, commit, "commits");
    return { ...found, isKnown: true, isBare: true, commit, branch, lastCommits: commits };
  }
  const { isLinked, isShallow, prefix } = location;
  const found = { ...UNKNOWN, isRepository: true, gitFound: true, isLinkedWorkTree: isLinked, isShallow, prefix };
  if (git === undefined) return { ...found, problem };
  const { status } = git;
  const [{ commits }, remotes] = await Promise.all([
    status.commit === undefined ? EMPTY_HISTORY : repository.history(location, status.commit, "commits"),
    repository.remotes(signal),
  ]);
  const changes = [...status.changes.values()];
  const count = (isCounted: (change: (typeof changes)[number]) => boolean) => changes.filter(isCounted).length;
  return {
    ...found,
    isKnown: true,
    branch: status.branch,
    isDetached: status.isDetached,
    commit: status.commit,
    upstream: status.upstream,
    ahead: status.ahead,
    behind: status.behind,
    staged: count(({ isStaged, isConflict }) => isStaged && !isConflict),
    modified: count(({ isUnstaged, isConflict, kind }) => isUnstaged && !isConflict && kind !== "deleted"),
    deleted: listing.leftOut.deleted.length,
    conflicts: count(({ isConflict }) => isConflict),
    untracked: git.untracked.length + git.untrackedLinks.length,
    lastCommits: commits,
    remotes,
    submodules: git.tracked.submodules,
    problem: status.isBroken ? "HEAD is broken: it names a branch that cannot be read." : problem,
  };
}
