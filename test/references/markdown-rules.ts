// What is a heading and what is a task in a Markdown text: one table of rules
// that the scanner of the vault and the rows of outlines are both tested with.
// Every text has a heading `# end` and a task `end` at its end where something
// before it could wrongly swallow them.

export interface MarkdownRule {
  readonly rule: string;
  readonly text: string;
  /** Level and text, as "## Text". */
  readonly headings: readonly string[];
  /** List items with a checkbox, as "[ ] text" or "[x] text". */
  readonly tasks?: readonly string[];
}

const END = "\n\n# end\n\n- [ ] end\n";
const ENDED = { headings: ["# end"], tasks: ["[ ] end"] };

export const MARKDOWN_RULES: readonly MarkdownRule[] = [
  // Headings
  { rule: "a heading has one to six marks", text: "# a\n###### b\n####### c", headings: ["# a", "###### b"] },
  { rule: "a heading needs white space after its marks", text: "#tag\n#\tb\n#", headings: ["# b", "# "] },
  { rule: "closing marks are no part of a heading", text: "## a ##  \n# b#\n# ##", headings: ["## a", "# b#", "# "] },
  { rule: "a heading may be indented by three columns", text: "   # a\n\n    # b\n\n\t# c", headings: ["# a"] },
  { rule: "a heading may interrupt a paragraph", text: "a\n# b\nc", headings: ["# b"] },
  {
    rule: "only ASCII's white space is no part of a heading's or a task's text",
    text: "# \u00A0a\u2028 \t\n\n\uFEFFb\u3000 \n===\n\n- [ ] \u00A0c\u00A0 \n",
    headings: ["# \u00A0a\u2028", "# \uFEFFb\u3000"],
    tasks: ["[ ] \u00A0c\u00A0"],
  },
  { rule: "carriage returns are no part of a heading", text: "# a\r\nb\r\n===\r\n", headings: ["# a", "# b"] },
  { rule: "an escaped mark makes no heading", text: "\\# a", headings: [] },
  { rule: "an underline makes a heading of the line above", text: "a\n===\n\nb\n---", headings: ["# a", "## b"] },
  { rule: "an underline may be one character", text: "a\n=\n\nb\n-", headings: ["# a", "## b"] },
  { rule: "a line right below a heading may be underlined", text: "# a\nb\n---", headings: ["# a", "## b"] },
  { rule: "a line right below code may be underlined", text: "```\n```\nb\n---", headings: ["## b"] },
  { rule: "an underlined heading may follow another", text: "a\n===\nb\n===", headings: ["# a", "# b"] },
  { rule: "an underline needs a paragraph above it", text: "\n---\n\n===\n\n# a\n---", headings: ["# a"] },
  { rule: "a line across the page is no underline of an item", text: "- [ ] a\n---", headings: [], tasks: ["[ ] a"] },
  { rule: "a quote is not underlined", text: "> a\n---", headings: [] },
  { rule: "a table row is not underlined", text: "| a |\n---", headings: [] },
  { rule: "a line of HTML is not underlined", text: "<div>\na\n---", headings: [] },
  { rule: "indented code is not underlined", text: "    a\n---", headings: [] },
  { rule: "an underline is indented by three columns at most", text: "a\n    ---", headings: [] },
  { rule: "headings in quotes are not headings of the text", text: "> # a\n\n# b", headings: ["# b"] },
  { rule: "headings in list items are not headings of the text", text: "- # a\n- b\n  # c\n\n# d", headings: ["# d"] },
  { rule: "a heading left of an item's content ends the list", text: "1. a\n  # b", headings: ["# b"] },
  // Code
  { rule: "a fence hides what is in it", text: `\`\`\`\n# a\n- [ ] a\n\`\`\`${END}`, ...ENDED },
  { rule: "a fence of tildes hides what is in it", text: `~~~ js \`\n# a\n\`\`\`\n# b\n~~~${END}`, ...ENDED },
  { rule: "only a fence as long closes one", text: `\`\`\`\`\n\`\`\`\n# a\n\`\`\`\` \n${END}`, ...ENDED },
  { rule: "a fence with text behind it closes nothing", text: `\`\`\`\n\`\`\` js\n# a\n\`\`\`${END}`, ...ENDED },
  { rule: "backticks behind a fence make it a code span", text: `\`\`\`a\`\`\`${END}`, ...ENDED },
  { rule: "a fence without end goes to the end of the text", text: "```\n\n# a\n- [ ] a", headings: [] },
  {
    rule: "a fence in an item ends with the item",
    text: "- [ ] a\n  ```\n  # b\n\n  - [ ] b\n- [x] c\n\n# d",
    headings: ["# d"],
    tasks: ["[ ] a", "[x] c"],
  },
  {
    rule: "a fence that begins an item ends with the item",
    text: "- ```\n  - [ ] a\n- [ ] b",
    headings: [],
    tasks: ["[ ] b"],
  },
  { rule: "a fence in a quote ends with the quote", text: `> \`\`\`\n> # a\n${END}`, ...ENDED },
  { rule: "a fence may be indented", text: `  \`\`\`\n# a\n   \`\`\`${END}`, ...ENDED },
  {
    rule: "a code span hides no item and no heading",
    text: "a ` b\n- [ ] c `\n# d `",
    headings: ["# d `"],
    tasks: ["[ ] c `"],
  },
  // Frontmatter
  { rule: "frontmatter is no part of the text", text: `---\n# a\n- [ ] a\n---${END}`, ...ENDED },
  { rule: "frontmatter may come after a byte order mark", text: `\uFEFF---\r\n# a\r\n---\r\n${END}`, ...ENDED },
  { rule: "frontmatter that is not closed is none", text: "---\n# a", headings: ["# a"] },
  { rule: "frontmatter that is not first is none", text: "\n---\n# a\n---", headings: ["# a"] },
  // Comments and maths
  { rule: "a comment hides what is in it", text: `%%\n# a\n\n- [ ] a\n%%${END}`, ...ENDED },
  { rule: "an HTML comment hides what is in it", text: `<!--\n# a\n\n- [ ] a\n-->${END}`, ...ENDED },
  { rule: "a comment without end hides nothing", text: `%% a${END}`, ...ENDED },
  { rule: "an HTML comment without end hides nothing", text: `<!-- a${END}`, ...ENDED },
  { rule: "percent signs in a line hide nothing below", text: `100%% of it${END}\n50%% more`, ...ENDED },
  { rule: "a comment hides a fence", text: `%%\n\`\`\`\n%%${END}`, ...ENDED },
  { rule: "a fence hides a comment", text: `\`\`\`\n%%\n\`\`\`${END}\n%%`, ...ENDED },
  { rule: "maths hides what is in it", text: `$$\n# a\n\n- [ ] a\n$$${END}`, ...ENDED },
  { rule: "prices hide nothing", text: `$5 and${END}\n$6`, ...ENDED },
  // Items
  {
    rule: "an item begins with any mark or number",
    text: "- [ ] a\n* [ ] b\n+ [ ] c\n1. [ ] d\n23) [ ] e",
    headings: [],
    tasks: ["[ ] a", "[ ] b", "[ ] c", "[ ] d", "[ ] e"],
  },
  { rule: "a mark needs white space behind it", text: "-[ ] a\n1.[ ] b\n- [ ] c", headings: [], tasks: ["[ ] c"] },
  { rule: "a number has nine digits at most", text: "1234567890. [ ] a\n\n- [ ] b", headings: [], tasks: ["[ ] b"] },
  { rule: "items may be nested, with tabs too", text: "- [ ] a\n\t- [x] b", headings: [], tasks: ["[ ] a", "[x] b"] },
  { rule: "an item may interrupt a paragraph", text: "a\n- [ ] b", headings: [], tasks: ["[ ] b"] },
  { rule: "an escaped mark makes no item", text: "\\- [ ] a\n- [X] b", headings: [], tasks: ["[x] b"] },
  { rule: "a checkbox is the first thing of an item", text: "- a [ ] b\n- [ ] c", headings: [], tasks: ["[ ] c"] },
];
