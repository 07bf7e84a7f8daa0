// How Continue CLI is set up for the stub model, and what it is made to do. Used by programs.ts.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promptText } from "../markers.ts";
import type { Program } from "../program.ts";
import type { Running } from "../running.ts";

const MODEL = "stub-model";
const settingsIn = (running: Running) => join(running.place.home, ".continue", "config.yaml");
const print = (running: Running, text: string, ...args: readonly string[]) =>
  running.run(["--auto", "--config", settingsIn(running), ...args, "-p", text]);

export const continueCli: Program = {
  source: "continue",
  title: "Continue CLI",
  package: "@continuedev/cli",
  executable: "@continuedev/cli/dist/cn.js",
  model: MODEL,
  tools: { shell: (command) => ({ name: "Bash", input: { command } }) },
  setUp: ({ home, stub }) => {
    const settings = `
name: Stub
version: 0.0.1
schema: v1
models:
  - name: ${MODEL}
    provider: openai
    model: ${MODEL}
    apiBase: ${stub}/v1
    apiKey: stub
    roles: [chat]
    capabilities: [tool_use]
`;
    mkdirSync(join(home, ".continue"));
    writeFileSync(join(home, ".continue", "config.yaml"), settings);
    return { CONTINUE_TELEMETRY_ENABLED: "0" };
  },
  steps: {
    talk: async (running) => void (await print(running, promptText(1, ["thinking", "tool"]))),
    resume: async (running) => void (await print(running, promptText(2), "--resume")),
  },
  without: {
    thinking: "not in its files",
    fork: "its copy does not say what it is a copy of: both are listed",
    compaction: "it deletes what was said before, which our store keeps: nothing to compare",
    edit: "not in this program",
  },
  keepsNo: ["times"],
};
