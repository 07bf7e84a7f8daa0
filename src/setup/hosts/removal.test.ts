// Entries and lists that existed before connect, and what --remove leaves of them.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { connect, hostOf, install, LAUNCH, machineOf } from "../../../test/fixtures/connected-hosts.ts";
import { entriesOf } from "./configuration.ts";
import { connectionOf } from "./connection.ts";

describe("an existing entry", () => {
  it("keeps what the user added to it", async () => {
    const machine = machineOf("linux");
    const host = hostOf("gemini");
    const text = `{
  "mcpServers": {
    "commonplace": {
      "command": "npx", // old
      "args": ["-y", "commonplace-mcp"],
      "trust": true,
      "env": { "COMMONPLACE_VAULT": "/notes" }
    }
  }
}
`;
    const file = install(host, machine, text);
    await connect(host, machine);
    expect(readFileSync(file, "utf8")).toBe(
      text
        .replace('"npx"', '"/opt/node"')
        .replace('["-y", "commonplace-mcp"]', '[\n        "/opt/commonplace.js"\n      ]'),
    );
  });

  it("keeps the tools that the user allows in Copilot CLI", async () => {
    const machine = machineOf("linux");
    const host = hostOf("copilot-cli");
    const entry = { command: "npx", args: ["-y", "commonplace-mcp"], tools: ["search"] };
    const file = install(host, machine, JSON.stringify({ mcpServers: { commonplace: entry } }));
    await connect(host, machine);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      mcpServers: { commonplace: { ...LAUNCH, type: "local", tools: ["search"] } },
    });
  });

  it("is replaced entirely if it is for a remote server", async () => {
    const machine = machineOf("linux");
    const file = install(
      hostOf("cursor"),
      machine,
      '{"mcpServers": {"commonplace": {"url": "http://127.0.0.1:4127/mcp"}}}',
    );
    await connect(hostOf("cursor"), machine);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ mcpServers: { commonplace: LAUNCH } });
  });

  it("of Codex is replaced entirely if it is for a remote server", async () => {
    const machine = machineOf("linux");
    const file = install(hostOf("codex"), machine, '[mcp_servers.commonplace]\nurl = "http://127.0.0.1:4127/mcp"\n');
    await connect(hostOf("codex"), machine);
    expect(readFileSync(file, "utf8")).toBe(
      '[mcp_servers.commonplace]\ncommand = "/opt/node"\nargs = ["/opt/commonplace.js"]\n',
    );
  });

  it("is recognized by its command, whatever its name, and reports missing paths", () => {
    const machine = machineOf("linux");
    install(
      hostOf("cursor"),
      machine,
      JSON.stringify({
        mcpServers: {
          notes: { command: process.execPath, args: [import.meta.filename.replace(/[^/\\]+$/, "commonplace.js")] },
          npx: { command: "npx", args: ["-y", "commonplace-mcp@0.1.0"] },
          other: { command: "npx", args: ["-y", "uncommonplace-mcp"] },
          broken: { command: 7, args: "commonplace-mcp" },
        },
      }),
    );
    const { entries } = connectionOf(hostOf("cursor"), machine);
    expect(entries.map(({ name, gone }) => [name, gone.length])).toEqual([
      ["notes", 1], // There is no such script in this folder.
      ["npx", 0],
    ]);
  });
});

/** Entries of other programs, with formatting that only a copy can restore. */
const REPLACED = [
  [
    "cursor",
    '{\n  "mcpServers": {\n    "commonplace": { "url":   "http://127.0.0.1:1/mcp" }, // mine\n    "x": {}\n  }\n}\n',
  ],
  ["gemini", '{"mcpServers": {"commonplace": {"args":  ["a"], "command": "other", "env": {"A": "1"}, "trust": true}}}'],
  ["opencode", '{\n  "mcp": {\n    "commonplace": {"type": "remote", "url": "http://127.0.0.1:1"}\n  }\n}\n'],
  ["codex", '[mcp_servers.commonplace]\nurl   = "http://127.0.0.1:1/mcp"\n\n[tui]\n'],
  [
    "codex",
    '[mcp_servers.commonplace]\ncommand = "other" # old\ntimeout = 5\n\n[mcp_servers.commonplace.env]\nA = "1"\n',
  ],
] as const;

describe.each(REPLACED)("an entry of another program that connect replaced in %s: %j", (name, text) => {
  const host = hostOf(name);

  it("comes back when ours is removed, and is not removed then", async () => {
    const machine = machineOf("linux");
    const file = install(host, machine, text);
    await connect(host, machine);
    expect(connectionOf(host, machine).state).toBe("connected");
    await connect(host, machine, { isRemoved: true });
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(await connect(host, machine, { isRemoved: true })).toMatchObject({ isChanged: false });
  });

  it("comes back beside what was added since", async () => {
    const machine = machineOf("linux");
    const file = install(host, machine, text);
    await connect(host, machine);
    await connect(host, machine, { name: "work" });
    await connect(host, machine, { isRemoved: true });
    expect(connectionOf(host, machine).entries.map((entry) => entry.name)).toEqual(["work"]);
    const entries = (source: string) => entriesOf(host, source);
    expect(entries(readFileSync(file, "utf8"))["commonplace"]).toEqual(entries(text)["commonplace"]);
    await connect(host, machine, { name: "work", isRemoved: true });
    expect(entries(readFileSync(file, "utf8"))).toEqual(entries(text));
  });

  it("does not come back if the file was deleted in between", async () => {
    const machine = machineOf("linux");
    const file = install(host, machine, text);
    await connect(host, machine);
    rmSync(file);
    await connect(host, machine);
    await connect(host, machine, { isRemoved: true });
    expect(existsSync(file)).toBe(false);
  });
});

describe("a list of servers that connect created", () => {
  const OTHERS = '{\n  // mine\n  "theme": "dark"\n}\n';

  it("is removed with the entry, and the rest of the file stays", async () => {
    const machine = machineOf("linux");
    const file = install(hostOf("gemini"), machine, OTHERS);
    await connect(hostOf("gemini"), machine);
    await connect(hostOf("gemini"), machine, { isRemoved: true });
    expect(readFileSync(file, "utf8")).toBe(OTHERS);
  });

  it("stays if it contains another server or a comment", async () => {
    for (const added of ['"other": { "command": "x" }', "// keep this"]) {
      const machine = machineOf("linux");
      const file = install(hostOf("gemini"), machine, OTHERS);
      await connect(hostOf("gemini"), machine);
      const text = readFileSync(file, "utf8");
      const isEntry = added.startsWith('"');
      writeFileSync(file, text.replace('"mcpServers": {', `"mcpServers": {\n    ${added}${isEntry ? "," : ""}`));
      await connect(hostOf("gemini"), machine, { isRemoved: true });
      expect(readFileSync(file, "utf8")).toContain(added);
    }
  });
});
