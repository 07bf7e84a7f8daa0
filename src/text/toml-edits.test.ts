import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseToml } from "./toml.ts";
import { tableOf } from "./toml-tables.ts";
import { TomlScalar } from "./toml-values.ts";
import { getTable, removeTable, setTable } from "./toml-edits.ts";

const PATH = ["mcp_servers", "commonplace"];
const ENTRY = { command: "/usr/bin/node", args: ["a b.js", "--vault", "C:\\Notes"] };
const read = (text: string) => tableOf(parseToml(text));

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
    const number = (source: string) => new TomlScalar(source);
    expect(read(text)).toEqual({
      title: 'a "b" é',
      "literal key": "C:\\no\\escapes",
      site: { "x.y": { z: true } },
      long: 'one line\n"quoted" two',
      raw: "it's raw",
      n: ["1_000", "-2.5e3", "0xFF", "inf", "1979-05-27T07:32:00Z", "07:32", "1979-05-27 07:32:00.5"].map(number),
      inline: { a: [{}], b: { c: "d" } },
      empty: "",
      table: { inner: { x: false } },
      list: [{ a: number("1"), inner: {} }, { inner: {} }],
    });
  });

  it.each([
    ["a = ", "It ends too early."],
    ["a = 1 b = 2", '"b" is unexpected in line 1.'],
    ["\n[a\n", '"\\n" is unexpected in line 2.'],
    ['a = "x\n"', '"\\"" is unexpected in line 1.'],
    ["a = 1\na = 2", "a is defined twice."],
    ["[a]\n[a]", "a is defined twice."],
    ["a = 1\n[a]", "a is defined twice."],
    ["a = 1979", undefined],
    ["a = yes", '"y" is unexpected in line 1.'],
    ["a = [1, 2", "It ends too early."],
    ["= 1", '"=" is unexpected in line 1.'],
    ["<<<<<<< HEAD", '"<" is unexpected in line 1.'],
    ["a = {}\n[a.b]", "a.b is defined twice."],
    ["a = {}\na.b = 1", "a.b is defined twice."],
    ["a = [{}]\n[[a]]", "a is defined twice."],
    ["a = { b = {}, b.c = 1 }", "b.c is defined twice."],
    ["[t]\na.b = 1\n[t.a]", "t.a is defined twice."],
    ["[t.a]\n[t]\na.b = 1", "t.a.b is defined twice."],
    ["[t]\na.b = 1\n[t.a.c]", undefined],
    ['a = """x \\y"""', "means nothing"],
    ['a = """x\u0001"""', "control character"],
    ["a = 1 # \u0001", '"#" is unexpected in line 1.'],
    ["a = 1.2.3", '"1" is unexpected in line 1.'],
  ])("judges %j", (text, message) => {
    if (message === undefined) expect(read(text)).toBeDefined();
    else expect(() => parseToml(text)).toThrow(message);
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

describe("setting a table", () => {
  it("puts a new one at the end", () => {
    expect(setTable(CONFIG, PATH, ENTRY)).toBe(`${CONFIG}
[mcp_servers.commonplace]
command = "/usr/bin/node"
args = ["a b.js", "--vault", "C:\\\\Notes"]
`);
    expect(setTable("", PATH, { command: "x" })).toBe('[mcp_servers.commonplace]\ncommand = "x"\n');
    expect(setTable("a = 1", PATH, { command: "x" })).toBe('a = 1\n\n[mcp_servers.commonplace]\ncommand = "x"\n');
  });

  it("changes only what is another value, and keeps keys that it does not know", () => {
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

  it("keeps the line endings", () => {
    expect(setTable("a = 1\r\n", PATH, { command: "x" })).toBe(
      'a = 1\r\n\r\n[mcp_servers.commonplace]\r\ncommand = "x"\r\n',
    );
  });

  it.each([
    'mcp_servers = { git = { command = "x" } }',
    '[mcp_servers]\ncommonplace = { command = "x" }',
    'mcp_servers.commonplace.command = "x"',
    "mcp_servers = 1",
  ])("refuses to guess in %j", (text) => {
    expect(() => setTable(text, PATH, ENTRY)).toThrow("is not written as a table of its own");
  });

  it("stands beside servers that are written in braces", () => {
    const text = '[mcp_servers]\ngit = { command = "x" }\n';
    expect(read(setTable(text, PATH, { command: "y" }))).toEqual({
      mcp_servers: { git: { command: "x" }, commonplace: { command: "y" } },
    });
  });
});

describe("removing a table", () => {
  it("leaves the file as it was before it was set", () => {
    for (const text of [CONFIG, CONFIG.replaceAll("\n", "\r\n"), "", "a = 1\n"])
      expect(removeTable(setTable(text, PATH, ENTRY), PATH)).toBe(text);
  });

  it("takes the tables within it along, and leaves what others wrote between", () => {
    const text =
      '[a]\n\n[mcp_servers.commonplace]\ncommand = "x" # c\n# for b\n[b]\n\n[mcp_servers.commonplace.env]\nA = "1"\n[c]\n';
    expect(removeTable(text, PATH)).toBe("[a]\n# for b\n[b]\n[c]\n");
  });

  it("does nothing where there is none, and refuses other forms", () => {
    expect(removeTable(CONFIG, PATH)).toBe(CONFIG);
    expect(() => removeTable('[mcp_servers]\ncommonplace = { command = "x" }', PATH)).toThrow("not written as a table");
  });
});

it("any texts survive the way through a table", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.string()), (command, args) => {
      const text = setTable(CONFIG, PATH, { command, args });
      expect(getTable(text, PATH)).toEqual({ command, args });
      expect(removeTable(text, PATH)).toBe(CONFIG);
    }),
  );
});
