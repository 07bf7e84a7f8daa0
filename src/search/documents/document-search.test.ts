// Every rule of the ranking, on real files and a real database.
import { utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { parseQuery } from "../query.ts";
import { openNoteDatabase, type NoteDatabase } from "../../vault/note-index/note-database.ts";
import { IndexDatabase } from "../../sqlite/index/index-database.ts";
import { documentOf } from "./document.ts";
import { search, type SearchOptions } from "./document-search.ts";
import { putDocuments } from "./document-writer.ts";
import { NOTES } from "./index-tables.ts";
import { indexedFolder } from "../../vault/note-index/indexed-files.ts";

const opened: NoteDatabase[] = [];
afterAll(() => {
  for (const index of opened) index.close();
});

/** Other notes, so that words are not all equally rare. */
const FILLER = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [`filler/${i}.md`, `Nothing of interest, number ${i}. The weather was mixed.`]),
);

async function indexOf(files: Readonly<Record<string, string>>) {
  const vault = vaultWith({ ...FILLER, ...files });
  const index = openNoteDatabase({ file: join(dirname(vault.folder), "cache", "index.db"), log: () => {} });
  opened.push(index);
  await index.sweep(indexedFolder(vault.vault.root));
  const find = (text: string, options: Partial<SearchOptions> = {}) =>
    index.search(parseQuery(text), { limit: 10, ...options });
  const paths = (text: string, options: Partial<SearchOptions> = {}) => find(text, options).hits.map((hit) => hit.path);
  const hit = (text: string, path: string) => find(text).hits.find((each) => each.path === path);
  return { index, find, paths, hit, vault };
}

/** An index of notes that need no files, for tests that take many of them. */
function databaseOf(...groups: readonly (readonly { readonly text: string; readonly mtime: number }[])[]) {
  const { folder } = vaultWith({});
  const database = new IndexDatabase(join(dirname(folder), "index.db"), () => {}, NOTES);
  database.run("BEGIN");
  putDocuments(
    database,
    groups.flat().map(({ text, mtime }, i) => ({
      document: documentOf(`${i}.md`, "note", text),
      storing: { version: { size: 1, mtime, inode: i } },
    })),
  );
  database.run("COMMIT");
  return database;
}

describe("a search for symbols", () => {
  const notes = {
    "Starred.md": "A ⭐ book about herons, done✅.",
    "🚀 Launch.md": "# 🚀 Launch\n\nThe plan.",
    "Price.md": "Input → output, for 5 €.",
    "Plain.md": "A book about herons, and the launch plan.",
    "Arrow.md": "First → then, somewhere after all of these many other words, a plan.",
  };

  it("finds emoji and signs in texts and names, alone or beside words, and leaves them out", async () => {
    const { paths } = await indexOf(notes);
    expect(paths("⭐")).toEqual(["Starred.md"]);
    expect(paths("✅")).toEqual(["Starred.md"]);
    expect(paths('"🚀"')).toEqual(["🚀 Launch.md"]);
    expect(paths("€")).toEqual(["Price.md"]);
    expect(paths("⭐ herons")).toEqual(["Starred.md", "Plain.md"]);
    expect(paths("herons -⭐")).toEqual(["Plain.md"]);
    expect(paths('"input €"')).toEqual(["Price.md"]);
    expect(paths('"input ⭐"')).toEqual([]);
    expect(paths("plan -launch→x")).toContain("Arrow.md");
    expect(paths("🎉")).toEqual([]);
    // The name of a note comes first.
    expect(paths("5 €").slice(0, 2)).toEqual(["filler/5.md", "Price.md"]);
    expect(paths("plan →").slice(0, 2)).toEqual(["Arrow.md", "Plain.md"]);
  });

  it("still takes the words around them for neighbours, and a name without them for the name", async () => {
    const { paths, hit } = await indexOf(notes);
    expect(paths('"input output"')).toEqual(["Price.md"]);
    expect(hit("input → output", "Price.md")!.score).toBeGreaterThan(0.9);
    expect(hit("launch", "🚀 Launch.md")!.score).toBeGreaterThan(0.96);
    expect(hit("🚀 launch", "🚀 Launch.md")!.score).toBeGreaterThan(0.96);
  });
});

