import { describe, expect, it } from "vitest";
import { foldWithOffsets } from "../../search/search.ts";
import { openingSnippet, snippetIn } from "./page-snippet.ts";

/** A page of these messages, as page-texts.ts makes it. */
function pageOf(...messages: readonly string[]) {
  const text = messages.join("\n\n");
  let end = 0;
  return {
    text,
    folded: foldWithOffsets(text),
    isClean: false,
    messages: messages.map((message, i) => ({ id: `m${i}`, kind: "prose" as const, end: (end += message.length + 2) })),
  };
}

const snippetFor = (word: string, ...messages: readonly string[]) =>
  snippetIn(pageOf(...messages), { words: [word], phrases: [] }, (text) => text);

describe("the snippet of a match", () => {
  it("is of one message, cut between words, and has at most 160 characters", () => {
    const { snippet, message } = snippetFor(
      "heron",
      "A first message",
      `${"before ".repeat(80)}heron ${"after ".repeat(80)}`,
    )!;
    expect(snippet).toMatch(/^…(?:before )+heron(?: after)+…$/);
    expect(snippet.length).toBeLessThanOrEqual(160);
    expect(snippet.length).toBeGreaterThan(130);
    expect(message).toBe("m1");
    expect(snippetFor("heron", "egret", "heron", "bittern")).toMatchObject({ snippet: "heron", message: "m1" });
  });

  it.each([
    ["a table", "| bird | count |\n| --- | --- |\n| heron | 3 |\n", "bird, count heron, 3"],
    [
      "tags of hosts",
      "<system-reminder>\nMind the heron\n</system-reminder>\n<user_query>why?</user_query>",
      "Mind the heron why?",
    ],
    [
      "headings, fences and embeds",
      "## The heron\n```ts\nconst a = 1;\n```\n![[heron.png]]",
      "The heron: const a = 1;",
    ],
    [
      "a fence whose other end is far above",
      "const a = 1;\n```\nThe heron\n```bash\nls\n```\n",
      "const a = 1; The heron ls",
    ],
    ["frontmatter", "---\ntags: [heron]\nid: 7\n---\nThe heron stands", "The heron stands"],
  ])("has no marks of %s", (_, message, snippet) => {
    expect(snippetFor("heron", message)!.snippet).toBe(snippet);
  });

  it("shows what matches even if only marks do", () => {
    expect(snippetFor("heron", "---\ntags: [heron]\n---\nThe egret stands")!.snippet).toContain("tags: [heron]");
    expect(snippetFor("heron", "See [the page](https://heron.example/x)")!.snippet).toContain("heron.example");
    expect(snippetFor("heron", "egret")).toBeUndefined();
  });

  it("has no secrets, also if what shows them is far above", () => {
    const page = pageOf(`password: swordfish heron ${"after ".repeat(80)}`);
    const redact = (text: string) => text.replace("swordfish", "[redacted]");
    expect(snippetIn(page, { words: ["heron"], phrases: [] }, redact)!.snippet).toMatch(
      /^password: \[redacted\] heron after/,
    );
  });
});

describe("the snippet of a conversation without a match", () => {
  it.each([
    ["what the title does not say", "Fix the login", "Fix the login It fails on Mondays.", "It fails on Mondays."],
    [
      "where a cut title goes on",
      "Fix the login that fails on…",
      "Fix the login that fails on Mondays only",
      "…Mondays only",
    ],
    ["nothing if the title is all", "Fix the login", "Fix the login", ""],
    ["how it begins if the title is another", "Login", "Please ## fix **it**", "Please fix it"],
    ["what was typed", "Login", "<ide_opened_file>x.ts</ide_opened_file> Fix it", "Fix it"],
    ["what a host wrote if there is nothing else", "Login", "<command-message>init is", "init is"],
  ])("says %s", (_, title, opening, snippet) => {
    expect(openingSnippet({ title, opening })).toBe(snippet);
  });

  it("has at most 160 characters, cut between words", () => {
    const snippet = openingSnippet({ title: "Login", opening: "some words ".repeat(30) });
    expect(snippet).toMatch(/^some (?:words some )*words(?: some)?…$/);
    expect(snippet.length).toBeLessThanOrEqual(160);
  });
});
