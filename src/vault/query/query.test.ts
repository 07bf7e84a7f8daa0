// Queries of a vault: conditions, columns, order, groups, views of bases, and how
// they follow changes.
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { moveFolder } from "../edits/note-mover.ts";
import { queryVault, type Question } from "./query.ts";

const FILES = {
  "Books/Dune.md":
    '---\nauthor: "[[Frank Herbert]]"\nrating: 9\nstatus: read\nread: 2026-05-01\ntags: [book/novel]\ntopics: [deserts, power]\n---\n![[cover.png]]',
  "Books/Emma.md": '---\nauthor: "[[Jane Austen]]"\nrating: 7\nstatus: read\nread: 2026-02-10\ntags: [book]\n---\n',
  "Books/Ulysses.md": "---\nrating: 8\nstatus: open\ntags: [book]\ndue date: 2026-12-24\n---\nSee [[Emma]].",
  "People/Frank Herbert.md": "---\nborn: 1920-10-08\n---\nWrote [[Dune]].",
  "cover.png": "not a picture",
  "Shelf.base": `filters:
  and:
    - file.hasTag("book")
formulas:
  stars: '"*".repeat((rating / 2).round())'
  broken: random()
  circle: formula.circle + 1
summaries:
  spread: values.reduce(acc + value, 0)
properties:
  rating:
    displayName: Rating
views:
  - type: table
    name: All
    order: [file.name, rating, formula.stars]
    sort:
      - property: rating
        direction: DESC
    summaries:
      rating: Average
      formula.stars: Unique
  - type: cards
    name: By status
    filters: rating > 6
    groupBy:
      property: status
      direction: DESC
    order: [file.name]
    limit: 2
  - type: table
    name: Of this
    filters:
      and:
        - author == this
    order: [file.name]
  - type: table
    name: Problems
    order: [formula.broken, formula.circle, formula.gone]
    summaries:
      rating: spread
  - type: table
    name: Wrong
    filters: nothing(
`,
} as const;

const { vault, write } = vaultWith(FILES);
const ask = async (question: Question) => {
  const answer = await queryVault(vault, question);
  return { ...answer, rows: [...answer.rows(0)], warnings: answer.warnings() };
};
const names = async (question: Question) =>
  (await ask(question)).rows.map(([path]) => String(path).replace(/^.*\/|\.md$/g, ""));

