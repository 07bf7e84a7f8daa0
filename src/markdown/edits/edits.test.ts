import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  appendText,
  appendToSection,
  deleteOnce,
  findAndReplace,
  prependText,
  prependToSection,
  replaceAllOf,
  replaceLines,
  replaceOnce,
  rewriteText,
} from "./edits.ts";
import { Problem } from "../../kernel/problem.ts";

const LITERAL = "$& $1 $` $' $$ \\n \\";

function problem(action: () => unknown): Problem {
  try {
    action();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error("expected a Problem");
}

describe("appending", () => {
  it.each([
    ["a\n", "b", "a\nb"],
    ["a", "b", "a\nb"],
    ["a", "b\n", "a\nb\n"],
    ["", "b", "b"],
    ["a\r\nb", "c\nd", "a\r\nb\r\nc\r\nd"],
    ["a\nb\n", "c\r\nd", "a\nb\nc\nd"],
    ["a", "b\r\nc", "a\r\nb\r\nc"],
    ["---\na: 1\n---", "b", "---\na: 1\n---\nb"],
    ["a", "", "a"],
  ])("to %j of %j gives %j", (text, content, expected) => {
    expect(appendText(text, content)).toEqual({ text: expected, appendedLength: content.length });
  });

  it("adds the content as it is, and at most one line break before it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "\n", "$&") }),
        fc.string({ unit: "grapheme" }),
        (text, content) => {
          fc.pre(!content.includes("\r"));
          const result = appendText(text, content);
          expect(result.text.endsWith(content)).toBe(true);
          expect(result.text.slice(0, result.text.length - content.length)).toMatch(
            new RegExp(`^${text.replaceAll("$", "\\$")}\n?$`),
          );
        },
      ),
    );
  });
});

describe("prepending", () => {
  it.each([
    ["a\n", "b", "b\na\n"],
    ["a\n", "b\n", "b\na\n"],
    ["", "b", "b"],
    ["---\nx: 1\n---\n# T\n", "b", "---\nx: 1\n---\nb\n# T\n"],
    ["---\nx: 1\n---\n", "b", "---\nx: 1\n---\nb\n"],
    ["---\nx: 1\n---", "b", "---\nx: 1\n---\nb"],
    ["---\r\nx: 1\r\n---\r\n\r\na\r\n", "b\nc", "---\r\nx: 1\r\n---\r\nb\r\nc\r\n\r\na\r\n"],
    ["---\nnot closed\n", "b", "b\n\n---\nnot closed\n"],
    ["a\n", "", "a\n"],
  ])("to %j of %j gives %j", (text, content, expected) => {
    expect(prependText(text, content)).toEqual({ text: expected, prependedLength: content.length });
  });

  it("does not become part of an underlined heading", () => {
    expect(prependText("Title\n===\n", "b").text).toBe("b\n\nTitle\n===\n");
    expect(prependText("Title\n===\n", "b\n\n").text).toBe("b\n\nTitle\n===\n");
  });
});

describe("under a heading", () => {
  const NOTE = "# A\n\na\n\n\n## B\nb\n\n# C\n";

  it("appends in front of the blank lines at the section's end", () => {
    expect(appendToSection(NOTE, "B", "x").text).toBe("# A\n\na\n\n\n## B\nb\nx\n\n# C\n");
    expect(appendToSection(NOTE, "A", "x\n").text).toBe("# A\n\na\n\n\n## B\nb\nx\n\n# C\n");
    expect(appendToSection(NOTE, "C", "x")).toEqual({ text: `${NOTE}x\n`, appendedLength: 1 });
  });

  it("prepends right below the heading", () => {
    expect(prependToSection(NOTE, "A", "x").text).toBe("# A\nx\n\na\n\n\n## B\nb\n\n# C\n");
    expect(prependToSection("# A\n---\n", "A", "x").text).toBe("# A\nx\n\n---\n");
    expect(prependToSection("A\n===\na\n", "A", "x").text).toBe("A\n===\nx\na\n");
  });

  it("keeps a note without a final newline without one", () => {
    expect(appendToSection("# A", "A", "x").text).toBe("# A\nx");
    expect(appendToSection("# A\na", "A", "x").text).toBe("# A\na\nx");
    expect(prependToSection("# A\na", "A", "x").text).toBe("# A\nx\na");
  });

  it("keeps CRLF", () => {
    expect(appendToSection("# A\r\na\r\n\r\n# B\r\n", "A", "x\ny").text).toBe("# A\r\na\r\nx\r\ny\r\n\r\n# B\r\n");
  });

  it("does not become part of the next heading", () => {
    expect(appendToSection("# A\nB\n===\n", "A", "x").text).toBe("# A\nx\n\nB\n===\n");
  });

  it("never makes a second heading of that name", () => {
    const { code, message } = problem(() => appendToSection("# A\n## Log\n- a\n", "Log", "\n## Log\n- b"));
    expect(code).toBe("invalid");
    expect(message).toMatch(/begins with the heading "Log"/);
    expect(() => prependToSection("# A\n", "A", "# A\nx")).toThrow(Problem);
    expect(appendToSection("# A\n", "A", "## B\nx").text).toBe("# A\n## B\nx\n");
  });

  it("changes nothing if there is no such heading, or several", () => {
    expect(problem(() => appendToSection(NOTE, "D", "x")).code).toBe("not_found");
    expect(problem(() => appendToSection("# A\n# A\n", "A", "x")).code).toBe("invalid");
  });

  it("inserts content literally", () => {
    expect(appendToSection("# A\n", "A", LITERAL).text).toBe(`# A\n${LITERAL}\n`);
  });
});

