// Calls to the letter of the three contracts, and requests that depend on these.
import {
  context,
  all,
  answered,
  changes,
  changesNothing,
  mentions,
  refuses,
  says,
  type OutcomeRequest,
  type Shape,
} from "../request.ts";

const search = (args: object) => [{ tool: "vaultLibrarian_searchContent", args: { ...args, context } }];
const PLAN = "Outlines/Plan.opml";
type Rows = { filePath: string; content: string; frontmatter?: Record<string, Shape>; score: number }[];
const rows = (structure: Shape): Rows => structure.results;

export const CONTRACTS: readonly OutcomeRequest[] = [
  {
    id: "vendor-terms",
    ask: "What terms of payment do we have with Hollow Oak Furniture? It's in the properties of the vendors note.",
    about: ["whole properties"],
    check: says(/Hollow Oak Furniture[\s\S]*net 70 days/),
  },
  {
    id: "frontmatter-program",
    ask: "(a program) a hit with long properties",
    about: ["whole properties"],
    calls: search({ query: "supplier terms" }),
    check: answered((s) => {
      const hit = rows(s).find(({ filePath }) => filePath.endsWith("Vendors.md"))!;
      return (
        (hit.frontmatter?.["vendors"]?.length === 12 &&
          JSON.stringify(hit.frontmatter).includes("reminder after 75")) ||
        /truncated|cut/i.test(JSON.stringify(hit))
      );
    }, "properties are cut without a mark"),
    admits: /truncated|frontmatterCut/,
  },
  {
    id: "frontmatter-many-program",
    ask: "(a program) properties of all hits",
    about: ["whole properties"],
    calls: search({ query: "Apollo", limit: 5 }),
    check: answered((s) => {
      const hit = rows(s).find(({ filePath }) => filePath === "Projects/Apollo.md")!;
      return hit.frontmatter?.["tags"]?.length === 3 && hit.frontmatter["owner"] === "Priya Shah";
    }, "properties of Apollo are not whole"),
  },
  ...["", "   "].map((path, i) => ({
    id: `empty-path-${i + 1}-program`,
    ask: "(a program) an empty path",
    about: ["empty paths"] as const,
    calls: [{ tool: "contentManager_createContent", args: { filePath: path, content: "x", context } }],
    check: all(
      changesNothing,
      answered((s) => s.error === "File path is required", "not the contract's sentence"),
    ),
  })),
  {
    id: "empty-folder-program",
    ask: "(a program) a folder without a name",
    about: ["empty paths"],
    calls: [{ tool: "vaultManager_createFolder", args: { path: "", context } }],
    check: all(
      changesNothing,
      answered((s) => s.error === "Path is required", "not the contract's sentence"),
    ),
  },
  {
    id: "failed-move-program",
    ask: "(a program) a move of a note that does not exist",
    about: ["failed move"],
    calls: [{ tool: "vaultManager_moveNote", args: { path: "Nowhere.md", newPath: "There.md", context } }],
    check: all(
      changesNothing,
      answered(
        (s) =>
          s.success === false &&
          s.path === "Nowhere.md" &&
          s.newPath === "There.md" &&
          s.recommendations.length === 0 &&
          s.error === "Note not found at path: Nowhere.md",
        "not the contract's shape",
      ),
    ),
  },
  {
    id: "failed-move-taken-program",
    ask: "(a program) a move onto another note",
    about: ["failed move"],
    calls: [{ tool: "vaultManager_moveNote", args: { path: "Inbox.md", newPath: "Projects/Apollo.md", context } }],
    check: all(
      changesNothing,
      answered(
        (s) =>
          s.path === "Inbox.md" &&
          s.newPath === "Projects/Apollo.md" &&
          s.recommendations.length === 0 &&
          s.error === "Cannot overwrite existing file",
        "not the contract's shape",
      ),
    ),
  },
  {
    id: "no-content-program",
    ask: "(a program) hits without content",
    about: ["no content"],
    calls: search({ query: "passkeys", includeContent: false }),
    check: answered((s) => rows(s).length > 0 && rows(s).every(({ content }) => content === ""), 'content is not ""'),
  },
  {
    id: "no-content-two-program",
    ask: "(a program) hits without content, of a name",
    about: ["no content"],
    calls: search({ query: "Hiring", includeContent: "false" }),
    check: answered((s) => rows(s).length > 0 && rows(s).every(({ content }) => content === ""), 'content is not ""'),
  },
  {
    id: "glob-program",
    ask: "(a program) a search below a glob",
    about: ["globs in paths"],
    calls: search({ query: "apollo", paths: ["Meetings/2026-11-0*"] }),
    check: answered(
      (s) => rows(s).length === 1 && rows(s)[0]!.filePath.startsWith("Meetings/2026-11-09"),
      "not the one note below the glob",
    ),
  },
  {
    id: "glob-deep-program",
    ask: "(a program) a search below a deep glob",
    about: ["globs in paths"],
    calls: search({ query: "invoices", paths: ["**/Vend*.md"] }),
    check: answered(
      (s) => rows(s).length === 1 && rows(s)[0]!.filePath === "Reference/Vendors.md",
      "not the one note below the glob",
    ),
  },
  {
    id: "section-copy",
    ask: "Copy 'This week' of my plan, with everything in it, to the end of the plan.",
    about: ["section and back"],
    check: all(changes(PLAN), ({ after }) => {
      const text = after.get(PLAN)!;
      return text.split('text="Finish the slides"').length === 3 &&
        text.split('text="Buy a tube"').length === 3 &&
        text.split("For the Thursday talk").length === 3
        ? undefined
        : "not everything is there twice";
    }),
    steps: 3,
  },
  {
    id: "section-back-program",
    ask: "(a program) what was read as Markdown, inserted",
    about: ["section and back"],
    calls: [
      { tool: "get_outline_structure", args: {} },
      {
        tool: "get_section_content",
        args: { rowId: { $from: [0, { topic: "This week" }, "id"] }, format: "markdown" },
      },
      { tool: "insert_content", args: { content: { $from: [1, "markdown"] } } },
    ],
    check: all(changes(PLAN), ({ after }) => {
      const text = after.get(PLAN)!;
      return text.split(/text="Finish the slides"[^>]*_note="For the Thursday talk"/).length === 3 &&
        text.split('text="Borrow a pump"').length === 3 &&
        text.split("For the Thursday talk").length === 3
        ? undefined
        : "it did not come back as it was";
    }),
  },
  {
    id: "section-dashes-program",
    ask: "(a program) topics that look like Markdown, there and back",
    about: ["section and back"],
    calls: [
      { tool: "add_row", args: { topic: "- dash", note: "> quoted" } },
      { tool: "add_row", args: { topic: "# hash", parentId: { $from: [0, "newRow", "id"] } } },
      { tool: "get_section_content", args: { rowId: { $from: [0, "newRow", "id"] }, format: "markdown" } },
      { tool: "insert_content", args: { content: { $from: [2, "markdown"] } } },
    ],
    check: ({ after }) => {
      const text = after.get(PLAN)!;
      return text.split('text="- dash"').length === 3 && text.split('text="# hash"').length === 3
        ? undefined
        : "the topics did not come back as they were";
    },
  },
  {
    id: "odd-path-read-program",
    ask: "(a program) a path with a dot",
    about: ["odd paths"],
    calls: [{ tool: "contentManager_readContent", args: { filePath: "./Projects/Hiring.md", context } }],
    check: says("data engineer"),
  },
  {
    id: "odd-path-write-program",
    ask: "(a program) a path with two slashes",
    about: ["odd paths"],
    calls: [{ tool: "contentManager_createContent", args: { filePath: "Projects//New.md", content: "x", context } }],
    check: all(
      changes("Work/Projects/New.md"),
      answered((s) => s.data.filePath === "Projects/New.md", "the path is not normalised"),
    ),
  },
  {
    id: "python-files",
    ask: "Which Python and JavaScript files are in this project?",
    about: ["types as text"],
    check: all(says("tools/report.py", "tools/clean.py", "web/app.js")),
  },
  {
    id: "types-program",
    ask: "(a program) file types in one text",
    about: ["types as text"],
    calls: [{ tool: "list_project_files", args: { file_types: "py,js" } }],
    check: answered((s) => s.files.length === 3, "not the three files"),
  },
  {
    id: "scores-program",
    ask: "(a program) groups of scores",
    about: ["one meaning"],
    calls: [{ tool: "list_project_files", args: {} }],
    check: answered(
      ({ scores }) =>
        scores.high.every((score: number) => score >= 0.8) &&
        scores.medium.every((score: number) => score >= 0.5 && score < 0.8) &&
        scores.low.every((score: number) => score < 0.5),
      "a shown score is in the wrong group",
    ),
  },
  {
    id: "time-program",
    ask: "(a program) the state of a row in two tools",
    about: ["one meaning"],
    calls: [
      { tool: "search_outline", args: { query: "Fix the bike" } },
      { tool: "list_tasks", args: {} },
    ],
    check: ({ answers }) =>
      answers.length < 2
        ? "not yet asked"
        : /"state":"unchecked"/.test(JSON.stringify(answers[0]!.structure)) ===
            /Fix the bike/.test(JSON.stringify(answers[1]!.structure))
          ? undefined
          : "open in one tool, done in the other",
  },
  {
    id: "empty-query-program",
    ask: "(a program) an empty query",
    about: ["usual work", "empty paths"],
    calls: search({ query: "" }),
    check: all(changesNothing, refuses("Query parameter is required and cannot be empty")),
  },
  {
    id: "missing-note",
    ask: "Read me Projects/Zeppelin.md.",
    about: ["usual work"],
    check: all(changesNothing, mentions(/File not found|no note|not found|No results/i)),
  },
];
