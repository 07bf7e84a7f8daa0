// Reads the state of a project from git: work tree, index, untracked files,
// remotes and history. The index is kept while its file is unchanged, and the
// history while the commit is the same. Git itself is run by git-process.ts. Used by project.ts.
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
import { gitMarks, LOCATION_ARGUMENTS, parseLocation, type NoWorkTree, type WorkTree } from "./work-tree.ts";

/** Git's report about the files of a work tree. */
export interface GitState {
  readonly status: Status;
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

/** The place of the repository, and its state, if git can report it. */
export type RepositoryState = { readonly problem: string | undefined } & (
  | { readonly location: WorkTree; readonly git: GitState }
  | { readonly location: WorkTree | NoWorkTree; readonly git: undefined }
);

const MAX_FOLDERS_BY_NAME = 100;

export class Repository {
  readonly #root: string;
  #workTree: { readonly marks: string; readonly value: WorkTree } | undefined;
  #tracked: { readonly key: string; readonly value: Tracked } | undefined;
  readonly #histories = new Map<string, Promise<History>>();

  /** @param root a real path */
  constructor(root: string) {
    this.#root = root;
  }

  /** The current state, or a sentence that says why git cannot report it. */
  async state(signal?: AbortSignal): Promise<RepositoryState> {
    const marks = gitMarks(this.#root);
    if (this.#workTree?.marks !== marks) {
      this.#workTree = this.#tracked = undefined;
      this.#histories.clear();
      const location = parseLocation(this.#root, await this.#git(LOCATION_ARGUMENTS, { signal }), marks);
      if (location.kind !== "work tree") return { location, git: undefined, problem: location.problem };
      this.#workTree = { marks, value: location };
    }
    const tree = this.#workTree.value;
    const key = stampOf(join(tree.gitFolder, "index"));
    const kept = this.#tracked?.key === key ? this.#tracked.value : undefined;
    const [status, listing] = await Promise.all([
      this.#status(tree, signal),
      kept === undefined
        ? this.#git(["ls-files", "-t", "-s", "-z"], { signal, ceiling: this.#ceilingOf(tree) })
        : undefined,
    ]);
    for (const answer of [status, ...(kept === undefined ? [listing] : [])])
      if (answer?.code !== 0) return { location: tree, git: undefined, problem: failureOf(answer) };
    const tracked = kept ?? parseTracked(listing!.stdout);
    this.#tracked = { key, value: tracked };
    return { location: tree, git: await this.#gitStateOf(status!, tree, tracked, signal), problem: tree.problem };
  }

  async #gitStateOf(
    output: GitOutcome,
    tree: WorkTree,
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
    const { overrides } = await this.#config(signal);
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

  async remotes(signal?: AbortSignal): Promise<readonly Remote[]> {
    return (await this.#config(signal)).remotes;
  }

  /** Tracked files that .gitattributes files mark as generated or vendored. */
  async marked(signal?: AbortSignal): Promise<ReadonlySet<string>> {
    const marks = ["generated", "vendored"].flatMap((mark) => [`linguist-${mark}`, `linguist-${mark}=true`]);
    const patterns = marks.map((mark) => `:(attr:${mark})`);
    const answer = await this.#git(["--no-literal-pathspecs", "ls-files", "-z", "--", ...patterns], { signal });
    return new Set(answer?.code === 0 ? recordsOf(answer.stdout) : []);
  }

  /** The newest commits up to this one, and what they changed. Read once, even if a caller aborts. */
  async history(tree: WorkTree | undefined, commit: string, extent: Extent): Promise<History> {
    const key = `${commit} ${tree?.isShallow ?? false} ${extent}`;
    const kept = this.#histories.get(key);
    if (kept !== undefined) return kept;
    // Only the newest commit is asked about again.
    if (this.#histories.size > 1) this.#histories.clear();
    const history = readLog(this.#root, commit, extent, tree !== undefined && tree.prefix !== "");
    this.#histories.set(key, history);
    history.catch(() => this.#histories.delete(key));
    return history;
  }

  /** The commit and branch of HEAD, for a repository without a work tree, which has no status. */
  async head(signal?: AbortSignal): Promise<{ commit: string | undefined; branch: string | undefined }> {
    const [commit, branch] = await Promise.all([
      this.#git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { signal }),
      this.#git(["symbolic-ref", "--quiet", "--short", "HEAD"], { signal }),
    ]);
    return { commit: lineOf(commit), branch: lineOf(branch) };
  }

  /** Read each time: a file that is included, or linked, may have changed. */
  async #config(signal: AbortSignal | undefined): Promise<Config> {
    const answer = await this.#git(["config", "--null", "--show-scope", "--list"], { signal });
    return parseConfig(answer?.code === 0 ? answer.stdout : Buffer.alloc(0));
  }

  #git(args: readonly string[], run: Omit<GitRun, "folder" | "args">): Promise<GitOutcome | undefined> {
    return runGit({ ...run, folder: this.#root, args });
  }
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
