// Connects and removes with configuration files of many shapes: checks the bytes
// that connect writes, and that --remove restores the file.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { connect, hostOf, install, machineOf } from "../../../test/fixtures/connected-hosts.ts";
import { HOSTS, type Host } from "./known-hosts.ts";

/** The file's text after connect, and after --remove. */
async function roundTrip(host: Host, before: string): Promise<{ connected: string; removed: string }> {
  const machine = machineOf("linux");
  const file = install(host, machine, before);
  await connect(host, machine);
  const connected = readFileSync(file, "utf8");
  expect(await connect(host, machine)).toMatchObject({ isChanged: false });
  await connect(host, machine, { isRemoved: true });
  return { connected, removed: readFileSync(file, "utf8") };
}

/** `@@` marks the lines of the entry and `§` what else it adds; without them it is the file before. */
type Shape = readonly [name: string, text: string];
const before = (text: string) => text.replace(/^@@.*\n/gm, "").replace(/§[^§]*§/g, "");
const after = (text: string) => text.replace(/^@@/gm, "").replaceAll("§", "");

const INLINE = '"commonplace": {"command":"/opt/node","args":["/opt/commonplace.js"]}';
/** The entry as an object of several lines. */
const entry = (indent: string, unit: string, end = "") =>
  [
    '"commonplace": {',
    `${unit}"command": "/opt/node",`,
    `${unit}"args": [`,
    `${unit}${unit}"/opt/commonplace.js"`,
    `${unit}]`,
    `}${end}`,
  ]
    .map((line) => `@@${indent}${line}\n`)
    .join("");

const JSON_SHAPES: readonly Shape[] = [
  ["two spaces", `{\n  "mcpServers": {\n    "git": {}§,§\n${entry("    ", "  ")}  }\n}\n`],
  [
    "four spaces, no final newline",
    `{\n    "mcpServers": {\n        "git": {}§,§\n${entry("        ", "    ")}    }\n}`,
  ],
  ["tabs, and a comma at the end", `{\n\t"mcpServers": {\n\t\t"git": {},\n${entry("\t\t", "\t", ",")}\t},\n}\n`],
  [
    "comments behind, between and below entries",
    `// top\n{\n  /* list */\n  "mcpServers": { // open\n    "git": { "command": "uvx" }§,§ // the fast one\n    /* more to come */\n${entry("    ", "  ")}  }, // close\n  "theme": "dark"\n}\n// end\n`,
  ],
  [
    "a comma at the end, and a comment behind it",
    `{\n  "mcpServers": {\n    "git": {}, // last\n    // "old": {},\n${entry("    ", "  ", ",")}  }\n}\n`,
  ],
  ["a list that holds a comment only", `{\n  "mcpServers": {\n    // none yet\n${entry("    ", "  ")}  }\n}\n`],
  ["no list yet", `{\n  // mine\n  "theme": "dark"§,§\n@@  "mcpServers": {\n${entry("    ", "  ")}@@  }\n}\n`],
  ["one line", `{"mcpServers":{"git":{"command":"uvx"}§, ${INLINE}§}}`],
  ["one line with spaces", `{ "mcpServers": { "git": { "command": "uvx" }§, ${INLINE}§ }, "x": 1 }\n`],
  ["one line with a comma at the end", `{"mcpServers":{"git":{},§ ${INLINE},§}}`],
  ["one line without a list", `{"theme":"dark"§, "mcpServers": {${INLINE.replace(": ", ":")}}§}`],
  ["a list in one line in a file of several", `{\n  "theme": "dark",\n  "mcpServers": { "git": {}§, ${INLINE}§ }\n}\n`],
  [
    "a list of the same name elsewhere",
    `{\n  "projects": {\n    "/code": {\n      "mcpServers": {\n        "commonplace": {}\n      }\n    }\n  },\n  "mcpServers": {\n    "git": {}§,§\n${entry("    ", "  ")}  }\n}\n`,
  ],
  [
    "comment marks and braces in strings",
    `{\n  "a": "// no { comment",\n  "mcpServers": {\n    "git": { "args": ["/* */", "}", "\\"},"] }§,§\n${entry("    ", "  ")}  }\n}\n`,
  ],
  ["a key with an escape", `{\n  "mcp\\u0053ervers": {\n    "g\\tit": {}§,§\n${entry("    ", "  ")}  }\n}\n`],
  [
    "braces on lines of their own",
    `{\n  "mcpServers":\n  {\n    "git":\n    {\n    }§,§\n${entry("    ", "  ")}  }\n}\n`,
  ],
  ["empty lines", `\n{\n\n  "mcpServers": {\n\n    "git": {}§,§\n${entry("    ", "  ")}\n  }\n\n}\n\n`],
];

