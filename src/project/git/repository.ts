// Reads the state of a project from git: work tree, index, untracked files,
// remotes and history. Results are cached until the git files they depend on
// change. Git itself is run by git-process.ts. Used by project.ts.
import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { readConfig, type Config, type Remote } from "./git-config.ts";
import { failureOf } from "./git-process.ts";
import { parseStatus, parseTracked, recordsOf, type GitName, type Status, type Tracked } from "./git-output.ts";
import { runGit, type GitOutcome, type GitRun } from "./git-process.ts";
import type { History } from "./history.ts";
import { readLog, type Extent } from "./history.ts";
import { SKIPPED_FOLDERS } from "../listing.ts";
import { stampOf } from "../project-files.ts";
import {
  configFilesOf,
  gitMarks,
  likelyWorkTree,
  mayConfigure,
  PLACE_QUESTION,
  placeOf,
  type NoWorkTree,
  type WorkTree,
} from "./work-tree.ts";

export interface Seen {
  readonly status: Status;
  /** The bytes that the status was read from: the same bytes mean the same status. */
  readonly statusOutput: Buffer;
  readonly tracked: Tracked;
  /** Files that git neither knows nor ignores. */
  readonly untracked: readonly GitName[];
  /** Untracked symbolic links, which git lists among the files. */
  readonly untrackedLinks: readonly GitName[];
  /** Repositories within the work tree that are no submodules. */
  readonly nested: readonly GitName[];
  /** Untracked folders in SKIPPED_FOLDERS (node_modules …): not listed, though no ignore rule names them. */
  readonly skipped: readonly GitName[];
  readonly unreadable: readonly string[];
}

/** What a call needs besides the files. It is read at the same time. */
export interface Wanted {
  readonly history: Extent | undefined;
  readonly remotes: boolean;
}

/** A place, and what is there. */
export type Looked = { readonly problem: string | undefined } & (
  | { readonly place: WorkTree; readonly seen: Seen }
  | { readonly place: WorkTree | NoWorkTree; readonly seen: undefined }
);

const MOST_FOLDERS_BY_NAME = 100;

export class Repository {
  readonly #root: string;
  #workTree: { readonly marks: string; readonly value: WorkTree } | undefined;
  #config: Config | undefined;
  #tracked: { readonly key: string; readonly value: Tracked } | undefined;
  readonly #histories = new Map<Extent, { readonly key: string; readonly value: Promise<History> }>();
  #foreseen: Promise<void> | undefined;

  /** @param root a real path */
  constructor(root: string) {
    this.#root = root;
  }

  /** The current state, or a sentence that says why git cannot report it. */
  async look(wanted: Wanted, signal?: AbortSignal): Promise<Looked> {
    const marks = gitMarks(this.#root);
    if (this.#workTree?.marks !== marks) {
      this.#workTree = this.#config = this.#tracked = this.#foreseen = undefined;
      this.#histories.clear();
      const likely = likelyWorkTree(this.#root);
      // The history takes git longest, so it starts first.
      const extent = marks.startsWith(join(this.#root, ".git")) ? wanted.history : undefined;
      const history = extent && readLog(this.#root, "HEAD", extent, false).catch(() => undefined);
      const looked = likely && (await this.#lookAt(likely, wanted, signal));
      const place =
        looked?.seen === undefined ? placeOf(this.#root, await this.#git(PLACE_QUESTION, { signal }), marks) : likely!;
      if (place.kind !== "work tree") return { place, seen: undefined, problem: place.problem };
      this.#workTree = { marks, value: place };
      if (extent && place.prefix === "")
        this.#foreseen = history?.then((read) => this.#keepForeseen(place, extent, read));
      if (looked?.seen !== undefined) return looked;
    }
    return this.#lookAt(this.#workTree!.value, wanted, signal);
  }

  /** The history of HEAD, whatever commit that was; undefined where it could not be read. */
  #keepForeseen(tree: WorkTree, extent: Extent, history: History | undefined): void {
    const commit = history?.commits[0]?.id;
    if (history === undefined || commit === undefined || this.#histories.has(extent)) return;
    this.#histories.set(extent, { key: historyKey(tree, commit), value: Promise.resolve(history) });
  }

  async #lookAt(tree: WorkTree, { remotes }: Wanted, signal: AbortSignal | undefined): Promise<Looked> {
    const key = stampOf(join(tree.gitFolder, "index"));
    const kept = this.#tracked?.key === key ? this.#tracked.value : undefined;
    const [state, listing] = await Promise.all([
      this.#status(tree, signal),
      kept === undefined
        ? this.#git(["ls-files", "-t", "-s", "-z"], { signal, ceiling: this.#ceilingOf(tree) })
        : undefined,
      remotes ? this.remotes(tree, signal) : undefined,
    ]);
    for (const answer of [state, ...(kept === undefined ? [listing] : [])])
      if (answer?.code !== 0) return { place: tree, seen: undefined, problem: failureOf(answer) };
    const tracked = kept ?? parseTracked(listing!.stdout);
    this.#tracked = { key, value: tracked };
    return { place: tree, seen: await this.#seenIn(tree, state!, tracked, signal), problem: tree.problem };
  }

  async #seenIn(tree: WorkTree, state: GitOutcome, tracked: Tracked, signal: AbortSignal | undefined): Promise<Seen> {
    const status = inProject(parseStatus(state.stdout), tree.prefix);
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
      statusOutput: state.stdout,
      tracked,
      untracked: untracked.filter((name) => !links.has(name)),
      untrackedLinks: [...links],
      nested: opened.filter((name) => name.endsWith("/")),
      skipped,
      unreadable: [...state.stderr.matchAll(/^warning: could not open directory '(.*)\/':/gm)].map(
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
    const named = folders.length <= MOST_FOLDERS_BY_NAME && folders.every((name) => !name.includes("\0"));
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
  async history(tree: WorkTree | undefined, commit: string, wanted: Extent): Promise<History> {
    await this.#foreseen;
    const key = historyKey(tree, commit);
    // A cached history with changes also answers a request for commits only.
    const extent = this.#histories.get("changes")?.key === key ? "changes" : wanted;
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

  /** The commit that HEAD names, where there is no work tree to ask the status of. */
  async head(signal?: AbortSignal): Promise<{ commit: string | undefined; branch: string | undefined }> {
    const [commit, branch] = await Promise.all([
      this.#git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { signal }),
      this.#git(["symbolic-ref", "--quiet", "--short", "HEAD"], { signal }),
    ]);
    return { commit: lineOf(commit), branch: lineOf(branch) };
  }

  async #configOf(tree: WorkTree, signal: AbortSignal | undefined): Promise<Config> {
    const key = configFilesOf(tree).map(stampOf).join(" ");
    if (this.#config?.key === key) return this.#config;
    const answer = await this.#git(["config", "--null", "--show-scope", "--list"], { signal });
    const config = readConfig(answer, key);
    if (config.key !== "") this.#config = config;
    return config;
  }

  #git(args: readonly string[], run: Omit<GitRun, "folder" | "args">): Promise<GitOutcome | undefined> {
    return runGit({ ...run, folder: this.#root, args });
  }
}

function historyKey(tree: WorkTree | undefined, commit: string): string {
  return `${commit} ${tree?.isShallow ?? false}`;
}

/** Limits a command to the project, where that is not the whole work tree. */
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
