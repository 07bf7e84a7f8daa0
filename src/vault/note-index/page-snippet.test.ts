import { describe, expect, it } from "vitest";
import { parseQuery } from "../../search/search.ts";
import { snippetOfPages as snippetOf } from "./page-snippet.ts";

const terms = (...words: string[]) => ({ words, phrases: [] as string[][] });
const snippetOfPages = (
  text: string,
  asked: ReturnType<typeof terms>,
  length: number,
  typed = [...asked.words, ...asked.phrases.flat()],
) => snippetOf(text, asked, length, typed);
const long = (word: string) => `${word} `.repeat(100);

describe("the snippet of a text in pages", () => {
  it.each([
    ["one", 1],
    ["two", 2],
    ["three", 3],
  ])("is from the page with %s", (word, page) => {
    const text = [long("one"), long("two"), long("three")].join("\f");
    const snippet = snippetOfPages(text, terms(word), 60);
    expect(snippet).toMatchObject({ page, isInText: true });
    expect(snippet.text).toContain(`${word} ${word}`);
  });

  it("is from one page alone, the one with the most of it", () => {
    const snippet = snippetOfPages("a heron here\fthe heron and its nest\fend", terms("heron", "nest"), 200);
    expect(snippet).toMatchObject({ page: 2, text: "the heron and its nest" });
    expect(snippet.highlights).toEqual([
      [4, 9],
      [18, 22],
    ]);
  });

  it.each(["हिन्दी", "C++", "⭐", "นี่", "5 €"])("is found for words that are not letters alone: %s", (typed) => {
    const asked = parseQuery(typed);
    expect(
      snippetOfPages(`one\fhere is ${typed}, and\fend`, { ...asked, words: [...asked.words], phrases: [] }, 50),
    ).toMatchObject({
      page: 2,
      isInText: true,
    });
  });

  it("is found where the text has accents and the query has none", () => {
    expect(snippetOfPages("one\fthe Café here\fend", terms("cafe"), 50)).toMatchObject({
      page: 2,
      text: "the Café here",
      isInText: true,
    });
  });

  it("prefers a phrase to scattered words, and two words to two forms of one", () => {
    const phrase = { words: [] as string[], phrases: [["grey", "heron"]] };
    expect(snippetOfPages("heron of a grey day\fa grey heron\fgrey", phrase, 50).page).toBe(2);
    const forms = terms("nest", "nests", "nesting", "heron");
    expect(snippetOfPages("nest nests nesting\fa heron in a nest", forms, 50, ["heron", "nesting"]).page).toBe(2);
  });

  it("prefers a word as it was typed, on however many pages it is part of others", () => {
    const text = [...Array.from({ length: 50 }, () => "category catalogue"), "the cat"].join("\f");
    expect(snippetOfPages(text, terms("cat", "cats"), 50, ["cat"])).toMatchObject({ page: 51, text: "the cat" });
  });

  it("has no page if the words are elsewhere", () => {
    expect(snippetOfPages("a\fb", terms("heron"), 50)).toMatchObject({ page: undefined, isInText: false });
    expect(snippetOfPages("", terms("heron"), 50)).toMatchObject({ page: undefined, text: "" });
  });
});
