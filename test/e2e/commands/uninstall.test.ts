// commonplace uninstall: afterwards the home folder is as it was before, but for
// notes and outlines.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeConversations, SAMPLE_CONVERSATIONS } from "../../page/sample-conversations.ts";
import { connectStdio, runProgram, temporaryFolder } from "../../processes/program.ts";

/** A machine with two hosts and a vault, on which systemctl does nothing. */
function machine() {
  const home = temporaryFolder();
  const tools = join(home, "tools");
  mkdirSync(tools);
  writeFileSync(join(tools, "systemctl"), "#!/bin/sh\n");
  chmodSync(join(tools, "systemctl"), 0o755);
  mkdirSync(join(home, "Notes"));
  writeFileSync(join(home, "Notes", "Kyoto.md"), "Temples\n");
  mkdirSync(join(home, ".cursor"));
  writeFileSync(join(home, ".cursor", "mcp.json"), '{\n  "mcpServers": { "other": { "command": "x" } }\n}\n');
  writeFileSync(join(home, ".claude.json"), '{ "theme": "dark" }\n');
  mkdirSync(join(home, ".config", "systemd", "user"), { recursive: true });
  for (const folder of [".local/share", ".cache"]) mkdirSync(join(home, folder), { recursive: true });
  writeConversations(home, SAMPLE_CONVERSATIONS);
  // Its code is compiled into its own cache, as on a person's machine.
  const env = { PATH: `${tools}:${process.env["PATH"]}`, NODE_COMPILE_CACHE: "" };
  const run = (...args: string[]) => runProgram(args, { home, env });
  return { home, env, run };
}

/** Every file with its content, and every folder. */
function stateOf(home: string): Record<string, string> {
  const names = readdirSync(home, { recursive: true, encoding: "utf8" }).toSorted();
  const entries = names.map((name) => join(home, name));
  return Object.fromEntries(
    entries.map((path) => [
      path.slice(home.length),
      statSync(path).isDirectory() ? "folder" : readFileSync(path, "latin1"),
    ]),
  );
}

