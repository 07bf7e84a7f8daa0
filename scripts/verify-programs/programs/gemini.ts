// How Gemini CLI is set up for the stub model, and what it is made to do. Used by programs.ts.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { marker, promptText } from "../markers.ts";
import type { Program } from "../program.ts";

const MODEL = "gemini-2.5-pro";
const OPTIONS = ["-m", MODEL, "--yolo"];

export const gemini: Program = {
  source: "gemini",
  title: "Gemini CLI",
  package: "@google/gemini-cli",
  executable: "@google/gemini-cli/bundle/gemini.js",
  model: MODEL,
  tools: {
    shell: (command) => ({ name: "run_shell_command", input: { command, description: "Print a word" } }),
    helper: [(prompt) => ({ name: "invoke_agent", input: { agent_name: "generalist", prompt } })],
    helperAnswer: (result) => ({ name: "complete_task", input: { result: { response: result } } }),
  },
  setUp: ({ home, stub }) => {
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      // Its clean-up deletes sessions that were resumed in a terminal (0.61), with all that was said in them.
      general: { enableAutoUpdate: false, sessionRetention: { enabled: false } },
      ui: { hideTips: true, hideBanner: true },
    };
    mkdirSync(join(home, ".gemini"));
    writeFileSync(join(home, ".gemini", "settings.json"), JSON.stringify(settings));
    return { GEMINI_API_KEY: "stub", GOOGLE_GEMINI_BASE_URL: stub, GEMINI_CLI_TRUST_WORKSPACE: "true" };
  },
  steps: {
    talk: async (running) => void (await running.run(["-p", promptText(1, ["thinking", "tool"]), ...OPTIONS])),
    resume: async (running) => void (await running.run(["-r", "latest", "-p", promptText(2), ...OPTIONS])),
    helper: async (running) => void (await running.run(["-r", "latest", "-p", promptText(3, ["helper"]), ...OPTIONS])),
    compaction: (running) =>
      running.inTerminal(["-r", "latest", ...OPTIONS], async (terminal) => {
        await terminal.sees(/Type your message/);
        await terminal.command("/compress", /compress(?:ed|ion)/i);
        await terminal.ask(5);
      }),
    edit: (running) =>
      running.inTerminal(OPTIONS, async (terminal) => {
        await terminal.sees(/Type your message/);
        await terminal.ask(6);
        await terminal.ask(7);
        await terminal.enter("/rewind");
        await terminal.sees(/rewind/i);
        await terminal.press("Up", "Enter");
        await terminal.press("Enter");
        await terminal.sees(new RegExp(`[>*] ${marker.prompt(7)}`));
        await terminal.press("C-u");
        await terminal.ask(8);
      }),
  },
  without: { fork: "not in this program" },
};