describe("the ranking", () => {
  const notes = {
    "Espresso machine.md": "How to descale it.",
    "Phrase.md": "We bought an espresso machine last year.",
    "Both.md": "The machine makes espresso, and tea.",
    "One.md": "Espresso is strong, again.",
    "coffee/Espressomachines.md": "A list of shops.",
  };

  it("goes from the exact title over the phrase and all words to some of them", async () => {
    const { find } = await indexOf(notes);
    const { hits, total } = find("espresso machine");
    expect(hits.map(({ path }) => path)).toEqual([
      "Espresso machine.md",
      "Phrase.md",
      "Both.md",
      "One.md",
      "coffee/Espressomachines.md",
    ]);
    expect(total).toBe(5);
    const [title, phrase, both, one, name] = hits.map(({ score }) => score);
    expect(title).toBeGreaterThanOrEqual(0.95);
    expect(title).toBeLessThanOrEqual(1);
    expect(phrase).toBeGreaterThanOrEqual(0.9);
    expect(phrase).toBeLessThan(0.95);
    expect(both).toBeGreaterThanOrEqual(0.8);
    expect(both).toBeLessThan(0.9);
    expect(one).toBeGreaterThanOrEqual(0.3);
    expect(one).toBeLessThan(0.8);
    expect(name).toBeLessThan(0.8);
  });

  it("puts the note whose name is the query before those whose title or alias is, and of these the newest first", async () => {
    const aliased = (alias: string) => `---\naliases: [${alias}]\n---\nSee elsewhere.`;
    const { index, vault, paths } = await indexOf({
      "Zebra.md": aliased("callouts"),
      "Alpaca.md": aliased("callouts"),
      "Middle.md": aliased("callouts"),
      "Heading.md": "# Callouts\n\nWhat they are.",
      "Callouts.md": "How to write them.",
    });
    const times = { "Callouts.md": 1, "Heading.md": 2, "Alpaca.md": 4, "Zebra.md": 3, "Middle.md": 5 };
    for (const [path, at] of Object.entries(times)) utimesSync(join(vault.folder, path), at, at);
    await index.sweep(indexedFolder(vault.vault.root));
    expect(paths("callouts")).toEqual(["Callouts.md", "Heading.md", "Middle.md", "Alpaca.md", "Zebra.md"]);
  });

  it("puts the newest first of notes that match equally well, on every page", async () => {
    const names = Array.from({ length: 70 }, (_, i) => `same/${i}.md`);
    const { index, vault, paths } = await indexOf(Object.fromEntries(names.map((name) => [name, "One wombat here."])));
    names.forEach((name, i) => utimesSync(join(vault.folder, name), 1000 + ((i * 37) % 70), 1000 + ((i * 37) % 70)));
    await index.sweep(indexedFolder(vault.vault.root));
    const newest = names.toSorted((a, b) => changedAt(b) - changedAt(a));
    function changedAt(name: string): number {
      return (names.indexOf(name) * 37) % 70;
    }
    const pages = [0, 10, 20, 30, 40, 50, 60].flatMap((offset) => paths("wombat", { offset }));
    expect(pages).toEqual(newest);
  });

  it.each([
    { equal: 30, what: "fewer than are fetched at once" },
    { equal: 300, what: "more than are fetched at once" },
  ])("puts the newest of $equal equally good notes first: $what", ({ equal }) => {
    const database = databaseOf(
      Array.from({ length: equal }, (_, i) => ({ text: "high tide", mtime: (i * 7) % equal })),
      Array.from({ length: 700 }, () => ({ text: "low water", mtime: 0 })),
    );
    const { hits, total } = search(database, parseQuery("tide"), { limit: 5 });
    expect(hits.map(({ mtime }) => mtime)).toEqual([1, 2, 3, 4, 5].map((age) => equal - age));
    expect(total).toBe(equal);
    database.close();
  });

  it("finds the same by some of the words after a note was changed many times", () => {
    const many = (count: number, text: string) => Array.from({ length: count }, () => ({ text, mtime: 0 }));
    const database = databaseOf(many(120, "the plan"), many(100, "one week"), many(379, "rain"));
    const found = () => search(database, parseQuery("plan week"), { limit: 10 }).total;
    const before = found();
    const changed = {
      document: documentOf("598.md", "note", "sun"),
      storing: { version: { size: 1, mtime: 0, inode: 598 } },
    };
    for (let change = 0; change < 10; change++) putDocuments(database, [changed]);
    expect(found()).toEqual(before);
    expect(before).toBe(100);
    database.close();
  });

  it("lists enough of a few long notes of which many have each word", () => {
    const texts = Array.from(
      { length: 12 },
      (_, i) => `the tide${i > 3 ? " and a wave" : ""}${i > 5 ? " at night" : ""}`,
    );
    const database = databaseOf(texts.map((text) => ({ text, mtime: 0 })));
    const { hits, total } = search(database, parseQuery("What did the tide and the wave do at night?"), { limit: 12 });
    expect(hits.map(({ path }) => Number.parseInt(path)).slice(6)).toEqual(expect.arrayContaining([4, 5, 0, 1, 2, 3]));
    expect(total).toBe(12);
    database.close();
  });

  it("leaves a word that most notes have out of bm25, which changes no score by more than a hundred-thousandth", () => {
    let seed = 7;
    const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
    const noteText = () => {
      const filler = Array.from({ length: Math.ceil(100 * random() ** 4) }, (_, i) => `filler${i % 50}`);
      const moons = Array.from({ length: Math.floor(12 * random() ** 6) }, () => "moon");
      return [...(random() < 0.7 ? ["wave"] : []), ...moons, ...filler].join(" ");
    };
    const database = databaseOf(Array.from({ length: 1200 }, () => ({ text: noteText(), mtime: 1 })));
    const documentsWith = (word: string) =>
      Number(database.get("SELECT count(*) AS count FROM text WHERE text MATCH ?", word)!["count"]);
    expect(documentsWith("wave")).toBeGreaterThan(600);
    expect(documentsWith("moon")).toBeLessThan(600);
    const { hits, total } = search(database, parseQuery("moon wave"), { limit: 150 });
    const rows = database.all(
      "SELECT path, rank FROM text JOIN document ON document.id = text.rowid WHERE text MATCH 'moon AND wave' ORDER BY rank",
    );
    const rankOf = new Map(rows.map(({ path, rank }) => [path, Number(rank)]));
    expect(total).toBe(rows.length);
    expect(hits.length).toBeGreaterThan(100);
    for (const [i, { path }] of hits.entries()) expect(rankOf.get(path)).toBeCloseTo(Number(rows[i]!["rank"]), 5);
    database.close();
  });

  it("never puts a similar name above the exact phrase in a body", async () => {
    const { find } = await indexOf({
      "Gardening tips.md": "Water in the morning.",
      "Gardenning tipps.md": "Nothing.",
      "Diary.md": "She had gardning tipz for me.",
    });
    const { hits } = find("gardning tipz");
    expect(hits[0]).toMatchObject({ path: "Diary.md" });
    expect(hits[0]!.score).toBeGreaterThanOrEqual(0.9);
    for (const hit of hits.slice(1)) expect(hit.score).toBeLessThanOrEqual(0.25);
    expect(hits.slice(1).map(({ path }) => path)).toContain("Gardening tips.md");
  });

  it("takes a heading of level 1 and an alias for titles", async () => {
    const { paths, hit } = await indexOf({
      "2026-01-02.md": "# Quarterly planning\n\nText.",
      "b.md": "---\naliases: [Autumn review]\n---\nText.",
      "c.md": "Quarterly planning, and an autumn review, and quarterly planning, autumn review.",
    });
    expect(paths("quarterly planning")).toEqual(["2026-01-02.md", "c.md"]);
    expect(hit("Autumn Review", "b.md")?.score).toBeGreaterThanOrEqual(0.95);
  });

  it("weighs a title above headings, and headings above text", async () => {
    const { paths } = await indexOf({
      "Text.md": "Some words, then hydrangea, then other words.",
      "Heading.md": "Words.\n\n## About hydrangea and more\n\nOther words, then others.",
      "My hydrangea garden.md": "Some words, then others, and others.",
    });
    expect(paths("hydrangea")).toEqual(["My hydrangea garden.md", "Heading.md", "Text.md"]);
  });

  it("gives comparable scores: the same kind of hit has about the same in every vault and query", async () => {
    const { hit } = await indexOf({ "a.md": "zebra crossing here", "b.md": "A crossing of zebras: zebra." });
    const other = await indexOf({ "x.md": "quantum leap there" });
    expect(Math.abs(hit("zebra crossing", "a.md")!.score - other.hit("quantum leap", "x.md")!.score)).toBeLessThan(
      0.05,
    );
  });

  it("is the same whenever it is asked", async () => {
    const { paths } = await indexOf({ "c.md": "walnut", "a.md": "walnut", "b.md": "walnut" });
    const order = paths("walnut");
    expect(order.toSorted()).toEqual(["a.md", "b.md", "c.md"]);
    expect([0, 1, 2].flatMap((offset) => paths("walnut", { offset, limit: 1 }))).toEqual(order);
  });

  it("is cut into pages without a gap, and counts all hits on each", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 130 }, (_, i) => [`many/${i}.md`, `pelican ${"and more ".repeat(i % 13)}`]),
    );
    const { find } = await indexOf(many);
    const pages = [0, 50, 100].map((offset) => find("pelican", { offset, limit: 50 }));
    expect(pages.map(({ total }) => total)).toEqual([130, 130, 130]);
    const all = pages.flatMap(({ hits }) => hits.map(({ path }) => path));
    expect(new Set(all).size).toBe(130);
    expect(find("pelican", { limit: 130 }).hits.map(({ path }) => path)).toEqual(all);
  });

  it("of several words prefers the notes with more of them, and with the rarer ones", async () => {
    const { paths } = await indexOf({
      "two.md": "A lighthouse by the harbour.",
      "rare.md": "A lighthouse alone.",
      ...Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`common/${i}.md`, `The harbour, day ${i}.`])),
    });
    expect(paths("lighthouse harbour fog").slice(0, 2)).toEqual(["two.md", "rare.md"]);
  });

  it("is not drowned by stop words", async () => {
    const { paths, find } = await indexOf({
      "the.md": "The and the of the in the for the to the.",
      "bike.md": "Repairing a bicycle is simple.",
    });
    expect(paths("how do i repair the bicycle")[0]).toBe("bike.md");
    expect(paths("how do i repair the bicycle")).not.toContain("the.md");
    expect(find("the weather was").hits[0]!.score).toBeGreaterThanOrEqual(0.9);
    expect(paths("and the of")).toEqual(["the.md"]);
    // Every informative word is there: the others need not be.
    expect(find("what is a simple bicycle for").hits[0]).toMatchObject({ path: "bike.md" });
    expect(find("what is a simple bicycle for").hits[0]!.score).toBeGreaterThan(0.5);
  });
});

