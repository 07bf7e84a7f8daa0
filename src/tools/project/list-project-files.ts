// list_project_files: the files of the project, those that matter first.
import type { FilesAnswer } from "../../project/project.ts";
import { groupOf, type Group } from "../../project/scoring.ts";
import { Problem } from "../../text/problem.ts";
import { estimateTokens } from "../../text/tokens.ts";
import type { Result } from "../budget.ts";
import { flag, integer, list, number, optional, record, text, withDefault } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { leftOutOf, secondsSince } from "./shapes.ts";

/** What the scores of a page may cost: the names are what was asked for. */
const SCORE_TOKENS = 4_000;
const BUDGET = 20_000;

export const listProjectFiles = defineTool({
  name: "list_project_files",
  title: "Project files",
  description: "Files of the current code project, most relevant first: by history, changes, role and conversations.",
  toolset: "project",
  byDefault: true,
  contract: "recall",
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  inProject: true,
  budget: BUDGET - SCORE_TOKENS,
  pages: "files",
  afterCut: (page, whole) => ({
    ...page,
    scores: scoresFrom(whole["scores"] as Scores | Result, page["files"] as readonly string[]),
  }),
  input: {
    file_types: optional(list(text(), "Extensions, such as .py", 20)),
    max_files: withDefault(integer("How many at most", { minimum: 1, maximum: 10_000 }), 1000),
    use_relevance_scoring: withDefault(flag("Best first, else by name"), true),
  },
  output: {
    files: list(text()),
    total_files: integer(),
    project_root: text(),
    scoring_enabled: flag(),
    file_types_filter: list(text()),
    scores: record(),
    processing_time: number(),
  },
  run: async ({ file_types = [], max_files, use_relevance_scoring: byScore }, call) => {
    const started = performance.now();
    const endings = file_types.map(endingOf);
    const root = await call.services.projectRoot(call);
    const project = await call.services.project(root);
    const answer = await project.files({ endings, most: max_files, byScore, signal: call.signal });
    return {
      files: answer.files,
      total_files: answer.total,
      project_root: root.folder,
      scoring_enabled: byScore,
      file_types_filter: endings,
      scores: byScore ? scoresOf(answer) : {},
      ...leftOutOf(answer.leftOut),
      ...(answer.isCut && { incomplete: true }),
      ...(answer.problem !== undefined && { problem: answer.problem }),
      processing_time: secondsSince(started),
    };
  },
});

/** With or without the dot, in any case, and `*.ts` too: models write all of them. */
function endingOf(type: string): string {
  const bare = type
    .trim()
    .toLowerCase()
    .replace(/^\*?\./, "");
  if (bare === "" || /[/\\*?]/.test(bare)) {
    throw new Problem(
      "invalid",
      `file_types: '${type.slice(0, 50)}' is no file extension`,
      "Send some such as .py or .js.",
    );
  }
  return `.${bare}`;
}

type Scored = Readonly<Record<string, string | number>>;
type Scores = Readonly<Record<Group, readonly Scored[]>> & {
  /** How many files of the whole answer are in each group. */
  readonly counts: Readonly<Record<Group, number>>;
};

/** By group, each file with what every part adds to its score. */
function scoresOf(answer: FilesAnswer): Scores {
  const groups: Record<Group, Scored[]> = { high: [], medium: [], low: [] };
  for (const path of answer.files) {
    const { score, parts } = answer.scoreOf(path)!;
    groups[groupOf(score)].push({ path, score, ...parts });
  }
  return { ...groups, counts: answer.groups! };
}

/** The scores of a page's files, as many as there is room for. */
function scoresFrom(scores: Scores | Result, files: readonly string[]): Scores | Result {
  if (!isScores(scores)) return scores;
  const onPage = new Set(files);
  let room = SCORE_TOKENS;
  const take = (group: Group) =>
    scores[group].filter((scored) => {
      if (room < 0 || !onPage.has(scored["path"] as string)) return false;
      room -= estimateTokens(`${JSON.stringify(scored)},`);
      return room >= 0;
    });
  return { high: take("high"), medium: take("medium"), low: take("low"), counts: scores.counts };
}

/** Where no scores were asked for, there are none. */
function isScores(scores: Scores | Result): scores is Scores {
  return "counts" in scores;
}
