// How Qwen Code is set up for the stub model, and what it is made to do. Used by programs.ts.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { marker, promptText } from "../markers.ts";
import type { Program } from "../program.ts";
import type { Running } from "../running.ts";

const MODEL = "qwen3-coder-plus";
const OPTIONS = ["--approval-mode", "yolo"];
const firstId = (running: Running) => running.firstId(".qwen/projects", /chats\/([\w-]+)\.jsonl$/);

export const qwen: Program = {
  source: "qwen",
  title: "Qwen Code",
  package: "@qwen-code/qwen-code",
  executable: "@qwen-code/qwen-code/cli-entry.js",
  model: MODEL,
  tools: {
    shell: (command) => ({
      name: "run_shell_command",
      input: { command, description: "Print a word", is_background: false },
    }),
    helper: [
      (prompt) => ({
        name: "agent",
        input: { description: "Ask a helper", prompt, subagent_type: "general-purpose", run_in_background: false },
      }),
    ],
  },
  setUp: ({ home, stub }) => {
    const settings = { security: { auth: { selectedType: "openai" } }, general: { enableAutoUpdate: false } };
    mkdirSync(join(home, ".qwen"));
    writeFileSync(join(home, ".qwen", "settings.json"), JSON.stringify(settings));
    return { OPENAI_API_KEY: "stub", OPENAI_BASE_URL: `${stub}/v1`, OPENAI_MODEL: MODEL };
  },
  steps: {
    talk: async (running) => void (await running.run([...OPTIONS, "-p", promptText(1, ["thinking", "tool"])])),
    resume: async (running) => void (await running.run([...OPTIONS, "--continue", "-p", promptText(2)])),
    helper: async (running) =>
      void (await running.run([...OPTIONS, "--resume", firstId(running), "-p", promptText(3, ["helper"])])),
    fork: async (running) =>
      void (await running.run([...OPTIONS, "--resume", firstId(running), "--fork-session", "-p", promptText(4)])),
    compaction: async (running) => {
      await running.run([...OPTIONS, "--resume", firstId(running), "-p", "/compress"]);
      await running.run([...OPTIONS, "--resume", firstId(running), "-p", promptText(5)]);
    },
    edit: (running) =>
      running.inTerminal(OPTIONS, async (terminal) => {
        await terminal.sees(/Type your message/);
        await terminal.ask(6);
        await terminal.ask(7);
        await terminal.pressFor(/Rewind/, "Escape", "Escape");
        await terminal.press("Enter");
        await terminal.press("Enter");
        await terminal.sees(new RegExp(`[>*] ${marker.prompt(7)}`));
        await terminal.press("C-u");
        await terminal.ask(8);
      }),
  },
};
