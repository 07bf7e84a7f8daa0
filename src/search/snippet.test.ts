import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectLinearTime, expectLinearTimeForText } from "../../test/growth.ts";
import { parseQuery } from "./query.ts";
import { snippetOf } from "./snippet.ts";

/** The snippet with what is highlighted in brackets. */
function marked(text: string, query: string, length = 80): string {
  const snippet = snippetOf(text, parseQuery(query), length);
  let line = "";
  let position = 0;
  for (const [start, end] of snippet.highlights) {
    line += `${snippet.text.slice(position, start)}[${snippet.text.slice(start, end)}]`;
    position = end;
  }
  return line + snippet.text.slice(position);
}

const filler = "Nothing of any interest stands in this sentence. ".repeat(20);

describe("the passage of a snippet", () => {
  it("is the whole text if that is short", () => {
    expect(marked("Call me Ishmael.", "ishmael")).toBe("Call me [Ishmael].");
  });

  it("is the one that matches, not the beginning of the text", () => {
    const text = `${filler}\n\nThe white whale swam by. ${filler}`;
    expect(marked(text, "whale")).toMatch(/^…The white \[whale\] swam by\. Nothing .*…$/);
  });

  it("has a phrase rather than many words, and many words rather than one often", () => {
    const often = `whale whale whale whale. ${filler}`;
    const words = `A whale that was white, in the sea. ${filler}`;
    const phrase = `The sea whale again. ${filler}`;
    expect(marked(often + words, "white whale sea")).toContain("[whale] that was [white], in the [sea]");
    expect(marked(often + words + phrase, '"sea whale" white')).toContain("The [sea whale] again");
    expect(marked(`of the and of the. ${filler} The rare Narwhal. ${filler}`, "the narwhal")).toContain("[Narwhal]");
  });

  it("is prose rather than frontmatter, unless only that matches", () => {
    const text = "---\ntopic: whale\nkind: narwhal\n---\nHere is a whale.";
    expect(marked(text, "whale")).toBe("Here is a [whale].");
    expect(marked(text, "narwhal")).toContain("kind: [narwhal]");
  });

  it("is the beginning below the frontmatter if nothing matches", () => {
    expect(marked(`---\na: 1\n---\n\nFirst words. ${filler}`, "zebra", 30)).toBe("First words. Nothing of any…");
    expect(marked("", "zebra")).toBe("");
    expect(marked("---\na: 1\n---\n", "zebra")).toBe("");
  });

  it("is on one line", () => {
    expect(marked("# A  title\n\n- one\r\n- two\twords", "one two")).toBe("# A title - [one] - [two] words");
  });

  it("is cut between words, and within one only if it is too long", () => {
    for (let length = 20; length < 60; length++) {
      const { text } = snippetOf(filler, parseQuery("interest"), length);
      for (const word of text.replaceAll("…", "").split(" ")) expect(filler.split(" ")).toContain(word);
    }
    expect(snippetOf("x".repeat(500), parseQuery("zebra"), 50).text).toHaveLength(51);
  });

  it("is about as long as asked for", () => {
    for (const word of ["interest", "sentence", "zebra"]) {
      const { text } = snippetOf(filler, parseQuery(word), 100);
      expect(text.length).toBeGreaterThan(60);
      expect(text.length).toBeLessThanOrEqual(102);
    }
  });

  it("never has half a character at its ends", () => {
    const families = "👩‍👩‍👧‍👦".repeat(30);
    for (let length = 1; length < 60; length++) {
      const { start, end } = snippetOf(families, parseQuery("zebra"), length);
      expect([start % 11, end % 11]).toEqual([0, 0]);
      expect(snippetOf("𠮷".repeat(99), parseQuery("zebra"), length).text.isWellFormed()).toBe(true);
    }
  });
});

describe("what is highlighted", () => {
  it("is found however it is spelled, at its own place", () => {
    expect(marked("ﬁne e\u0301tude: die Straße, İstanbul", "strasse etude istanbul")).toBe(
      "ﬁne [e\u0301tude]: die [Straße], [İstanbul]",
    );
  });

  it("is a part of text without spaces, in one piece", () => {
    expect(marked("日本の首都は東京都です", "東京都")).toBe("日本の首都は[東京都]です");
    expect(marked("日本の首都は東京都です", '"首都は"')).toBe("日本の[首都は]東京都です");
    expect(marked("新しいiPhoneです", "iphone")).toBe("新しい[iPhone]です");
    expect(marked("猫と犬", "犬")).toBe("猫と[犬]");
  });

  it("is the words, those that a word begins and its other forms, but no part within a word", () => {
    expect(marked("The whales were running. Overwhale.", "whale run")).toBe("The [whales] were [running]. Overwhale.");
    expect(marked("He made notes.", "noting")).toBe("He made [notes].");
  });

  it("is found by what else the index has of it", () => {
    expect(marked("call parseHtmlNote now", "html")).toBe("call parse[Html]Note now");
    expect(marked("an e-mail came", "email")).toBe("an [e-mail] came");
    expect(marked("in C++ or C", "c++")).toBe("in [C++] or C");
  });

  it("is a phrase across marks and line breaks", () => {
    expect(marked("the **white**\n> whale", '"white whale"')).toBe("the **[white** > whale]");
    expect(marked("offwhite whale", '"white whale"')).toBe("offwhite whale");
  });
});

