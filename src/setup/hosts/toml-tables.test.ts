import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getTable, parseToml, removeTable, setTable } from "./toml-tables.ts";

const PATH = ["mcp_servers", "commonplace"];
const ENTRY = { command: "/usr/bin/node", args: ["a b.js", "--vault", "C:\\Notes"] };

describe("reading TOML", () => {
  it("reads every kind of value", () => {
    const text = `# a file
title = "a \\"b\\" \\u00e9" # said
'literal key' = 'C:\\no\\escapes'
site."x.y" . z = true
long = """
one \\
   line
"quoted" two"""
raw = '''
it's raw'''
n = [ 1_000, -2.5e3, 0xFF, inf, # numbers
  1979-05-27T07:32:00Z, 07:32, 1979-05-27 07:32:00.5,
]
inline = { a = [{}], b.c = "d" }
empty = ""
[table]
[table.inner]
x = false
[[list]]
a = 1
[list.inner]
[[list]]
[list.inner]
`;
    const time = new Date("0000-01-01T07:32:00Z");
    expect(parseToml(text)).toEqual({
      title: 'a "b" é',
      "literal key": "C:\\no\\escapes",
      site: { "x.y": { z: true } },
      long: 'one line\n"quoted" two',
      raw: "it's raw",
      n: [1000n, -2500, 255n, Infinity, new Date("1979-05-27T07:32:00Z"), time, new Date("1979-05-27T07:32:00.5Z")],
      inline: { a: [{}], b: { c: "d" } },
      empty: "",
      table: { inner: { x: false } },
      list: [{ a: 1n, inner: {} }, { inner: {} }],
    });
  });

  it.each([
    ["a = ", 1, "invalid value"],
    ["a = 1 b = 2", 1, "each key-value declaration must be followed by an end-of-line"],
    ["\n[a\n", 2, "illegal character in key"],
    ['a = "x\n"', 1, "control characters are not allowed in strings"],
    ["a = 1\na = 2", 2, "trying to redefine an already defined table or value"],
    ["[a]\n[a]", 2, "trying to redefine"],
    ["a = 1\n[a]", 2, "trying to redefine"],
    ["a = yes", 1, "invalid value"],
    ["a = [1, 2", 1, "expected comma or end of structure"],
    ["= 1", 1, "unexpected end of key"],
    ["<<<<<<< HEAD", 1, "illegal character in key"],
    ["a = {}\n[a.b]", 2, "trying to redefine"],
    ["a = {}\na.b = 1", 2, "trying to redefine"],
    ["a = [{}]\n[[a]]", 2, "trying to redefine"],
    ["a = { b = {}, b.c = 1 }", 1, "trying to redefine"],
    ["[t]\na.b = 1\n[t.a]", 3, "trying to redefine"],
    ["[t.a]\n[t]\na.b = 1", 3, "trying to redefine"],
    ['a = """x \\y"""', 1, "unrecognised escape sequence"],
    ['a = """x\u0001"""', 1, "control characters are not allowed in strings"],
    ["a = 1 # \u0001", 1, "control characters are not allowed in comments"],
    ["a = 1.2.3", 1, "illegal character in numeric literal"],
  ])("refuses %j and names the line", (text, line, reason) => {
    expect(() => parseToml(text)).toThrow(`Invalid TOML in line ${line}: ${reason}`);
  });

  it("refuses brackets without end", () => {
    expect(() => parseToml(`a = ${"[".repeat(100_000)}`)).toThrow("excessively nested");
  });

  it.each(["a = 1979", "[t]\na.b = 1\n[t.a.c]"])("accepts %j", (text) => {
    expect(parseToml(text)).toBeDefined();
  });
});

const CONFIG = `# my codex
model = "gpt-5.4"
notify = ["bash", "-c", """
[mcp_servers.commonplace]
not = "a table"
"""]

[mcp_servers.docs]   # the docs
command = "npx"
args = [
  "-y", # yes
  "docs-server",
]
env = { "API_KEY" = "value" }

# projects below
[projects."/home/me/code"]
trust_level = "trusted"
`;

