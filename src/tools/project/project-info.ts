// get_project_info: description, git state and size of the project.
import type { GitFacts, Info, LeftOut, ProjectRoot } from "../../project/project.ts";
import { flag, number, optional, resultObject, returnedBy, text, withDefault } from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { READS } from "../definition/effects.ts";
import { leftOutOf, secondsNow, secondsSince } from "./fields.ts";

export const getProjectInfo = defineTool({
  name: "get_project_info",
  title: "Project",
  description:
    "What is this project (code repository, codebase)? Overview: name, root, languages, scripts, README, git branch, last commits, uncommitted changes, statistics.",
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
    languages: statistics.languages.map(({ language, share }) => ({ language, share })),
    package_managers: description.packageManagers,
    manifests: description.manifests,
    entry_points: description.entryPoints,
    scripts: description.scripts,
    readme: description.readme,
  };
}

function statisticsResult({ statistics, leftOut, isCut }: Info) {
  return { ...statistics, ...leftOutOf(leftOut), ...(isCut && { incomplete: true }) };
}

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
    upstream: git.upstream ?? null,
    ahead: git.ahead ?? null,
    behind: git.behind ?? null,
    dirty: git.staged + git.modified + git.deleted + git.conflicts > 0,
    staged: git.staged,
    modified: git.modified,
    deleted: git.deleted,
    conflicts: git.conflicts,
    untracked: git.untracked,
    last_commits: git.lastCommits.map(({ id, time, author, subject }) => ({
      id: id.slice(0, 12),
      time: new Date(time * 1000).toISOString(),
      author,
      subject,
    })),
    remotes: git.remotes,
    worktree: git.isLinkedWorkTree,
    shallow: git.isShallow,
    submodules: leftOut.submodules,
    ...problem,
  };
}
