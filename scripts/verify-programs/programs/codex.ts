// How Codex CLI is set up for the stub model, and what it is made to do. Used by programs.ts.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { marker, promptText } from "../markers.ts";
import type { Program } from "../program.ts";
import type { Running } from "../running.ts";

const MODEL = "gpt-5.1-codex";
const AGENTS = "multi_agent_v1";
const firstId = (running: Running) =>
  running.firstId(".codex/sessions", /rollout-[\dT-]+?-([\da-f]{8}-[\da-f-]{27})\.jsonl$/);

export const codex: Program = {
  source: "codex",
  title: "Codex CLI",
  package: "@openai/codex",
  executable: "@openai/codex/bin/codex.js",
  model: MODEL,
  tools: {
    shell: (cmd) => ({ name: "exec_command", input: { cmd } }),
    helper: [
      (prompt) => ({ namespace: AGENTS, name: "spawn_agent", input: { message: prompt } }),
      (_, result) => ({
        namespace: AGENTS,
        name: "wait_agent",
        input: { targets: [(JSON.parse(result) as { agent_id: string }).agent_id], timeout_ms: 30_000 },
      }),
    ],
  },
  setUp: ({ home, project, stub }) => {
    mkdirSync(join(home, ".codex"));
    const settings = `
model = "${MODEL}"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.stub]
name = "Stub"
base_url = "${stub}/v1"
env_key = "STUB_KEY"
wire_api = "responses"
[projects."${project}"]
trust_level = "trusted"
[features]
multi_agent = true
`;
    writeFileSync(join(home, ".codex", "config.toml"), settings);
    return { STUB_KEY: "stub" };
  },
  steps: {
    talk: async (running) => void (await running.run(["exec", promptText(1, ["thinking", "tool"])])),
    resume: async (running) => void (await running.run(["exec", "resume", "--last", promptText(2)])),
    helper: async (running) =>
      void (await running.run(["exec", "resume", firstId(running), promptText(3, ["helper"])])),
    fork: (running) =>
      running.inTerminal(["fork", firstId(running)], async (terminal) => {
        await terminal.sees(/Ask Codex/);
        await terminal.ask(4);
      }),
    compaction: (running) =>
      running.inTerminal(["resume", firstId(running)], async (terminal) => {
        await terminal.sees(/›/);
        await terminal.command("/compact", /compacted/i);
        await terminal.ask(5);
      }),
    edit: (running) =>
      running.inTerminal([], async (terminal) => {
        await terminal.sees(/›/);
        await terminal.ask(6);
        await terminal.ask(7);
        await terminal.press("Escape", "Escape", "Enter");
        await terminal.sees(new RegExp(`› ${marker.prompt(7)}`));
        await terminal.press("C-u");
        await terminal.ask(8);
      }),
  },
};
