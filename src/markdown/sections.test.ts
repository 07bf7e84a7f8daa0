import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectLinearTime } from "../../test/growth.ts";
import { Problem } from "../kernel/problem.ts";
import { findSection, headingsOf } from "./sections.ts";

const texts = (text: string): string[] => headingsOf(text).map(({ level, text: title }) => `${level} ${title}`);

function problem(action: () => unknown): Problem {
  try {
    action();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error("expected a Problem");
}

describe("headings", () => {
  it("are lines that begin with one to six number signs and a space", () => {
    expect(texts("# a\n##  b  \n### c ###\n###### d\n####### e\n#f\n#\n   # g\n    # h\n# i #j\n# C#\n")).toEqual([
      "1 a",
      "2 b",
      "3 c",
      "6 d",
      "1 ",
      "1 g",
      "1 i #j",
      "1 C#",
    ]);
  });

  it("are lines underlined with = or -", () => {
    expect(texts("a\n===\n\nb\nc\n---\ntext\n\nd\r\n--\r\n")).toEqual(["1 a", "2 b c", "2 d"]);
  });

  it.each([
    ["a line across the page behind a blank line", "a\n\n---\n"],
    ["a list item above a line across the page", "- a\n---\n"],
    ["a list item of two lines above one", "- a\nb\nc\n---\n"],
    ["a quote above one", "> a\n---\n"],
    ["a line across the page above another", "---x\n\n***\n---\n* * *\n===\n"],
    ["indented code above one", "    a\n---\n"],
    ["HTML above one", "<div>\n---\n"],
    ["a table", "a | b\n--- | ---\n"],
    ["fenced code", "```\n# a\n```\n"],
    ["code behind a longer fence", "````md\n```\n# a\n````\n"],
    ["code behind tildes", "~~~\n```\n# a\n~~~\n"],
    ["code that is never closed", "```\n# a\n"],
    ["code in a list item", "- ```\n  # a\n  ```\n"],
    ["indented code", "    # a\n"],
    ["frontmatter", "---\n# a\nb: c\n---\n"],
  ])("are not in %s", (_, text) => {
    expect(texts(text)).toEqual([]);
  });

  it("go on behind code", () => {
    expect(texts("```\n# a\n```\n# b\n")).toEqual(["1 b"]);
    expect(texts("- ```\n  # a\n  ```\n# b\n")).toEqual(["1 b"]);
    expect(texts("- ```\n  # a\n# b\n")).toEqual(["1 b"]);
    expect(texts("```inline``` code\n# b\n")).toEqual(["1 b"]);
    expect(texts("```\n   ```\n# b\n")).toEqual(["1 b"]);
    expect(texts("---\na: b\n---\nTitle\n===\n")).toEqual(["1 Title"]);
    expect(texts("---\n```\n---\n# b\n")).toEqual(["1 b"]);
  });

  it("know their line, their offsets and the headings above them", () => {
    const text = "---\na: 1\n---\n# A\n### B\r\n## C\n# D\n";
    expect(headingsOf(text).map(({ line, path }) => ({ line, path: path.join("/") }))).toEqual([
      { line: 4, path: "A" },
      { line: 5, path: "A/B" },
      { line: 6, path: "A/C" },
      { line: 7, path: "D" },
    ]);
    expect(headingsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      "# A\n",
      "### B\r\n",
      "## C\n",
      "# D\n",
    ]);
  });
});

