import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectLinearTimeForText } from "../../../test/growth.ts";
import { REAL, realData, SAMPLES } from "../../../test/samples.ts";
import { findLinks, type Link, linkedTextOf, type LinkedText, writeTarget } from "./links.ts";

const targets = (text: string, kind: LinkedText = "markdown") => findLinks(text, kind).map(({ target }) => target);

/** The text with the target of its one link replaced. */
function rewritten(text: string, target: string, kind: LinkedText = "markdown"): string | undefined {
  const [link, ...others] = findLinks(text, kind);
  expect(others).toEqual([]);
  const written = writeTarget(link!, target);
  return written === undefined ? undefined : text.slice(0, link!.start) + written + text.slice(link!.end);
}

describe("wikilinks", () => {
  it("are found in all their forms", () => {
    const text = "[[a]] [[b/c]] [[d|e]] [[f#g]] [[h#^i]] ![[j.png|100]] [[ k ]] [[l#m|n]]";
    const links = findLinks(text, "markdown");
    expect(links.map((link) => [link.target, link.subpath, link.isEmbed])).toEqual([
      ["a", "", false],
      ["b/c", "", false],
      ["d", "", false],
      ["f", "#g", false],
      ["h", "#^i", false],
      ["j.png", "", true],
      ["k", "", false],
      ["l", "#m", false],
    ]);
    for (const { start, end, raw, target } of links) expect([raw, text.slice(start, end)]).toEqual([target, target]);
  });

  it("are found in tables, lists, quotes, headings and inside link texts", () => {
    expect(targets("| [[a\\|b]] | ![[c\\|100]] |\n- [ ] [[d]]\n> [!info] [[e]]\n# [[f]]\n[x [[g]] y](h.md)")).toEqual([
      "a",
      "c",
      "d",
      "e",
      "f",
      "g",
      "h.md",
    ]);
  });

  it("are not found without a target, across lines or escaped", () => {
    expect(targets("[[#h]] [[]] [[|a]] [[a\nb]] \\[[c]] [[ ]]")).toEqual([]);
  });

  it("are found innermost where brackets pile up", () => {
    expect(targets("[[[a]]] [[ and [[b]] [[c [d] e]]")).toEqual(["a", "b", "c [d] e"]);
  });

  it("are not found in code, comments and maths", () => {
    expect(targets("`[[a]]` ``[[b]]`` %%[[c]]%% $[[d]]$ <!-- [[e]] -->\n```\n[[f]]\n```\n[[g]]")).toEqual(["g"]);
    expect(targets("use [[ and `]]` for [[a]] and `[[b]]`")).toEqual(["a"]);
    expect(targets("[[a|`b`]] [[US$]] [[A$]]")).toEqual(["a", "US$", "A$"]);
  });
});

describe("Markdown links", () => {
  it("are found in all their forms", () => {
    const text =
      "[a](b.md) [c](<d e.md>) [f](g%20h.md#i%20j) ![k](l.png) [m](n.md \"o\") [p](q.md#r 's') [](t.md) [u](v(w).md) [x](y\\(z.md)";
    expect(findLinks(text, "markdown").map((link) => [link.raw, link.target, link.subpath, link.isEmbed])).toEqual([
      ["b.md", "b.md", "", false],
      ["d e.md", "d e.md", "", false],
      ["g%20h.md", "g h.md", "#i j", false],
      ["l.png", "l.png", "", true],
      ["n.md", "n.md", "", false],
      ["q.md", "q.md", "#r", false],
      ["t.md", "t.md", "", false],
      ["v(w).md", "v(w).md", "", false],
      ["y\\(z.md", "y(z.md", "", false],
    ]);
  });

  it("are found inside each other", () => {
    expect(targets("[![a](b.png)](c.md)")).toEqual(["b.png", "c.md"]);
  });

  it("are found with code in their text", () => {
    expect(targets("[`a]` b](c.md)")).toEqual(["c.md"]);
  });

  it("do not include URLs, links in the same note, and links without a text or with spaces", () => {
    expect(targets("[a](https://b.c) [d](mailto:e@f) [g](#h) [i](//j) [k]() k](l.md) [m](n o.md) \\[p](q.md)")).toEqual(
      [],
    );
    expect(targets("[a\n\nb](c.md)")).toEqual([]);
    expect(targets("`[a](b.md)` [a](`b.md`)")).toEqual(["`b.md`"].slice(1));
  });

  it("may have been written without encoding", () => {
    expect(targets("[a](100%.md) [b](caf%C3%A9.md)")).toEqual(["100%.md", "café.md"]);
  });

  it("include definitions of references", () => {
    expect(targets('[a]: b.md\n> [c]: <d e.md> "f"\n[^1]: note\n[g]: https://h\n[i]: j.md k\nx [l]: m.md')).toEqual([
      "b.md",
      "d e.md",
    ]);
  });
});