describe.skipIf(process.platform !== "linux")("uninstall", () => {
  it("leaves nothing but the notes and the memory in a vault, after everything was used", async () => {
    const { home, env, run } = machine();
    const before = stateOf(home);
    const vault = ["--vault", join(home, "Notes"), "--memory", "vault"];
    const connected = await run("connect", "cursor", "claude-code", ...vault, "--yes");
    expect(connected.code, connected.stdout + connected.stderr).toBe(0);
    await run("index", ...vault);
    await run("index", "--install", "--yes", ...vault);
    const config = join(home, ".config", "commonplace", "config.json");
    mkdirSync(join(config, ".."), { recursive: true });
    writeFileSync(config, JSON.stringify({ vault: join(home, "Notes"), memory: "vault" }));
    const client = await connectStdio(home, {}, [], { env });
    const context = {
      workspaceId: "default",
      sessionId: "",
      sessionDescription: "a",
      sessionMemory: "",
      toolContext: "b",
      primaryGoal: "c",
      subgoal: "d",
    };
    const filePath = "Nara.md";
    await client.callTool({ name: "contentManager_createContent", arguments: { filePath, content: "Deer", context } });
    await client.callTool({ name: "add_row", arguments: { topic: "Pack" } });
    await client.close();
    for (const place of [
      ".local/share/commonplace/journal",
      ".cache/commonplace/compiled",
      "Notes/.commonplace/memory",
      ".config/systemd/user/commonplace-index.timer",
    ])
      expect(existsSync(join(home, place)), place).toBe(true);
    const used = stateOf(home);
    expect(await run("uninstall")).toMatchObject({ code: 1, stdout: expect.stringContaining("Nothing was removed.") });
    expect(Object.keys(stateOf(home))).toEqual(Object.keys(used));
    const { code, stdout, stderr } = await run("uninstall", "--yes");
    expect(code, stdout + stderr).toBe(0);
    const outline = "/.local/share/commonplace/outline.opml";
    const after = stateOf(home);
    const { "/Notes/Nara.md": note, [outline]: rows, "/.local/share/commonplace": _, ...others } = after;
    expect(note).toBe("Deer");
    expect(rows).toContain("Pack");
    const memory = Object.keys(others).filter((path) => path.startsWith("/Notes/.commonplace"));
    expect(memory.some((path) => path.endsWith(".jsonl"))).toBe(true);
    for (const path of memory) delete others[path];
    expect(others).toEqual(before);
    expect(stdout).toContain(`stays: ${join(home, "Notes", ".commonplace", "memory")}`);
    expect(stdout).toContain(`stays: ${home}${outline}`);
    expect((await run("uninstall", "--yes")).stdout).toContain("Nothing of Commonplace is here.");
    expect(stateOf(home)).toEqual(after);
  });

  it("removes nothing that is not ours from a folder that was named with --home", async () => {
    const { home, run } = machine();
    const own = join(home, "box");
    await run("index", "--home", own);
    writeFileSync(join(own, "data", "thesis.txt"), "mine");
    const { stdout } = await run("uninstall", "--home", own, "--yes");
    expect(stdout).toContain(`stays, since it is not ours: ${join(own, "data", "thesis.txt")}`);
    expect(
      readdirSync(own, { recursive: true, encoding: "utf8" })
        .toSorted()
        .filter((name) => !name.startsWith("data/vault")),
    ).toEqual(["data", "data/thesis.txt"]);
  });

  it("removes nothing of a vault that was named with --home, whatever its folders are called", async () => {
    const { home, run } = machine();
    const vault = join(home, "Notes");
    const theirs = [
      ..."journal/2026-01-01.md journal/db.db memory/palace.md memory/rome/a.jsonl outlines/plan.opml".split(" "),
      ..."backups/all-20260101-120000-full.tgz serving/dinner.json spaces/team/a.md".split(" "),
      ..."token-economics.md devices.csv conversations.db.bak conversations.db/a.md outline.opml".split(" "),
    ].map((name) => join("data", name));
    for (const name of [...theirs, "cache/compiled/program", "cache/notes-v1.db"]) {
      mkdirSync(join(vault, name, ".."), { recursive: true });
      writeFileSync(join(vault, name), "mine");
    }
    mkdirSync(join(home, "elsewhere"));
    writeFileSync(join(home, "elsewhere", `${"a".repeat(32)}.db`), "mine");
    symlinkSync(join(home, "elsewhere"), join(vault, "data", "journal", `${"a".repeat(32)}.replaced`));
    for (const config of ['{"theme":"dark"}', '{"vault":"~/Notes","theme":"dark"}', "{ // mine", "{}"]) {
      writeFileSync(join(vault, "config.json"), config);
      const before = stateOf(home);
      const { stdout } = await run("uninstall", "--home", vault, "--yes");
      expect(stateOf(home)).toEqual(before);
      expect(stdout).toContain(`stays, since it is not ours: ${join(vault, "data", "token-economics.md")}`);
    }
  });

  it("leaves the folder that a link leads to, and files of the person among ours", async () => {
    const { home, run } = machine();
    mkdirSync(join(home, "Disk"));
    symlinkSync(join(home, "Disk"), join(home, ".local", "share", "commonplace"));
    await run("index");
    mkdirSync(join(home, "Disk", "backups"), { recursive: true });
    writeFileSync(join(home, "Disk", "backups", "mine.tar.gz"), "mine");
    expect(existsSync(join(home, "Disk", "conversations.db"))).toBe(true);
    await run("uninstall", "--yes");
    expect(
      readdirSync(join(home, "Disk"), { recursive: true, encoding: "utf8" }).filter(
        (name) => !name.startsWith("vault"),
      ),
    ).toEqual(["backups", "backups/mine.tar.gz"]);
  });

  it("leaves the entry of another program that serves a folder called commonplace", async () => {
    const { home, run } = machine();
    const folder = join(home, "src", "commonplace");
    mkdirSync(folder, { recursive: true });
    const entry = { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", folder] };
    writeFileSync(join(home, ".cursor", "mcp.json"), JSON.stringify({ mcpServers: { files: entry } }));
    await run("connect", "cursor", "--yes");
    await run("uninstall", "--yes");
    expect(JSON.parse(readFileSync(join(home, ".cursor", "mcp.json"), "utf8"))).toEqual({
      mcpServers: { files: entry },
    });
  });

  it("keeps what a host had before, if the host's configuration cannot be read", async () => {
    const { home, run } = machine();
    await run("connect", "cursor", "--yes");
    writeFileSync(join(home, ".cursor", "mcp.json"), "{ broken");
    const backups = join(home, ".local", "share", "commonplace", "backups");
    const before = readdirSync(backups);
    const { stdout } = await run("uninstall", "--yes");
    expect(stdout).toContain(`stays: ${backups}`);
    expect(stdout).toContain("Cursor: look for an entry of ours there.");
    expect(readdirSync(backups)).toEqual(before);
    expect(readFileSync(join(home, ".cursor", "mcp.json"), "utf8")).toBe("{ broken");
  });
});