describe("finding a section", () => {
  const NOTE = [
    "# Work",
    "## Projects",
    "### Alpha",
    "alpha",
    "### TCP/IP",
    "tcp",
    "## Log",
    "work log",
    "# Home",
    "## Log",
    "home log",
    "## Alpha beta",
    "# Projects",
    "top",
    "",
  ].join("\n");
  const content = (name: string): string => {
    const { contentStart, end } = findSection(NOTE, name);
    return NOTE.slice(contentStart, end);
  };

  it.each([
    ["a leaf that is unique", "Alpha", "alpha\n"],
    ["a path from the top", "Work/Projects/Alpha", "alpha\n"],
    ["a path from any heading on", "Projects/Alpha", "alpha\n"],
    ["a path that tells two apart", "Home/Log", "home log\n"],
    ["a heading with a slash in it", "TCP/IP", "tcp\n"],
    ["a path with such a heading", "Projects/TCP/IP", "tcp\n"],
    ["number signs in front", "### Alpha", "alpha\n"],
    ["number signs without a space", "#Alpha", "alpha\n"],
    ["number signs of another level", "# Alpha", "alpha\n"],
    ["number signs that tell two levels apart", "# Projects", "top\n"],
    ["a slash for the top of the note", "/Projects", "top\n"],
    ["spaces around it", "  Alpha ", "alpha\n"],
    ["another case", "alpha", "alpha\n"],
  ])("by %s", (_, name, expected) => {
    expect(content(name)).toBe(expected);
  });

  it("prefers the same case", () => {
    const text = "# alpha\na\n# Alpha\nb\n";
    expect(findSection(text, "Alpha").heading.line).toBe(3);
  });

  it("does not mind a no-break space at the end of a heading, on its own or in a path", () => {
    const text = "# \u00A0Work\u00A0\n## Log\u00A0\ntext\n";
    for (const name of ["Log", "Work/Log", "/Work/Log"])
      expect(findSection(text, name).start).toBe(text.indexOf("## "));
  });

  it("does not mind how an accent is composed", () => {
    expect(findSection("# Cafe\u0301\n", "Caf\u00e9").heading.line).toBe(1);
  });

  it("takes a heading that begins with a number sign or a slash as it is", () => {
    expect(findSection("# 1 first\n# #1 first\n", "#1 first").heading.line).toBe(2);
    expect(findSection("# etc\n# /etc\n", "/etc").heading.line).toBe(2);
  });

  it("refuses a name that fits several, with the full path of each", () => {
    const { code, message } = problem(() => findSection(NOTE, "Log"));
    expect(code).toBe("invalid");
    expect(message).toBe('"Log" fits 2 headings: Work/Log (line 7); Home/Log (line 10). Use the full path of one.');
  });

  it("names each candidate so that the name works", () => {
    const { message } = problem(() => findSection(NOTE, "Projects"));
    expect(message).toContain("Work/Projects (line 2); /Projects (line 13)");
    expect(findSection(NOTE, "Work/Projects").heading.line).toBe(2);
    expect(findSection(NOTE, "/Projects").heading.line).toBe(13);
  });

  it("says that two headings have the same path", () => {
    expect(problem(() => findSection("# A\n## B\n## B\n", "A/B")).message).toMatch(/line 2.*line 3.*line numbers/);
  });

  it("lists the nearest if no heading has that name", () => {
    const { code, message } = problem(() => findSection(NOTE, "Work/Alfa"));
    expect(code).toBe("not_found");
    expect(message).toMatch(
      /^The note has no heading "Work\/Alfa"\. Name one that it has, nearest first: Work\/Projects\/Alpha \(line 3\);/,
    );
  });

  it.each(["## Part ", "# Part ", "## Same\n# "])("is missed in linear time among headings: %j", (heading) => {
    const note = (size: number) => Array.from({ length: size }, (_, i) => `${heading}${i}`).join("\n");
    for (const name of ["Nowhere", "Same", `Part ${"x".repeat(100_000)}`])
      expectLinearTime(note, (text) => problem(() => findSection(text, name)), 40_000);
  });

  it("says that a note has no headings", () => {
    expect(problem(() => findSection("text\n", "A")).message).toMatch(/no headings at all/);
  });

  it.each(["", " ", "#", "##"])("refuses the empty name %j", (name) => {
    expect(problem(() => findSection(NOTE, name)).code).toBe("invalid");
  });
});

describe("a section", () => {
  const parts = (text: string, name: string): string[] => {
    const { start, contentStart, contentEnd, end } = findSection(text, name);
    return [text.slice(start, contentStart), text.slice(contentStart, contentEnd), text.slice(contentEnd, end)];
  };

  it("has its heading, its content and the blank lines behind", () => {
    expect(parts("# A\n\na\nb\n\n \n# B\n", "A")).toEqual(["# A\n", "\na\nb\n", "\n \n"]);
  });

  it("has the sections below it, up to one of its level", () => {
    expect(parts("# A\n## B\nb\n### C\nc\n## D\n", "B")).toEqual(["## B\n", "b\n### C\nc\n", ""]);
    expect(parts("# A\n## B\nb\n### C\nc\n## D\n", "A")[1]).toBe("## B\nb\n### C\nc\n## D\n");
  });

  it("may be empty, or end with the file", () => {
    expect(parts("# A\n\n\n# B", "A")).toEqual(["# A\n", "", "\n\n"]);
    expect(parts("# A\n\n\n# B", "B")).toEqual(["# B", "", ""]);
    expect(parts("A\n===\r\na", "A")).toEqual(["A\n===\r\n", "a", ""]);
  });

  it("is found by the full path of every heading, whatever the note", () => {
    const line = fc.constantFrom(
      "# a",
      "# b",
      "## a",
      "## b/c",
      "### c",
      "text",
      "",
      "```",
      "---",
      "===",
      "- item",
      "> q",
      "/a",
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.join("\n");
        const headings = headingsOf(text);
        for (const heading of headings.filter(({ text: title }) => title !== "")) {
          const path = heading.path.join("/");
          const twins = headings.filter((other) => other.path.join("/") === path);
          if (twins.length > 1 || headings.some(({ text: title }) => title.startsWith("/"))) continue;
          expect(findSection(text, `/${path}`).heading).toEqual(heading);
        }
        for (const { start, end } of headings) expect(text.slice(start, end)).toMatch(/^.*\S/);
      }),
    );
  });
});
