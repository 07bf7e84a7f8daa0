// Finds out which repository a folder belongs to, and whether the repository has
// files to work on. Used by repository.ts.
import { statSync, type BigIntStats } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { identityOf, readText, realPath } from "../../files/files.ts";
import { failureOf, type GitOutcome } from "./git-process.ts";
import { stampOf } from "../project-files.ts";

/** A folder whose files git cannot list, and why. */
export interface NoWorkTree {
  readonly kind: "none" | "bare";
  /** True if git reports a repository, or there is a `.git` in the folder or above it. */
  readonly isRepository: boolean;
  readonly gitFound: boolean;
  /** The fault and its remedy; undefined if the folder is simply not a repository. */
  readonly problem: string | undefined;
}

export interface WorkTree {
  readonly kind: "work tree";
  /** The path from the top of the work tree to the project, with `/` at the end; empty if they are the same. */
  readonly prefix: string;
  readonly gitFolder: string;
  readonly isLinked: boolean;
  readonly isShallow: boolean;
  readonly problem: string | undefined;
}

/** The arguments for git whose output `parseLocation` reads. The path comes last: it may contain line breaks. */
export const LOCATION_ARGUMENTS = [
  "rev-parse",
  "--is-bare-repository",
  "--is-inside-git-dir",
  "--is-inside-work-tree",
  "--is-shallow-repository",
  "--show-cdup",
  "--absolute-git-dir",
] as const;

/** A string for every `.git` from the project upwards: while it is the same, so is the repository. */
export function gitMarks(root: string): string {
  const marks: string[] = [];
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, ".git");
    const stats = statsOf(path);
    // A folder changes whenever git works in it: only its identity counts.
    if (stats?.isDirectory()) marks.push(`${path} ${identityOf(stats)} ${stampOf(join(path, "shallow"))}`);
    else if (stats) marks.push(`${path} ${stampOf(path)}`);
    if (folder === dirname(folder)) return marks.join("\n");
  }
}

function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function parseLocation(root: string, answer: GitOutcome | undefined, marks: string): WorkTree | NoWorkTree {
  if (answer === undefined) {
    const problem = "git is not installed, or not on the PATH: what it knows is missing here.";
    return { kind: "none", isRepository: marks !== "", gitFound: false, problem };
  }
  const [isBare, isWithinGit, isWithinTree, isShallow, up = "", ...rest] = answer.stdout.toString("utf8").split("\n");
  if (isBare === "true" || isWithinGit === "true") {
    const what = isBare === "true" ? "This is a bare repository" : "This is the folder that git keeps its own files in";
    return { kind: "bare", isRepository: true, gitFound: true, problem: `${what}: it has no files to work on.` };
  }
  // A repository can have its work tree in a different place.
  if (isWithinTree === "false" || (answer.code === 0 && !/^(?:\.\.\/)*$/.test(up))) {
    const problem = "The repository says that its work tree is another folder (core.worktree): it is not asked.";
    return { kind: "none", isRepository: true, gitFound: true, problem };
  }
  if (answer.code !== 0) {
    const isRepository = marks !== "";
    const isNone = /not a git repository \(or any/.test(answer.stderr) && !isRepository;
    return { kind: "none", isRepository, gitFound: true, problem: isNone ? undefined : failureOf(answer) };
  }
  const top = resolve(root, up);
  const gitFolder = realPathOr(rest.join("\n").replace(/\n$/, ""));
  const own = statsOf(join(root, ".git"));
  return {
    kind: "work tree",
    prefix: top === root ? "" : `${relative(top, root).split(sep).join("/")}/`,
    gitFolder,
    isLinked: commonFolderOf(gitFolder) !== gitFolder,
    isShallow: isShallow === "true",
    problem:
      own !== undefined && up !== ""
        ? "The project has a .git of its own that git does not accept; this is the repository around it."
        : undefined,
  };
}

function realPathOr(path: string): string {
  try {
    return realPath(path);
  } catch {
    return path;
  }
}

/** The folder that linked work trees share. */
function commonFolderOf(gitFolder: string): string {
  try {
    return realPathOr(resolve(gitFolder, readText(join(gitFolder, "commondir")).trim()));
  } catch {
    return gitFolder;
  }
}
