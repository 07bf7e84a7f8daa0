import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectLinearTimeForText } from "../../test/growth.ts";
import { parseQuery, type SearchQuery } from "./query.ts";
import { termsOf } from "./words/terms.ts";

/** The parts of a query that are not empty. */
function parsed(text: string): Partial<SearchQuery> {
  const { plain: _, lastIsPartial: __, isEmpty: ___, isSentence: ____, names: _____, ...lists } = parseQuery(text);
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

describe("a query", () => {
  it("is words, unless it says otherwise", () => {
    expect(parsed("Hello, Wörld!")).toEqual({ words: ["hello", "world"] });
    expect(parsed("to be or not to be")).toEqual({ words: ["to", "be", "or", "not", "to", "be"] });
  });

  it("has phrases in quotes of any kind", () => {
    expect(parsed('"exact phrase" and')).toEqual({ words: ["and"], phrases: [["exact", "phrase"]] });
    expect(parsed("“two words” «trois mots ici» („vier“)")).toEqual({
      phrases: [["two", "words"], ["trois", "mots", "ici"], ["vier"]],
    });
  });

  it("ignores a quote that is never closed, or that is inside a word", () => {
    expect(parsed('"open end')).toEqual({ words: ["open", "end"] });
    expect(parsed('12" and 7"')).toEqual({ words: ["12", "and", "7"] });
  });

  it("excludes what has a minus before it", () => {
    expect(parsed('a -b -"c d" -node.js -#e -path:f -prop:g=h')).toEqual({
      words: ["a"],
      withoutWords: ["b"],
      withoutPhrases: [
        ["c", "d"],
        ["node", "js"],
      ],
      withoutTags: ["e"],
      withoutPaths: ["f"],
      withoutProperties: [{ name: "g", value: "h" }],
    });
  });

  it("takes no dash between words, in a word or of an option for an exclusion", () => {
    expect(parsed("a - b e-mail --force")).toEqual({ words: ["a", "b", "e", "mail", "force"] });
  });

  it("has tags with and without the operator", () => {
    expect(parsed("tag:#a tag:b/c #d, TAG:e")).toEqual({ tags: ["a", "b/c", "d", "e"] });
    expect(parsed("#12 C#")).toEqual({ words: ["12", "csharp"] });
  });

  it("has paths, however they are typed", () => {
    expect(parsed('path:Projects/ path:"My notes/2026" path:./a\\b')).toEqual({
      paths: ["Projects", "My notes/2026", "a/b"],
    });
  });

  it("has properties, with a value or without", () => {
    expect(parsed('prop:status=open prop:due prop:"a b"="c d" prop:x="y z" prop:"e=f" prop:g=')).toEqual({
      properties: [
        { name: "status", value: "open" },
        { name: "due" },
        { name: "a b", value: "c d" },
        { name: "x", value: "y z" },
        { name: "e", value: "f" },
        { name: "g" },
      ],
    });
  });

  it("compares properties, also with spaces around the mark", () => {
    expect(
      parsed('prop:rating>=6 -prop:due<2026-12-01 prop:a > 1 prop:"b c"<="d e" prop:"f g>2" prop:h> prop:really!=x'),
    ).toEqual({
      properties: [
        { name: "rating", value: "6", comparison: ">=" },
        { name: "a", value: "1", comparison: ">" },
        { name: "b c", value: "d e", comparison: "<=" },
        { name: "f g", value: "2", comparison: ">" },
        { name: "h" },
        { name: "really" },
      ],
      withoutProperties: [
        { name: "due", value: "2026-12-01", comparison: "<" },
        { name: "really", value: "x" },
      ],
    });
  });

  it("keeps numbers together that signs hold together, and takes other words apart", () => {
    expect(parsed("2026-11-15 v1.2.3 node.js user@host")).toEqual({
      words: ["node", "js", "user", "host"],
      phrases: [
        ["2026", "11", "15"],
        ["v1", "2", "3"],
      ],
    });
    expect(parsed("C++ README.md https://www.example.com/a")).toEqual({
      words: ["cplusplus", "readme", "md", "example", "com", "a"],
    });
  });

  it("of nothing but signs is empty, and an operator with nothing behind it is a word", () => {
    for (const text of ["", " ", '"', '""', "-", ":", "#", "-#", "🎉", '-"', "()"]) {
      expect(parsed(text), text).toEqual({});
      expect(parseQuery(text).isEmpty).toBe(true);
    }
    expect(parsed("tag: path:/ prop:=")).toEqual({ words: ["tag", "path", "prop"] });
    expect(parseQuery("-a").isEmpty).toBe(false);
  });

  it("may end within a word", () => {
    expect(parseQuery("hello wor").lastIsPartial).toBe(true);
    for (const text of ["hello ", "hello.", '"hello"', "hello tag:x", "hello -x", "hello 2026-11", ""]) {
      expect(parseQuery(text).lastIsPartial, text).toBe(false);
    }
  });

  it("is plain text without its operators", () => {
    expect(parseQuery(' The  "White Whale" -x tag:y  (1851) ').plain).toBe("The White Whale (1851)");
  });

  it("never fails to parse, for any text", () => {
    const signs = fc.constantFrom(
      '"',
      "“",
      "-",
      "tag:",
      "path:",
      "prop:",
      "#",
      "=",
      " ",
      "a",
      "é",
      "東京",
      "\\",
      "(",
      "*",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(signs).map((parts) => parts.join("")),
        ),
        (text) => {
          const { phrases, withoutPhrases } = parseQuery(text);
          for (const phrase of [...phrases, ...withoutPhrases]) expect(phrase).not.toEqual([]);
        },
      ),
    );
  });

  it("loses no word", () => {
    const chunk = fc.stringMatching(/^[a-zé1-9東京."“()#=*+_-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(chunk), (chunks) => {
        const text = chunks.join(" ");
        const { words, phrases, withoutWords, withoutPhrases, tags, withoutTags } = parseQuery(text);
        const kept = [...words, ...phrases.flat(), ...withoutWords, ...withoutPhrases.flat()];
        kept.push(...[...tags, ...withoutTags].flatMap(termsOf));
        expect(kept.toSorted()).toEqual(termsOf(text).toSorted());
      }),
    );
  });

  it.each(['" ', '"a', "(", "-", 'tag:"', "prop:=", "prop:a ", "prop:a!", "#", "((("])(
    "is read in linear time: %j",
    (piece) => {
      expectLinearTimeForText(piece, parseQuery, 400_000);
    },
  );
});
