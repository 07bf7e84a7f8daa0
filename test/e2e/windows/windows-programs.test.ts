// The packed program on Windows' Node, in Wine, as a person and several hosts run
// it: hosts connected and removed, doctor, conversations of other programs,
// several servers on one vault, kills, HTTP.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { beforeAll, describe, expect, it } from "vitest";
import { CONTEXT } from "../../contract/vault.ts";
import { SAMPLES } from "../../fixtures/configurations.ts";
import { filesIn } from "../../fixtures/vaults.ts";
import { PATIENCE, windowsMachine, type WindowsMachine } from "../../processes/windows.ts";
import type { MadeConversation } from "../../program-stores/made-conversation.ts";
import { PROGRAM_STORES } from "../../program-stores/program-stores.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { operatingSystem } from "../../../src/kernel/kernel.ts";
import { HOSTS } from "../../../src/setup/hosts/known-hosts.ts";
import { LAUNCH_FLAGS } from "../../../bin/launch-flags.js";

const found = await windowsMachine();
/** Nothing below runs without one. */
const machine = found as WindowsMachine;

/** As literals of the scripts that run in Wine. */
const FLAGS = JSON.stringify(["--home", "D:\\data", "--vault", "D:\\My Vault"]);
const TOKEN = JSON.stringify("D:\\data\\data\\token");
const context = JSON.stringify(CONTEXT);

