import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginningsIn, candidatesAmong } from "./word-beginnings.ts";

describe("the beginnings of an expression", () => {
  it.each([
    ["\\b(?:stack ?trace|panic:)", ["stack", "panic"]],
    ["\\bfix(?:e[sd]|ing)?\\b", ["fix"]],
    ["\\berrors?\\b|\\b\\w+Error\\b", ["error", ""]],
    ["\\b(?:(?:does|is)(?:n't| not) work|went wrong)\\b", ["does", "is", "went"]],
    ["\\b(?:ran? into)\\b", ["ra"]],
    ["```|\\b(?:diff)\\b", ["", "diff"]],
    ["\\b(?:re)?write\\b", [""]],
    ["within", [""]],
    ["\\b(?:a|[bc])d\\b", ["ad", ""]],
    ["\\bci\\/cd\\b", ["ci"]],
  ])("%s", (source, beginnings) => {
    expect(beginningsIn(source)).toEqual(beginnings);
  });
});

describe("the candidates among expressions", () => {
  const expressions = [
    /\b(?:stack ?trace|k8s|ci\/cd)\b/,
    /\bfix(?:e[sd]|ing)?\b/,
    /\b(?:(?:do|is)(?:n't| not) work|ran? into)\b/,
    /\berrors?\b|\b\w+error\b/,
    /```|\bdiff\b/,
    /\b(?:re)?write\b/,
  ];
  const candidates = candidatesAmong(expressions);

  it("are all that match, whatever the text", () => {
    const piece = fc.constantFrom(
      ..."stack trace|stacktrace|k8s|ci/cd|fix|fixed|prefix|don't|do not work|is not work|run into|ran into|error|typeerror|```|diff|rewrite|write| |_|-|é|7|.".split(
        "|",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        const found = candidates(text);
        for (const [i, expression] of expressions.entries())
          if (expression.test(text)) expect(found & (1 << i)).not.toBe(0);
      }),
    );
  });

  it("leave out what no word begins like", () => {
    expect(candidates("a prefix of the stick") & 0b11).toBe(0);
    expect(candidates("a fix of the stack") & 0b11).toBe(0b11);
  });
});
