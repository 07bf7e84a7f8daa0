import { describe, expect, it } from "vitest";
import { checkEncoding } from "./characters.ts";
import { CLOSE, END, OPEN, XmlScanner } from "./scanner.ts";

/** The tags of a document, each with its depth. */
function tagsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const scanner = new XmlScanner(bytes, checkEncoding(bytes));
  const tags: string[] = [];
  for (let kind = scanner.next(); kind !== END; kind = scanner.next())
    if (kind === OPEN || kind === CLOSE)
      tags.push(`${scanner.depth}${bytes.toString("utf8", scanner.start, scanner.end)}`);
  return tags;
}

describe("the scanner", () => {
  it("gives every tag with its place", () => {
    expect(tagsOf(`\uFEFF<?xml version="1.0"?><!-- <x> --><a b='>' c = "&lt;é">t<b/><![CDATA[<no>]]></a >\n`)).toEqual([
      `0<a b='>' c = "&lt;é">`,
      "1<b/>",
      "0</a >",
    ]);
  });

  it("takes the unclosed quote in OmniOutliner's processing instruction", () => {
    expect(tagsOf(`<?xml-model href="a" schematypens="http://relaxng.org/ns/structure/1.0?><a/>`)).toEqual(["0<a/>"]);
  });

  it.each([
    ["", "no element"],
    ["<a>", "ends inside <a>"],
    ["<a></b>", "does not fit"],
    ["<a/><b/>", "second element"],
    ["<a/>text", "outside"],
    ["<a b=1/>", "no quotes"],
    ["<a b/>", "no value"],
    ["<a b='1'c='2'/>", "not apart"],
    ["<a b='1' b='2'/>", "stands twice"],
    ["<a b='<'/>", 'a "<" in an attribute'],
    ["<a b='1/>", "ends inside an attribute"],
    ["<a>&nbsp;</a>", '"&" that means nothing'],
    ["<a>&#0;</a>", '"&" that means nothing'],
    ["<a>&#x110000;</a>", '"&" that means nothing'],
    ["<a>&</a>", '"&" that means nothing'],
    ["<a>]]></a>", '"]]>"'],
    ["<a>\u0001</a>", "control character"],
    ["<a>\uFFFF</a>", "character that is none"],
    ["<a><!-- -- --></a>", '"--" stands in a comment'],
    ["<a><!-- </a>", "does not end"],
    ["<a><![CDATA[</a>", "does not end"],
    ["<a><?xml version='1.0'?></a>", "declaration stands inside"],
    ["< a/>", "begins no tag"],
    ["<a", "ends inside a tag"],
    ["</a>", "does not fit"],
    ["<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "declares entities"],
  ])("refuses %j", (text, reason) => {
    expect(() => tagsOf(text)).toThrow(reason);
  });

  it("says on which line something is wrong", () => {
    expect(() => tagsOf("<a>\n<b>\n</c>\n</a>")).toThrow("(line 3)");
  });

  it("refuses what is nested thousands of levels deep, and what has thousands of attributes", () => {
    expect(() => tagsOf("<a>".repeat(100_000))).toThrow("deeper");
    const attributes = Array.from({ length: 100_000 }, (_, index) => ` a${index}=""`).join("");
    expect(() => tagsOf(`<a${attributes}/>`)).toThrow("hundreds of attributes");
  });

  it("takes an attribute of many megabytes", () => {
    expect(tagsOf(`<a b="${"x".repeat(20_000_000)}"/>`)).toHaveLength(1);
  });
});