describe.skipIf(found === undefined)("on Windows' Node", { timeout: PATIENCE.timeout }, () => {
  const vault = () => filesIn(join(machine.folder, "My Vault"));
  const configurationOf = (name: string) =>
    HOSTS.find((host) => host.name === name)!.file({
      system: operatingSystem("win32"),
      home: machine.home,
      environment: {},
    });

  beforeAll(() => {
    mkdirSync(join(machine.folder, "My Vault"));
    writeFileSync(join(machine.folder, "My Vault", "Shared.md"), "");
    for (const { name } of HOSTS) {
      mkdirSync(dirname(configurationOf(name)), { recursive: true });
      writeFileSync(configurationOf(name), SAMPLES[name]!.before);
    }
  });

  it("every host is connected with the paths of Windows, and given its own bytes back", async () => {
    const names = HOSTS.map(({ name }) => name);
    const flags = ["--vault", "D:\\My Vault"];
    const ended = (await machine.drive(`
      const { readFileSync } = require("node:fs");
      const arguments = ${JSON.stringify([...names, "--yes", ...flags])};
      const plain = run(program, ["connect", ...${JSON.stringify(flags)}]);
      const connected = run(program, ["connect", ...arguments]);
      const written = ${JSON.stringify(names.map((name) => configurationOf(name)))}
        .map((path) => readFileSync("Z:" + path, "utf8"));
      const removed = run(program, ["connect", ...arguments, "--remove"]);
      return { plain: plain.stdout, codes: [connected.code, removed.code], written };
    `)) as { plain: string; codes: number[]; written: string[] };
    expect(ended.codes).toEqual([0, 0]);
    expect(ended.plain).toMatch(/To connect: {2}commonplace connect .* --vault "D:\\My Vault"$/m);
    const { command, args } = parse(ended.written[names.indexOf("cursor")]!).mcpServers.commonplace;
    expect(command).toMatch(/^Z:\\.*\\node\.exe$/);
    expect(args).toEqual([...LAUNCH_FLAGS, expect.stringMatching(/^Z:\\.*\\commonplace\.js$/), ...flags]);
    for (const [i, name] of names.entries()) {
      expect(ended.written[i], name).toMatch(/My Vault/);
      expect(readFileSync(configurationOf(name), "utf8"), name).toBe(SAMPLES[name]!.before);
    }
  });

  it("conversations are found in %APPDATA% and %USERPROFILE%, and doctor says where", async () => {
    const turns = [
      {
        at: Date.now() - 3_600_000,
        prompt: "Why does the walrus importer fail?",
        thinking: "It reads too early.",
        tool: { file: "/code/importer.ts", output: "export {};" },
        answer: "The walrus importer reads the file before it is there.",
      },
    ];
    const made = (id: string): MadeConversation => ({
      id: `00000000-0000-4000-8000-00000000000${id}`,
      folder: "/code",
      branch: "main",
      title: "Fix the walrus importer",
      model: "claude-opus-4-5",
      turns,
    });
    const linux = temporaryFolder();
    PROGRAM_STORES["cursor"]!.write(linux, [made("1")]);
    PROGRAM_STORES["copilot-chat"]!.write(linux, [made("2")]);
    cpSync(join(linux, ".config"), join(machine.home, "AppData", "Roaming"), { recursive: true });
    PROGRAM_STORES["codex"]!.write(machine.home, [made("3")]);
    const { recalled, doctor } = (await machine.drive(`
      const server = await serve(program, ${FLAGS});
      const recalled = await server.call("recall_conversations",
        { search_query: "walrus importer", since: "all", fast_mode: false });
      await server.close();
      return { recalled, doctor: run(program, ["doctor", ...${FLAGS}, "--json"]).stdout };
    `)) as { recalled: { conversations: { source_tool: string }[] }; doctor: string };
    const sources = recalled.conversations.map(({ source_tool }) => source_tool).toSorted();
    expect(sources).toEqual(["codex", "copilot-chat", "cursor"]);
    expect(doctor.toLowerCase().replaceAll("\\\\", "\\")).toContain("\\appdata\\roaming\\cursor");
    expect(JSON.parse(doctor)).toMatchObject({ summary: expect.stringMatching(/^No problems\./) });
  });

  it("two servers write to one note, and each finds what the other wrote", async () => {
    const both = await machine.drive(`
      const servers = await Promise.all([serve(program, ${FLAGS}), serve(program, ${FLAGS})]);
      const append = (i, line) => servers[i].call("contentManager_appendContent",
        { filePath: "Shared", content: line, context: ${context} });
      const results = await Promise.all(Array.from({ length: 20 }, (_, i) => append(i % 2, "walrus" + i + "\\n")));
      const hits = [];
      for (const server of servers)
        hits.push((await server.call("search", { query: "walrus19", kinds: ["note"] })).results.map(({ id }) => id));
      await Promise.all(servers.map((server) => server.close()));
      return { failed: results.filter(({ success }) => !success), hits };
    `);
    expect(both).toEqual({ failed: [], hits: [["Shared.md"], ["Shared.md"]] });
    const lines = vault()["Shared.md"]!.trimEnd().split("\n");
    expect(lines.toSorted()).toEqual(Array.from({ length: 20 }, (_, i) => `walrus${i}`).toSorted());
  });

  it("a server that is killed during its writes leaves whole notes, and the next one goes on", async () => {
    const before = "A line that nobody wants to lose.\n".repeat(5000);
    for (let i = 0; i < 8; i++) writeFileSync(join(machine.folder, "My Vault", `Long ${i}.md`), before);
    const added = await machine.drive(`
      const add = (server, i, content) => server.call("contentManager_appendContent",
        { filePath: "Long " + i, content, context: ${context} });
      for (let round = 0; round < 3; round++) {
        const server = await serve(program, ${FLAGS});
        // The others are under way when the first is done.
        await Promise.race(Array.from({ length: 8 }, (_, i) => add(server, i, "round " + round + "\\n")));
        await server.kill();
      }
      const last = await serve(program, ${FLAGS});
      const results = [];
      for (let i = 0; i < 8; i++) results.push(await add(last, i, "last\\n"));
      await last.close();
      return results.map(({ success }) => success);
    `);
    expect(added).toEqual(Array.from({ length: 8 }, () => true));
    const rounds = ["round 0\n", "round 1\n", "round 2\n"];
    for (let i = 0; i < 8; i++) {
      const now = vault()[`Long ${i}.md`]!;
      const added: string[] = now.slice(before.length).match(/.*\n/g) ?? [];
      expect(now.startsWith(before)).toBe(true);
      expect(added).toEqual([...rounds.filter((round) => added.includes(round)), "last\n"]);
    }
    expect(existsSync(join(machine.folder, "My Vault", ".commonplace"))).toBe(false);
    expect(Object.keys(vault()).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("HTTP serves the page, and MCP to those who have the token", async () => {
    const answers = await machine.drive(`
      const { url, end } = await serveHttp(program, ${FLAGS});
      const token = require("node:fs").readFileSync(${TOKEN}, "utf8").trim();
      const request = (path, method, headers, body) => new Promise((resolve, reject) => {
        const sent = require("node:http").request(url + path, { method, headers, agent: false }, async (response) => {
          let text = "";
          for await (const piece of response) text += piece;
          resolve({ status: response.statusCode, type: response.headers["content-type"], text });
        });
        sent.on("error", reject).end(body);
      });
      const initialize = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: {
        protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } } });
      const ask = (headers) => request("/mcp", "POST",
        { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers }, initialize);
      const page = await request("/", "GET", { accept: "text/html" });
      const answers = { page: [page.status, page.type], refused: (await ask({})).status,
        served: await ask({ authorization: "Bearer " + token }) };
      await end();
      return answers;
    `);
    expect(answers).toMatchObject({
      page: [200, expect.stringMatching(/^text\/html/)],
      refused: 401,
      served: { status: 200, text: expect.stringContaining("serverInfo") },
    });
  });
});