describe("words are found", () => {
  it("by their beginning while they are typed", async () => {
    const { hit } = await indexOf({ "a.md": "A caterpillar on a leaf." });
    expect(hit("leaf cater", "a.md")?.score).toBeGreaterThanOrEqual(0.7);
  });

  it("in other forms", async () => {
    const { paths } = await indexOf({ "a.md": "We discussed the budgets at length.", "b.md": "Nothing." });
    expect(paths("budget discussing")).toEqual(["a.md"]);
  });

  it("with typing errors, below those without", async () => {
    const { find } = await indexOf({ "a.md": "The kaleidoscope turned.", "b.md": "A kalaidoscope, misspelt here." });
    expect(find("kaliedoscope").hits.map(({ path }) => path)).toEqual(["a.md"]);
    expect(find("kaliedoscope").hits[0]!.score).toBeLessThan(0.7);
    expect(find("kaliedoscope").words).toContain("kaleidoscope");
    expect(find("kalaidoscope").hits.map(({ path }) => path)).toEqual(["b.md"]);
  });

  it("whatever their case and diacritics", async () => {
    const { paths } = await indexOf({ "a.md": "Une crème BRÛLÉE.", "Ærø.md": "An island." });
    expect(paths("creme brulee")).toEqual(["a.md"]);
    expect(paths("CRÈME")).toEqual(["a.md"]);
    expect(paths("aero")).toEqual(["Ærø.md"]);
  });

  it("in scripts without spaces, by any part", async () => {
    const { paths } = await indexOf({
      "a.md": "今日は東京都に行きました。",
      "b.md": "京都の寺を見た。",
      "会議メモ.md": "Text.",
    });
    expect(paths("東京")).toEqual(["a.md"]);
    expect(paths("寺")).toEqual(["b.md"]);
    expect(paths("会議")).toEqual(["会議メモ.md"]);
  });

  it("as a phrase in quotes, and only so", async () => {
    const { find, paths } = await indexOf({
      "a.md": "A deep blue sea.",
      "b.md": "The sea is deep, and blue.",
      "c.md": "A deep blue sky over a red boat.",
    });
    expect(paths('"deep blue sea"')).toEqual(["a.md"]);
    expect(paths('"deep blue" boat')[0]).toBe("c.md");
    expect(paths('"deep blue" boat')).not.toContain("b.md");
    expect(find('"deep blue sea"').hits[0]!.score).toBeGreaterThanOrEqual(0.9);
  });

  it("in names that are run together or mistyped", async () => {
    const { hit } = await indexOf({ "ProjectRoadmap.md": "Text.", "Winterthur.md": "Text." });
    expect(hit("roadmap", "ProjectRoadmap.md")).toBeDefined();
    expect(hit("erthur", "Winterthur.md")!.score).toBeLessThanOrEqual(0.29);
  });

  it("and nothing else: what is nowhere has no hits", async () => {
    const { find } = await indexOf({});
    expect(find("xylophone")).toMatchObject({ hits: [], total: 0 });
    for (const odd of ["", "   ", '"', "*", "(", "AND", "NOT OR", '" OR "', "a:b", "-", "^", "tag:", "path:", "\0"])
      expect(() => find(odd)).not.toThrow();
  });
});