describe("frontmatter", () => {
  it("has links in its values, with any quotes, and none in its comments", () => {
    const text = [
      "---",
      'up: "[[a]]"',
      "related:",
      "  - '[[Bob''s b|c]]'",
      '  - "[[d]] and [[e#f]]"',
      "flow: [\"[[g]]\", '[[h]]', [[i]]]",
      "plain: see [[j]]",
      "bare: [[k]]",
      'escaped: "[[l \\"m\\" \\u00e9]]"',
      "block: |",
      "  [[n]]",
      "next: 'it''s' # [[no]]",
      "# [[no]]",
      "---",
      "[[o]]",
    ].join("\n");
    const links = findLinks(text, "markdown");
    expect(links.map(({ target }) => target)).toEqual([
      "a",
      "Bob's b",
      "d",
      "e",
      "g",
      "h",
      "i",
      "j",
      "k",
      'l "m" é',
      "n",
      "o",
    ]);
    for (const { start, end, raw } of links) expect(text.slice(start, end)).toBe(raw);
    expect(links[1]!.raw).toBe("Bob''s b");
    expect(links[9]!.raw).toBe('l \\"m\\" \\u00e9');
  });

  it("is written with its own quoting", () => {
    expect(rewritten("---\na: '[[b]]'\n---\n", "it's")).toBe("---\na: '[[it''s]]'\n---\n");
    expect(rewritten('---\na: "[[b]]"\n---\n', 'so "so"')).toBe('---\na: "[[so \\"so\\"]]"\n---\n');
    expect(rewritten("---\na: see [[b]]\n---\n", "c: d")).toBeUndefined();
  });
});

describe("canvases", () => {
  const canvas = JSON.stringify(
    {
      nodes: [
        { id: "1", type: "file", file: 'Folder/A "b".md', subpath: "#c" },
        { id: "2", type: "text", text: 'see [[d\\e]]\n\n![x](f%20g.png) "quoted" [[h]]' },
        { id: "3", type: "group", background: "i.png", label: "[[no]]" },
        { id: "4", type: "link", url: "https://x" },
        { file: { file: "no" }, list: ["no"] },
      ],
      edges: [{ file: "no", text: "[[no]]" }],
    },
    null,
    "\t",
  );

  it("have links in files, texts and backgrounds of nodes", () => {
    const links = findLinks(canvas, "canvas");
    expect(links.map(({ form, target }) => [form, target])).toEqual([
      ["path", 'Folder/A "b".md'],
      ["wiki", "d\\e"],
      ["markdown", "f g.png"],
      ["wiki", "h"],
      ["path", "i.png"],
    ]);
    for (const { start, end, raw } of links) expect(canvas.slice(start, end)).toBe(raw);
  });

  it("are written as JSON", () => {
    const [file, , image] = findLinks(canvas, "canvas");
    expect(writeTarget(file!, 'New "x".md')).toBe('New \\"x\\".md');
    expect(writeTarget(image!, 'a "b".png')).toBe('a%20\\"b\\".png');
  });

  it("that do not parse give what they can", () => {
    expect(targets('{"nodes":[{"file":"a.md"},{"file":"b', "canvas")).toEqual(["a.md"]);
    expect(targets("", "canvas")).toEqual([]);
    expect(targets("[1,2", "canvas")).toEqual([]);
  });
});

describe("bases", () => {
  const base = [
    "filters:",
    "  and:",
    '    - note.categories.contains(link("Podcast episodes"))',
    "    - '!file.hasLink(\"It''s\") && file.inFolder(\"Notes/Old\")'",
    '    - "file.hasLink(\\"b\\")"',
    "    - file.path == 'c/d.md' # link(\"no\")",
    '    - list(show).contains("[[e]]")',
    '    - file.name.contains("no")',
    '    - image("https://no.png")',
    "formulas:",
    "  Name: |",
    '    file("f#g").asLink("no")',
    '  Bob\'s: link("h", "no")',
    "views:",
    "  - type: table",
    "    name: Bob's view",
  ].join("\r\n");

  it("have links in functions, comparisons and wikilinks", () => {
    const links = findLinks(base, "base");
    expect(links.map(({ form, target }) => [form, target])).toEqual([
      ["call", "Podcast episodes"],
      ["call", "It's"],
      ["folder", "Notes/Old"],
      ["call", "b"],
      ["path", "c/d.md"],
      ["wiki", "e"],
      ["call", "f"],
      ["call", "h"],
    ]);
    for (const { start, end, raw } of links) expect(base.slice(start, end)).toBe(raw);
  });

  it("are written with the quoting of formula and YAML", () => {
    const links = findLinks(base, "base");
    expect(writeTarget(links[1]!, `a 'b' "c"`)).toBe(`a ''b'' \\"c\\"`);
    expect(writeTarget(links[3]!, `a "c"`)).toBe(String.raw`a \\\"c\\\"`);
    expect(writeTarget(links[4]!, `a 'c'`)).toBe(String.raw`a \'c\'`);
  });
});

