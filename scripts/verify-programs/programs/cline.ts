import { promptText } from "../markers.ts";
import type { Program } from "../program.ts";

const MODEL = "stub-model";
const OPTIONS = ["-P", "openai-compatible", "-m", MODEL];

export const cline: Program = {
  source: "cline",
  title: "Cline CLI",
  package: "cline",
  executable: `@cline/cli-linux-${process.arch}/bin/cline`,
  model: MODEL,
  tools: {
    shell: (command) => ({ name: "run_commands", input: { commands: [command] } }),
  },
  setUp: () => ({ CLINE_TELEMETRY_DISABLED: "1" }),
  steps: {
    talk: async (running) => {
      const { stub } = running.place;
      await running.run(["auth", "-p", "openai-compatible", "-k", "stub", "-m", MODEL, "-b", `${stub}/v1`]);
      await running.run([...OPTIONS, promptText(1, ["thinking", "tool"])]);
    },
  },
  without: { resume: "not tried: in its terminal only" },
};
