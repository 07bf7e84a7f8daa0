import { describe, expect, it } from "vitest";
import { parseQuery } from "../../search/search.ts";
import { snippetOfNote } from "./note-snippet.ts";

function snippet(text: string, query: string, properties: Record<string, unknown> = {}, title = "Note") {
  const { properties: filters, ...terms } = parseQuery(query);
  return snippetOfNote({ text, title, properties }, { terms, properties: filters, length: 120 });
}

const filler = "Nothing of any interest stands in this sentence. ".repeat(200);

describe("the snippet of a note", () => {
  it("is prose, without what only Obsidian reads", () => {
    const text = "---\nid: 7\n---\n# Note\n\n![[map.png]]\n\n| Town | Days |\n| --- | --- |\n| Kyoto | 3 | ^t1\n";
    expect(snippet(text, "kyoto")).toMatchObject({ text: "Town, Days Kyoto, 3", isInText: true, matched: {} });
  });

  it("is cut around the hit in a long note, on whole words", () => {
    const { text } = snippet(`${filler}\n\nThe **white** whale [[Sea|swam]] by. ${filler}`, "whale");
    expect(text).toMatch(/^The white whale swam by\. Nothing .*…$|^…The white whale swam by\. Nothing .*…$/);
    for (const word of text.replaceAll("…", "").split(" ").slice(5)) expect(filler.split(" ")).toContain(word);
  });

  it.each(["", "\n", "\n\n"])("has the hit of a long note, with %j before its sentence alone", (before) => {
    expect(snippet(`${filler}${before}The whale swam by. ${filler}`, "whale").text).toContain("The whale swam by.");
  });

  it("has no title that the hit shows already", () => {
    expect(snippet("# Note\nThe whale.", "whale").text).toBe("The whale.");
    expect(snippet("# Other\nThe whale.", "whale").text).toBe("Other: The whale.");
  });

  it("names the property that matched, if the text did not", () => {
    const properties = { tags: ["sea", "whale"], status: "open" };
    expect(snippet("---\ntags:\n  - sea\n  - whale\n---\nA note.", "whale", properties)).toMatchObject({
      text: "tags: sea, whale · A note.",
      isInText: false,
      matched: { tags: ["sea", "whale"] },
      highlights: [[11, 16]],
    });
    expect(snippet("A whale.", "whale", properties)).toMatchObject({ text: "A whale.", matched: {} });
  });

  it("names the property that has a phrase, if the text has its words in other forms only", () => {
    const properties = { url: "https://example.org/brown-butter-tart" };
    // A search also marks the words of a phrase where they stand alone.
    const terms = { phrases: [["brown", "butter"]], words: ["brown", "butter"], hasForms: true };
    const shown = (text: string) =>
      snippetOfNote({ text, title: "Note", properties }, { terms, properties: [], length: 120 });
    expect(shown("Stir in the browned butter.").text).toBe(
      "url: https://example.org/brown-butter-tart · Stir in the browned butter.",
    );
    const both = "Stir in the browned butter. ".repeat(20) + "This is brown butter.";
    expect(shown(both)).toMatchObject({
      text: expect.stringContaining("is brown butter"),
      matched: {},
    });
  });

  it("names the property that the query asks for", () => {
    expect(snippet("A note.", "prop:Status", { status: "open", other: 1 })).toMatchObject({
      text: "status: open · A note.",
      matched: { status: "open" },
    });
  });

  it("shows the name of an embedded file if only that was found", () => {
    expect(snippet("See ![[whale map.png]] here", "whale")).toMatchObject({
      text: "See whale map.png here",
      isInText: true,
    });
  });

  it("writes properties as words, not as YAML or links", () => {
    expect(snippet("", "kyoto", { place: "[[Kyoto|here: Kyoto]]" }).text).toBe("place: here: Kyoto");
    expect(snippet("", "kyoto", { place: { town: "Kyoto" } }).text).toBe('place: {"town":"Kyoto"}');
  });
});
