import { describe, expect, it } from "vitest";
import { expectLinearTime } from "../../../test/growth.ts";
import { OPML, OPML_ONE_LINE, MARKDOWN, V3, V3_PRETTY, V5 } from "../../../test/fixtures/outline-files.ts";
import { outlineOf, type GivenRow } from "../../../test/fixtures/outlines.ts";
import { foldForSearch } from "../../search/words/folding.ts";
import { applyRowEdits } from "../file/row-edits.ts";
import { parseOutline } from "../formats/format-detection.ts";
import * as ofRows from "../outline-of-rows.ts";
import type { NewRow, Outline } from "../model.ts";
import { searchPattern, searchRows, type RowSearch } from "./row-search.ts";

const search = (rows: readonly GivenRow[], wanted: Partial<RowSearch> & { query: string }) =>
  searchRows(outlineOf(rows), { searchIn: "all", caseSensitive: false, maxResults: 50, ...wanted });
const topics = (rows: readonly string[], query: string, wanted: Partial<RowSearch> = {}) =>
  search(
    rows.map((topic, i) => ({ id: `${i}`, topic })),
    { query, ...wanted },
  ).matches.map(({ row }) => row.topic);

describe("searching rows", () => {
  const rows = [
    { topic: "Plan", note: "the plan of plans", children: [{ topic: "Planting", state: "checked" as const }] },
    { topic: "Other", note: "no such word", children: [{ topic: "plan b", state: "unchecked" as const }] },
  ];

  it("returns one result per matching field, and counts all of them", () => {
    const { matches, total } = search(rows, { query: "plan" });
    expect(matches.map(({ row, matchField }) => [row.topic, matchField])).toEqual([
      ["Plan", "topic"],
      ["Plan", "note"],
      ["Planting", "topic"],
      ["plan b", "topic"],
    ]);
    expect(total).toBe(4);
    expect(search(rows, { query: "plan", maxResults: 1 })).toMatchObject({ matches: [{}], total: 4 });
  });

  it("searches only the requested fields, states and rows", () => {
    expect(search(rows, { query: "plan", searchIn: "notes" }).total).toBe(1);
    expect(search(rows, { query: "plan", searchIn: "topics" }).total).toBe(3);
    expect(search(rows, { query: "plan", state: "checked" }).matches[0]?.row.topic).toBe("Planting");
    expect(search(rows, { query: "plan", under: "Other" }).matches.map(({ row }) => row.topic)).toEqual(["plan b"]);
    expect(() => search(rows, { query: "plan", under: "z" })).toThrow(
      expect.objectContaining({ code: "row_not_found" }),
    );
  });

  it.each([
    ["istanbul", "İstanbul"],
    ["İSTANBUL", "istanbul"],
    ["strasse", "Straße"],
    ["STRAẞE", "strasse"],
    ["cafe\u0301", "caf\u00e9"],
    ["caf\u00e9", "CAFE\u0301"],
    ["ΣΟΦΟΣ", "σοφος"],
    ["ﬁle", "FILE"],
    ["가", "\u1100\u1161"],
  ])("ignores case and diacritics: %s finds %s", (query, topic) => {
    expect(topics([topic, "other"], query)).toEqual([topic]);
  });

  it("respects case on request, and still equates composed and decomposed characters", () => {
    expect(topics(["Plan", "plan"], "Plan", { caseSensitive: true })).toEqual(["Plan"]);
    expect(topics(["Straße", "Strasse"], "ss", { caseSensitive: true })).toEqual(["Strasse"]);
    expect(topics(["caf\u00e9", "cafe\u0301", "cafe"], "é", { caseSensitive: true })).toEqual([
      "caf\u00e9",
      "cafe\u0301",
    ]);
  });

  it("finds a query that folding would reduce to nothing", () => {
    expect(topics(["a\u00adb", "ab"], "\u00ad")).toEqual(["a\u00adb"]);
  });
});

describe("the text around a match", () => {
  const context = (topic: string, query: string, wanted: Partial<RowSearch> = {}) =>
    search([{ topic }], { query, ...wanted }).matches[0]!.matchContext;

  it("is all of a short field", () => {
    expect(context("a plan of mine", "PLAN")).toBe("a plan of mine");
  });

  it("is cut with an ellipsis on both sides of a long field", () => {
    expect(context(`${"x".repeat(500)} plan ${"y".repeat(500)}`, "plan")).toMatch(/^…x{59} plan y{59}…$/);
  });

  it("is at the match even if folding changes lengths", () => {
    expect(context(`${"ß".repeat(300)}!${"İ".repeat(300)}`, "!")).toMatch(/^…ß{60}!İ{60}…$/);
    expect(context(`${"ﬃ".repeat(300)}!`, "!")).toMatch(/^…ﬃ{60}!$/);
    expect(context(`${"e\u0301".repeat(300)}!`, "!", { caseSensitive: true })).toMatch(/^…(e\u0301)+!$/);
  });

  it.each(["👩‍👩‍👧‍👦", "🇩🇪", "e\u0301\u0323", "🏳️‍🌈", "한"])("is cut between whole characters: %s", (character) => {
    for (let shift = 0; shift < 12; shift++) {
      const text = `${character.repeat(100)}plan${"z".repeat(shift)}${character.repeat(100)}`;
      const shown = context(text, "plan").replaceAll("…", "");
      const [before, after] = shown.split(/planz*/);
      expect(before!.length % character.length).toBe(0);
      expect(after!.length % character.length).toBe(0);
    }
  });

  it("contains the whole character if only a part of it matches", () => {
    expect(context("ß", "s")).toBe("ß");
    expect(context("ﬃ", "fi")).toBe("ﬃ");
  });
});