describe("replacing lines", () => {
  it.each([
    ["a\nb\nc\n", 2, 2, "x", "a\nx\nc\n"],
    ["a\nb\nc\n", 2, 2, "x\n", "a\nx\nc\n"],
    ["a\nb\nc\n", 1, 3, "x\ny", "x\ny\n"],
    ["a\nb\nc", 3, 3, "x\n", "a\nb\nx"],
    ["a\nb\nc", 2, 3, "", "a"],
    ["a\nb\nc\n", 2, 3, "", "a\n"],
    ["a\nb\nc\n", 1, 2, "", "c\n"],
    ["a\nb\n", 2, 2, "\n", "a\n\n"],
    ["a\r\nb\r\nc\r\n", 2, 2, "x\ny", "a\r\nx\r\ny\r\nc\r\n"],
    ["a\r\nb\nc\r\n", 2, 2, "x", "a\r\nx\nc\r\n"],
    ["", 1, 1, "x", "x"],
    ["a", 1, 1, "", ""],
    ["a\nb\n", 1, 1, LITERAL, `${LITERAL}\nb\n`],
  ])("of %j from %i to %i by %j gives %j", (text, start, end, content, expected) => {
    expect(replaceLines(text, start, end, content).text).toBe(expected);
  });

  it("says what was there", () => {
    expect(replaceLines("a\nb\nc\n", 2, 3, "x").replacedText).toBe("b\nc\n");
  });

  it.each([
    [0, 1],
    [1, 4],
    [3, 2],
    [4, 4],
    [1.5, 2],
    [Number.NaN, 2],
  ])("refuses %d to %d of three lines, and says that there are three", (start, end) => {
    const { code, message } = problem(() => replaceLines("a\nb\nc\n", start, end, "x"));
    expect(code).toBe("invalid");
    expect(message).toMatch(/^The note has 3 lines: startLine and endLine must be whole numbers from 1 to 3/);
  });

  it("does what replacing items of a list does", () => {
    const line = fc.string({ unit: fc.constantFrom("a", "b", "$", " ") });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1 }),
        fc.array(line),
        fc.nat(),
        fc.nat(),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        fc.boolean(),
        (lines, added, first, second, ending, isEnded, isContentEnded) => {
          fc.pre(lines.at(-1) !== "" || isEnded);
          const [start, end] = [first % lines.length, second % lines.length].toSorted((a, b) => a - b) as [
            number,
            number,
          ];
          const content =
            added.length === 0 ? "" : added.join("\n") + (isContentEnded || added.at(-1) === "" ? "\n" : "");
          const expected = lines.toSpliced(start, end - start + 1, ...added);
          const join = (all: string[]): string => (all.length === 0 ? "" : all.join(ending) + (isEnded ? ending : ""));
          fc.pre(lines.length > 1 || isEnded || ending === "\n");
          const text = join(lines);
          expect(replaceLines(text, start + 1, end + 1, content).text).toBe(join(expected));
        },
      ),
    );
  });
});

describe("replacing every occurrence", () => {
  it.each([
    ["a b a", "a", "c", "c b c", 2],
    ["aaaa", "aa", "b", "bb", 2],
    ["a\r\nb\r\na\r\nb", "a\nb", LITERAL, `${LITERAL}\r\n${LITERAL}`, 2],
    ["x".repeat(50), "x", "", "", 50],
  ])("in %j of %j by %j gives %j", (text, old, made, expected, count) => {
    expect(replaceAllOf(text, old, made)).toEqual({ text: expected, count });
  });

  it("refuses an empty text, and one that is not there", () => {
    expect(problem(() => replaceAllOf("a", "", "b")).code).toBe("invalid");
    expect(problem(() => replaceAllOf("Tuesday", "Monday", "b")).code).toBe("not_found");
  });
});