describe("where", () => {
  const cases: readonly (readonly [unknown, readonly string[]])[] = [
    ["rating >= 8", ["Dune", "Ulysses"]],
    ['file.hasTag("book") && status != "open"', ["Dune", "Emma"]],
    ['author == link("Jane Austen")', ["Emma"]],
    ['file.hasLink("Emma")', ["Ulysses"]],
    ['file.inFolder("People")', ["Frank Herbert"]],
    ["file.name.startsWith('D')", ["Dune"]],
    ["file.size < 60", ["Frank Herbert"]],
    ["file.ctime <= now() + '100y'", ["Dune", "Emma", "Ulysses", "Frank Herbert"]],
    ['file.ext == "png"', ["cover.png"]],
    [{ status: "read" }, ["Dune", "Emma"]],
    [{ status: { ne: "read" } }, ["Ulysses", "Frank Herbert"]],
    [{ rating: { gt: 7, lt: 9 } }, ["Ulysses"]],
    [{ rating: { between: [7, 8] } }, ["Emma", "Ulysses"]],
    [{ read: { between: ["2026-02-01", "2026-02-28"] } }, ["Emma"]],
    [{ read: { gte: "2026-05-01" } }, ["Dune"]],
    [{ "due date": { exists: true } }, ["Ulysses"]],
    [{ rating: { exists: false } }, ["Frank Herbert"]],
    [{ rating: null }, ["Frank Herbert"]],
    [{ status: { in: ["open", "lost"] } }, ["Ulysses"]],
    [{ topics: "power" }, ["Dune"]],
    [{ topics: { contains: "power" } }, ["Dune"]],
    [{ status: { contains: "REA" } }, ["Dune", "Emma"]],
    [{ "file.name": { startsWith: "e" } }, ["Emma"]],
    [{ "file.name": { endsWith: "s" } }, ["Ulysses"]],
    [{ author: "Jane Austen" }, ["Emma"]],
    [{ author: "[[Jane Austen]]" }, ["Emma"]],
    [{ "file.tags": { contains: "book" } }, ["Emma", "Ulysses"]],
    [{ or: [{ rating: 9 }, "born"] }, ["Dune", "Frank Herbert"]],
    [{ not: [{ status: "read" }, { status: "open" }] }, ["Frank Herbert"]],
    [{ and: [{ status: "read" }, { not: { rating: 9 } }] }, ["Emma"]],
    [["rating", { status: "open" }], ["Ulysses"]],
    [undefined, ["Dune", "Emma", "Ulysses", "Frank Herbert"]],
  ];
  it.each(cases)("%j", async (where, expected) => {
    expect(await names({ where })).toEqual(expected);
  });

  const refused: readonly (readonly [unknown, string])[] = [
    ["rating >", "where: The expression ends too early."],
    ["random() > 0.5", "where: random() is not supported: the pages of one result would not fit together."],
    [{ rating: { about: 3 } }, 'where "rating": unknown comparison "about".'],
    [{ rating: { between: [1] } }, 'where "rating": between needs two values.'],
    [{ rating: { in: 1 } }, 'where "rating": in needs a list.'],
    [{ rating: { exists: "yes" } }, 'where "rating": exists must be true or false.'],
    [{ rating: { eq: {} } }, 'where "rating": a value must be a text, a number, true, false or null.'],
    [3, "where must be an expression, or an object of conditions."],
    [
      "[1,2,3,4,5,6,7,8,9].map([1,2,3,4,5,6,7,8,9].map([1,2,3,4,5,6,7,8,9].map([1,2,3,4,5,6,7,8,9].map([1,2,3,4,5,6,7,8,9].map([1,2,3,4,5,6,7,8,9].map([1,2,3,4,5,6,7,8,9].map([1,2,3,4,5,6,7,8,9].map(value))))))))",
      "The expressions take too long: too many steps. Simplify them, or filter more first.",
    ],
  ];
  it.each(refused)("%j is refused", async (where, sentence) => {
    await expect(ask({ where })).rejects.toThrow(sentence);
  });

  it("leaves out files for which it cannot be evaluated, and says so", async () => {
    const { rows, warnings } = await ask({ where: "status.round() == 1" });
    expect(rows).toEqual([]);
    expect(warnings).toEqual(["filter: round() is not a function of a string. (3 files)"]);
  });

  it.each([
    [{ where: "ratting >= 7" }, 'No note has the property "ratting". Did you mean rating?'],
    [{ where: "file.hasTag(daily)" }, 'No note has the property "daily". A text needs quotes: "daily".'],
    [{ where: { folder: "Books" } }, 'No note has the property "folder". Did you mean file.folder?'],
    [{ where: { or: ["xyzzy", { note: 1 }] } }, 'No note has the property "xyzzy". A text needs quotes: "xyzzy".'],
    [
      { where: "author == [[Emma]]" },
      'No note has the property "Emma". A link is written link("Emma"), for a list: contains(link("Emma")).',
    ],
    [{ select: ["rating", "pages"] }, 'No note has the property "pages".'],
    [{ sort: ["-ratng"] }, 'No note has the property "ratng". Did you mean rating?'],
    [{ group: "staus desc" }, 'No note has the property "staus". Did you mean status?'],
  ])("warns of a property that no note has: %j", async (question, warning) => {
    expect((await ask(question)).warnings).toContain(warning);
  });

  it.each([
    { where: "topics.filter(value != 1).length > 0 && note['due date'] != 1 && this != 2" },
    { where: { "note.rating": 1, "file.name": "x", and: ["rating > 1"] }, select: ["formula.x", "file.mtime"] },
  ])("does not warn of other names: %j", async (question) => {
    expect((await ask(question)).warnings.filter((warning) => warning.startsWith("No note"))).toEqual([]);
  });

  it("takes several columns in one text", async () => {
    const select = ['rating, if(rating > 8, "a, b", [1, 2]),file.name'];
    const { columns, rows } = await ask({ where: 'file.name == "Dune"', select, sort: ["status,rating desc"] });
    expect(columns).toEqual(["path", "rating", 'if(rating > 8, "a, b", [1, 2])', "file.name"]);
    expect(rows).toEqual([["Books/Dune.md", 9, "a, b", "Dune"]]);
  });
});

