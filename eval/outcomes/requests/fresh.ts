// Requests of a second reader, made on two real vaults, and written down here with
// the calls that were made; what had failed there is among them.
import {
  context,
  all,
  answered,
  changes,
  changesNothing,
  has,
  lacks,
  mentions,
  refuses,
  says,
  saysInBoth,
  type OutcomeRequest,
} from "../request.ts";

export const FRESH: readonly OutcomeRequest[] = [
  {
    id: "two-people",
    ask: "Put what I have on Priya and Noor side by side.",
    about: ["several notes"],
    check: says("Prefers mail in the morning", "Freelance, Tuesdays"),
    steps: 1,
  },
  {
    id: "from-both-vaults",
    ask: "Read me the Chile note and the Apollo note.",
    about: ["several notes", "note of another vault"],
    check: says("Torres del Paine", /passkey/i),
    steps: 1,
  },
  {
    id: "wolldecken",
    ask: "Wo steht etwas über Decken?",
    about: ["word in a word"],
    check: says("Family/Spiele"),
    steps: 1,
  },
  {
    id: "beleuchtung-program",
    ask: "(a program) a keyword that stands at the end of a longer word only",
    about: ["word in a word", "unknown words"],
    calls: [{ tool: "vaultLibrarian_searchContent", args: { query: "Spielabend", vault: "Home", context } }],
    check: answered((s) => s.totalResults === 1 && s.not_found === undefined, "not found, or said to be nowhere"),
  },
  {
    id: "dead-ends",
    ask: "Do I have links that lead nowhere?",
    about: ["scope of tags and queries"],
    check: all(saysInBoth("Tile samples", "Patagonia packing", /\bHome\b/), changesNothing),
    steps: 1,
  },
  {
    id: "dead-ends-program",
    ask: "(a program) unresolved links of the root",
    about: ["scope of tags and queries", "which vault"],
    calls: [{ tool: "vaultLibrarian_links", args: { path: "/", type: "unresolved" } }],
    check: answered((s) => s.data.vaults.join() === "Work,Home", "not of both vaults"),
  },
  {
    id: "folder-apart",
    ask: "Create 'Ferry.md' in the folder Travel at home: 'Book by March.'",
    about: ["target of a write"],
    check: all(changes("Home/Travel/Ferry.md"), has("Home/Travel/Ferry.md", "Book by March")),
    steps: 2,
  },
  {
    id: "folder-apart-program",
    ask: "(a program) a folder that a tool does not take",
    about: ["target of a write"],
    calls: [
      {
        tool: "contentManager_createContent",
        args: { filePath: "Ferry.md", folder: "Travel", content: "x", vault: "Home", context },
      },
    ],
    check: all(changesNothing, refuses("Travel/Ferry.md")),
  },
  {
    id: "document-of-a-note-program",
    ask: "(a program of OOMCP) append with a documentName",
    about: ["target of a write"],
    calls: [
      {
        tool: "contentManager_appendContent",
        args: { filePath: "Inbox.md", content: "- x", documentName: "Packing", context },
      },
    ],
    check: all(changesNothing, refuses("documentName")),
  },
  {
    id: "vault-of-a-row-program",
    ask: "(a program) a row for a vault",
    about: ["target of a write"],
    calls: [{ tool: "add_row", args: { topic: "Candles", vault: "Home" } }],
    check: all(changesNothing, refuses("vault")),
  },
  {
    id: "under-kit",
    ask: "A tarp belongs to the kit on my packing list.",
    about: ["row finds its outline", "closed outlines"],
    check: all(
      changes("Outlines/Packing.opml"),
      has("Outlines/Packing.opml", /text="Water filter"[^]*text="[^"]*[Tt]arp"/),
    ),
    steps: 2,
  },
  {
    id: "beside-socks-program",
    ask: "(a program) a row beside one of a closed outline",
    about: ["row finds its outline"],
    calls: [{ tool: "add_row", args: { topic: "Hat", siblingId: "Wool socks", relativePosition: "before" } }],
    check: all(
      changes("Outlines/Packing.opml"),
      has("Outlines/Packing.opml", /Rain jacket[^]*text="Hat"[^]*Wool socks/),
      mentions("Packing"),
    ),
  },
  {
    id: "short-note-program",
    ask: "(a program) the marks of a short note",
    about: ["both forms"],
    calls: [{ tool: "contentManager_readContent", args: { filePath: "People/Noor Haddad.md" } }],
    check: ({ answers: [answer] }) => {
      const mark = answer!.structure["dataBegins"];
      return typeof mark === "string" && answer!.text.includes(`dataBegins ${mark}\n`)
        ? undefined
        : "its words are not between the same marks in both forms";
    },
  },
  {
    id: "undo-steps-program",
    ask: "(a program) undo two steps",
    about: ["several undone"],
    calls: [
      { tool: "contentManager_appendContent", args: { filePath: "Inbox.md", content: "- a", context } },
      { tool: "contentManager_appendContent", args: { filePath: "Inbox.md", content: "- b", context } },
      { tool: "undo", args: { steps: 2, confirmed: true } },
    ],
    check: ({ answers, before, after }) =>
      answers.length === 3 && before.get("Work/Inbox.md") === after.get("Work/Inbox.md")
        ? undefined
        : "not both are undone",
    steps: 3,
  },
  {
    id: "tube-bought",
    ask: "Cross out the tube, I bought it. The bike itself is not fixed yet.",
    about: ["parent's own box"],
    check: all(changesNothing, says("Buy a tube")),
    steps: 2,
  },
  {
    id: "stretch-later",
    ask: "Move my stretching to the 20th, and leave the shoes alone.",
    about: ["task in one call", "recurring tasks"],
    check: all(
      changes("Home/Health/Running.md"),
      has("Home/Health/Running.md", /Stretch 🔁 every day 📅 2026-11-20/, "Buy new shoes 📅 2026-11-22"),
      lacks("Home/Health/Running.md", "2026-11-18"),
    ),
    steps: 2,
  },
];
