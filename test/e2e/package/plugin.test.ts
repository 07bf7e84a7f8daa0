// The plugin as a host runs it: the server of each manifest, and the hooks.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { estimateTokens } from "../../../src/kernel/kernel.ts";
import { NODE } from "../../processes/child.ts";
import { environmentIn, PROGRAM, temporaryFolder } from "../../processes/program.ts";

const SOURCE = join(import.meta.dirname, "..", "..", "..", "plugin");
let plugin: string;

/** As a host copies it, with the packed program in it. */
beforeAll(() => {
  plugin = join(temporaryFolder(), "a plugin");
  cpSync(SOURCE, plugin, { recursive: true, filter: (path) => path !== join(SOURCE, "program") });
  cpSync(join(dirname(PROGRAM), ".."), join(plugin, "program"), { recursive: true });
});

const read = (path: string) =>
  JSON.parse(
    readFileSync(join(plugin, path), "utf8").replaceAll(/\$\{(?:\w*PLUGIN_ROOT|extensionPath)\}/g, plugin),
  ) as {
    mcpServers: Record<string, { command: string; args: string[] }>;
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };

const run = (
  args: readonly string[],
  home: string,
  more: { env?: Record<string, string>; input?: string; cwd?: string } = {},
) =>
  spawnSync(NODE, args, {
    encoding: "utf8",
    input: more.input ?? "",
    cwd: more.cwd ?? home,
    env: { ...environmentIn(home), ...more.env },
  });

describe("the plugin", () => {
  it.each([".claude-plugin/plugin.json", ".cursor-plugin/plugin.json", "mcp.json", "gemini-extension.json"])(
    "starts the server that %s names",
    (path) => {
      const { command, args } = read(path).mcpServers["commonplace"]!;
      expect(command).toBe("node");
      const hello = {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
      };
      const { stdout } = run(args, temporaryFolder(), {
        input: `${JSON.stringify(hello)}\n`,
        env: { COMMONPLACE_VAULT: "${user_config.vault}" },
      });
      expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: "commonplace" } } });
    },
  );

  it("says what to do if the program is not in it", () => {
    const bare = temporaryFolder();
    cpSync(join(SOURCE, "run.mjs"), join(bare, "run.mjs"));
    const { status, stderr } = run([join(bare, "run.mjs"), "serve"], bare);
    expect(status).toBe(1);
    expect(stderr).toContain("npm run plugin");
  });

  it.skipIf(process.platform === "win32")("is run by the Node that made it if the host's does not fit", () => {
    const home = temporaryFolder();
    const copy = join(home, "plugin");
    cpSync(plugin, copy, { recursive: true });
    const program = join(copy, "program");
    writeFileSync(join(program, "bin", "node-range.js"), "exports.fits = () => process.env.FITS === '1';");
    const old = run([join(copy, "run.mjs"), "version"], home);
    expect([old.status, old.stderr]).toEqual([1, expect.stringContaining("install another one")]);
    const fitting = join(home, "fitting node");
    writeFileSync(fitting, `#!/bin/sh\nFITS=1 exec "${NODE}" "$@"\n`, { mode: 0o755 });
    writeFileSync(join(program, "node-path.txt"), `${fitting}\n`);
    expect(run([join(copy, "run.mjs"), "version"], home).stdout).toMatch(/^commonplace \d/);
  });

  /** The arguments of a hook's command line. */
  const hook = (event: string) => {
    const { command } = read(".claude-plugin/plugin.json").hooks[event]![0]!.hooks[0]!;
    return Array.from(command.matchAll(/"([^"]+)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain!).slice(1);
  };

  it("indexes at the end of a session, in the background", async () => {
    const home = temporaryFolder();
    const { status, stdout } = run([...hook("SessionEnd"), "--home", home], home);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    const store = join(home, "data", "conversations.db");
    await expect.poll(() => existsSync(store)).toBe(true);
  });

  it("begins a session with a briefing of at most 300 tokens, if that is switched on", () => {
    const home = temporaryFolder();
    const project = join(home, "shop");
    const sessions = join(home, ".claude", "projects", "-shop");
    for (const folder of [project, sessions]) mkdirSync(folder, { recursive: true });
    for (let i = 0; i < 12; i++) {
      const said = (role: string, content: string) => ({
        type: role,
        uuid: `${i}-${role}`,
        parentUuid: role === "user" ? null : `${i}-user`,
        timestamp: new Date(Date.now() - i * 3_600_000).toISOString(),
        sessionId: `session-${i}`,
        cwd: project,
        message: { role, content },
      });
      const records = [said("user", `Mend the kingfisher ${i}\n${"and more ".repeat(40)}`), said("assistant", "Done.")];
      writeFileSync(join(sessions, `session-${i}.jsonl`), records.map((one) => `${JSON.stringify(one)}\n`).join(""));
    }
    const brief = (env: Record<string, string>) => run(hook("SessionStart"), home, { env, cwd: project }).stdout;
    expect(brief({})).toBe("");
    const briefing = brief({ COMMONPLACE_BRIEFING: "on" });
    expect(briefing).toMatch(
      /^Earlier work, from Commonplace\..*\ndataBegins \w+\n.* claude-code: Mend the kingfisher 0 /,
    );
    expect(briefing).toContain("(id session-1)");
    expect(estimateTokens(briefing)).toBeLessThanOrEqual(300);
  });

  it("looks in its hooks into the vault that the person entered in Claude Code", () => {
    const home = temporaryFolder();
    const notes = join(home, "My Notes");
    mkdirSync(notes);
    writeFileSync(join(notes, "Heron.md"), "# Heron");
    const indexed = run([hook("SessionEnd")[0]!, "index", "--json"], home, {
      env: { CLAUDE_PLUGIN_OPTION_VAULT: notes },
    });
    // The guide has more notes.
    expect(JSON.parse(indexed.stdout)).toMatchObject({ total: 1, changed: 1 });
  });

  it("has nothing to tell at first: the hook prints nothing, the command says so to the person", () => {
    const home = temporaryFolder();
    const printed = run(hook("SessionStart"), home, { env: { COMMONPLACE_BRIEFING: "on" } });
    expect([printed.stdout, printed.stderr]).toEqual(["", ""]);
    const command = run([PROGRAM, "briefing"], home);
    expect([command.stdout, command.stderr]).toEqual(["", expect.stringContaining("There is nothing to tell yet")]);
  });
});
