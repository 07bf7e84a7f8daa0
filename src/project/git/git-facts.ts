// What git says about a project, in the words of get_project_info.
import { EMPTY_HISTORY, type Commit } from "./history.ts";
import type { Listing } from "../listing.ts";
import type { Remote } from "./git-config.ts";
import type { Looked, Repository } from "./repository.ts";

/** What a call works on: the listing, and where it came from. */
export type View = Looked & { readonly listing: Listing };

export interface GitFacts {
  /** Whether git could be asked; else only what can be seen without it is known. */
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
  /** From the repository's top to the project; empty where they are the same. */
  readonly prefix: string;
  readonly problem: string | undefined;
}

const NOTHING = {
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

export async function gitFactsOf(repository: Repository, view: View, signal?: AbortSignal): Promise<GitFacts> {
  const { place, seen, problem, listing } = view;
  if (place.kind !== "work tree") {
    const found = { ...NOTHING, isRepository: place.isRepository, gitFound: place.gitFound, problem };
    if (place.kind === "none") return found;
    const { commit, branch } = await repository.head(signal);
    const { commits } = commit === undefined ? EMPTY_HISTORY : await repository.history(undefined, commit, "commits");
    return { ...found, isKnown: true, isBare: true, commit, branch, lastCommits: commits };
  }
  const { isLinked, isShallow, prefix } = place;
  const found = { ...NOTHING, isRepository: true, gitFound: true, isLinkedWorkTree: isLinked, isShallow, prefix };
  if (seen === undefined) return { ...found, problem };
  const { status } = seen;
  const [{ commits }, remotes] = await Promise.all([
    status.commit === undefined ? EMPTY_HISTORY : repository.history(place, status.commit, "commits"),
    repository.remotes(place, signal),
  ]);
  const changes = [...status.changes.values()];
  const count = (isMeant: (change: (typeof changes)[number]) => boolean) => changes.filter(isMeant).length;
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
    untracked: seen.untracked.length + seen.untrackedLinks.length,
    lastCommits: commits,
    remotes,
    submodules: seen.tracked.submodules,
    problem: status.isBroken ? "HEAD is broken: it names a branch that cannot be read." : problem,
  };
}