describe("filters", () => {
  const notes = {
    "work/plan.md": "---\nstatus: Open\npeople: [Ann, Bob]\n---\nThe plan #project/alpha",
    "work/old.md": "---\nstatus: done\n---\nAn old plan #project",
    "home/plan.md": "A plan for the garden #garden",
    "homework.md": "A plan without tags.",
  };

  it.each([
    ["plan tag:#project", ["work/old.md", "work/plan.md"]],
    ["plan tag:project/alpha", ["work/plan.md"]],
    ["plan -tag:#project", ["home/plan.md", "homework.md"]],
    ["plan path:work", ["homework.md", "work/old.md", "work/plan.md"]],
    ["plan -path:work", ["home/plan.md"]],
    ["plan prop:status=open", ["work/plan.md"]],
    ["plan prop:people=bob", ["work/plan.md"]],
    ["plan prop:status", ["work/old.md", "work/plan.md"]],
    ["plan -prop:status=done", ["home/plan.md", "homework.md", "work/plan.md"]],
    ["plan -old", ["home/plan.md", "homework.md", "work/plan.md"]],
    ["tag:#garden", ["home/plan.md"]],
  ])("%s", async (query, expected) => {
    const { paths } = await indexOf(notes);
    expect(paths(query).toSorted()).toEqual(expected);
  });

  it.each([
    ["prop:rating>6", ["ten.md"]],
    ["prop:rating>=6", ["six.md", "ten.md"]],
    ["prop:rating<10", ["six.md"]],
    ["prop:rating<=1e1", ["six.md", "ten.md"]],
    ["prop:rating!=10", ["odd.md", "six.md"]],
    ["prop:rating -prop:rating>6", ["odd.md", "six.md"]],
    ["prop:due<2026-12-01", ["six.md"]],
    ["prop:due >= 2026-12-01", ["ten.md"]],
    ["prop:due>m", ["odd.md"]],
  ])("compare numbers with numbers, and dates with dates: %s", async (query, expected) => {
    const { paths } = await indexOf({
      "six.md": "---\nrating: 6\ndue: 2026-11-30\n---\n",
      "ten.md": "---\nrating: 10\ndue: 2026-12-01T09:00\n---\n",
      "odd.md": "---\nrating: high\ndue: soon\n---\n",
    });
    expect(paths(query).toSorted()).toEqual(expected);
  });

  it("keep to the folders and notes of the scope", async () => {
    const { find } = await indexOf(notes);
    const within = (...paths: string[]) => find("plan", { paths }).hits.map(({ path }) => path);
    expect(within("home")).toEqual(["home/plan.md"]);
    expect(within("home", "homework.md").toSorted()).toEqual(["home/plan.md", "homework.md"]);
    expect(within("")).toHaveLength(4);
    expect(within("nowhere")).toEqual([]);
  });

  it("keep to a time: by when notes were changed, by their names, and by properties with a date", async () => {
    const dated = (property: string) => `---\n${property}\n---\nA plan.`;
    const { index, vault, paths } = await indexOf({
      "changed.md": "A plan.",
      "later.md": "A plan.",
      "2024-03-05.md": "A plan.",
      "log/2024-W10.md": "A plan.",
      "date.md": dated("date: 2024-03-07"),
      "created.md": dated("Created: 2024-03-08T10:00"),
      "due.md": dated("due: 2024-03-07"),
      "odd.md": dated("date: 2024-03-xx"),
    });
    const at = (day: number) => new Date(2024, 2, day, 12);
    utimesSync(join(vault.folder, "changed.md"), at(3), at(3));
    utimesSync(join(vault.folder, "later.md"), at(20), at(20));
    await index.sweep(indexedFolder(vault.vault.root));
    const during = (start: number, end: number) => paths("plan", { during: { start, end } }).toSorted();
    const [first, ninth] = [1, 9].map((day) => new Date(2024, 2, day).getTime());
    const found = ["2024-03-05.md", "changed.md", "created.md", "date.md", "log/2024-W10.md"];
    expect(during(first!, ninth!)).toEqual(found);
    expect(during(Number.NEGATIVE_INFINITY, ninth!)).toEqual(found);
    expect(during(ninth!, Number.POSITIVE_INFINITY)).toHaveLength(7);
    expect(during(ninth!, Number.POSITIVE_INFINITY)).not.toContain("changed.md");
  });

  it("count what they let through", async () => {
    const { find } = await indexOf(notes);
    expect(find("plan tag:#project", { limit: 1 })).toMatchObject({ total: 2 });
  });
});