describe("writing another target", () => {
  it("keeps everything around it", () => {
    expect(rewritten("![[a#b|c]]", "d/e")).toBe("![[d/e#b|c]]");
    expect(rewritten("| [[a\\|c]] |", "d")).toBe("| [[d\\|c]] |");
    expect(rewritten('[x](a.md#b "t")', "d e.md")).toBe('[x](d%20e.md#b "t")');
    expect(rewritten("[x](<a b.md#c>)", "d e.md")).toBe("[x](<d e.md#c>)");
    expect(rewritten("[x](<a%20b.md>)", "d e.md")).toBe("[x](<d%20e.md>)");
    expect(rewritten("[x](caf%C3%A9.md)", "thé x.md")).toBe("[x](th%C3%A9%20x.md)");
    expect(rewritten("[x](a.md)", "thé (1).md")).toBe("[x](thé%20(1).md)");
    expect(rewritten("[x](a.md)", "b).md")).toBe("[x](b%29.md)");
    expect(rewritten("[x]: a.md", "b c.md")).toBe("[x]: b%20c.md");
    expect(rewritten("[x](a.md)", "ab:c.md")).toBe("[x](ab%3Ac.md)");
  });

  it("is refused if a wikilink cannot contain it", () => {
    for (const target of ["a#b", "a|b", "a]]", "a[[b", "[a", "a]", "a\\"])
      expect(rewritten("[[x]]", target)).toBeUndefined();
  });

  it("is read back as what was written, in every form", () => {
    const places: [LinkedText, string][] = [
      ["markdown", "a [[x|y]] b"],
      ["markdown", "| ![[x\\|y]] | `c` |"],
      ["markdown", 'a [t](x "y") $b$'],
      ["markdown", "[t](<x>)"],
      ["markdown", "[t](<x%20y>)"],
      ["markdown", "[t](caf%C3%A9)"],
      ["markdown", "[t]: x\n"],
      ["markdown", "---\na: '[[x]]'\n---\n"],
      ["markdown", '---\na: ["[[x]]"]\n---\n'],
      ["markdown", "---\na: b [[x]]\n---\n"],
      ["canvas", '{"nodes":[{"file":"x"}]}'],
      ["canvas", '{"nodes":[{"text":"\\"[t](x)\\n"}]}'],
      ["canvas", '{"nodes":[{"text":"[[x]]"}]}'],
      ["base", `a: link("x")`],
      ["base", `a: '!link("x")'`],
      ["base", `a: "link(\\"x\\")"`],
      ["base", `a: link('x')`],
    ];
    const name = fc
      .array(fc.constantFrom(...`ab é'"#%()[]<>&;:|\\$\`^!?*_~,.+=@{}-漢💡`.split(/(?:)/u), " ", "%20", "/", "&amp;"), {
        minLength: 1,
        maxLength: 12,
      })
      .map((parts) => parts.join(""))
      .filter((path) => !path.startsWith("/"));
    let written = 0;
    fc.assert(
      fc.property(fc.constantFrom(...places), name, ([kind, text], target) => {
        const link = findLinks(text, kind)[0]!;
        const replacement = writeTarget(link, target);
        if (replacement === undefined) return;
        written++;
        const links = findLinks(text.slice(0, link.start) + replacement + text.slice(link.end), kind);
        expect(links).toHaveLength(1);
        const { raw, target: read, ...rest } = links[0]!;
        expect(read).toBe(target);
        expect(raw).toBe(replacement);
        expect(rest).toEqual({ ...withoutTarget(link), end: link.start + replacement.length });
      }),
      { numRuns: 5_000 },
    );
    expect(written).toBeGreaterThan(2_000);
  });
});

function withoutTarget({ raw: _raw, target: _target, ...rest }: Link): Omit<Link, "raw" | "target"> {
  return rest;
}

describe("huge and hostile texts", () => {
  const shapes = [
    "[",
    "[[",
    "]]",
    "[[a]]",
    "[a](",
    "[a](b ",
    '[a](b "',
    "[a](<",
    "](",
    "\\[",
    "[a]: ",
    "[[a|",
    "[`",
    "![[a\n",
    "]",
    "[[$",
    "[[a$b]]",
  ];
  it.each(shapes)("take linear time for a megabyte of %j", (shape) => {
    expectLinearTimeForText(shape, (text) => findLinks(text, "markdown"));
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => linkedTextOf(path) !== undefined);
}

describe("whole vaults", () => {
  it.for([
    { name: "the sample vault", folder: join(SAMPLES, "vault"), isHere: true, least: 100 },
    { name: `thousand-notes ${REAL}`, ...realData("vaults", "thousand-notes"), least: 2_000 },
    { name: `kepano ${REAL}`, ...realData("vaults", "kepano"), least: 100 },
  ])("$name has its links, each where it says", ({ folder, isHere, least }, { skip }) => {
    if (!isHere) skip();
    let links = 0;
    for (const path of filesBelow(folder)) {
      const text = readFileSync(join(folder, path), "utf8");
      for (const link of findLinks(text, linkedTextOf(path)!)) {
        expect(text.slice(link.start, link.end)).toBe(link.raw);
        links++;
      }
    }
    expect(links).toBeGreaterThan(least);
  });
});
