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

describe("the XML scanner", () => {
  it("reports every tag with its offsets", () => {
    expect(tagsOf(`\uFEFF<?xml version="1.0"?><!-- <x> --><a b='>' c = "&lt;é">t<b/><![CDATA[<no>]]></a >\n`)).toEqual([
      `0<a b='>' c = "&lt;é">`,
      "1<b/>",
      "0</a >",
    ]);
  });

  it("accepts the unclosed quote in OmniOutliner's processing instruction", () => {
    expect(tagsOf(`<?xml-model href="a" schematypens="http://relaxng.org/ns/structure/1.0?><a/>`)).toEqual(["0<a/>"]);
  });

  it.each([
    ["", "no element"],
    ["<a>", "ends inside <a>"],
    ["<a><bc><d/><ef>", "ends inside <ef>"],
    ["<a></b>", "does not match"],
    ["<ab></ac>", "does not match"],
    ["<a/><b/>", "second root element"],
    ["<a/>text", "outside"],
    ["<a b=1/>", "no quotes"],
    ["<a b/>", "no value"],
    ["<a b='1'c='2'/>", "no space between"],
    ["<a b='1' b='2'/>", "repeated"],
    ["<a b='<'/>", 'a "<" in an attribute'],
    ["<a b='1/>", "ends inside an attribute"],
    ["<a>&nbsp;</a>", 'invalid "&" reference'],
    ["<a>&#0;</a>", 'invalid "&" reference'],
    ["<a>&#x110000;</a>", 'invalid "&" reference'],
    ["<a>&</a>", 'invalid "&" reference'],
    ["<a>]]></a>", '"]]>"'],
    ["<a>\u0001</a>", "control character"],
    ["<a>\uFFFF</a>", "invalid character"],
    ["<a><!-- -- --></a>", '"--" in a comment'],
    ["<a><!-- </a>", "not closed"],
    ["<a><![CDATA[</a>", "not closed"],
    ["<a><?xml version='1.0'?></a>", "XML declaration that is not at the beginning"],
    ["< a/>", "does not begin a tag"],
    ["<a", "ends inside a tag"],
    ["</a>", "does not match"],
    ["<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "declares its own entities"],
  ])("refuses %j", (text, reason) => {
    expect(() => tagsOf(text)).toThrow(reason);
  });

  it("reports the line of an error", () => {
    expect(() => tagsOf("<a>\n<b>\n</c>\n</a>")).toThrow("(line 3)");
  });

  it("refuses thousands of nested elements and thousands of attributes", () => {
    expect(() => tagsOf("<a>".repeat(100_000))).toThrow("too deeply");
    const attributes = Array.from({ length: 100_000 }, (_, index) => ` a${index}=""`).join("");
    expect(() => tagsOf(`<a${attributes}/>`)).toThrow("hundreds of attributes");
  });

  it("accepts an attribute of many megabytes", () => {
    expect(tagsOf(`<a b="${"x".repeat(20_000_000)}"/>`)).toHaveLength(1);
  });
});