describe("the facts of notes in the index", () => {
  it("are their links, by name and by what they lead to", async () => {
    const { index } = await indexOf({
      "a.md": "See [[target]] and [text](folder/target.md#part).",
      "b.md": "See ![[Target|alias]].",
      "folder/c.md": "See [[target]].",
      "folder/target.md": "",
      "target.md": "",
      "map.canvas": JSON.stringify({ nodes: [{ id: "1", type: "file", file: "target.md" }] }),
      "a (conflicted copy 2026-01-02).md": "See [[target]].",
    });
    expect(index.notesWithLinkNames(["target"])).toEqual([
      "a (conflicted copy 2026-01-02).md",
      "a.md",
      "b.md",
      "folder/c.md",
      "map.canvas",
    ]);
    expect(index.backlinks(["folder/target.md"]).map(({ from }) => from)).toEqual(["a.md"]);
    expect(index.backlinks(["target.md"]).map(({ from }) => from)).toEqual([
      "a (conflicted copy 2026-01-02).md",
      "a.md",
      "b.md",
      "folder/c.md",
      "map.canvas",
    ]);
    expect(index.links(["a.md"]).map(({ to }) => to)).toEqual(["target.md", "folder/target.md"]);
  });

  it("are tags with their counts, headings, tasks and properties", async () => {
    const { index } = await indexOf({
      "a.md": "---\nstatus: open\n---\n# A\n\n- [ ] do it\n\n#work #Home",
      "b.md": "#work",
    });
    expect(index.tags()).toEqual([
      { tag: "work", count: 2 },
      { tag: "Home", count: 1 },
    ]);
    expect(index.facts("a.md")).toMatchObject({
      title: "A",
      headings: ["A"],
      properties: { status: "open" },
      tasks: [{ status: " ", text: "do it", line: 6, heading: "A" }],
    });
  });
});