describe("any snippet", () => {
  const piece = fc.constantFrom(
    "whale",
    "Whále",
    "white",
    "é",
    "e\u0301",
    "ß",
    "½",
    "東京",
    "都",
    "👩‍👧",
    "𠮷",
    " ",
    "\n\n",
    "---\n",
    ".",
    "C++",
    "🇩🇪",
  );
  const note = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
  const query = fc.constantFrom("whale", '"white whale"', "e", "ss 東京都", '"東京 都"', "1 c++", "ws", "");

  it("lies within the text, with its highlights within it, in order and apart", () => {
    fc.assert(
      fc.property(note, query, fc.integer({ min: 0, max: 60 }), (text, words, length) => {
        const snippet = snippetOf(text, parseQuery(words), length);
        expect(snippet.start).toBeGreaterThanOrEqual(0);
        expect(snippet.end).toBeGreaterThanOrEqual(snippet.start);
        expect(snippet.end).toBeLessThanOrEqual(text.length);
        expect(snippet.text.replace(/^…|…$/g, "")).toBe(text.slice(snippet.start, snippet.end).replace(/\s+/g, " "));
        expect(snippet.text.length).toBeLessThanOrEqual(Math.max(1, length) + 16);
        let last = -1;
        for (const [start, end] of snippet.highlights) {
          expect(start).toBeGreaterThan(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(snippet.text.length);
      }),
      { numRuns: 3000 },
    );
  });

  it("begins and ends between two characters", () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
    fc.assert(
      fc.property(note, query, fc.integer({ min: 0, max: 60 }), (text, words, length) => {
        const boundaries = new Set([text.length, ...[...segmenter.segment(text)].map(({ index }) => index)]);
        const { start, end } = snippetOf(text, parseQuery(words), length);
        expect(boundaries).toContain(start);
        expect(boundaries).toContain(end);
      }),
      { numRuns: 2000 },
    );
  });

  const parts = ["the whale ", "whale", "é whale ", "東京", "e-m", "\n\n", "white ", "---\n"];
  it.each(parts)("of a megabyte is cut in linear time: %j", (part) => {
    const query = parseQuery('the whale email "white whale" 東京都');
    expectLinearTimeForText(part, (text) => snippetOf(text, query, 200));
  });

  const manyWords = Array.from({ length: 64 }, (_, i) => `${"x".repeat(i + 3)} ${"a".repeat(i)}b`).join(" ");
  it.each([
    ["a word as long as the text", (size: number) => "x".repeat(size)],
    ["many words of one letter", () => manyWords],
    ["a phrase as long as the text", (size: number) => `"${"x ".repeat(size / 2)}y"`],
    ["a phrase of one long word", (size: number) => `"${"x".repeat(size)}y"`],
    ["a phrase without spaces", (size: number) => `"${"的".repeat(size)}了"`],
  ])("is cut in linear time for %s", (_, wanted) => {
    for (const part of ["x", "x ", "aB", "a-", "的", "п"]) {
      const input = (size: number) => ({ text: part.repeat(size / part.length), query: parseQuery(wanted(size)) });
      expectLinearTime(input, ({ text, query }) => snippetOf(text, query, 200), 400_000);
    }
  });

  it("marks a long word, and one that begins with it, as any other", () => {
    const long = "abcdefghij".repeat(10);
    expect(marked(`in ${long} and`, long, 300)).toBe(`in [${long}] and`);
    expect(marked(`in ${long}xyz and`, long, 300)).toBe(`in [${long}xyz] and`);
    expect(marked(`in xyz${long} and ${long}.`, long, 300)).toBe(`in xyz${long} and [${long}].`);
    const words = long.replaceAll("a", " a").trim();
    expect(marked(`so ${words} it is`, `"${words}"`, 300)).toBe(`so [${words}] it is`);
    expect(marked(`so ${words} it is`, `"${words} x"`, 300)).toBe(`so ${words} it is`);
  });

  it("marks a phrase with C++ or C#", () => {
    expect(marked("learn C# well, and C++ too", '"C# well"')).toBe("learn [C# well], and C++ too");
    expect(marked("learn C# well, and C++ too", '"C++ too"')).toBe("learn C# well, and [C++ too]");
  });
});
