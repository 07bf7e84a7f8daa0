// How Factory droid is set up for the stub model, and what it is made to do. Used by programs.ts.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promptText } from "../markers.ts";
import type { Program } from "../program.ts";
import type { Running } from "../running.ts";

const MODEL = "stub-model";
const OPTIONS = ["exec", "--auto", "high", "-m", `custom:${MODEL}`];
const firstId = (running: Running) => running.firstId(".factory/sessions", /([\da-f-]{36})\.jsonl$/);

export const droid: Program = {
  source: "droid",
  title: "Factory droid",
  package: "@factory/cli",
  platformPackage: `@factory/cli-linux-${process.arch}`,
  executable: `@factory/cli-linux-${process.arch}/bin/droid`,
  model: MODEL,
  tools: { shell: (command) => ({ name: "Execute", input: { command, riskLevel: "low", riskLevelReason: "prints" } }) },
  setUp: ({ home, stub }) => {
    const model = {
      model_display_name: MODEL,
      model: MODEL,
      base_url: stub,
      api_key: "stub",
      provider: "anthropic",
      max_tokens: 8_000,
    };
    mkdirSync(join(home, ".factory"));
    writeFileSync(join(home, ".factory", "config.json"), JSON.stringify({ custom_models: [model] }));
    return { FACTORY_API_KEY: "fk-stub" };
  },
  steps: {
    talk: async (running) => void (await running.run([...OPTIONS, promptText(1, ["thinking", "tool"])])),
    fork: async (running) => void (await running.run([...OPTIONS, "--fork", firstId(running), promptText(4)])),
  },
  without: { resume: "it ended with an error here, where it cannot reach its service" },
};
