// Ordinary requests of a day, and those whose answer should be short.
import {
  context,
  all,
  answered,
  changes,
  changesNothing,
  either,
  gone,
  has,
  hides,
  lacks,
  mentions,
  says,
  saysInBoth,
  type Check,
  type OutcomeRequest,
} from "../request.ts";

const RELAUNCH = "Work/Projects/Website relaunch.md";
const PLAN = "Outlines/Plan.opml";
const append = (filePath: string, content: string) => ({
  tool: "contentManager_appendContent",
  args: { filePath, content, context },
});

/** Foreign text is marked as such in the structure and in the text, or, if it is short, in neither. */
const marksInBoth: Check = ({ answers: [answer] }) =>
  JSON.stringify(answer!.structure).includes("dataBegins") === answer!.text.includes("dataBegins")
    ? undefined
    : "foreign text is marked in one form only";

export const USUAL: readonly OutcomeRequest[] = [
  {
    id: "teal-green",
    ask: "Everywhere in the website relaunch note, replace teal with green.",
    about: ["replace everywhere"],
    check: all(
      changes(RELAUNCH),
      lacks(RELAUNCH, "teal"),
      has(RELAUNCH, /header is green[\s\S]*green logo[\s\S]*green buttons/),
    ),
    steps: 2,
  },
  {
    id: "diary-sam",
    ask: "My son is called Samuel: change Sam to Samuel each time in the diary entry of 13 November.",
    about: ["replace everywhere"],
    check: all(changes("Home/Diary/2026/2026-11-13.md"), has("Home/Diary/2026/2026-11-13.md", "Samuel won twice")),
    steps: 3,
  },
  {
    id: "brightline-rename",
    ask: "Brightline is now spelled BrightLine. Fix that in the invoices note, wherever it occurs.",
    about: ["replace everywhere"],
    check: all(changes("Work/Reference/Invoices.md"), has("Work/Reference/Invoices.md", "BrightLine wants")),
    steps: 2,
  },
  {
    id: "read-three",
    ask: "Read me the notes Lentil soup, Shakshuka and Pancakes, I want to compare them.",
    about: ["several notes"],
    check: says("Red lentils", "harissa", "Buttermilk"),
    steps: 1,
  },
  {
    id: "two-syncs",
    ask: "Compare the two Apollo syncs of November 9 and November 16.",
    about: ["several notes"],
    check: says("Kick-off, roles", "legal review takes three weeks"),
    steps: 2,
  },
  {
    id: "apollo-headings",
    ask: "Which sections does the Apollo note have? Just the headings.",
    about: ["headings"],
    check: all(says("Goal", "Decisions", "Log", "Tasks"), hides("twenty users")),
    steps: 1,
  },
  {
    id: "kitchen-headings",
    ask: "Give me an overview of the kitchen renovation note, section titles only.",
    about: ["headings", "note of another vault"],
    check: all(says("Budget", "Ideas", "Log"), hides("window seat")),
    steps: 2,
  },
  {
    id: "apollo-decisions",
    ask: "What was decided about Apollo?",
    about: ["usual work"],
    check: says("Passkeys instead of passwords"),
  },
  {
    id: "recipes-rating",
    ask: "Which of my recipes have four points or more?",
    about: ["tags and queries", "scope of tags and queries"],
    check: says("Lentil soup", "Shakshuka"),
  },
  {
    id: "vegan",
    ask: "Anything vegan among my recipes?",
    about: ["usual work", "tags and queries"],
    check: says("Lentil soup"),
  },
  {
    id: "rename-tag",
    ask: "Show me all the notes with the tag finance.",
    about: ["tags and queries"],
    check: says("Vendors", "Invoices"),
  },
  {
    id: "few-hits",
    ask: "Find notes about planning.",
    about: ["few hits"],
    check: answered(
      (s) =>
        (s.results.length === 8 && /nextCursor|total/i.test(JSON.stringify(Object.keys(s)))) || s.results.length < 8,
      "not eight hits and the number of all",
    ),
    steps: 1,
  },
  {
    id: "few-hits-program",
    ask: "(a program) search without a limit",
    about: ["few hits"],
    calls: [{ tool: "search", args: { query: "mail planning" } }],
    check: answered((s) => s.results.length === 8 && s.totalResults > 8, "not eight hits of more"),
  },
  {
    id: "plan-markdown-program",
    ask: "(a program) the outline as Markdown with ids",
    about: ["outline as Markdown"],
    calls: [{ tool: "get_outline_structure", args: { format: "markdown" } }],
    check: ({ answers }) => {
      const { structure, isError } = answers[0]!;
      const markdown = String(structure["markdown"] ?? "");
      return !isError &&
        structure["ignored"] === undefined &&
        /- \[ \] Finish the slides/.test(markdown) &&
        /[\w-]{11}/.test(
          markdown
            .split("\n")
            .find((line) => line.includes("Learn to sail"))!
            .replace("Learn to sail", ""),
        )
        ? undefined
        : "no Markdown with ids";
    },
  },
  {
    id: "plan-overview",
    ask: "Show me my whole plan.",
    about: ["outline as Markdown", "usual work"],
    check: says("Finish the slides", "Build a bookshelf", "Reply from the landlord"),
    steps: 1,
  },
  {
    id: "both-forms-tasks",
    ask: "(a program) tasks in structure and text",
    about: ["both forms"],
    calls: [{ tool: "list_tasks", args: { dueBefore: "2026-11-25" } }],
    check: saysInBoth("Stretch", "2026-11-18", "2026-11-20", /\bHome\b/),
  },
  {
    id: "both-forms-search",
    ask: "(a program) hits in structure and text",
    about: ["both forms"],
    calls: [{ tool: "search", args: { query: "Apollo" } }],
    check: all(saysInBoth("Projects/Apollo.md", "2026-11-09 Apollo sync"), marksInBoth),
  },
  {
    id: "both-forms-recall",
    ask: "(a program) conversations in structure and text",
    about: ["both forms"],
    calls: [{ tool: "recall_conversations", args: {} }],
    check: all(saysInBoth("Retry failed imports", "claude-code"), marksInBoth),
  },

  {
    id: "undo-one",
    ask: "Add 'Buy stamps' to my work inbox. No wait, take that back.",
    about: ["usual work", "several undone"],
    check: ({ answers, before, after }) =>
      answers.length === 1
        ? "not yet taken back"
        : before.get("Work/Inbox.md") === after.get("Work/Inbox.md")
          ? undefined
          : "the note is not as it was",
    steps: 2,
  },
  {
    id: "undo-three-program",
    ask: "(a program) undo three changes",
    about: ["several undone"],
    calls: [
      append("Inbox.md", "- a"),
      append("Inbox.md", "- b"),
      append("Projects/Hiring.md", "- c"),
      { tool: "undo", args: { count: 3 } },
      { tool: "undo", args: { count: 3, confirmed: true } },
    ],
    check: ({ answers, before, after }) =>
      answers.length < 4
        ? "not yet"
        : [...before].every(([path, text]) => after.get(path) === text) && after.size === before.size
          ? undefined
          : "not everything is as it was",
  },
  {
    id: "undo-preview-program",
    ask: "(a program) preview an undo of two changes",
    about: ["several undone"],
    calls: [append("Inbox.md", "- a"), append("Inbox.md", "- b"), { tool: "undo", args: { count: 2, preview: true } }],
    check: all(
      ({ answers }) =>
        answers.length < 3
          ? "not yet"
          : answers[2]!.isError || answers[2]!.structure["ignored"] !== undefined
            ? "no preview"
            : undefined,
      has("Work/Inbox.md", "- a\n- b"),
    ),
  },
  {
    id: "undo-all-today",
    ask: "First put 'alpha' and then 'beta' into my work inbox, as two separate additions. Then undo both at once.",
    about: ["several undone"],
    check: ({ answers, before, after }) =>
      answers.length < 3
        ? "not yet undone"
        : before.get("Work/Inbox.md") === after.get("Work/Inbox.md")
          ? undefined
          : "the note is not as it was",
    steps: 3,
  },
  {
    id: "what-changed",
    ask: "Add a line 'Call Lumen Analytics' to my work inbox, then show me what was changed in my notes lately.",
    about: ["usual work"],
    check: all(changes("Work/Inbox.md"), ({ answers }) =>
      answers.length < 2
        ? "not yet shown"
        : says("Inbox.md")({ answers: answers.slice(1), before: new Map(), after: new Map() }),
    ),
    steps: 2,
  },

  {
    id: "prepend-inbox",
    ask: "Put 'URGENT: sign the contract' right at the top of my work inbox list, below its title.",
    about: ["usual work"],
    check: all(changes("Work/Inbox.md"), has("Work/Inbox.md", /^# Inbox\n+(- )?URGENT: sign the contract/)),
    steps: 2,
  },
  {
    id: "new-meeting",
    ask: "Create the note Meetings/2026-11-18 Noor.md at work: 'Copy is due on Friday.'",
    about: ["usual work"],
    check: all(
      changes("Work/Meetings/2026-11-18 Noor.md"),
      has("Work/Meetings/2026-11-18 Noor.md", "Copy is due on Friday."),
    ),
  },
  {
    id: "new-folder",
    ask: "Make a folder Archive/2026 in my work notes.",
    about: ["usual work"],
    check: answered((s) => s.success === true && s.data.existed === false, "not created"),
  },
  {
    id: "archive-intranet",
    ask: "Move the Intranet project to Archive.",
    about: ["usual work"],
    check: all(gone("Work/Projects/Intranet.md"), has("Work/Archive/Intranet.md", "Finished in June")),
    steps: 2,
  },
  {
    id: "decision-add",
    ask: "Add the decision 'Release every second Tuesday' to the decisions in the Apollo note.",
    about: ["usual work"],
    check: all(
      changes("Work/Projects/Apollo.md"),
      has("Work/Projects/Apollo.md", /Frankfurt\.\n- Release every second Tuesday\.?\n[\s\S]*## Log/),
    ),
    steps: 2,
  },
  {
    id: "question-fix",
    ask: "In Hiring, question two should read 'How do you test a pipeline?'",
    about: ["usual work"],
    check: all(
      changes("Work/Projects/Hiring.md"),
      has("Work/Projects/Hiring.md", "2. How do you test a pipeline?"),
      lacks("Work/Projects/Hiring.md", "test data"),
    ),
  },
  {
    id: "apollo-due",
    ask: "The Apollo project is now due on 15 December.",
    about: ["usual work"],
    check: all(changes("Work/Projects/Apollo.md"), has("Work/Projects/Apollo.md", /due: ["']?2026-12-15/)),
    steps: 2,
  },
  {
    id: "house-policy",
    ask: "What's the number of our household insurance policy?",
    about: ["usual work", "note of another vault"],
    check: says("HH-20931"),
  },
  {
    id: "philosophers-path",
    ask: "Where did I write about the Philosopher's Path?",
    about: ["usual work"],
    check: says("Kyoto"),
  },
  {
    id: "who-is-priya",
    ask: "Who is Priya, and which of my notes mention her?",
    about: ["usual work"],
    check: says("Head of product", "Apollo sync"),
    steps: 3,
  },
  {
    id: "november-meetings",
    ask: "List my meetings.",
    about: ["usual work"],
    check: says("2026-11-09 Apollo sync", "2026-11-16 Apollo sync"),
  },
  {
    id: "finish-slides",
    ask: "The slides are finished. Tick them in my plan.",
    about: ["usual work"],
    check: all(changes(PLAN), has(PLAN, /text="Finish the slides"[^>]*_status="checked"/)),
    steps: 2,
  },
  {
    id: "new-row-week",
    ask: "Put 'Order new glasses' on top of this week's items in my plan, with the note 'ask for the receipt'.",
    about: ["usual work"],
    check: all(
      changes(PLAN),
      has(PLAN, /<outline text="This week">\s*<outline text="Order new glasses"[^>]*ask for the receipt/),
    ),
    steps: 2,
  },
  {
    id: "waiting-summary",
    ask: "What am I waiting for, according to my plan?",
    about: ["usual work"],
    check: says("Refund from the airline", "Reply from the landlord"),
    steps: 2,
  },
  {
    id: "bookshelf-note",
    ask: "Change the remark at 'Build a bookshelf' to 'Three metres, oak'.",
    about: ["usual work"],
    check: all(changes(PLAN), has(PLAN, /Build a bookshelf"[^>]*_note="Three metres, oak"/)),
    steps: 2,
  },
  {
    id: "delete-sail",
    ask: "Remove 'Learn to sail' from my plan. Yes, really.",
    about: ["usual work", "confirmed"],
    check: all(changes(PLAN), lacks(PLAN, "sail")),
    steps: 3,
  },
  {
    id: "backoff",
    ask: "How did I decide to retry the failed bank imports?",
    about: ["usual work"],
    check: says(/exponential backoff/i),
    steps: 2,
  },
  {
    id: "invoice-schema",
    ask: "I once designed the invoice tables with Claude. What came out?",
    about: ["usual work"],
    check: says(/invoices, lines, payments/),
    steps: 2,
  },
  {
    id: "queue-choice",
    ask: "This summer I asked whether to use RabbitMQ. What was the advice?",
    about: ["usual work"],
    check: says(/SKIP LOCKED|table in Postgres/),
    steps: 2,
  },
  {
    id: "export-dark",
    ask: "Save the conversation about dark mode as Markdown into the folder chats in my home directory.",
    about: ["usual work"],
    check: answered((s) => s.success === true && s.exported_count === 1, "not one conversation exported"),
  },
  { id: "project-what", ask: "What kind of project am I in?", about: ["usual work"], check: says("till") },
  {
    id: "search-all-kinds",
    ask: "Search everything for 'lamp'.",
    about: ["usual work"],
    check: either(says("The storm breaks"), says("Fietsen")),
  },
  {
    id: "lena",
    ask: "What did I think of Lena in the interview?",
    about: ["usual work"],
    check: all(says("Strong on pipelines"), changesNothing),
  },
  {
    id: "two-places",
    ask: "Save to my notes at home, as Recipes/Dal.md: 'Yellow split peas, ginger.' with the tag recipe.",
    about: ["usual work", "target of a write"],
    check: all(changes("Home/Recipes/Dal.md"), has("Home/Recipes/Dal.md", "Yellow split peas", /tags:[\s\S]*recipe/)),
    steps: 2,
  },
  {
    id: "copy-note",
    ask: "What does my style guide recommend?",
    about: ["usual work"],
    check: says("short sentences"),
  },
  {
    id: "week-review",
    ask: "Summarise what I noted at work this week.",
    about: ["usual work"],
    check: says("pilot in two weeks", "4,350"),
    steps: 3,
  },
  {
    id: "session",
    ask: "Start a working session called 'Quarterly review' with the goal to close open invoices.",
    about: ["usual work"],
    check: answered((s) => s.success === true && /^session_\d+_/.test(s.data.sessionId), "no session"),
  },
  {
    id: "error-said",
    ask: "Replace 'purple' with 'pink' in the style guide.",
    about: ["usual work"],
    check: all(changesNothing, mentions(/not found|no such|does not occur|not in/i)),
  },
];