describe("replacing a text", () => {
  it("replaces the one place that has it", () => {
    expect(replaceOnce("a\nb\nc\n", "b", LITERAL)).toEqual({
      text: `a\n${LITERAL}\nc\n`,
      replacedText: "b",
      line: 2,
      similarity: 1,
    });
  });

  it("prefers the identical place to similar ones", () => {
    const text = "the same line of text 1\nthe same line of text 2\n";
    expect(replaceOnce(text, "the same line of text 2", "x").text).toBe("the same line of text 1\nx\n");
  });

  it("ignores line endings, even if the text must be identical", () => {
    expect(replaceOnce("a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\n", 1).text).toBe("x\r\ny\r\nc\r\n");
    expect(replaceOnce("a\r\nb\nc\n", "\nb\n", "-", 1).text).toBe("a-c\n");
    expect(replaceOnce("a\nb\nc\n", "a\r\nb", "x", 1).text).toBe("x\nc\n");
  });

  it("replaces a similar place by default, and says how similar it was", () => {
    const text = "# T\n\nA sentence that was quoted from memory, with one letter off.\n";
    const result = replaceOnce(text, "A sentence that was quoted from memory, with one letter of.", "New.");
    expect(result.text).toBe("# T\n\nNew.\n");
    expect(result.similarity).toBeGreaterThan(0.95);
    expect(result.line).toBe(3);
  });

  it.each([
    ["a number", "costs 5000 euros", "costs 1000 euros", /has "5000" where this has "1000"/],
    ["a task that is done", "[x] costs euros", "[ ] costs euros", /has "x" where this has "costs"/],
    ["another short word", "is now approved", "is not approved", /has "now" where this has "not"/],
    ["a word more", "is not approved", "is approved", /has "not" where this has "approved"/],
    ["a word less at the end", "approved", "approved, now", /has nothing where this has "now"/],
    ["another sign", "costs 5 €", "costs 5 $", /has "€" where this has "\$"/],
    ["another character of a script without spaces", "合意は可決", "合意は否決", /has "可" where this has "否"/],
  ])("keeps a similar place with %s, which somebody may just have written", (_, inNote, sent, message) => {
    const around = (words: string) =>
      `What the committee said about the budget of the coming year, with all its reasons, in short: ${words}`;
    const found = problem(() => replaceOnce(`${around(inNote)}\n`, around(sent), "x"));
    expect(found).toMatchObject({ code: "not_found" });
    expect(found.message).toMatch(message);
    expect(problem(() => replaceOnce(`${around(inNote)}\n`, around(sent), "x", 0.95)).message).toBe(found.message);
    expect(replaceOnce(`${around(inNote)}\n`, around(sent), "x", 0.9).similarity).toBeGreaterThan(0.9);
  });

  it.each([
    ["misspelt", "the comittee said"],
    ["with letters swapped", "teh committee said"],
    ["with other quotes, dashes, case and marks", "The committee—“said”"],
    ["with accents that are composed of two characters", "the cafe\u0301 said"],
  ])("replaces a place that was quoted %s", (_, sent) => {
    const around = (words: string) =>
      `What ${words} about the budget of the coming year, with all of its reasons, in short.`;
    const inNote = sent.includes("cafe") ? "the caf\u00e9 said" : "the committee said";
    expect(replaceOnce(`${around(inNote)}\n`, around(sent), "x").text).toBe("x\n");
  });

  it("with a threshold of 1 takes identical text only", () => {
    expect(problem(() => replaceOnce("some text here\n", "some  text here", "x", 1)).code).toBe("not_found");
    expect(replaceOnce("some text here\n", "some  text here", "x").text).toBe("x\n");
  });

  it("replaces nothing that is not similar, and names the nearest", () => {
    const { code, message } = problem(() =>
      replaceOnce("one\nthe cat sat on the mat\n", "the dog sat on the mat", "x"),
    );
    expect(code).toBe("not_found");
    expect(message).toMatch(
      /at least 0\.95 similar.*The nearest is 0\.863 similar: line 2 \("the cat sat on the mat"\)/,
    );
    expect(
      problem(() => replaceOnce("one two three\n", "quite another thing, and longer than 32 characters", "x")).code,
    ).toBe("not_found");
  });

  it("refuses a text that is there twice, with the lines", () => {
    const { code, message } = problem(() => replaceOnce("- [ ] a\n- [ ] b\n- [ ] c\n", "- [ ]", "x"));
    expect(code).toBe("invalid");
    expect(message).toBe(
      'The text fits 3 places in the note equally well: line 1 ("- [ ] a"); line 2 ("- [ ] b"); line 3 ("- [ ] c"). Send more of what is around the one that you mean.',
    );
    expect(problem(() => replaceOnce("aaa", "aa", "x")).message).toMatch(/2 places/);
  });

  it("refuses two places that are equally similar, with the lines", () => {
    const text = "a line of some length, number 1\n\na line of some length, number 2\n";
    const { message } = problem(() => replaceOnce(text, "a line of some length, number 3", "x"));
    expect(message).toMatch(/2 places.*line 1 .*line 3 /);
  });

  it("lists eight places of many", () => {
    expect(problem(() => replaceOnce("x\n".repeat(100), "x", "y")).message).toMatch(
      /100 places.*line 8 \("x"\); and 92 more/,
    );
  });

  it.each([
    ["", 0.9],
    ["a", -0.1],
    ["a", 1.1],
    ["a", Number.NaN],
  ])("refuses %j with the threshold %d", (old, threshold) => {
    expect(problem(() => replaceOnce("a\n", old, "x", threshold)).code).toBe("invalid");
  });
});

