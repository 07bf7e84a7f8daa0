// How elements are indented, and that a first child is indented as the file is,
// in each XML format.
import { describe, expect, it, test } from "vitest";
import { applyRowEdits } from "../../file/row-edits.ts";
import { parseOutline } from "../format-detection.ts";
import { attributeStart, gap, gapStart, inner, layoutOf, lineIndent } from "./layout.ts";

/** The text with a row x as the first child of a row, or of the outline. */
function withFirstChild(text: string, parent: number | undefined): string {
  const parsed = parseOutline(Buffer.from(text));
  const ids = parsed.ids ?? Array.from({ length: parsed.count }, (_, row) => `r${row}`);
  const position = { parentId: parent === undefined ? null : ids[parent]!, index: 0 };
  const rows = [{ topic: "x" }];
  return applyRowEdits({ parsed, ids }, [{ kind: "add", position, rows }], () => "xxxxxxxxxxx").parsed.bytes.toString();
}

const opml = (body: string) => `<opml version="2.0">\n  <head/>\n  ${body}\n</opml>\n`;
const row = (name: string) => `<outline text="${name}"/>`;

describe("the first child in OPML", () => {
  test.each<[what: string, parent: number | undefined, before: string, after: string]>([
    [
      "of a leaf, in a file whose rows have no children",
      0,
      `<body>\n    ${row("a")}\n    ${row("b")}\n  </body>`,
      `<body>\n    <outline text="a">\n      ${row("x")}\n    </outline>\n    ${row("b")}\n  </body>`,
    ],
    [
      "of a leaf that is indented with tabs",
      0,
      `<body>\n  \t${row("a")}\n  </body>`,
      `<body>\n  \t<outline text="a">\n  \t\t${row("x")}\n  \t</outline>\n  </body>`,
    ],
    [
      "of a leaf that has an end tag",
      0,
      `<body>\n    <outline text="a"></outline>\n  </body>`,
      `<body>\n    <outline text="a">\n      ${row("x")}\n    </outline>\n  </body>`,
    ],
    [
      "of a leaf that has an end tag on its own line",
      0,
      `<body>\n    <outline text="a">\n    </outline>\n  </body>`,
      `<body>\n    <outline text="a">\n      ${row("x")}\n    </outline>\n  </body>`,
    ],
    [
      "of a leaf whose siblings are on one line",
      1,
      `<body>${row("a")}${row("b")}</body>`,
      `<body>${row("a")}<outline text="b">${row("x")}</outline></body>`,
    ],
    ["of an outline without rows", undefined, "<body>\n  </body>", `<body>\n    ${row("x")}\n  </body>`],
    ["of an outline of one tag", undefined, "<body/>", `<body>\n    ${row("x")}\n  </body>`],
  ])("%s", (_, parent, before, after) => {
    expect(withFirstChild(opml(before), parent)).toBe(opml(after));
    const [windows, written] = [before, after].map((text) => opml(text).replaceAll("\n", "\r\n")) as [string, string];
    expect(withFirstChild(windows, parent)).toBe(written);
  });

  test("of an outline without any white space", () => {
    expect(withFirstChild("<opml><body/></opml>", undefined)).toBe(`<opml><body>${row("x")}</body></opml>`);
  });
});

describe("the first child in OmniOutliner 3", () => {
  const COLUMNS = `<columns><column id="ttttttttttt" type="text" is-outline-column="yes"/></columns>`;
  const START = `<outline xmlns="http://www.omnigroup.com/namespace/OmniOutliner/v3">\n\t${COLUMNS}\n\t`;
  const item = (indent: string) =>
    `<item id="xxxxxxxxxxx">\n${indent}\t<values>\n${indent}\t\t<text>\n${indent}\t\t\t<p>\n`;
  const inV3 = (root: string) => `${START}${root}\n</outline>\n`;

  test.each([
    ["one tag", "<root/>"],
    ["no rows", "<root>\n\t</root>"],
  ])("of an outline of %s takes the indentation of the root, and two spaces for each level", (_, root) => {
    expect(withFirstChild(inV3(root), undefined)).toContain(
      `\n\t<root>\n\t  <item id="xxxxxxxxxxx">\n\t    <values>\n\t      <text>\n`,
    );
  });

  test("of a leaf is indented like the leaf itself", () => {
    const leaf = `<item id="aaaaaaaaaaa">\n\t\t\t<values><null/></values>\n\t\t</item>`;
    const text = withFirstChild(inV3(`<root>\n\t\t${leaf}\n\t</root>`), 0);
    expect(text).toContain(`</values>\n\t\t\t<children>\n\t\t\t\t${item("\t\t\t\t")}`);
    expect(text).toContain(`\n\t\t\t\t</item>\n\t\t\t</children>\n\t\t</item>\n\t</root>\n`);
  });
});

describe("a layout", () => {
  const of = (text: string, element: string, child?: string) => {
    const bytes = Buffer.from(text);
    return layoutOf(bytes, bytes.indexOf(element), child === undefined ? undefined : bytes.indexOf(child));
  };
  const none = { newline: "", indent: "", unit: "" };

  it.each<[string, string, ReturnType<typeof layoutOf>]>([
    ["\n<a>\n\t<b/>", "<b", { newline: "\n", indent: "", unit: "\t" }],
    ["\r\n  <a>\r\n     <b/>", "<b", { newline: "\r\n", indent: "  ", unit: "   " }],
    ["\n  <a>\n<b/>", "<b", { newline: "\n", indent: "  ", unit: "  " }],
    ["\n  <a>\n  <b/>", "<b", { newline: "\n", indent: "  ", unit: "  " }],
    ["\n\t<a>\n    <b/>", "<b", { newline: "\n", indent: "\t", unit: "  " }],
    ["\n  <a><b/>", "<b", none],
    ["<a>\n  <b/>", "<b", none],
  ])("of %j is that of its first child", (text, child, layout) => {
    expect(of(text, "<a", child)).toEqual(layout);
  });

  it("without a child is the element's own, with two spaces for each level", () => {
    expect(of("\n\t<a/>", "<a")).toEqual({ newline: "\n", indent: "\t", unit: "  " });
    expect(of("<x/> <a/>", "<a")).toEqual(none);
  });

  it("gives the white space before an element, none in a file without line breaks", () => {
    const layout = { newline: "\r\n", indent: " ", unit: "\t" };
    expect([gap(layout, 0), gap(layout, 2)]).toEqual(["\r\n ", "\r\n \t\t"]);
    expect(gap({ newline: "", indent: " ", unit: "\t" }, 2)).toBe("");
    expect(inner(layout, 2)).toEqual({ newline: "\r\n", indent: " \t\t", unit: "\t" });
  });
});

it("finds where the white space before an element begins, at the start of a file too", () => {
  expect(gapStart(Buffer.from("<a> \t\r\n<b/>"), 7)).toBe(3);
  expect(gapStart(Buffer.from("<a><b/>"), 3)).toBe(3);
  expect(gapStart(Buffer.from(" \n<a/>"), 2)).toBe(0);
  expect(lineIndent(Buffer.from("\n\n  <a/>"), 4)).toEqual({ newline: "\n", indent: "  " });
  expect(lineIndent(Buffer.from("  <a/>"), 2)).toBeUndefined();
});

it.each([`<a b="1"/>`, `<a  b = "1"/>`, `<a\n\tb='1'/>`])("finds where an attribute begins: %j", (text) => {
  expect(attributeStart(Buffer.from(text), text.search(/1/))).toBe(2);
  const second = text.replace("<a", `<a c="2"`);
  expect(attributeStart(Buffer.from(second), second.search(/1/))).toBe(8);
});
