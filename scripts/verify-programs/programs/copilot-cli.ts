// How GitHub Copilot CLI is set up for the stub model, and what it is made to do. Used by programs.ts.
import { promptText } from "../markers.ts";
import type { Program } from "../program.ts";
import type { Running } from "../running.ts";

const MODEL = "gpt-5.1";
const OPTIONS = ["--allow-all-tools", "--allow-all-paths"];
const firstId = (running: Running) => running.firstId(".copilot/session-state", /^([\w-]+)\/events\.jsonl$/);
const print = (running: Running, text: string, ...args: readonly string[]) =>
  running.run(["-p", text, ...OPTIONS, ...args]);

export const copilotCli: Program = {
  source: "copilot-cli",
  title: "GitHub Copilot CLI",
  package: "@github/copilot",
  platformPackage: `@github/copilot-linux-${process.arch}`,
  executable: `@github/copilot-linux-${process.arch}/copilot`,
  model: MODEL,
  tools: {
    shell: (command) => ({ name: "bash", input: { command, description: "Print a word", mode: "sync" } }),
    helper: [
      (prompt) => ({
        name: "task",
        input: { description: "Ask a helper", prompt, name: "helper", agent_type: "general-purpose", mode: "sync" },
      }),
    ],
  },
  setUp: ({ stub }) => ({
    COPILOT_PROVIDER_BASE_URL: `${stub}/v1`,
    COPILOT_PROVIDER_TYPE: "openai",
    COPILOT_PROVIDER_API_KEY: "stub",
    COPILOT_MODEL: MODEL,
    COPILOT_OFFLINE: "true",
  }),
  steps: {
    talk: async (running) => void (await print(running, promptText(1, ["thinking", "tool"]))),
    resume: async (running) => void (await print(running, promptText(2), "--continue")),
    helper: async (running) => void (await print(running, promptText(3, ["helper"]), `--resume=${firstId(running)}`)),
    compaction: (running) =>
      running.inTerminal([...OPTIONS, `--resume=${firstId(running)}`], async (terminal) => {
        if (await terminal.mayShow(/trust/i)) await terminal.press("Enter");
        await terminal.sees(/koalareply3/);
        // What is typed before that is lost.
        await terminal.mayShow(/MCP Servers reloaded/, 15);
        await terminal.command("/compact", /compacted|compaction/i);
        await terminal.ask(5);
      }),
  },
};
