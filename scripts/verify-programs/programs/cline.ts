// How Cline CLI is set up for the stub model, and what it is made to do. Used by programs.ts.
import { marker, promptText } from "../markers.ts";
import type { Program } from "../program.ts";
import type { Running } from "../running.ts";
import type { Terminal } from "../terminal.ts";

const MODEL = "stub-model";
const OPTIONS = ["-P", "openai-compatible", "-m", MODEL];

const firstId = (running: Running) => running.firstId(".cline/data/sessions", /^([\w-]+)\/[\w-]+\.messages\.json$/);

/** In the first conversation, whose last answer is shown. It resumes in a terminal only. */
const inFirst = (running: Running, last: number, work: (terminal: Terminal) => Promise<void>) =>
  running.inTerminal(["-i", ...OPTIONS, "--id", firstId(running)], async (terminal) => {
    await terminal.sees(new RegExp(marker.answer(last)));
    await work(terminal);
  });

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
    resume: (running) => inFirst(running, 1, (terminal) => terminal.ask(2)),
    fork: (running) =>
      inFirst(running, 2, async (terminal) => {
        await terminal.command("/fork", /Forked into/);
        // What is typed while it changes to the copy is lost.
        await terminal.press("C-u", "C-u", "C-u");
        await terminal.ask(4);
      }),
    edit: (running) =>
      running.inTerminal(["-i", ...OPTIONS], async (terminal) => {
        // An advertisement.
        if (await terminal.mayShow(/any other key to close/, 15)) await terminal.press("Escape");
        await terminal.ask(6);
        await terminal.ask(7);
        await terminal.command("/undo", /restore|checkpoint/i);
        await terminal.press("Enter");
        await terminal.press("Enter");
        await terminal.press("C-u");
        await terminal.ask(8);
      }),
  },
  without: {
    helper: "spawn_agent started one, which asked no model within a minute",
    compaction: "it leaves a conversation as short as this one as it is",
  },
};