/** Files whose own white space connect replaces: only a copy can restore it. */
const REPLACED_SPACE: readonly string[] = [
  "{ }",
  "{\n}\n",
  "{\n\n}\n",
  '{"mcpServers":{}}',
  '{ "mcpServers": { } }\n',
  '{\n  "mcpServers": {\n  }\n}\n',
  '{\n  "mcpServers": {}\n}\n',
  '{\n  "mcpServers": {\n    "git": {} }\n}\n',
  '{\n  "theme": "dark" }',
];

const TABLE = '@@[mcp_servers.commonplace]\n@@command = "/opt/node"\n@@args = ["/opt/commonplace.js"]\n';

const TOML_SHAPES: readonly Shape[] = [
  ["a root key", `model = "gpt"\n@@\n${TABLE}`],
  ["a comment only", `# mine\n@@\n${TABLE}`],
  ["an empty list", `[mcp_servers]\n@@\n${TABLE}`],
  ["empty lines at the end", `model = "gpt"\n\n\n@@\n${TABLE}`],
  ["nested tables", `[mcp_servers.git]\ncommand = "uvx"\n\n[mcp_servers.git.env]\nA = "1"\n\n[tui]\n@@\n${TABLE}`],
  ["dotted keys", `mcp_servers.git.command = "uvx"\nmcp_servers . git . args = []\n\n[tools]\na.b.c = 1\n@@\n${TABLE}`],
  ["inline tables", `[mcp_servers]\ngit = { command = "uvx", env = { A = "1" } } # short\n@@\n${TABLE}`],
  [
    "arrays of tables",
    `[[skills.config]]\npath = "/a"\n[[skills.config]]\npath = "/b"\n[skills.config.more]\n@@\n${TABLE}`,
  ],
  [
    "odd quoting",
    `"model" = 'C:\\x'\n[ "mcp_servers" . 'git.hub' ] # here\n"a b" = "\\u00e9 \\"q\\""\n'' = ''\n@@\n${TABLE}`,
  ],
  ["indented tables", `[mcp_servers.git]\n\tcommand = "uvx"\n\t[mcp_servers.git.env]\n\t\tA = "1"\n@@\n${TABLE}`],
  [
    "a header within a text of several lines",
    `notify = """\n[mcp_servers.commonplace]\ncommand = "x"\n"""\nraw = '''\n[mcp_servers.commonplace]'''\n@@\n${TABLE}`,
  ],
  [
    "lists of several lines",
    `matrix = [\n  ["mcp_servers"], # one\n["mcp_servers", "commonplace"]\n,\n["mcp_servers"]\n]\n@@\n${TABLE}`,
  ],
  [
    "numbers and dates",
    `a = 1_000\nb = 0xFF\nc = -2.5e3\nd = [inf, nan]\ne = 1979-05-27T07:32:00Z\nf = 07:32:00\ng = 1979-05-27\nh = 9_223_372_036_854_775_807\n@@\n${TABLE}`,
  ],
];

const cursor = hostOf("cursor");
const codex = hostOf("codex");

/** The same file as each editor saves it. */
const VARIANTS: readonly (readonly [string, (text: string) => string])[] = [
  ["LF", (text) => text],
  ["CRLF", (text) => text.replaceAll("\n", "\r\n")],
  ["a byte order mark", (text) => `\uFEFF${text}`],
  ["CRLF and a byte order mark", (text) => `\uFEFF${text.replaceAll("\n", "\r\n")}`],
];

describe.each(VARIANTS)("with %s", (_, variant) => {
  it.each(JSON_SHAPES)("JSON: %s", async (_name, text) => {
    expect(await roundTrip(cursor, variant(before(text)))).toEqual({
      connected: variant(after(text)),
      removed: variant(before(text)),
    });
  });

  it.each(TOML_SHAPES)("TOML: %s", async (_name, text) => {
    expect(await roundTrip(codex, variant(before(text)))).toEqual({
      connected: variant(after(text)),
      removed: variant(before(text)),
    });
  });
});

describe.each(HOSTS.map((host) => [host.title, host] as const))("%s", (_, host) => {
  const shapes = host.format === "json" ? JSON_SHAPES : TOML_SHAPES;
  const odd = host.format === "json" ? REPLACED_SPACE : ['model = "gpt"', "# mine", "[tui]"];
  const texts = [...shapes.map(([, text]) => before(text)), ...odd].map((text) =>
    text.replaceAll("mcpServers", host.section).replace("mcp\\u0053ervers", host.section),
  );

  it.each(texts)("restores %j", async (text) => {
    expect((await roundTrip(host, text)).removed).toBe(text);
  });
});
