import MarkdownIt from "markdown-it";
import { expect, it } from "vitest";
import { addObsidian } from "./obsidian.ts";

/** The types of the blocks of a text, with what paragraphs say. */
function blocksOf(text: string): string[] {
  const markdown = new MarkdownIt();
  addObsidian(markdown);
  return markdown
    .parse(text, {})
    .filter(({ type }) => type === "inline" || type === "footnote_definition")
    .map(({ type, content }) => (type === "inline" ? content : `[${content}]`));
}

it.each([
  ["a comment between paragraphs", "one\n\n%%\nhidden\n\nlines\n%%\n\ntwo", ["one", "two"]],
  ["a comment right after a paragraph's line", "one\n%%\nhidden\n\nlines\n%%\ntwo", ["one", "two"]],
  ["an HTML comment right after a line", "one\n<!--\nhidden\n\nlines\n-->\ntwo", ["one", "two"]],
  ["a comment in a quote", "> one\n> %%\n> hidden\n> %%\n> two", ["one", "two"]],
  ["a comment in a list", "- one\n  %%\n  hidden\n  %%\n- two", ["one", "two"]],
  ["a comment on one line", "one\n\n%% hidden %%\n\ntwo", ["one", "two"]],
  ["a comment without an end", "one\n\n%%\nhidden", ["one"]],
  ["text after a comment, which the paragraph keeps", "%%hidden%% two", ["%%hidden%% two"]],
  ["text after a comment in a paragraph", "one\n%%hidden%% two", ["one\n%%hidden%% two"]],
  [
    "a definition after its text",
    "one[^1]\n\n[^1]: note\n  and more\n\n  still\n\ntwo",
    ["one[^1]", "[note\nand more\n\nstill]", "two"],
  ],
  ["a definition right after a paragraph's line", "one[^1]\n[^1]: note\n\ntwo", ["one[^1]", "[note]", "two"]],
  ["a definition in a quote", "> one[^1]\n> [^1]: note\n\ntwo", ["one[^1]", "[note]", "two"]],
  ["a definition after spaces", "one[^1]\n\n   [^1]: note", ["one[^1]", "[note]"]],
  ["an indented line that goes on after a quote", "> one\n    [^1]: more", ["one\n    [^1]: more"]],
  ["code that looks like a definition", "one[^1]\n\n    [^1]: code\n\ntwo", ["one[^1]", "two"]],
])("finds the blocks of a note with %s", (_, text, blocks) => {
  expect(blocksOf(text)).toEqual(blocks);
});
