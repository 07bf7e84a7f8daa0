// How Claude Code is set up for the stub model, and what it is made to do. Used by programs.ts.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { marker, promptText } from "../markers.ts";
import type { Program } from "../program.ts";
import type { Running } from "../running.ts";

const MODEL = "claude-sonnet-4-5";
const KEY = "sk-ant-stub-key-of-twenty-letters";
const OPTIONS = ["--model", MODEL, "--dangerously-skip-permissions"];

const print = (running: Running, text: string, ...args: readonly string[]) =>
  running.run(["-p", text, ...OPTIONS, ...args]);
const firstId = (running: Running) => running.firstId(".claude/projects", /([\w-]+)\.jsonl$/);

export const claudeCode: Program = {
  source: "claude-code",
  title: "Claude Code",
  package: "@anthropic-ai/claude-code",
  platformPackage: `@anthropic-ai/claude-code-linux-${process.arch}`,
  executable: `@anthropic-ai/claude-code-linux-${process.arch}/claude`,
  model: MODEL,
  tools: {
    shell: (command) => ({ name: "Bash", input: { command, description: "Print a word" } }),
    helper: [
      (prompt) => ({
        name: "Agent",
        input: { description: "Ask a helper", prompt, subagent_type: "general-purpose", run_in_background: false },
      }),
    ],
  },
  setUp: ({ home, project, stub }) => {
    // The answers to what it asks when it is first started in a terminal.
    const state = {
      hasCompletedOnboarding: true,
      theme: "dark",
      bypassPermissionsModeAccepted: true,
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    };
    writeFileSync(join(home, ".claude.json"), JSON.stringify(state));
    return {
      ANTHROPIC_BASE_URL: stub,
      ANTHROPIC_API_KEY: KEY,
      IS_SANDBOX: "1",
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    };
  },
  steps: {
    talk: async (running) => void (await print(running, promptText(1, ["thinking", "tool"]))),
    resume: async (running) => void (await print(running, promptText(2), "--continue")),
    helper: async (running) => void (await print(running, promptText(3, ["helper"]), "--resume", firstId(running))),
    fork: async (running) => void (await print(running, promptText(4), "--resume", firstId(running), "--fork-session")),
    compaction: async (running) => {
      await print(running, "/compact", "--resume", firstId(running));
      await print(running, promptText(5), "--resume", firstId(running));
    },
    edit: (running) =>
      running.inTerminal(OPTIONS, async (terminal) => {
        await terminal.sees(/❯/);
        await terminal.ask(6);
        await terminal.ask(7);
        await terminal.press("Escape", "Escape");
        await terminal.sees(/rewind/i);
        await terminal.press("Up", "Enter");
        await terminal.sees(/restore/i);
        await terminal.press("Enter");
        await terminal.sees(new RegExp(`❯\\s*${marker.prompt(7)}`));
        await terminal.press("C-u");
        await terminal.ask(8);
      }),
  },
};
