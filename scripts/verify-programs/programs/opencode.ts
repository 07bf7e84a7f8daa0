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

const PORT = 4599;

/** Runs the program as a server, and asks it over HTTP: Kilo's terminal stays empty without a network. */
async function served(running: Running, work: (ask: Ask) => Promise<void>): Promise<void> {
  await running.inTerminal(["serve", "--port", String(PORT)], async (terminal) => {
    await terminal.sees(/listening/i);
    await work(async (path, body) => {
      const answer = await fetch(
        `http://127.0.0.1:${PORT}${path}?directory=${encodeURIComponent(running.place.project)}`,
        {
          method: body === undefined ? "GET" : "POST",
          headers: { "Content-Type": "application/json" },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        },
      );
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
      return answer.json();
    });
  });
}

type Ask = (path: string, body?: object) => Promise<unknown>;

const OF_MODEL = { providerID: "stub", modelID: MODEL };

const said = (ask: Ask, session: string, n: number) =>
  ask(`/session/${session}/message`, { model: OF_MODEL, parts: [{ type: "text", text: promptText(n) }] });

const asServer: Program["steps"] = {
  compaction: (running) =>
    served(running, async (ask) => {
      const session = running.remembered.get("session")!;
      await ask(`/session/${session}/summarize`, OF_MODEL);
      await said(ask, session, 5);
    }),
  edit: (running) =>
    served(running, async (ask) => {
      const { id } = (await ask("/session", {})) as { id: string };
      await said(ask, id, 6);
      await said(ask, id, 7);
      const messages = (await ask(`/session/${id}/message`)) as { info: { id: string; role: string } }[];
      const edited = messages.findLast(({ info }) => info.role === "user")!;
      await ask(`/session/${id}/revert`, { messageID: edited.info.id });
      await said(ask, id, 8);
    }),
};

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
  given: Pick<Program, "title" | "package" | "platformPackage" | "steps">,
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
  steps: { ...printing, ...asServer },
  platformPackage: `@kilocode/cli-linux-${process.arch}`,
});
