import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect, hostOf, install, machineOf } from "../../../test/fixtures/connected-hosts.ts";
import { connectionOf } from "./connection.ts";

/** As the newest release of each host wrote it when the plugin was installed. */
const WRITTEN = [
  ["claude-code", ".claude/settings.json", '{"enabledPlugins": {"commonplace@commonplace": true}}'],
  ["codex", ".codex/config.toml", '[plugins."commonplace@commonplace"]\nenabled = true\n'],
  ["copilot-cli", ".copilot/settings.json", '{"enabledPlugins": {"commonplace@commonplace": true}}'],
  ["gemini", ".gemini/extensions/commonplace/gemini-extension.json", '{"name": "commonplace"}'],
] as const;

function write(home: string, path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

describe.each(WRITTEN)("%s with the plugin", (name, path, text) => {
  it("is connected without an entry", () => {
    const machine = machineOf("linux");
    install(hostOf(name), machine, "");
    expect(connectionOf(hostOf(name), machine).state).toBe("not connected");
    write(machine.home, path, text);
    expect(connectionOf(hostOf(name), machine)).toMatchObject({ state: "plugin", entries: [] });
  });

  it("has every tool twice with an entry too, which is a problem", async () => {
    const machine = machineOf("linux");
    install(hostOf(name), machine, "");
    await connect(hostOf(name), machine);
    expect(connectionOf(hostOf(name), machine).problem).toBeUndefined();
    if (name !== "codex") write(machine.home, path, text);
    else write(machine.home, path, `${text}\n[mcp_servers.commonplace]\ncommand = "commonplace"\n`);
    const { state, problem, hint } = connectionOf(hostOf(name), machine);
    expect([state, problem]).toEqual([
      "connected",
      "It has the plugin and the entry 'commonplace': every tool is listed twice",
    ]);
    expect(hint).toContain(`connect ${name} --remove`);
  });
});

it("takes a plugin that was switched off, and files that are damaged, for none", () => {
  const machine = machineOf("linux");
  install(hostOf("claude-code"), machine, "");
  for (const text of ['{"enabledPlugins": {"commonplace@commonplace": false}}', "{", "[]"]) {
    write(machine.home, ".claude/settings.json", text);
    expect(connectionOf(hostOf("claude-code"), machine).state).toBe("not connected");
  }
});
