// list_project_files: the files of the project, the most relevant first.
import type { FilesAnswer, Group } from "../../project/project.ts";
import { Problem } from "../../kernel/kernel.ts";
import {
  flag,
  integer,
  list,
  number,
  optional,
  resultObject,
  text,
  unlisted,
  withDefault,
  words,
} from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { READS } from "../definition/effects.ts";
import { leftOutOf, secondsNow, secondsSince, LEFT_OUT } from "./fields.ts";

/** Maximum number of files whose scores are given, and explained. */
const MAX_SCORED = 50;
const MAX_EXPLAINED = 100;

export const listProjectFiles = defineTool({
  name: "list_project_files",
  title: "Project files",
  description:
    "Source files of the project (repository, codebase), the most relevant first, by extension: paths of code.",
  toolset: "project",
  byDefault: true,
  contract: "recall",
  effects: READS,
  returnsForeignText: false,
  inProject: true,
  budget: 20_000,
  pages: "files",
  input: {
    file_types: optional(words("e.g. .py", 20)),
    max_files: withDefault(integer("", { minimum: 1, maximum: 10_000, isStrict: true }), 1000),
    use_relevance_scoring: withDefault(flag(""), true),
    /** Explains the scores. */
    details: unlisted(flag()),
  },
  output: {
    files: list(text()),
    total_files: integer(),
    project_root: text(),
    scoring_enabled: flag(),
    file_types_filter: list(text()),
    scores: resultObject<Scores>(),
    processing_time: number(),
    ...LEFT_OUT,
    problem: unlisted(text()),
  },
  // Only the first page has scores.
  afterCut: (page, _whole, start) => (start === 0 ? page : { ...page, scores: {} }),
  run: async ({ file_types = [], max_files, use_relevance_scoring: byScore, details = false }, call) => {
    const started = secondsNow();
    const endings = [...new Set(file_types.map(endingOf))];
    const root = await call.services.projectRoot(call);
    const project = await call.services.project(root);
    const answer = await project.files({ endings, most: max_files, byScore, signal: call.signal });
    return {
      files: answer.files,
      total_files: answer.total,
      project_root: root.folder,
      scoring_enabled: byScore,
      file_types_filter: endings,
      scores: byScore ? scoresOf(answer, details) : {},
      ...leftOutOf(answer.leftOut),
      ...(answer.isCut && { incomplete: true }),
      ...(answer.problem !== undefined && { problem: answer.problem }),
      processing_time: secondsSince(started),
    };
  },
});

/** Models write extensions with and without the dot, in any case, and as `*.ts`. */
function endingOf(type: string): string {
  const bare = type
    .trim()
    .toLowerCase()
    .replace(/^\*?\./, "");
  if (bare === "" || /[/\\*?]/.test(bare)) {
    throw new Problem(
      "invalid",
      `file_types: '${type.slice(0, 50)}' is no file extension`,
      "Send extensions such as .py or .js.",
    );
  }
  return `.${bare}`;
}

/** A score; with details, also of which file it is and the parts that it is made of. */
type Scored = number | Readonly<Record<string, string | number>>;
type Scores = Partial<Record<Group, readonly Scored[]>> & { readonly counts?: FilesAnswer["groups"] };

/**
 * How many files are in each group, and the scores of the best, in the order of the files: no path is given twice. With
 * details, the parts of their scores.
 */
function scoresOf(answer: FilesAnswer, details: boolean): Scores {
  const groups: Record<Group, Scored[]> = { high: [], medium: [], low: [] };
  for (const path of answer.files.slice(0, details ? MAX_EXPLAINED : MAX_SCORED)) {
    const { score, group, parts } = answer.scoreOf(path)!;
    groups[group].push(details ? { path, score, ...parts } : score);
  }
  return { counts: answer.groups, ...groups };
}
