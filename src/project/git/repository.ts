// Reads the state of a project from git: work tree, index, untracked files,
// remotes and history. Results are cached until the git files they depend on
// change. Git itself is run by git-process.ts. Used by project.ts.
import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  parseConfig,
  parseStatus,
  parseTracked,
  recordsOf,
  type Config,
  type GitName,
  type Remote,
  type Status,
  type Tracked,
} from "./git-output.ts";
import { failureOf, runGit, type GitOutcome, type GitRun } from "./git-process.ts";
import { readLog, type Extent, type History } from "./history.ts";
import { SKIPPED_FOLDERS } from "../listing.ts";
import { stampOf } from "../project-files.ts";
import {
  configFilesOf,
  gitMarks,
  likelyWorkTree,
  LOCATION_ARGUMENTS,
  mayConfigure,
  parseLocation,
  type NoWorkTree,
  type WorkTree,
} from "./work-tree.ts";

/** Git's report about the files of a work tree. */
export interface GitState {
  readonly status: Status;
  /** The bytes that the status was read from: the same bytes mean the same status. */
  readonly statusOutput: Buffer;
  readonly tracked: Tracked;
  /** Files that git neither knows nor ignores. */
  readonly untracked: readonly GitName[];
  /** Untracked symbolic links, which git lists among the files. */
  readonly untrackedLinks: readonly GitName[];
  /** Repositories inside the work tree that are not submodules. */
  readonly nested: readonly GitName[];
  /** Untracked folders in SKIPPED_FOLDERS (node_modules …): not listed, though no ignore rule names them. */
  readonly skipped: readonly GitName[];
  readonly unreadable: readonly string[];
}

/** Needs of a call in addition to the files; they are read at the same time. */
export interface StateRequest {
  readonly history: Extent | undefined;
  readonly remotes: boolean;
}

/** The place of the repository, and its state, if git can report it. */
export type RepositoryState = { readonly problem: string | undefined } & (
  | { readonly location: WorkTree; readonly git: GitState }
  | { readonly location: WorkTree | NoWorkTree; readonly git: undefined }
);

const MAX_FOLDERS_BY_NAME = 100;

export class Repository {
  readonly #root: string;
  #workTree: { readonly marks: string; readonly value: WorkTree } | undefined;
  #config: { readonly key: string; readonly value: Config } | undefined;
  #tracked: { readonly key: string; readonly value: Tracked } | undefined;
  readonly #histories = new Map<Extent, { readonly key: string; readonly value: Promise<History> }>();
  /** Reads the history before its commit is known. */
  #prefetch: Promise<void> | undefined;

  /** @param root a real path */
  constructor(root: string) {
    this.#root = root;
  }

