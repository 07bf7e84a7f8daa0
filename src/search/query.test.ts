import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectLinearTimeForText } from "../../test/growth.ts";
import { Problem } from "../kernel/kernel.ts";
import { hintForCut, MAX_FILTERS, MAX_WORDS, parseQuery, type SearchQuery } from "./query.ts";
import { symbolsOf, termsOf } from "./words/terms.ts";
import { isStopWord } from "./words/word-forms.ts";

/** The parts of a query that are not empty. */
function parsed(text: string): Partial<SearchQuery> {
  const {
    plain: _,
    lastIsPartial: __,
    isEmpty: ___,
    isSentence: ____,
    names: _____,
    isCut: ______,
    orderedWords: _______,
    requiresPhrases: ________,
    ...lists
  } = parseQuery(text);
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

/** Too many filters are refused after all of them were read. */
function parsedOrRefused(text: string): void {
  // Otherwise the same text is not read again.
  parseQuery("");
  try {
    parseQuery(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

describe("a query", () => {
  it("is words, unless it says otherwise", () => {
    expect(parsed("Hello, Wörld!")).toEqual({ words: ["hello", "world"] });
    expect(parsed("to be or not to be")).toEqual({ words: ["to", "be", "or", "not", "to", "be"] });
  });

  it("has each phrase once, however often it is quoted", () => {
    const phrases = [["two", "words"], ["one"], ["1", "5"]];
    expect(parsed('"two words" "one" "Two words" 1.5 +"one" 1.5')).toEqual({ phrases });
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
    for (const text of ["", " ", '"', '""', "-", ":", "#", "-#", "—", "???", "├──", '-"', "()"]) {
      expect(parsed(text), text).toEqual({});
      expect(parseQuery(text).isEmpty).toBe(true);
    }
    expect(parsed("tag: path:/ prop:=")).toEqual({ words: ["tag", "path", "prop"] });
    expect(parseQuery("-a").isEmpty).toBe(false);
  });

  it("has emoji and signs as words of their own, which stand next to no other word", () => {
    const [rocket, star, arrow] = ["🚀", "⭐", "→"].map((symbol) => symbolsOf(symbol)[0]!);
    const query = parseQuery('🚀 launch "a ⭐ plan" x→y -⭐');
    expect(query).toMatchObject({
      words: ["launch", "x", "y", rocket, arrow],
      orderedWords: ["launch", "x", "y"],
      phrases: [["a", "plan"], [star]],
      withoutWords: [star],
    });
    expect(parseQuery('b -x→y -"⭐ a"')).toMatchObject({ withoutWords: [], withoutPhrases: [["x", "y"], ["a"]] });
    expect(parseQuery('"⭐"')).toMatchObject({ words: [star], phrases: [] });
    expect([rocket, star, arrow].map((symbol) => isStopWord(symbol!))).toEqual([false, false, true]);
    expect(parseQuery("⭐⭐⭐").words).toEqual([star]);
    expect(parseQuery("⭐ launch pla").lastIsPartial).toBe(true);
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

  const numbered = (count: number, before = "w") => Array.from({ length: count }, (_, i) => `${before}${i}`).join(" ");

  it("is searched for by its first words, if it is long", () => {
    const { words, plain, isCut, lastIsPartial } = parseQuery(`The ${numbered(60_000)}`);
    expect(words).toEqual(["the", ...numbered(MAX_WORDS).split(" ")]);
    expect(plain).toBe(`The ${numbered(MAX_WORDS)}`);
    expect(lastIsPartial).toBe(false);
    expect(hintForCut({ isCut })).toBe("The query is long: only its first 64 words were searched for.");
    expect(hintForCut(parseQuery(numbered(MAX_WORDS)))).toBeUndefined();
  });

  it("is read once by all that search for it", () => {
    const text = numbered(5_000);
    const query = parseQuery(text);
    expect(parseQuery(`${text} `.slice(0, -1))).toBe(query);
    expect(parseQuery(`${text} more`)).not.toBe(query);
  });

  it("has few terms, whatever a long text consists of", () => {
    for (const piece of [
      "the ",
      "word ",
      '"a phrase" ',
      "2026-11-15 ",
      "東京",
      "a.b.c-",
      `"${"long ".repeat(1_000)}" `,
    ]) {
      const { words, phrases, names, isCut } = parseQuery(piece.repeat(5_000));
      expect(words.length + phrases.flat().length + names.length, piece).toBeLessThanOrEqual(4 * MAX_WORDS);
      expect(isCut, piece).toBe(true);
    }
  });

  it("keeps the filters that follow many words", () => {
    const { paths, withoutWords } = parseQuery(`${numbered(1_000)} path:Archive -secret`);
    expect({ paths, withoutWords }).toEqual({ paths: ["Archive"], withoutWords: ["secret"] });
  });

  it.each(["path:", "-path:", "tag:t", "-tag:t", "#t", "prop:p", "-prop:p=", "-w", "prop:a!="])(
    "is refused with too many filters: %s",
    (before) => {
      expect(() => parseQuery(numbered(5_000, before))).toThrow(
        /^The query has \d+ filters and excluded words; a search takes up to 64\.$/,
      );
      expect(() => parseQuery(numbered(MAX_FILTERS / 2, before))).not.toThrow();
    },
  );

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
      fc.property(fc.array(chunk, { maxLength: 9 }), (chunks) => {
        const text = chunks.join(" ");
        const { words, phrases, withoutWords, withoutPhrases, tags, withoutTags } = parseQuery(text);
        const kept = [...words, ...phrases.flat(), ...withoutWords, ...withoutPhrases.flat()];
        kept.push(...[...tags, ...withoutTags].flatMap(termsOf));
        // A phrase that is quoted again is kept once.
        const repeated = termsOf(text);
        for (const term of kept) repeated.splice(repeated.indexOf(term), 1);
        expect(repeated.filter((term) => !phrases.flat().includes(term))).toEqual([]);
        expect([...kept, ...repeated].toSorted()).toEqual(termsOf(text).toSorted());
      }),
    );
  });

  it.each(['" ', '"a', "(", "-", 'tag:"', "prop:=", "prop:a ", "prop:a!", "#", "((("])(
    "is read in linear time: %j",
    (piece) => {
      expectLinearTimeForText(piece, parsedOrRefused, 400_000);
    },
  );
});