describe("deleting a text", () => {
  it.each([
    ["part of a line", "a b c\n", " b", "a c\n"],
    ["a line", "a\nb\nc\n", "b", "a\nc\n"],
    ["a line with its line break", "a\nb\nc\n", "b\n", "a\nc\n"],
    ["a paragraph", "a\n\nb\n\nc\n", "b", "a\n\nc\n"],
    ["a paragraph with its line break", "a\n\nb\n\nc\n", "b\n", "a\n\nc\n"],
    ["a paragraph in CRLF", "a\r\n\r\nb\r\nd\r\n\r\nc\r\n", "b\nd", "a\r\n\r\nc\r\n"],
    ["the first paragraph", "a\n\nb\n", "a", "b\n"],
    ["the last paragraph", "a\n\nb\n", "b", "a\n"],
    ["the last paragraph of a note without a final newline", "a\n\nb", "b", "a"],
    ["the last line", "a\nb\n", "b", "a\n"],
    ["the last line of a note without a final newline", "a\nb", "b", "a"],
    ["the last of it, and the blank lines behind", "a\n\nb\n\n\n", "b", "a\n"],
    ["everything", "a\n", "a", ""],
    ["everything, without a final newline", "a", "a", ""],
    ["what follows the frontmatter", "---\nx: 1\n---\na\n\nb\n", "a", "---\nx: 1\n---\n\nb\n"],
    ["the end of a line and the next", "a b\nc\nd\n", " b\nc", "a\nd\n"],
  ])("%s", (_, text, content, expected) => {
    expect(deleteOnce(text, content).text).toBe(expected);
  });

  it("says what was deleted, and where it was", () => {
    const { deletedText, line } = deleteOnce("a\r\nb\r\nc\r\n", "b\nc");
    expect({ deletedText, line }).toEqual({ deletedText: "b\r\nc", line: 2 });
  });

  it("leaves blank lines elsewhere alone", () => {
    expect(deleteOnce("a\n\n\n\nb\n\nc\n\nd\n", "c").text).toBe("a\n\n\n\nb\n\nd\n");
  });

  it("deletes nothing that is similar only, or there twice", () => {
    expect(problem(() => deleteOnce("some text here\n", "some text hers")).message).toMatch(
      /is not in the note.*nearest is 0\.928/,
    );
    expect(problem(() => deleteOnce("a\nb\na\n", "a")).code).toBe("invalid");
    expect(problem(() => deleteOnce("a\n", "")).code).toBe("invalid");
  });
});

