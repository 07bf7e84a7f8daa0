// opencode and its fork Kilo: the same program under two names.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promptText } from "../markers.ts";
import type { Program } from "../program.ts";
import type { Running } from "../running.ts";

const MODEL = "stub-model";
const OPTIONS = ["--auto", "-m", `stub/${MODEL}`];

const run = (running: Running, text: string, ...args: readonly string[]) =>
  running.run(["run", ...OPTIONS, ...args, text]);
const inFirst = (running: Running) => ["--session", running.remembered.get("session")!];

const printing: Program["steps"] = {
  talk: async (running) => {
    await run(running, promptText(1, ["thinking", "tool"]));
    running.remembered.set("session", /ses_\w+/.exec(await running.run(["session", "list"]))![0]);
  },
  resume: async (running) => void (await run(running, promptText(2), "--continue")),
  helper: async (running) => void (await run(running, promptText(3, ["helper"]), ...inFirst(running))),
  fork: async (running) => void (await run(running, promptText(4), ...inFirst(running), "--fork")),
};

const IN_TERMINAL = "not tried: its terminal stays empty without a network";

const inTerminal: Program["steps"] = {
  compaction: (running) =>
    running.inTerminal(["-m", `stub/${MODEL}`, ...inFirst(running)], async (terminal) => {
      await terminal.sees(/koalareply3/);
      await terminal.command("/compact", /platypussummary/);
      await terminal.ask(5);
    }),
  edit: (running) =>
    running.inTerminal(["-m", `stub/${MODEL}`], async (terminal) => {
      await terminal.sees(/Ask anything/);
      await terminal.ask(6);
      await terminal.ask(7);
      await terminal.command("/undo", /reverted/);
      await terminal.press("C-u");
      await terminal.ask(8);
    }),
};

function programOf(
  name: "opencode" | "kilo",
  given: Pick<Program, "title" | "package" | "platformPackage" | "steps" | "without">,
): Program {
  const prefix = name.toUpperCase();
  return {
    ...given,
    source: name,
    executable: `${given.platformPackage}/bin/${name}`,
    model: MODEL,
    tools: {
      shell: (command) => ({ name: "bash", input: { command, description: "Print a word" } }),
      helper: [
        (prompt) => ({
          name: "task",
          input: { description: "Ask a helper", prompt, subagent_type: "general" },
        }),
      ],
    },
    setUp: ({ home, stub }) => {
      const provider = {
        npm: "@ai-sdk/openai-compatible",
        name: "Stub",
        options: { baseURL: `${stub}/v1`, apiKey: "stub" },
        models: {
          [MODEL]: { name: MODEL, reasoning: true, tool_call: true, limit: { context: 200_000, output: 8_000 } },
        },
      };
      const folder = join(home, ".config", name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, `${name}.json`),
        JSON.stringify({ provider: { stub: provider }, permission: "allow" }),
      );
      return { [`${prefix}_DISABLE_AUTOUPDATE`]: "1", [`${prefix}_DISABLE_MODELS_FETCH`]: "1" };
    },
    steps: given.steps,
    without: given.without ?? {},
    // It deletes them at the next prompt.
    keepsNo: ["edited prompts"],
  };
}

export const opencode = programOf("opencode", {
  title: "opencode",
  package: "opencode-ai",
  steps: { ...printing, ...inTerminal },
  platformPackage: `opencode-linux-${process.arch}`,
});

export const kilo = programOf("kilo", {
  title: "Kilo CLI",
  package: "@kilocode/cli",
  steps: printing,
  without: { compaction: IN_TERMINAL, edit: IN_TERMINAL },
  platformPackage: `@kilocode/cli-linux-${process.arch}`,
});