describe("a word that is too frequent for its places to be read", () => {
  // Half as many again as are read, in a note of its own.
  const files = {
    "Rivers.md": "river ".repeat(30_000),
    "First.md": "The glacier above the meadow, seen by everybody in the valley.",
    "Second.md": "The glacier above the meadow, seen by everybody in the valley.",
  };
  const question = "What did I read about the glacier and the river in May?";
  const withRiver = files["First.md"].replace("meadow", "river");

  it("still decides between notes that are equal otherwise, also after they were changed", async () => {
    const { index, vault, paths } = await indexOf({ ...files, "First.md": withRiver });
    expect(paths(question).slice(0, 2)).toEqual(["First.md", "Second.md"]);
    vault.write("First.md", files["First.md"]);
    vault.write("Second.md", withRiver);
    await index.sweep(indexedFolder(vault.vault.root));
    expect(paths(question).slice(0, 2)).toEqual(["Second.md", "First.md"]);
  });

  it("is found beside a word that no note has", async () => {
    const { paths } = await indexOf({ ...files, "First.md": withRiver });
    expect(paths("river kubernetes")).toContain("First.md");
    expect(paths("river kubernetes")).not.toContain("Second.md");
  });

  it("is found in its other forms, also in one that was not there before", async () => {
    const { index, vault, paths } = await indexOf({
      ...files,
      "First.md": files["First.md"].replace("meadow", "creek"),
    });
    expect(paths("What did I read about the glacier and creeks in May?")[0]).toBe("First.md");
    vault.write("Second.md", files["Second.md"].replace("meadow", "creeks"));
    await index.sweep(indexedFolder(vault.vault.root));
    expect(paths("What did I read about the glacier and creeks in May?").slice(0, 2)).toEqual([
      "Second.md",
      "First.md",
    ]);
  });

  /** The notes with a word thousands of times are the first in the index. */
  const dumps = ["river delta ".repeat(25_000), `# Rivers\n\n${"delta rivers ".repeat(25_000)}`];
  const later = [1, 2, 3].map((i) => `Number ${i}: a river is crossed by a bridge of stone.`);
  function withDumps() {
    const texts = [...dumps, ...Object.values(FILLER), ...Object.values(files), ...later];
    const database = databaseOf(texts.map((text) => ({ text, mtime: 0 })));
    const paths = later.map((text) => `${texts.indexOf(text)}.md`);
    return { database, paths };
  }

  it.each([
    ["a word of a question", "What is a river?"],
    ["one of two words that no note has together", "river glacier"],
    ["a word that is often in two notes, beside another one", "What do I know about the river and its delta?"],
    ["another form of it", "Where do rivers begin?"],
    ["the beginning of it", "glacier riv"],
    ["it with a typing error", "glacier rivre"],
    ["all of a sentence", "A river is crossed by a bridge of stone"],
  ])("hides no note that was written later: %s", (_, query) => {
    const { database, paths } = withDumps();
    const found = search(database, parseQuery(query), { limit: 20 }).hits.map(({ path }) => path);
    expect(found).toEqual(expect.arrayContaining(paths));
    database.close();
  });

  it("leaves a sentence that is in a note word for word a phrase", () => {
    const { database, paths } = withDumps();
    const [best] = search(database, parseQuery("A river is crossed by a bridge of stone"), { limit: 1 }).hits;
    expect(paths).toContain(best!.path);
    expect(best!.score).toBeGreaterThanOrEqual(0.9);
    database.close();
  });

  it("is found in every note if each word of the query is so frequent, in those with all of them first", () => {
    const often = Array.from({ length: 300 }, (_, i) => ({ text: "tide ".repeat(90) + "wave ".repeat(80), mtime: i }));
    const last = ["a tide at last", "a wave at last", "the tide and the wave, at last"].map((text) => ({
      text,
      mtime: 0,
    }));
    const database = databaseOf(often, last);
    const { hits, total } = search(database, parseQuery("What of the tide and the wave?"), { limit: 5 });
    expect(total).toBe(303);
    expect(hits[0]!.path).toBe("302.md");
    database.close();
  });
});