describe("setTable", () => {
  it("appends a new table", () => {
    expect(setTable(CONFIG, PATH, ENTRY)).toBe(`${CONFIG}
[mcp_servers.commonplace]
command = "/usr/bin/node"
args = ["a b.js", "--vault", "C:\\\\Notes"]
`);
    expect(setTable("", PATH, { command: "x" })).toBe('[mcp_servers.commonplace]\ncommand = "x"\n');
    expect(setTable("a = 1", PATH, { command: "x" })).toBe('a = 1\n\n[mcp_servers.commonplace]\ncommand = "x"\n');
  });

  it("replaces only values that differ, and keeps unknown keys", () => {
    const text = `[mcp_servers.commonplace] # mine
command = "old" # was
startup_timeout_sec = 20
# about the tools
enabled_tools = ["search"]

[mcp_servers.commonplace.env]
A = "1"

[other]
`;
    const set = setTable(text, PATH, { command: "new", args: ["x"], env: { PATH: "/bin" } });
    expect(set).toBe(
      text
        .replace('"old"', '"new"')
        .replace('["search"]\n', '["search"]\nargs = ["x"]\n')
        .replace('A = "1"\n', 'A = "1"\nPATH = "/bin"\n'),
    );
    expect(setTable(set, PATH, { command: "new", args: ["x"], env: { PATH: "/bin" } })).toBe(set);
  });

  it("keeps the user's variables in an inline table", () => {
    const text = `[mcp_servers.commonplace]
env = { A = "1" } # mine
`;
    const set = setTable(text, PATH, { env: { PATH: "/bin" } });
    expect(set).toBe(text.replace('{ A = "1" }', '{ A = "1", PATH = "/bin" }'));
    expect(setTable(set, PATH, { env: { PATH: "/bin" } })).toBe(set);
  });

  it("finds a key among odd quoting, comments and values of several lines", () => {
    const text = `[ mcp_servers . "commonplace" ] # [x]
"a=b" = 1
note = """
command = "no"
# [mcp_servers.commonplace]
[tui]
"""
'command'="old # \\" =" # = was
args = [ # "#"
  "x", # ]
]
# [below]
`;
    expect(setTable(text, PATH, { command: "new", args: ["y"] })).toBe(
      text.replace('"old # \\" ="', '"new"').replace(/args = [^]*\n\]/, 'args = ["y"]'),
    );
  });

  it("keeps line endings", () => {
    expect(setTable("a = 1\r\n", PATH, { command: "x" })).toBe(
      'a = 1\r\n\r\n[mcp_servers.commonplace]\r\ncommand = "x"\r\n',
    );
  });

  it.each([
    '[mcp_servers]\ncommonplace = { command = "x" }',
    'mcp_servers.commonplace.command = "x"',
    '[mcp_servers.commonplace.env]\nA = "1"',
    '[mcp_servers.commonplace]\nargs.x = "1"',
  ])("refuses a table in another form: %j", (text) => {
    expect(() => setTable(text, PATH, ENTRY)).toThrow("mcp_servers.commonplace is not written as a separate table");
  });

  it.each([
    ['mcp_servers = { git = { command = "x" } }', "mcp_servers is an inline table"],
    ['mcp_servers = { commonplace = { command = "x" } }', "mcp_servers is an inline table"],
    ["mcp_servers = 1", "mcp_servers is not a table"],
  ])("refuses to add to a list in another form: %j", (text, reason) => {
    expect(() => setTable(text, PATH, ENTRY)).toThrow(reason);
  });

  it("works next to servers that are inline tables", () => {
    const text = '[mcp_servers]\ngit = { command = "x" }\n';
    expect(parseToml(setTable(text, PATH, { command: "y" }))).toEqual({
      mcp_servers: { git: { command: "x" }, commonplace: { command: "y" } },
    });
  });
});

describe("removeTable", () => {
  it("restores the file from before setTable", () => {
    for (const text of [CONFIG, CONFIG.replaceAll("\n", "\r\n"), "", "a = 1\n"])
      expect(removeTable(setTable(text, PATH, ENTRY), PATH)).toBe(text);
  });

  it("removes subtables too, and leaves the tables between them", () => {
    const text =
      '[a]\n\n[mcp_servers.commonplace]\ncommand = "x" # c\n# for b\n[b]\n\n[mcp_servers.commonplace.env]\nA = "1"\n[c]\n';
    expect(removeTable(text, PATH)).toBe("[a]\n# for b\n[b]\n[c]\n");
  });

  it("ends the table behind a text of several lines whose last line looks like a comment", () => {
    const text = '[mcp_servers.commonplace]\nnote = """\n# kept"""\n# for b\n[b]\n';
    expect(removeTable(text, PATH)).toBe("# for b\n[b]\n");
  });

  it("removes arrays of tables within it", () => {
    expect(removeTable("[mcp_servers.commonplace]\n\n[[mcp_servers.commonplace.x]]\na = 1\n\n[b]\n", PATH)).toBe(
      "[b]\n",
    );
  });

  it("does nothing if there is no such table, and refuses other forms", () => {
    expect(removeTable(CONFIG, PATH)).toBe(CONFIG);
    expect(() => removeTable('[mcp_servers]\ncommonplace = { command = "x" }', PATH)).toThrow(
      "not written as a separate table",
    );
  });
});

it("any strings survive setTable and getTable", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.string()), (command, args) => {
      const text = setTable(CONFIG, PATH, { command, args });
      expect(getTable(text, PATH)).toEqual({ command, args });
      expect(removeTable(text, PATH)).toBe(CONFIG);
    }),
  );
});
