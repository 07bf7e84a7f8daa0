// Requests that change something: what was meant, and nothing else.
import {
  context,
  all,
  answered,
  changes,
  changesNothing,
  either,
  gone,
  has,
  lacks,
  mentions,
  refuses,
  says,
  type OutcomeRequest,
} from "../request.ts";

const APOLLO = "Work/Projects/Apollo.md";
const KITCHEN = "Home/Kitchen renovation.md";
const PLAN = "Outlines/Plan.opml";
const RELEASE = "Outlines/Release.md";

export const CHANGES: readonly OutcomeRequest[] = [
  {
    id: "tag-urgent",
    ask: "Tag the Apollo note as urgent.",
    about: ["lists of properties"],
    check: all(changes(APOLLO), has(APOLLO, /tags:[\s\S]*project[\s\S]*client[\s\S]*pilot[\s\S]*urgent[\s\S]*owner/)),
  },
  {
    id: "untag-sweet",
    ask: "The pancakes are no longer 'sweet', take that tag off.",
    about: ["lists of properties"],
    check: all(
      changes("Home/Recipes/Pancakes.md"),
      has("Home/Recipes/Pancakes.md", "recipe", "breakfast"),
      lacks("Home/Recipes/Pancakes.md", "sweet"),
    ),
  },
  {
    id: "tag-two",
    ask: "Give both Sleep and Running the tag winter.",
    about: ["lists of properties", "names in writes"],
    check: all(
      changes("Home/Health/Sleep.md", "Home/Health/Running.md"),
      has("Home/Health/Sleep.md", "habits", "winter"),
      has("Home/Health/Running.md", "health", "winter"),
    ),
    steps: 3,
  },
  {
    id: "alias-more",
    ask: "Kyoto should also be found under the name Kioto.",
    about: ["lists of properties", "names in writes"],
    check: all(changes("Home/Travel/Japan/Kyoto.md"), has("Home/Travel/Japan/Kyoto.md", "old capital", "Kioto")),
  },
  {
    id: "tag-program",
    ask: "(a program) set the property tag of a note with several tags",
    about: ["lists of properties"],
    calls: [
      { tool: "contentManager_updateProperties", args: { filePath: "Projects/Apollo.md", set: { tag: ["urgent"] } } },
    ],
    check: all(
      lacks(APOLLO, /^tag:/m),
      either(has(APOLLO, /client[\s\S]*urgent|urgent[\s\S]*client/), mentions("client", "pilot")),
    ),
    admits: /client/,
  },
  {
    id: "status-done",
    ask: "Mark the website relaunch as done in its properties.",
    about: ["usual work", "names in writes"],
    check: all(
      changes("Work/Projects/Website relaunch.md"),
      has("Work/Projects/Website relaunch.md", /status: done/, "web", "Relaunch"),
    ),
  },

  {
    id: "water-ferns",
    ask: "I've just watered the ferns, tick that off.",
    about: ["recurring tasks", "task in one call"],
    check: all(
      changes("Home/Garden/Plants.md"),
      has("Home/Garden/Plants.md", /- \[x\] Water the ferns/, /- \[ \] Water the ferns.*2026-11-2[56]/),
    ),
  },
  {
    id: "oncall-phone",
    ask: "The on-call phone has been rotated. Done for this week.",
    about: ["recurring tasks", "task in one call"],
    check: all(
      changes("Work/Reference/Deploy checklist.md"),
      has(
        "Work/Reference/Deploy checklist.md",
        /- \[x\] Rotate the on-call phone/,
        /- \[ \] Rotate the on-call phone.*2026-12-02/,
      ),
    ),
  },
  {
    id: "stretched",
    ask: "Stretching: done for today!",
    about: ["recurring tasks"],
    check: all(changes("Home/Health/Running.md"), has("Home/Health/Running.md", /- \[ \] Stretch.*2026-11-19/)),
  },
  {
    id: "plumber-called",
    ask: "I called the plumber. Tick it.",
    about: ["task in one call"],
    check: all(changes(KITCHEN), has(KITCHEN, /- \[x\] Call the plumber/)),
  },
  {
    id: "postpone-tiles",
    ask: "Choosing the tiles can wait until the 1st of December.",
    about: ["task in one call"],
    check: all(
      changes(KITCHEN),
      has(KITCHEN, /- \[ \] Choose tiles.*2026-12-01/),
      lacks(KITCHEN, /Choose tiles.*2026-11-24/),
    ),
  },
  {
    id: "scope-sent",
    ask: "Done: the scope went to Priya. Update my list.",
    about: ["task in one call"],
    check: all(changes(APOLLO), has(APOLLO, /- \[x\] Send the scope to Priya/)),
  },

  {
    id: "insert-three",
    ask: "Add to 'Someday' in my plan:\n- Visit Iceland\n- Learn to juggle\n- Paint the hallway",
    about: ["list lines", "names in writes"],
    check: all(
      changes(PLAN),
      has(
        PLAN,
        /<outline text="Visit Iceland"/,
        /<outline text="Learn to juggle"/,
        /<outline text="Paint the hallway"/,
        /text="Build a bookshelf"[\s\S]*Visit Iceland[\s\S]*Waiting for/,
      ),
    ),
    steps: 2,
  },
  {
    id: "insert-nested",
    ask: "Put this list into the plan, under Waiting for:\n- Answers from the bank\n  - about the card\n  - about the loan",
    about: ["list lines"],
    check: all(
      changes(PLAN),
      has(
        PLAN,
        /<outline text="Answers from the bank">\s*<outline text="about the card"\s*\/>\s*<outline text="about the loan"/,
      ),
    ),
    steps: 2,
  },
  {
    id: "insert-json-program",
    ask: "(a program) insert_content with an array as a text",
    about: ["list lines"],
    calls: [
      {
        tool: "insert_content",
        args: { content: '[{"topic":"Bread","children":[{"topic":"Rye"}]},{"topic":"Milk"}]' },
      },
    ],
    check: all(
      changes(PLAN),
      has(PLAN, /<outline text="Bread">\s*<outline text="Rye"\s*\/>\s*<\/outline>\s*<outline text="Milk"/),
    ),
  },
  {
    id: "insert-lines-program",
    ask: "(a program) insert_content with lines of a list",
    about: ["list lines"],
    calls: [{ tool: "insert_content", args: { content: "- Bread\n- Milk" } }],
    check: all(changes(PLAN), has(PLAN, /<outline text="Bread"\s*\/>\s*<outline text="Milk"/)),
  },
  {
    id: "insert-one-program",
    ask: "(a program) insert_content with one line that begins with a dash",
    about: ["list lines"],
    calls: [{ tool: "insert_content", args: { content: "- one row" } }],
    check: all(
      changes(PLAN),
      answered((s) => s.insertedRows.length === 1, "not one row"),
    ),
  },

  {
    id: "today-work",
    ask: "Note in today's work journal that the contract draft is with legal.",
    about: ["today without settings"],
    check: all(
      changes("Work/Daily/2026-11-18.md"),
      has("Work/Daily/2026-11-18.md", /contract draft/i),
      mentions(/creat/i),
    ),
  },
  {
    id: "today-plain",
    ask: "Add 'Dentist moved to Friday' to my daily note.",
    about: ["today without settings"],
    check: all(
      either(changes("Work/Daily/2026-11-18.md"), changes("Home/Diary/2026/2026-11-18.md")),
      mentions(/creat/i),
    ),
  },
  {
    id: "today-home",
    ask: "Write into today's entry of my diary at home: 'First snow.'",
    about: ["today without settings", "target of a write"],
    check: all(
      changes("Home/Diary/2026/2026-11-18.md"),
      has("Home/Diary/2026/2026-11-18.md", "First snow"),
      mentions(/creat/i),
    ),
  },
  {
    id: "yesterday-read",
    ask: "What did I write yesterday at work?",
    about: ["usual work", "today without settings"],
    check: says("4,350"),
  },
  {
    id: "yesterday-add",
    ask: "Add to yesterday's work note that the invoice is approved.",
    about: ["usual work"],
    check: all(changes("Work/Daily/2026-11-17.md"), has("Work/Daily/2026-11-17.md", /approved/i, "Brightline arrived")),
  },

  {
    id: "row-into-novel-program",
    ask: "(a program of OOMCP) add a row to the document Novel",
    about: ["target of a write"],
    calls: [{ tool: "add_row", args: { topic: "Epilogue", documentName: "Novel" } }],
    check: all(changes("Outlines/Novel.ooutline"), mentions("Novel")),
  },
  {
    id: "row-into-novel",
    ask: "Add 'Chapter three: the island' as the last chapter of Novel.",
    about: ["target of a write", "usual work"],
    check: all(changes("Outlines/Novel.ooutline"), says("Chapter three: the island")),
    steps: 3,
  },
  {
    id: "row-into-missing",
    ask: "Add a row 'Candles' to my outline Christmas.",
    about: ["target of a write"],
    check: all(changesNothing, mentions(/Christmas/)),
  },
  {
    id: "row-into-missing-program",
    ask: "(a program) add_row with a documentName that does not exist",
    about: ["target of a write"],
    calls: [{ tool: "add_row", args: { topic: "Candles", documentName: "Christmas" } }],
    check: all(changesNothing, refuses(/Christmas/)),
  },
  {
    id: "vault-missing-program",
    ask: "(a program) create a note in a vault that does not exist",
    about: ["target of a write"],
    calls: [
      {
        tool: "contentManager_createContent",
        args: { filePath: "Candles.md", content: "x", vault: "Christmas", context },
      },
    ],
    check: all(changesNothing, refuses(/Christmas/)),
  },

  {
    id: "confirm-preview",
    ask: "What would be lost if I deleted the Someday part of my plan? Don't delete it yet.",
    about: ["confirmed", "usual work"],
    check: all(changesNothing, says("Learn to sail", "Build a bookshelf")),
    steps: 3,
  },
  {
    id: "delete-someday",
    ask: "Delete the Someday section from my plan, I'm sure.",
    about: ["confirmed", "usual work"],
    check: all(changes(PLAN), lacks(PLAN, "Someday", "bookshelf"), has(PLAN, "Waiting for")),
    steps: 3,
  },
  ...(["yes", "True", 1] as const).map((confirmed, i) => ({
    id: `confirmed-${i + 1}-program`,
    ask: `(a program) delete a row, confirmed: ${JSON.stringify(confirmed)}`,
    about: ["confirmed"] as const,
    calls: [
      { tool: "get_outline_structure", args: {} },
      { tool: "delete_row", args: { rowId: { $from: [0, { topic: "Someday" }, "id"] }, confirmed } },
    ],
    check: all(changesNothing, ({ answers }) =>
      answers.length < 2
        ? "not yet deleted"
        : answers[1]!.structure["requiresConfirmation"] === true
          ? undefined
          : "no preview",
    ),
  })),
  {
    id: "confirmed-true-program",
    ask: '(a program) delete a row, confirmed: "true"',
    about: ["confirmed"],
    calls: [
      { tool: "get_outline_structure", args: {} },
      { tool: "delete_row", args: { rowId: { $from: [0, { topic: "Someday" }, "id"] }, confirmed: "true" } },
    ],
    check: all(changes(PLAN), lacks(PLAN, "Someday")),
  },

  {
    id: "delete-kyoto",
    ask: "Throw away the note about Kyoto.",
    about: ["backlinks of the deleted", "note of another vault"],
    check: all(
      gone("Home/Travel/Japan/Kyoto.md"),
      mentions(/\b(1|one) (note|link|backlink|other note)|backlinks"?:\s*1|linked from 1/i),
    ),
    steps: 2,
  },
  {
    id: "delete-priya",
    ask: "Delete my note on Priya Shah; she has left.",
    about: ["backlinks of the deleted"],
    check: all(
      gone("Work/People/Priya Shah.md"),
      mentions(/\b3 (notes?|links?|backlinks?|other notes)|backlinks"?:\s*3|linked from 3/i),
    ),
    steps: 2,
  },
  {
    id: "delete-compost",
    ask: "The compost note can go.",
    about: ["usual work", "note of another vault"],
    check: all(gone("Home/Garden/Compost.md"), changes("Home/Garden/Compost.md")),
    steps: 2,
  },

  {
    id: "mentions-monday",
    ask: "Where do I mention Monday's daily note, 2026-11-16, without linking to it?",
    about: ["mentions with hyphens"],
    check: says(/2026-11-17|Apollo/),
    steps: 2,
  },
  {
    id: "mentions-program",
    ask: "(a program) mentions of a daily note",
    about: ["mentions with hyphens"],
    calls: [{ tool: "vaultLibrarian_links", args: { type: "mentions", path: "Daily/2026-11-16.md", context } }],
    check: says("2026-11-17"),
  },
  {
    id: "mentions-sync-program",
    ask: "(a program) mentions of a meeting's note",
    about: ["mentions with hyphens"],
    calls: [
      { tool: "vaultLibrarian_links", args: { type: "mentions", path: "Meetings/2026-11-09 Apollo sync.md", context } },
    ],
    check: answered((s) => s.success === true, "it failed"),
  },

  {
    id: "append-kitchen-log",
    ask: "Log in the kitchen renovation note: '2026-11-18 Tiles arrived, all whole.' It has a Log section.",
    about: ["names in writes", "note of another vault"],
    check: all(
      changes(KITCHEN),
      has(KITCHEN, /Electrician came, cost 180\.\n(- )?2026-11-18 Tiles arrived, all whole\.[\s\S]*## Tasks/),
    ),
  },
  {
    id: "append-kitchen-program",
    ask: "(a program) append to [[Kitchen renovation#Log]]",
    about: ["names in writes"],
    calls: [
      {
        tool: "contentManager_appendContent",
        args: { filePath: "[[Kitchen renovation#Log]]", content: "- 2026-11-18 Tiles arrived.", context },
      },
    ],
    check: all(
      changes(KITCHEN),
      has(KITCHEN, /cost 180\.\n- 2026-11-18 Tiles arrived\.[\s\S]*## Tasks/),
      says("Kitchen renovation.md"),
    ),
  },
  {
    id: "append-alias-program",
    ask: "(a program) append to a note by its alias",
    about: ["names in writes"],
    calls: [
      { tool: "contentManager_appendContent", args: { filePath: "old capital", content: "Autumn is best.", context } },
    ],
    check: all(changes("Home/Travel/Japan/Kyoto.md"), says("Travel/Japan/Kyoto.md")),
  },
  {
    id: "append-ambiguous-program",
    ask: "(a program) append to a name that two vaults have",
    about: ["names in writes"],
    calls: [{ tool: "contentManager_appendContent", args: { filePath: "[[Inbox]]", content: "x", context } }],
    check: either(
      all(changesNothing, refuses(/Work/, /Home/)),
      all(changes("Work/Inbox.md"), mentions("Inbox.md", /\bWork\b/)),
    ),
  },
  {
    id: "move-chile",
    ask: "Move Chile into the folder Travel/South America.",
    about: ["names in writes", "note of another vault"],
    check: all(gone("Home/Travel/Chile.md"), has("Home/Travel/South America/Chile.md", "Torres del Paine")),
  },
  {
    id: "rename-apollo",
    ask: "Rename my Apollo note to Brightline portal; all links must still work.",
    about: ["names in writes", "usual work"],
    check: all(
      gone(APOLLO),
      has("Work/Projects/Brightline portal.md", "Customer portal"),
      has("Work/People/Priya Shah.md", /\[\[Brightline portal(\|Apollo)?\]\]/),
    ),
  },
  {
    id: "row-to-someday",
    ask: "Fixing the bike can move to Someday.",
    about: ["names in writes", "usual work"],
    check: all(changes(PLAN), has(PLAN, /text="Someday"[\s\S]*text="Fix the bike"[\s\S]*text="Waiting for"/)),
    steps: 3,
  },
  {
    id: "move-row-program",
    ask: "(a program) move_row to a parent by its topic",
    about: ["names in writes"],
    calls: [
      { tool: "get_outline_structure", args: {} },
      { tool: "move_row", args: { rowId: { $from: [0, { topic: "Fix the bike" }, "id"] }, newParentId: "Someday" } },
    ],
    check: all(changes(PLAN), has(PLAN, /text="Someday"[\s\S]*text="Fix the bike"[\s\S]*text="Waiting for"/)),
  },
  {
    id: "typo-sleep",
    ask: "In the sleep note it should say 'eleven' instead of 'ten'.",
    about: ["names in writes", "usual work"],
    check: all(changes("Home/Health/Sleep.md"), has("Home/Health/Sleep.md", "No screens after eleven")),
  },

  {
    id: "ship-open",
    ask: "In the Release outline, is shipping the release done or open?",
    about: ["parent's own box", "one meaning"],
    check: ({ answers }) => {
      const text = answers.map(({ structure }) => JSON.stringify(structure)).join();
      return /"topic":"Ship the release"[^{}]*"state":"unchecked"|"status":"todo"[^{}]*"text":"Ship the release"|- \[ \] Ship the release/.test(
        text,
      ) && !/"topic":"Ship the release"[^{}]*"state":"(checked|mixed)"/.test(text)
        ? undefined
        : "not shown as open";
    },
    steps: 3,
  },
  {
    id: "ship-tick",
    ask: "We shipped the release: check it off in the Release outline.",
    about: ["parent's own box"],
    check: all(changes(RELEASE), has(RELEASE, "- [x] Ship the release\n  - [x] Write the changelog")),
    steps: 3,
  },
  {
    id: "freeze-untick",
    ask: "The code freeze was lifted. Untick it in my release outline, but leave the rest alone.",
    about: ["parent's own box"],
    check: all(
      changes(RELEASE),
      has(RELEASE, "- [ ] Freeze the code\n  - [ ] Announce the freeze", "  - [x] Write the changelog"),
    ),
    steps: 3,
  },
  {
    id: "bike-state",
    ask: "Is 'Fix the bike' in my plan finished?",
    about: ["parent's own box", "one meaning"],
    check: ({ answers }) => {
      const text = answers.map(({ structure }) => JSON.stringify(structure)).join();
      return /"topic":"Fix the bike"[^{}]*"state":"unchecked"|"status":"todo"[^{}]*"text":"Fix the bike"|- \[ \] Fix the bike/.test(
        text,
      ) && !/"topic":"Fix the bike"[^{}]*"state":"(checked|mixed)"/.test(text)
        ? undefined
        : "not shown as open";
    },
  },
  {
    id: "bike-tick",
    ask: "The bike is fixed, tick it in the plan.",
    about: ["parent's own box", "usual work"],
    check: all(
      changes(PLAN),
      has(PLAN, /text="Fix the bike" _status="checked"/, /text="Buy a tube" _status="checked"/),
    ),
    steps: 3,
  },
  {
    id: "chapter-rolls-up",
    ask: "Tick 'The storm breaks' in the novel, and say whether chapter one is then complete.",
    about: ["parent's own box"],
    check: all(changes("Outlines/Novel.ooutline"), ({ answers }) =>
      answers.some(({ structure }) =>
        /Chapter one: the lighthouse"[^{}]*"state":"checked"/.test(JSON.stringify(structure)),
      )
        ? undefined
        : "chapter one is not shown as checked",
    ),
    steps: 4,
  },

  {
    id: "storage-read",
    ask: "What do I keep in the attic, according to my Storage outline?",
    about: ["damaged outline"],
    check: all(changesNothing, refuses(/Storage/)),
    steps: 3,
  },
  {
    id: "storage-add",
    ask: "Add 'Ski boots' to the Attic in Storage.",
    about: ["damaged outline"],
    check: all(changesNothing, refuses(/Storage|damaged|not.*OPML/i)),
    steps: 3,
  },
  {
    id: "storage-program",
    ask: "(a program) open a damaged OPML file",
    about: ["damaged outline"],
    calls: [{ tool: "open_document", args: { path: "Outlines/Storage.opml" } }],
    check: all(changesNothing, refuses(/Storage|OPML/)),
  },
];