describe("regular expressions", () => {
  const match = (rows: readonly GivenRow[], wanted: Partial<RowSearch> & { query: string }, signal?: AbortSignal) =>
    searchPattern(outlineOf(rows), { searchIn: "all", caseSensitive: false, maxResults: 50, ...wanted }, signal);

  it("match in topics and notes, with or without case", async () => {
    const rows = [{ topic: "Task 12", note: "TASK 7" }, { topic: "Tasks" }];
    expect((await match(rows, { query: String.raw`task \d+` })).total).toBe(2);
    expect((await match(rows, { query: String.raw`^Task\b`, caseSensitive: true })).total).toBe(1);
    expect((await match(rows, { query: String.raw`\p{Lu}{4}`, caseSensitive: true })).total).toBe(1);
  });

  it("may contain needless escapes", async () => {
    const { matches } = await match([{ topic: "a-b" }], { query: String.raw`a\-b` });
    expect(matches.map(({ row, matchContext }) => [row.topic, matchContext])).toEqual([["a-b", "a-b"]]);
  });

  it.each(["(", "[z-a]", "a{2,1}", `(${"a".repeat(1000)})`])("are refused if they are invalid: %s", async (query) => {
    await expect(match([{ topic: "a" }], { query })).rejects.toMatchObject({ code: "invalid" });
  });

  it("are stopped if they would never end", async () => {
    const rows = [{ topic: `${"a".repeat(50)}!` }];
    await expect(match(rows, { query: "^(a+)+$" })).rejects.toMatchObject({ code: "timeout" });
  });

  it("stop when the client is gone, and answer others until then", async () => {
    const rows = Array.from({ length: 1_000 }, (_, i) => ({ id: `${i}`, topic: `${"a".repeat(20)}!` }));
    const client = new AbortController();
    let turns = 0;
    const turn = () => {
      if (++turns === 3) client.abort(new Error("gone"));
      else setImmediate(turn);
    };
    setImmediate(turn);
    await expect(match(rows, { query: "^(a+)+$" }, client.signal)).rejects.toThrow("gone");
  });
});

/** The rows of a file, with more rows added at the top. */
function outlineOfFile(text: string, added: readonly NewRow[] = []): Outline {
  const before = parseOutline(Buffer.from(text));
  let next = 0;
  const newId = () => `fffffff${String(next++).padStart(4, "0")}`;
  const position = { parentId: null, index: 0 };
  const { parsed, ids } = applyRowEdits(
    { parsed: before, ids: before.ids ?? Array.from({ length: before.count }, (_, row) => `r${row}`) },
    [{ kind: "add", rows: added, position }],
    newId,
  );
  return ofRows.outlineOf(parsed, ids, { name: "Test", path: null, version: "1" });
}

describe("the rows of a file", () => {
  /** Texts that must be decoded, change length when folded, begin with a combining mark, or are long. */
  const added: readonly NewRow[] = [
    { topic: "Ampersand & <Angle>", note: `"Quotes" and 'more'` },
    { topic: "Straße", note: "İstanbul\nﬁle" },
    { topic: "cafe\u0301", note: "ΣΟΦΟΣ" },
    { topic: "\u0301mark first", note: "가 \u{1f468}\u200d\u{1f469}" },
    { topic: `long ${"word ".repeat(20_000)}end`, note: "after the long one" },
    ...Array.from({ length: 3000 }, (_, row) => ({
      topic: `Row number ${row}`,
      note: row % 3 === 0 ? `Nöte ${row}` : "",
    })),
  ];
  const words = [
    "&",
    "<angle>",
    "'more'",
    "strasse",
    "istanbul",
    "FILE",
    "café",
    "σοφος",
    "mark",
    "end",
    "row number 2999",
  ];
  const files = { V5, V3, V3_PRETTY, OPML, OPML_ONE_LINE, MARKDOWN };

  it.each(Object.entries(files))("are found by all their texts: %s", (_, text) => {
    const outline = outlineOfFile(text, added);
    const { numbered, rowCount } = outline;
    const own = Array.from({ length: rowCount }, (_each, row) => [numbered.topic(row), numbered.note(row) ?? ""]);
    const queries = [...words, "second & <last>", "three lines", "note 1", ...own.slice(-6).flat()].filter(Boolean);
    for (const caseSensitive of [false, true]) {
      const changed = (each: string) => (caseSensitive ? each.normalize("NFC") : foldForSearch(each));
      const texts = own.map((each) => each.map(changed));
      for (const query of queries) {
        const expected = texts.flatMap((each, row) =>
          (["topic", "note"] as const).flatMap((field, index) =>
            each[index]!.includes(changed(query)) ? [`${field} of ${row}`] : [],
          ),
        );
        const { matches } = searchRows(outline, { query, searchIn: "all", caseSensitive, maxResults: rowCount * 2 });
        expect(
          matches.map(({ row, matchField }) => `${matchField} of ${numbered.numberOf(row.id)}`),
          query,
        ).toEqual(expected);
      }
    }
  });

  it("are indexed for the first search in linear time", () => {
    const row = `<outline text="The quick brown fox &amp; the lazy dog" _note="Größe"/>`;
    expectLinearTime(
      (size) => outlineOfFile(`<opml><body>${row.repeat(size)}</body></opml>`),
      (outline) => searchRows(outline, { query: "lazy dog", searchIn: "all", caseSensitive: false, maxResults: 50 }),
      200_000,
    );
  });
});
