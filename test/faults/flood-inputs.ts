// Files that are hostile or merely huge, each made to a size in characters. Used by
// floods.test.ts.

export interface Flood {
  readonly extension: string;
  readonly text: (size: number) => string;
}

const note = (text: (size: number) => string): Flood => ({ extension: "md", text });
const outline = (text: (size: number) => string): Flood => ({ extension: "opml", text });

/** A piece, repeated. */
const many = (piece: string): Flood => note((size) => piece.repeat(size / piece.length));

const lines = (count: number, line: (i: number) => string): string =>
  `${Array.from({ length: count }, (_, i) => line(i)).join("\n")}\n`;

/** Lines that are made of their number, of about this length. */
const numbered = (length: number, line: (i: number) => string): Flood => note((size) => lines(size / length, line));

/** Each line is one level deeper than the one above it. */
const deeper = (indent: string, line: string): Flood =>
  note((size) => lines(Math.sqrt((2 * size) / indent.length), (i) => indent.repeat(i) + line));

const frontmatter = (yaml: (size: number) => string): Flood => note((size) => `---\n${yaml(size)}\n---\nText\n`);

const opml = (body: string): string => `<opml version="2.0"><head/><body>${body}</body></opml>`;

/** A level of YAML that contains nine times the one before it. */
const laugh = (i: number): string => `a${i + 1}: &a${i + 1} [${Array.from({ length: 9 }, () => `*a${i}`).join(",")}]`;

const cardOf = (i: number) => ({ id: `n${i}`, type: i % 2 ? "text" : "file", text: "alpha [[h]]", file: "h.canvas" });

/** Pieces that mean something to a scanner, alone or with what should follow left out. */
const PIECES = [
  ..."x[`|<*$#\\>~=%\t\n",
  "[[",
  "]]",
  "![",
  "![[h]]\n",
  "[](",
  "[a](<",
  "[^",
  "` ",
  "*a ",
  "$ a",
  "%% a",
  "<a ",
  "<!--",
  "<div>",
  "> ",
  "- ",
  "---\n",
  "```\n",
  "$$\n",
  "- [ ]",
  "- [ ] \n",
  "- [ ] a\n",
  "|a",
  "#a/",
  "aB",
  "a-",
  "alpha beta ",
  "的",
  "é",
  "😀",
  "http://",
  "api_key=",
  "{{date}}",
  '"a" ',
  "![[h#h]]",
];

export const FLOODS: Readonly<Record<string, Flood>> = {
  ...Object.fromEntries(PIECES.map((piece) => [JSON.stringify(piece), many(piece)])),
  "runs of backticks of every length": note((size) => lines(Math.sqrt(2 * size), (i) => "`".repeat(i))),
  "nested equal tasks": deeper("  ", "- [ ] same"),
  "nested equal tasks with tabs": deeper("\t", "- [ ] same"),
  "quoted equal tasks": deeper("> ", "- [ ] same"),
  "a nested list": deeper("  ", "- item"),
  "recurrence rules": numbered(70, (i) => `- [ ] t${i} 🔁 every 99999999999 months on the 99999th 📅 2026-01-01`),
  headings: numbered(14, (i) => `## Heading ${i}`),
  "equal headings": numbered(6, () => "## Aa"),
  links: numbered(14, (i) => `[[note ${i}]]`),
  "Markdown links": numbered(20, (i) => `[a ${i}](note%20${i}.md)`),
  tags: numbered(10, (i) => `#tag${i}`),
  "blocks with ids": numbered(14, (i) => `text ${i} ^b${i}`),
  words: note((size) => Array.from({ length: size / 8 }, (_, i) => `w${(i * 7919).toString(36)}`).join(" ")),
  "rows of a table": note((size) => `| a | b |\n|---|---|\n${lines(size / 30, (i) => `| cell ${i} | other ${i} |`)}`),
  footnotes: numbered(20, (i) => `[^${i}]: note ${i} [^${i}]`),
  "fields of Dataview": numbered(14, (i) => `key${i}:: value`),
  properties: frontmatter((size) => lines(size / 12, (i) => `k${i}: v${i}`)),
  "a list in a property": frontmatter((size) => `tags:\n${lines(size / 10, (i) => `  - t${i}`)}`),
  anchors: frontmatter((size) => lines(size / 20, (i) => `b${i}: &x${i} 1`)),
  merges: frontmatter((size) => `a: &a {x: 1}\n${lines(size / 20, (i) => `b${i}: {<<: *a}`)}`),
  "a billion laughs": frontmatter((size) => `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${lines(Math.min(size / 60, 500), laugh)}`),
  "deep YAML": frontmatter((size) => `a: ${"[".repeat(size / 2)}${"]".repeat(size / 2)}`),
  "a quote that is not closed": frontmatter((size) => `a: "${"x\n".repeat(size / 2)}`),
  "a canvas that contains itself": {
    extension: "canvas",
    text: (size) => JSON.stringify({ nodes: Array.from({ length: size / 80 }, (_, i) => cardOf(i)), edges: [] }),
  },
  "a deep canvas": { extension: "canvas", text: (size) => `{"nodes":${"[".repeat(size / 2)}${"]".repeat(size / 2)}}` },
  "formulas that double": {
    extension: "base",
    text: (size) =>
      `formulas:\n${lines(size / 30, (i) => `  f${i}: formula.f${i + 1} + formula.f${i + 1}`)}views:\n  - type: table\n    name: T\n    order: [formula.f0]\n`,
  },
  "a formula of itself": {
    extension: "base",
    text: (size) => `formulas:\n  a: formula.a\nviews:\n${lines(size / 40, (i) => `  - type: table\n    name: T${i}`)}`,
  },
  "filters of a base": {
    extension: "base",
    text: (size) =>
      `filters:\n  and:\n${lines(size / 30, (i) => `    - file.name == "x${i}"`)}views:\n  - type: table\n    name: T\n`,
  },
  "rows of an outline": outline((size) => opml(lines(size / 30, (i) => `<outline text="alpha ${i}"/>`))),
  "a deep outline": outline((size) => opml('<outline text="a">'.repeat(size / 28) + "</outline>".repeat(size / 28))),
  "attributes of a row": outline((size) =>
    opml(`<outline text="a" ${Array.from({ length: size / 10 }, (_, i) => `a${i}="b"`).join(" ")}/>`),
  ),
  "a row of many words": outline((size) => opml(`<outline text="${"alpha ".repeat(size / 6)}"/>`)),
  "entities that expand": outline(
    () =>
      `<!DOCTYPE opml [<!ENTITY a0 "aaaa">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(9)}">`).join("")}]>${opml('<outline text="&a20;"/>')}`,
  ),
};