describe("finding and replacing", () => {
  const all = { replaceAll: true, caseSensitive: true, wholeWord: false };
  const replace = (text: string, findText: string, replaceText: string, options = {}): [string, number] => {
    const result = findAndReplace(text, { findText, replaceText, ...all, ...options });
    return [result.text, result.count];
  };

  it("replaces all, or the first, and counts", () => {
    expect(replace("a b a", "a", "x")).toEqual(["x b x", 2]);
    expect(replace("a b a", "a", "x", { replaceAll: false })).toEqual(["x b a", 1]);
    expect(replace("a b a", "c", "x")).toEqual(["a b a", 0]);
  });

  it("takes both texts literally", () => {
    expect(replace("a.c abc", "a.c", LITERAL)).toEqual([`${LITERAL} abc`, 1]);
    const special = "^$\\.*+?()[]{}|/-,#&~<>=!:% \t";
    expect(replace(`x${special}y`, special, "$&")).toEqual(["x$&y", 1]);
  });

  it("folds case one character at a time", () => {
    const options = { caseSensitive: false };
    expect(replace("Aa äÄ", "a", "x", options)).toEqual(["xx äÄ", 2]);
    expect(replace("äÄ", "Ä", "x", options)).toEqual(["xx", 2]);
    expect(replace("İİ and i", "i", "x", options)).toEqual(["İİ and x", 1]);
    expect(replace("İİİ İa", "a", "x", options)).toEqual(["İİİ İx", 1]);
    expect(replace("Straße STRASSE Strasse ẞ", "strasse", "x", options)).toEqual(["Straße x x ẞ", 2]);
    expect(replace("ßẞ", "ß", "x", options)).toEqual(["xx", 2]);
    expect(replace("ΣΑΣ σας", "σας", "x", options)).toEqual(["x x", 2]);
    expect(replace("𐐀𐐨", "𐐨", "x", options)).toEqual(["xx", 2]);
  });

  it("finds whole words in any script", () => {
    const options = { wholeWord: true };
    expect(replace("cat category concat cat.", "cat", "x", options)).toEqual(["x category concat x.", 2]);
    expect(replace("é élan été é", "é", "x", options)).toEqual(["x élan été x", 2]);
    expect(replace("cafe cafe\u0301", "cafe", "x", options)).toEqual(["x cafe\u0301", 1]);
    expect(replace("кот котик", "кот", "x", options)).toEqual(["x котик", 1]);
    expect(replace("a_b a b2 a", "a", "x", options)).toEqual(["a_b x b2 x", 2]);
    expect(replace("C++ C++11 XC++", "C++", "x", options)).toEqual(["x x11 XC++", 2]);
    expect(replace("#tag #tags", "#tag", "x", options)).toEqual(["x #tags", 1]);
  });

  it("does not see line endings, and keeps the note's", () => {
    expect(replace("a\r\nb\r\na\nb\r\n", "a\nb", "x\ny")).toEqual(["x\r\ny\r\nx\r\ny\r\n", 2]);
  });

  it("refuses to find nothing", () => {
    expect(problem(() => replace("a", "", "x")).code).toBe("invalid");
  });

  it("does what splitting and joining does", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "A", "$", "&", ".", "\\", "é", "\n", "(", "😀") });
    fc.assert(
      fc.property(text, text, text, (input, findText, replaceText) => {
        fc.pre(findText !== "");
        const parts = input.split(findText);
        expect(replace(input, findText, replaceText)).toEqual([parts.join(replaceText), parts.length - 1]);
      }),
      { numRuns: 1000 },
    );
  });

  it("finds the same whole words as a comparison of the neighbours", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "ab", "b", " ", ".", "é", "_", "\u0301", "1")), (units) => {
        const text = units.join("");
        const isWord = (character: string | undefined): boolean =>
          character !== undefined && "abé_1\u0301".includes(character);
        let count = 0;
        let expected = "";
        for (const [i, character] of [...text].entries()) {
          const isMatch = character === "a" && !isWord(text[i - 1]) && !isWord(text[i + 1]);
          if (isMatch) count++;
          expected += isMatch ? "x" : character;
        }
        expect(replace(text, "a", "x", { wholeWord: true })).toEqual([expected, count]);
      }),
    );
  });
});

describe("rewriting a whole text", () => {
  it.each([
    ["keeps the line endings of lines that stay", "a\r\nb\nc\r\n", "a\nB\nc\n", "a\r\nB\r\nc\r\n"],
    ["adds and removes the last line break", "a\n", "a", "a"],
    ["may leave nothing", "a\nb\n", "", ""],
    ["may begin with nothing", "", "a\nb", "a\nb"],
    ["writes new lines with the ending of most", "a\r\nb\r\n", "a\nnew\nb\n", "a\r\nnew\r\nb\r\n"],
  ])("%s", (_, text, newText, result) => {
    expect(rewriteText(text, newText)).toBe(result);
  });

  it("has the words of the new text, and is the old text where nothing changed", () => {
    const TEXT = fc
      .array(fc.constantFrom("a", "b", "\n", "\r\n", "c "), { maxLength: 12 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(TEXT, TEXT, (text, newText) => {
        const plain = (one: string) => one.replaceAll("\r\n", "\n");
        expect(plain(rewriteText(text, plain(newText)))).toBe(plain(newText));
        expect(rewriteText(text, plain(text))).toBe(text);
      }),
    );
  });
});