describe("an answer to a question", () => {
  const notes = {
    "Ferry.md": "In April Miriam took the night ferry to Gotland, and slept on the deck among bicycles.",
    "Garden.md": "Roses and beans need water every evening.",
  };

  it("says how sure it is, and which words a hit lacks, whatever is listed", async () => {
    const { find } = await indexOf(notes);
    const sure = find("Who took the night ferry to Gotland among bicycles?");
    expect(sure).toMatchObject({ known: "yes", hits: [{ path: "Ferry.md", grounds: { isSure: true, lacks: [] } }] });
    const unsure = find("When did Rashid sell the water mill in Toledo?");
    expect(unsure.known).toBe("no");
    expect(unsure.hits.map(({ path }) => path)).toContain("Garden.md");
    expect(find("Where was the zeppelin built by Anselm?").known).toBe("no");
    const other = find("Did Miriam water the beans on the night ferry?").hits.find(({ path }) => path === "Garden.md");
    expect(other!.grounds!.lacks).toEqual(expect.arrayContaining(["miriam", "night", "ferry"]));
  });

  it("takes a mistyped name for no evidence", async () => {
    const { find } = await indexOf(notes);
    expect(find("What did Mriiam sell in Goltand?").known).toBe("no");
  });

  it("says nothing of questions whose words cannot be told apart", async () => {
    const { find } = await indexOf({ ...notes, "Tree.md": "ต้นมะม่วงในสวนของยายออกผลทุกปีในเดือนเมษายน" });
    expect(find("ใครเป็นคนขายบ้านริมทะเลให้กับหมอในเมืองนี้?")).toHaveProperty("known", undefined);
  });

  it("wants more of Vietnamese, of which a word is a syllable", async () => {
    const { find } = await indexOf({
      ...notes,
      "Cây.md": "Bà tôi trồng cây xoài trong vườn sau nhà, mỗi năm ra quả vào tháng tư. Người ta đến mua và ăn ở nhà.",
    });
    expect(find("Ai đã bán ngôi nhà ở bãi biển cho người bác sĩ vào năm ngoái?").known).toBe("no");
    expect(find("Bà tôi trồng cây xoài trong vườn sau nhà vào tháng nào?").known).toBe("yes");
  });

  it("says nothing of keywords", async () => {
    const { find } = await indexOf(notes);
    expect(find("night ferry").known).toBeUndefined();
    expect(find("night ferry").hits[0]!.grounds).toBeUndefined();
  });
});