describe("a result", () => {
  it("has the columns and the order that are asked for; what has no value comes last", async () => {
    const { columns, rows } = await ask({ select: ["rating", "author", "rating * 2"], sort: ["rating desc"] });
    expect(columns).toEqual(["path", "rating", "author", "rating * 2"]);
    expect(rows).toEqual([
      ["Books/Dune.md", 9, "[[Frank Herbert]]", 18],
      ["Books/Ulysses.md", 8, null, 16],
      ["Books/Emma.md", 7, "[[Jane Austen]]", 14],
      ["People/Frank Herbert.md", null, null, null],
    ]);
    expect(await names({ sort: ["rating"] })).toEqual(["Emma", "Ulysses", "Dune", "Frank Herbert"]);
    expect(await names({ sort: ["status", "-rating"] })).toEqual(["Ulysses", "Dune", "Emma", "Frank Herbert"]);
  });

  it("counts its groups", async () => {
    const { rows, groups } = await ask({ group: "status desc", sort: ["rating"], select: [] });
    expect(rows.map(([path]) => path)).toEqual([
      "Books/Emma.md",
      "Books/Dune.md",
      "Books/Ulysses.md",
      "People/Frank Herbert.md",
    ]);
    expect(groups).toEqual([
      { value: "read", count: 2 },
      { value: "open", count: 1 },
      { value: null, count: 1 },
    ]);
  });

  it("shows times of files in UTC, and dates as they are written", async () => {
    const { rows } = await ask({ where: { rating: 9 }, select: ["file.mtime", "read"] });
    expect(rows[0]![1]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(rows[0]![2]).toBe("2026-05-01");
  });
});

describe("the times of a file", () => {
  it("are those of the disk", async () => {
    const { folder, vault: other } = vaultWith({ "a.md": "" });
    const { birthtimeMs, mtimeMs } = statSync(join(folder, "a.md"));
    const select = ["number(file.ctime)", "number(file.mtime)"];
    const [row] = [...(await queryVault(other, { select })).rows(0)];
    expect(row).toEqual(["a.md", Math.round(birthtimeMs || mtimeMs), Math.round(mtimeMs)]);
    await other.close();
  });
});

describe("a base", () => {
  it("shows its first view by default, with formulas, order, sort and summaries", async () => {
    const { base, view, columns, rows, summaries, warnings } = await ask({ base: "Shelf" });
    expect([base, view?.name, columns]).toEqual([
      "Shelf.base",
      "All",
      ["path", "file.name", "rating", "formula.stars"],
    ]);
    expect(rows).toEqual([
      ["Books/Dune.md", "Dune", 9, "*****"],
      ["Books/Ulysses.md", "Ulysses", 8, "****"],
      ["Books/Emma.md", "Emma", 7, "****"],
    ]);
    expect(summaries).toEqual([
      { column: "rating", name: "Average", value: 8 },
      { column: "formula.stars", name: "Unique", value: 2 },
    ]);
    expect(warnings).toEqual([
      "formula.broken: random() is not supported: the pages of one result would not fit together.",
    ]);
  });

  it("filters, groups and limits by its view", async () => {
    const { rows, groups } = await ask({ base: "Shelf.base", view: "by status" });
    expect(rows.map(([path]) => path)).toEqual(["Books/Dune.md", "Books/Emma.md"]);
    expect(groups).toEqual([{ value: "read", count: 2 }]);
  });

  it("knows the note that it is shown in", async () => {
    expect(await names({ base: "Shelf", view: "Of this" })).toEqual([]);
    expect(await names({ base: "Shelf", view: "Of this", shownIn: "Frank Herbert" })).toEqual(["Dune"]);
    expect(await names({ base: "Shelf", view: "Of this", shownIn: "[[frank herbert]]" })).toEqual(["Dune"]);
    const { vault: other } = vaultWith(
      { ...FILES, "2026-11-16.md": "", "a.md": '---\ntags: [book]\nauthor: "[[2026-11-16]]"\n---\n' },
      { now: () => Date.UTC(2026, 10, 16, 12), timeZone: "UTC" },
    );
    const ofDay = await queryVault(other, { base: "Shelf", view: "Of this", shownIn: "daily:today" });
    expect([...ofDay.rows(0)].map(([path]) => path)).toEqual(["a.md"]);
  });

  it("can be narrowed, and shown with other columns", async () => {
    const { columns, rows } = await ask({
      base: "Shelf",
      where: { status: "read" },
      select: ["status"],
      sort: ["rating"],
    });
    expect(columns).toEqual(["path", "status"]);
    expect(rows.map(([path]) => path)).toEqual(["Books/Emma.md", "Books/Dune.md"]);
  });

  it("says what it cannot evaluate", async () => {
    const { rows, warnings, summaries } = await ask({ base: "Shelf", view: "Problems" });
    expect(rows[0]).toEqual(["Books/Dune.md", null, null, null]);
    expect(warnings).toEqual([
      "formula.broken: random() is not supported: the pages of one result would not fit together.",
      "formula.circle: formula.circle needs its own value. (3 files)",
      'formula.gone: There is no formula "gone". (3 files)',
    ]);
    expect(summaries).toEqual([{ column: "rating", name: "spread", value: 24 }]);
  });

  it("names the bases nearest to one that is missing first", async () => {
    const names = ["Albums", "Archive", "Authors", "Bills", "Birds", "Books"];
    const { vault: many } = vaultWith(Object.fromEntries(names.map((name) => [`Bases/${name}.base`, ""])));
    await expect(queryVault(many, { base: "Boks" })).rejects.toMatchObject({
      message: "Base not found: Boks",
      hint: expect.stringMatching(/^There is 'Bases\/Books\.base', .* and others\.$/),
    });
  });

  const refused: readonly (readonly [Question, string])[] = [
    [{ base: "Nothing" }, "Base not found: Nothing"],
    [{ base: "Dune" }, "Base not found: Dune"],
    [{ base: "Shelf", view: "Lost" }, 'Shelf.base has no view "Lost".'],
    [
      { base: "Shelf", view: "Wrong" },
      "Shelf.base has a filter that cannot be read: nothing( (The expression ends too early.)",
    ],
    [{ base: "Shelf", shownIn: "Nobody" }, "File not found: Nobody"],
    [{ view: "All" }, "view needs a base."],
  ];
  it.each(refused)("%j is refused", async (question, sentence) => {
    await expect(ask(question)).rejects.toThrow(sentence);
  });

  it.each([
    ["- a\n- b\n", "is not a base"],
    ["a: [", "is not valid YAML"],
    [
      `a: &a [x]\n${Array.from({ length: 9 }, (_, i) => `b${i}: &b${i} [${`*${i === 0 ? "a" : `b${i - 1}`},`.repeat(9)}]`).join("\n")}`,
      "too many values",
    ],
    ["filters: 3", "neither a text nor and, or, not"],
    ["filters: {xor: [a]}", 'a filter "xor"'],
  ])("with a fault is refused: %.20j", async (text, sentence) => {
    const { vault: other } = vaultWith({ "a.base": text });
    await expect(queryVault(other, { base: "a" })).rejects.toThrow(sentence);
    await other.close();
  });

  it("that is empty shows every file", async () => {
    const { vault: other } = vaultWith({ "a.base": "", "b.md": "", "c.png": "" });
    const answer = await queryVault(other, { base: "a" });
    expect([...answer.rows(0)]).toEqual([
      ["a.base", "a.base"],
      ["b.md", "b"],
      ["c.png", "c.png"],
    ]);
    await other.close();
  });
});

describe("a query", () => {
  it("follows changes, new notes and moved folders", async () => {
    const { vault: other, write: writeOther } = vaultWith(FILES);
    const paths = async (where: string) => [...(await queryVault(other, { where })).rows(0)].map(([path]) => path);
    expect(await paths("rating == 9")).toEqual(["Books/Dune.md"]);
    writeOther("Books/Emma.md", "---\nrating: 9\n---\n");
    writeOther("New.md", "---\nrating: 9\n---\n[[Emma]]");
    await other.index.refresh();
    expect(await paths("rating == 9")).toEqual(["Books/Dune.md", "Books/Emma.md", "New.md"]);
    expect(await paths('file.hasLink("Emma")')).toEqual(["Books/Ulysses.md", "New.md"]);
    await moveFolder(other, { tool: "test" }, { path: "Books", newPath: "Shelf" });
    expect(await paths("rating == 9")).toEqual(["New.md", "Shelf/Dune.md", "Shelf/Emma.md"]);
    expect(await paths('file.hasLink("Shelf/Emma")')).toEqual(["New.md", "Shelf/Ulysses.md"]);
    await other.close();
  });

  it("knows the person's day, wherever the computer is", async () => {
    const now = () => Date.UTC(2026, 10, 16, 23, 30);
    const days = ["Pacific/Honolulu", "Asia/Tokyo"].map(async (timeZone) => {
      const { vault: other } = vaultWith({ "a.md": "" }, { now, timeZone });
      const [row] = [...(await queryVault(other, { select: ["today()", "now()"] })).rows(0)];
      await other.close();
      return row;
    });
    expect(await Promise.all(days)).toEqual([
      ["a.md", "2026-11-16", "2026-11-16T23:30:00.000Z"],
      ["a.md", "2026-11-17", "2026-11-16T23:30:00.000Z"],
    ]);
  });

  it("can be cancelled", async () => {
    write("x.md", "");
    await expect(ask({ signal: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow("stopped");
    // Before the first sweep it would wait for one.
    const unswept = vaultWith({ "x.md": "" });
    const asked = queryVault(unswept.vault, { signal: AbortSignal.abort(new Error("stopped")) });
    await expect(asked).rejects.toThrow("stopped");
  });
});
