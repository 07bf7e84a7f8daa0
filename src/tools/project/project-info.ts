// get_project_info: description, git state and size of the project.
import type { GitFacts, Info, LeftOut, ProjectRoot } from "../../project/project.ts";
import { flag, number, optional, resultObject, returnedBy, text, withDefault } from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { isoTime } from "../definition/dates.ts";
import { READS } from "../definition/effects.ts";
import { leftOutOf, secondsNow, secondsSince } from "./fields.ts";

export const getProjectInfo = defineTool({
  name: "get_project_info",
  title: "Project",
  description:
    "What is this project (repository, codebase)? Languages, scripts, README, git branch, last commits, uncommitted changes, statistics.",
  toolset: "project",
  byDefault: true,
  contract: "recall",
  effects: READS,
  inProject: true,
  budget: 20_000,
  input: { include_stats: withDefault(flag(""), true) },
  output: {
    project: returnedBy(projectResult, { name: text(), root: text(), valid: flag() }),
    git: returnedBy(gitResult, { is_git_repo: flag() }),
    statistics: optional(resultObject<ReturnType<typeof statisticsResult>>()),
    processing_time: number(),
  },
  run: async ({ include_stats }, call) => {
    const started = secondsNow();
    const root = await call.services.projectRoot(call);
    const info = await (await call.services.project(root)).info(call.signal);
    return {
      project: projectResult(root, info),
      git: gitResult(info.git, root.folder, info.leftOut),
      ...(include_stats && { statistics: statisticsResult(info) }),
      processing_time: secondsSince(started),
    };
  },
});

function projectResult({ folder, source }: ProjectRoot, { description, statistics }: Info) {
  return {
    name: description.name,
    root: folder,
    valid: true,
    root_source: source,
    description: description.description,
    kinds: description.kinds,
    languages: statistics.languages
      .map(({ language, share }) => ({ language, share }))
      .filter(({ share }, i) => i === 0 || share >= MIN_SHARE),
    package_managers: description.packageManagers,
    manifests: description.manifests,
    entry_points: description.entryPoints,
    scripts: description.scripts,
    readme: description.readme,
  };
}

/** Shares are with the project. */
function statisticsResult({ statistics, leftOut, isCut }: Info) {
  return {
    ...statistics,
    languages: statistics.languages.map(({ language, files }) => ({ language, files })),
    ...leftOutOf(leftOut),
    ...(isCut && { incomplete: true }),
  };
}

/** Languages with less of the code do not say what a project is written in. */
const MIN_SHARE = 0.01;
const MAX_COMMITS = 5;

function gitResult(git: GitFacts, root: string, leftOut: LeftOut) {
  const problem = git.problem === undefined ? {} : { problem: git.problem };
  if (!git.isRepository) return { is_git_repo: false, current_branch: null, repo_root: null, ...problem };
  const repository = {
    is_git_repo: true,
    current_branch: git.branch ?? null,
    // The root of an enclosing repository is given as a relative path: names outside the project are not revealed.
    repo_root: git.prefix === "" ? root : git.prefix.replace(/[^/]+\/?/g, "../").slice(0, -1),
  };
  if (!git.isKnown) return { ...repository, ...problem };
  return {
    ...repository,
    ...(git.isBare && { bare: true }),
    ...(git.isDetached && { detached: true }),
    head: git.commit ?? null,
    ...(git.upstream !== undefined && { upstream: git.upstream, ahead: git.ahead ?? null, behind: git.behind ?? null }),
    dirty: git.staged + git.modified + git.deleted + git.conflicts > 0,
    ...(git.staged > 0 && { staged: git.staged }),
    ...(git.modified > 0 && { modified: git.modified }),
    ...(git.deleted > 0 && { deleted: git.deleted }),
    ...(git.conflicts > 0 && { conflicts: git.conflicts }),
    untracked: git.untracked,
    last_commits: git.lastCommits.slice(0, MAX_COMMITS).map(({ id, time, author, subject }) => ({
      id: id.slice(0, 12),
      time: isoTime(time * 1000),
      author,
      subject,
    })),
    ...(git.remotes.length > 0 && { remotes: git.remotes }),
    ...(git.isLinkedWorkTree && { worktree: true }),
    ...(git.isShallow && { shallow: true }),
    ...(leftOut.submodules.length > 0 && { submodules: leftOut.submodules }),
    ...problem,
  };
}
