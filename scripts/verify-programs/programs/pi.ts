// How pi is set up for the stub model, and what it is made to do. Used by programs.ts.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promptText } from "../markers.ts";
import type { Program } from "../program.ts";
import type { Running } from "../running.ts";

const MODEL = "stub-model";
const OPTIONS = ["--provider", "stub", "--model", MODEL];
const firstId = (running: Running) => running.firstId(".pi/agent/sessions", /_([\da-f-]{36})\.jsonl$/);
const print = (running: Running, text: string, ...args: readonly string[]) =>
  running.run([...OPTIONS, ...args, "-p", text]);

export const pi: Program = {
  source: "pi",
  title: "pi",
  package: "@earendil-works/pi-coding-agent",
  executable: "@earendil-works/pi-coding-agent/dist/cli.js",
  model: MODEL,
  tools: { shell: (command) => ({ name: "bash", input: { command } }) },
  setUp: ({ home, stub }) => {
    const model = { id: MODEL, name: MODEL, reasoning: true, contextWindow: 200_000, maxTokens: 8_000 };
    const providers = { stub: { baseUrl: stub, api: "anthropic-messages", apiKey: "stub", models: [model] } };
    const folder = join(home, ".pi", "agent");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "models.json"), JSON.stringify({ providers }));
    // Otherwise it does not compact less than 20,000 tokens.
    writeFileSync(join(folder, "settings.json"), JSON.stringify({ compaction: { keepRecentTokens: 1 } }));
    return { PI_OFFLINE: "1" };
  },
  steps: {
    talk: async (running) => void (await print(running, promptText(1, ["thinking", "tool"]))),
    resume: async (running) => void (await print(running, promptText(2), "--continue")),
    fork: async (running) => void (await print(running, promptText(4), "--fork", firstId(running))),
    compaction: (running) =>
      running.inTerminal([...OPTIONS, "--session", firstId(running)], async (terminal) => {
        await terminal.sees(/koalareply2/);
        await terminal.command("/compact", /compacted|compaction/i);
        await terminal.ask(5);
      }),
    edit: (running) =>
      running.inTerminal(OPTIONS, async (terminal) => {
        await terminal.sees(/stub-model/);
        await terminal.ask(6);
        await terminal.ask(7);
        await terminal.enter("/tree");
        await terminal.press("Up", "Enter");
        await terminal.press("Enter");
        await terminal.press("C-u");
        await terminal.ask(8);
      }),
  },
  without: { helper: "not in this program" },
};
