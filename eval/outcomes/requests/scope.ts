// Requests whose answer must be whole, or say that it is not.
import {
  context,
  all,
  answered,
  changes,
  changesNothing,
  either,
  has,
  hides,
  mentions,
  says,
  type OutcomeRequest,
  type Shape,
} from "../request.ts";

const HOME_SOON = [
  "Call the plumber",
  "Choose tiles",
  "Renew the passport",
  "Book the refugio",
  "Stretch",
  "Buy new shoes",
  "Water the ferns",
];
const WORK_SOON = ["Send the scope to Priya", "Rotate the on-call phone"];

export const SCOPE: readonly OutcomeRequest[] = [
  {
    id: "due-this-week",
    ask: "What do I have to get done in the coming seven days?",
    about: ["scope of tasks"],
    check: all(says(...HOME_SOON, ...WORK_SOON), changesNothing),
  },
  {
    id: "due-tomorrow",
    ask: "Anything due by tomorrow?",
    about: ["scope of tasks"],
    check: says("Stretch", "Call the plumber", "Water the ferns"),
  },
  {
    id: "everything-open",
    ask: "Show me every to-do I haven't finished, at work and at home and in my outlines.",
    about: ["scope of tasks"],
    check: says("Draft the pilot contract", "Order the worktop", "Finish the slides", "Rain jacket"),
    admits: /nextCursor|truncated/,
  },
  {
    id: "home-todos",
    ask: "Only my private stuff, the Home notes: which open to-dos have a date before the end of November?",
    about: ["scope of tasks", "which vault"],
    check: all(says(...HOME_SOON), hides("Send the scope")),
  },
  {
    id: "tasks-done",
    ask: "Did I ever tick off booking the kick-off?",
    about: ["scope of tasks"],
    check: says(/Book the kick-off/),
  },
  {
    id: "tags-all",
    ask: "Which tags do I use in my notes, and how often?",
    about: ["scope of tags and queries", "tags and queries"],
    check: says("recipe", "travel", "project", "garden"),
  },
  {
    id: "notes-tagged-recipe",
    ask: "List the notes I tagged as recipe.",
    about: ["scope of tags and queries", "tags and queries"],
    check: says("Lentil soup", "Shakshuka", "Pancakes"),
  },
  {
    id: "broken-links",
    ask: "Are there links in my notes that lead to nothing?",
    about: ["scope of tags and queries"],
    check: says("Budget 2027", "Tile samples", "Patagonia packing"),
  },
  {
    id: "missing-pages",
    ask: "Which pages do I refer to although I never wrote them? I'd like to create them all later.",
    about: ["scope of tags and queries"],
    check: says("Budget 2027", "Tile samples", "Patagonia packing"),
  },
  {
    id: "books-reading",
    ask: "Which of my book notes say I'm still reading them?",
    about: ["scope of tags and queries", "tags and queries"],
    check: says("The Overstory"),
  },
  {
    id: "active-projects",
    ask: "Give me a table of the notes whose status is active, with their owner.",
    about: ["scope of tags and queries", "tags and queries"],
    check: all(says("Apollo", "Website relaunch", "Priya Shah"), changesNothing),
  },
  {
    id: "new-note-home",
    ask: "Make a new note \"Tent\" among my Home notes: 'Ask Sam, poles are bent.'",
    about: ["which vault", "target of a write"],
    check: all(has("Home/Tent.md", "poles are bent"), changes("Home/Tent.md"), says(/\bHome\b/)),
  },
  {
    id: "new-note-plain",
    ask: "Create a note called Glossary that says 'SLA: service level agreement'.",
    about: ["which vault"],
    check: all(
      either(changes("Work/Glossary.md"), changes("Home/Glossary.md")),
      answered(
        (s) => /\b(Work|Home)\b/.test(JSON.stringify({ ...s, workspaceContext: null })),
        "the answer does not say in which vault",
      ),
    ),
  },
  {
    id: "two-inboxes",
    ask: "Add 'Ring the dentist' to the Inbox note in Home.",
    about: ["which vault", "target of a write"],
    check: all(has("Home/Inbox.md", "Ring the dentist"), changes("Home/Inbox.md"), says(/\bHome\b/)),
  },
  {
    id: "inbox-work",
    ask: "Put 'Ask legal about passkeys' at the end of my work inbox.",
    about: ["which vault"],
    check: all(has("Work/Inbox.md", "Ask legal about passkeys"), changes("Work/Inbox.md"), says(/\bWork\b/)),
  },
  {
    id: "grep-invoices",
    ask: "Which work notes talk about invoices?",
    about: ["hits elsewhere", "usual work"],
    check: says("Invoices", "Vendors"),
  },
  {
    id: "content-search-tomatoes",
    ask: "Search the notes for tomatoes.",
    about: ["hits elsewhere"],
    check: says(/Plants|Shakshuka/),
    admits: /"?Home"?\W+(has|have)?\W*\d|\d+ (more )?(hits?|results?|matches) in \W?Home/,
  },
  {
    id: "content-search-program",
    ask: "(a program) searchContent for photosynthesis",
    about: ["hits elsewhere"],
    calls: [{ tool: "vaultLibrarian_searchContent", args: { query: "photosynthesis", context } }],
    check: mentions(/\bWork\b/, /\bHome\b/),
    admits: /Home/,
  },
  {
    id: "chile-note",
    ask: "What do I plan for Chile?",
    about: ["note of another vault", "usual work"],
    check: says("Torres del Paine"),
  },
  {
    id: "chile-by-path",
    ask: "Open Travel/Chile.md and read it to me.",
    about: ["note of another vault"],
    check: says("Valparaíso"),
  },
  {
    id: "shakshuka-path",
    ask: "Please show Recipes/Shakshuka.md.",
    about: ["note of another vault"],
    check: says("harissa"),
  },
  {
    id: "list-recipes",
    ask: "What is in the Recipes folder?",
    about: ["note of another vault"],
    check: says("Lentil soup", "Pancakes", "Shakshuka"),
  },
  {
    id: "backlinks-chile",
    ask: "Who links to my Chile note?",
    about: ["note of another vault"],
    check: says(/Travel\/Ideas/),
  },
  {
    id: "find-head-torch",
    ask: "Where did I write down the head torch?",
    about: ["closed outlines"],
    check: says("Head torch", /Packing/),
  },
  {
    id: "find-lighthouse",
    ask: "Find that scene with Mara and the letter.",
    about: ["closed outlines"],
    check: says("Mara finds the letter", /Novel/),
  },
  {
    id: "find-changelog-row",
    ask: "Somewhere I have an item about writing the changelog. Where?",
    about: ["closed outlines"],
    check: says("Write the changelog", /Release/),
  },
  {
    id: "tick-torch",
    ask: "The head torch is in the bag, tick it off my packing list.",
    about: ["row finds its outline"],
    check: all(
      changes("Outlines/Packing.opml"),
      has("Outlines/Packing.opml", /text="Head torch"[^>]*_status="checked"/),
    ),
    steps: 3,
  },
  {
    id: "add-to-packing",
    ask: "Add 'Sunglasses' under Kit on the packing list.",
    about: ["row finds its outline", "usual work"],
    check: all(
      changes("Outlines/Packing.opml"),
      has("Outlines/Packing.opml", /text="Water filter"[\s\S]*text="Sunglasses"/),
    ),
    steps: 3,
  },
  {
    id: "rename-scene",
    ask: "In my novel, call the storm scene 'The storm arrives' instead.",
    about: ["row finds its outline"],
    check: all(changes("Outlines/Novel.ooutline"), says("The storm arrives")),
    steps: 3,
  },
  {
    id: "which-outlines",
    ask: "Which outlines do I have?",
    about: ["outlines first"],
    check: all(says("Plan", "Packing", "Novel", "Release"), hides("Daily/2026-09-01.md")),
  },
  {
    id: "outline-menu",
    ask: "I'd like to switch to another outline. Give me the choices.",
    about: ["outlines first"],
    check: all(says("Packing", "Novel"), hides("Meetings/2026-11-09 Apollo sync.md")),
  },
  {
    id: "chats-today",
    ask: "Show my latest conversations with the coding assistants, all of the past month.",
    about: ["recent chats"],
    check: all(
      answered((s) => s.conversations.length === 10, "not all ten of the last thirty days"),
      answered(
        (s) => s.conversations[0].source_tool === "gemini" && s.conversations[1].source_tool === "codex",
        "the newest are not first",
      ),
    ),
  },
  {
    id: "last-chats",
    ask: "What are the last three chats I had?",
    about: ["recent chats"],
    check: answered(
      (s) =>
        s.conversations
          .slice(0, 3)
          .map((c: Shape) => c.source_tool)
          .join() === "gemini,codex,claude-code",
      "not the three newest, newest first",
    ),
  },
  {
    id: "chats-codex-month",
    ask: "And with Codex, what was there in the last weeks?",
    about: ["recent chats"],
    check: says("Dark mode", "Image sizes", "Cookie banner"),
  },
  {
    id: "old-chats",
    ask: "Show me my recent chats.",
    about: ["older chats"],
    chats: "old",
    check: all(
      says("Flaky test of the scheduler", "Picking a queue"),
      mentions(/older|no conversation.*30 days|none.*30 days|last 30 days/i),
    ),
  },
  {
    id: "old-chats-continue",
    ask: "What did I last talk about with an assistant?",
    about: ["older chats"],
    chats: "old",
    check: all(says("Flaky test of the scheduler"), mentions(/older|30 days/i)),
  },
  {
    id: "who-edited-committed",
    ask: "In which conversation was committed.go changed?",
    about: ["chats by file"],
    check: says("Retry failed imports"),
  },
  {
    id: "golangci",
    ask: "Who touched .golangci.yaml and why?",
    about: ["chats by file"],
    check: says("Linter settings"),
  },
  {
    id: "workflow-file",
    ask: "Which chat edited .github/workflows/build.yml?",
    about: ["chats by file"],
    check: says("Time zones in statements"),
  },
  {
    id: "committed-folder",
    ask: "What happened to internal/committed.go lately? Look through my chats.",
    about: ["chats by file"],
    check: says("Retry failed imports"),
  },
  {
    id: "first-index",
    ask: "What have I discussed with Codex about dark mode?",
    about: ["being indexed"],
    chats: "many",
    check: either(says("Dark mode"), mentions(/being indexed|still indexing/i)),
    admits: /being indexed|indexing/i,
  },
  {
    id: "first-index-sources",
    ask: "Which assistants' histories can you see here?",
    about: ["being indexed"],
    chats: "many",
    check: all(
      hides(/"(codex|gemini|claude-code)":\{[^}]*not installed/),
      either(says("codex", "gemini", "claude-code"), mentions(/being indexed/i)),
    ),
  },
  {
    id: "unknown-word",
    ask: "Find what I noted about kubernetes and passkeys.",
    about: ["unknown words"],
    check: all(
      says("Apollo"),
      either(mentions(/not_found[^\]]*kubernetes/i), mentions(/No results found for query: kubernetes/i)),
    ),
  },
  {
    id: "unknown-word-chats",
    ask: "Look in my past chats for a discussion of Kafka and queues.",
    about: ["unknown words"],
    check: all(
      says("Picking a queue"),
      either(mentions(/not_found[^\]]*kafka/i), mentions(/No results found for query: kafka/i)),
    ),
    steps: 2,
  },
  {
    id: "unknown-brand",
    ask: "Did I write anything about the zebra worktop?",
    about: ["unknown words"],
    check: all(
      says("Kitchen renovation"),
      either(mentions(/not_found[^\]]*zebra/i), mentions(/No results found for query: zebra/i)),
    ),
  },
  {
    id: "quoted-question",
    ask: 'In which note do I say why editors with "what you see is what you get" principles hide a text\'s structure?',
    about: ["quotes in a question"],
    check: says("Style guide"),
  },
  {
    id: "quoted-question-2",
    ask: 'What did the meeting decide regarding the "legal review takes twelve weeks" risk?',
    about: ["quotes in a question"],
    check: says("2026-11-16 Apollo sync"),
  },
  { id: "spielabend", ask: "Wann ist der nächste Spielabend?", about: ["word in a word"], check: says("28. November") },
  { id: "verlichting", ask: "Waar staat iets over de verlichting?", about: ["word in a word"], check: says("Fietsen") },
  {
    id: "synthesis",
    ask: "Which note mentions synthesis of plants in the cold?",
    about: ["word in a word"],
    check: says("Garden/Plants"),
  },
];