  /** The current state, or a sentence that says why git cannot report it. */
  async state(request: StateRequest, signal?: AbortSignal): Promise<RepositoryState> {
    const marks = gitMarks(this.#root);
    if (this.#workTree?.marks !== marks) {
      this.#workTree = this.#config = this.#tracked = this.#prefetch = undefined;
      this.#histories.clear();
      const likely = likelyWorkTree(this.#root);
      // The history takes git longest, so it starts first.
      const extent = marks.startsWith(join(this.#root, ".git")) ? request.history : undefined;
      const history = extent && readLog(this.#root, "HEAD", extent, false).catch(() => undefined);
      const state = likely && (await this.#stateOf(likely, request, signal));
      const location =
        state?.git === undefined
          ? parseLocation(this.#root, await this.#git(LOCATION_ARGUMENTS, { signal }), marks)
          : likely!;
      if (location.kind !== "work tree") return { location, git: undefined, problem: location.problem };
      this.#workTree = { marks, value: location };
      if (extent && location.prefix === "")
        this.#prefetch = history?.then((read) => this.#keepPrefetched(location, extent, read));
      if (state?.git !== undefined) return state;
    }
    return this.#stateOf(this.#workTree!.value, request, signal);
  }

  /** Caches the history of HEAD under the commit that it begins with. */
  #keepPrefetched(tree: WorkTree, extent: Extent, history: History | undefined): void {
    const commit = history?.commits[0]?.id;
    if (history === undefined || commit === undefined || this.#histories.has(extent)) return;
    this.#histories.set(extent, { key: historyKey(tree, commit), value: Promise.resolve(history) });
  }

  async #stateOf(tree: WorkTree, { remotes }: StateRequest, signal: AbortSignal | undefined): Promise<RepositoryState> {
    const key = stampOf(join(tree.gitFolder, "index"));
    const kept = this.#tracked?.key === key ? this.#tracked.value : undefined;
    const [status, listing] = await Promise.all([
      this.#status(tree, signal),
      kept === undefined
        ? this.#git(["ls-files", "-t", "-s", "-z"], { signal, ceiling: this.#ceilingOf(tree) })
        : undefined,
      remotes ? this.remotes(tree, signal) : undefined,
    ]);
    for (const answer of [status, ...(kept === undefined ? [listing] : [])])
      if (answer?.code !== 0) return { location: tree, git: undefined, problem: failureOf(answer) };
    const tracked = kept ?? parseTracked(listing!.stdout);
    this.#tracked = { key, value: tracked };
    const git = await this.#gitStateOf(tree, status!, tracked, signal);
    return { location: tree, git, problem: tree.problem };
  }

  async #gitStateOf(
    tree: WorkTree,
    output: GitOutcome,
    tracked: Tracked,
    signal: AbortSignal | undefined,
  ): Promise<GitState> {
    const status = inProject(parseStatus(output.stdout), tree.prefix);
    const folders = status.untracked.filter((name) => name.endsWith("/"));
    const skipped = folders.filter(isSkipped);
    const opened = await this.#filesBelow(
      folders.filter((name) => !isSkipped(name)),
      signal,
    );
    const untracked = [...status.untracked, ...opened].filter((name) => !name.endsWith("/"));
    const links = new Set(untracked.filter((name) => isLink(join(this.#root, name))));
    return {
      status,
      statusOutput: output.stdout,
      tracked,
      untracked: untracked.filter((name) => !links.has(name)),
      untrackedLinks: [...links],
      nested: opened.filter((name) => name.endsWith("/")),
      skipped,
      unreadable: [...output.stderr.matchAll(/^warning: could not open directory '(.*)\/':/gm)].map(
        ([, name = ""]) => name,
      ),
    };
  }

  /** GIT_CEILING_DIRECTORIES: if the project is the top of its work tree, git must not find a repository above it. */
  #ceilingOf({ prefix }: WorkTree): string | undefined {
    return prefix === "" ? dirname(this.#root) : undefined;
  }

  async #status(tree: WorkTree, signal: AbortSignal | undefined): Promise<GitOutcome | undefined> {
    // A repository's filters are programs, and `status` would run them on changed files.
    const overrides = mayConfigure(tree, /filter|include/i) ? (await this.#configOf(tree, signal)).overrides : [];
    const args = [
      "status",
      "--porcelain=v2",
      "--branch",
      "-z",
      "--untracked-files=normal",
      // Checking for changes within submodules would run git in them.
      "--ignore-submodules=dirty",
      "--no-renames",
      ...withinProject(tree),
    ];
    return this.#git(args, { signal, overrides, ceiling: this.#ceilingOf(tree) });
  }

  /** The files in untracked folders, which status names as a whole. Folders of dependencies are left out. */
  async #filesBelow(folders: readonly GitName[], signal: AbortSignal | undefined): Promise<readonly GitName[]> {
    if (folders.length === 0) return [];
    // The length of a command line is limited: with very many folders, everything is listed.
    const named = folders.length <= MAX_FOLDERS_BY_NAME && folders.every((name) => !name.includes("\0"));
    const excluded = SKIPPED_FOLDERS.map((name) => `--exclude=${name}/`);
    const listing = await this.#git(
      ["ls-files", "-o", "--exclude-standard", ...excluded, "-z", ...(named ? ["--", ...folders] : [])],
      { signal },
    );
    const within = new Set(folders);
    return recordsOf(listing?.stdout ?? Buffer.alloc(0)).filter(
      (name) => named || within.has(name) || folders.some((folder) => name.startsWith(folder)),
    );
  }

  async remotes(tree: WorkTree, signal?: AbortSignal): Promise<readonly Remote[]> {
    return mayConfigure(tree, /remote|include/i) ? (await this.#configOf(tree, signal)).remotes : [];
  }

  /** The newest commits up to this one, and what they changed. Read once, even if a caller aborts. */
  async history(tree: WorkTree | undefined, commit: string, requested: Extent): Promise<History> {
    await this.#prefetch;
    const key = historyKey(tree, commit);
    // A cached history with changes also answers a request for commits only.
    const extent = this.#histories.get("changes")?.key === key ? "changes" : requested;
    if (this.#histories.get(extent)?.key !== key) {
      const isPart = tree !== undefined && tree.prefix !== "";
      this.#histories.set(extent, { key, value: readLog(this.#root, commit, extent, isPart) });
    }
    const kept = this.#histories.get(extent)!;
    try {
      return await kept.value;
    } catch (error) {
      if (this.#histories.get(extent) === kept) this.#histories.delete(extent);
      throw error;
    }
  }

  /** The commit and branch of HEAD, for a repository without a work tree, which has no status. */
  async head(signal?: AbortSignal): Promise<{ commit: string | undefined; branch: string | undefined }> {
    const [commit, branch] = await Promise.all([
      this.#git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { signal }),
      this.#git(["symbolic-ref", "--quiet", "--short", "HEAD"], { signal }),
    ]);
    return { commit: lineOf(commit), branch: lineOf(branch) };
  }

  async #configOf(tree: WorkTree, signal: AbortSignal | undefined): Promise<Config> {
    const key = configFilesOf(tree).map(stampOf).join(" ");
    if (this.#config?.key === key) return this.#config.value;
    const answer = await this.#git(["config", "--null", "--show-scope", "--list"], { signal });
    const config = parseConfig(answer?.code === 0 ? answer.stdout : Buffer.alloc(0));
    if (!config.includesOthers) this.#config = { key, value: config };
    return config;
  }

  #git(args: readonly string[], run: Omit<GitRun, "folder" | "args">): Promise<GitOutcome | undefined> {
    return runGit({ ...run, folder: this.#root, args });
  }
}

function historyKey(tree: WorkTree | undefined, commit: string): string {
  return `${commit} ${tree?.isShallow ?? false}`;
}

/** Limits a command to the project if that is a part of the work tree. */
function withinProject({ prefix }: WorkTree): readonly string[] {
  return prefix === "" ? [] : ["--", "."];
}

/** `status` prints paths from the top of the work tree, whatever the working directory. */
function inProject(status: Status, prefix: string): Status {
  if (prefix === "") return status;
  const inside = (name: GitName) => name.startsWith(prefix) && name.length > prefix.length;
  return {
    ...status,
    changes: new Map(
      [...status.changes].filter(([name]) => inside(name)).map(([name, change]) => [name.slice(prefix.length), change]),
    ),
    untracked: untrackedWithin(status.untracked, prefix, inside),
  };
}

/** If the whole project is untracked, git prints only its folder, or a folder above it. */
function untrackedWithin(
  names: readonly GitName[],
  prefix: string,
  inside: (name: GitName) => boolean,
): readonly GitName[] {
  if (names.some((name) => name.endsWith("/") && prefix.startsWith(name))) return ["./"];
  return names.filter(inside).map((name) => name.slice(prefix.length));
}

function isSkipped(folder: GitName): boolean {
  return SKIPPED_FOLDERS.includes(folder.replace(/^.*\/(?=[^/]+\/$)/, "").slice(0, -1));
}

function isLink(path: string): boolean {
  try {
    return !path.includes("\0") && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

function lineOf(answer: GitOutcome | undefined): string | undefined {
  return answer?.code === 0 ? answer.stdout.toString("utf8").trim() : undefined;
}