describe("a word in a script whose vowels are marks", () => {
  it.each([
    ["Hindi", "भारत की राजधानी नई दिल्ली है।", "हिमालय पर बर्फ गिरती है।", "भारत की राजधानी क्या है?"],
    ["Bengali", "ঢাকা বাংলাদেশের রাজধানী।", "নদীতে অনেক মাছ আছে।", "বাংলাদেশের রাজধানী কোথায়?"],
    ["Tamil", "சென்னை தமிழ்நாட்டின் தலைநகரம்.", "மழை பெய்கிறது.", "தமிழ்நாட்டின் தலைநகரம் எது?"],
    ["Thai", "กรุงเทพเป็นเมืองหลวงของประเทศไทย", "วันนี้ฝนตกหนัก", "เมืองหลวงของประเทศไทยคืออะไร?"],
  ])("is found in a question: %s", async (_, answer, other, question) => {
    const { paths } = await indexOf({ "Answer.md": answer, "Other.md": other });
    expect(paths(question)[0]).toBe("Answer.md");
  });
});

describe("a word that no note has", () => {
  const notes = { "Code.md": "Review the code of libraries.", "Garden.md": "Roses and more." };

  it("is named, also if others are found or a similar one is taken for it", async () => {
    const { find } = await indexOf(notes);
    const found = find("codex review");
    expect(found.hits[0]?.path).toBe("Code.md");
    expect(found.unfound).toEqual(["codex"]);
    expect(find("What did the roses of the codex review more?").unfound).toEqual(["codex"]);
    expect(find('"codex review"').unfound).toEqual(["codex"]);
  });

  it("is not one that is there in another form, beyond the filters, or as a beginning", async () => {
    const { find } = await indexOf(notes);
    for (const query of ["library", "rose", "libr", "code tag:none", "the of", "-codex roses", '"roses garden"'])
      expect(find(query).unfound ?? [], query).toEqual([]);
  });
});

describe("a phrase in quotes", () => {
  const notes = {
    "Editors.md": "Word processors show documents as they will be printed, in early editors.",
    "Phrase.md": "What you see is what you get: processors.",
  };
  const question = 'Which early editors and processors exist, including "what you see is what you get" systems';

  it("weighs in a sentence: what has it is first, and nothing else is left out", async () => {
    const { paths } = await indexOf(notes);
    expect(paths(question)).toEqual(["Phrase.md", "Editors.md"]);
    expect(paths(question.replace("what you see", "never you mind"))[0]).toBe("Editors.md");
  });

  it("is required among a few words, and after a plus", async () => {
    const { paths } = await indexOf(notes);
    expect(paths('processors "what you see"')).toEqual(["Phrase.md"]);
    expect(paths('processors "never you mind"')).toEqual([]);
    expect(paths(question.replace('"what', '+"what'))).toEqual(["Phrase.md"]);
    expect(paths(question.replace('"what', '+"never'))).toEqual([]);
  });
});
