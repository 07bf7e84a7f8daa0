import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { linesOf, writeTable, type Row } from "./report.ts";

const row = (title: string, version: string): Row => ({
  title,
  version,
  date: "2026-11-16",
  lines: [
    { check: "prompt", state: "ok", notes: [] },
    { check: "answer", state: "FAILED", notes: ["a | in it"] },
  ],
  notes: [],
});

it("a run of one program replaces its row alone", () => {
  const file = join(temporaryFolder(), "table.md");
  writeTable(file, [row("Codex CLI", "1"), row("Claude Code", "1")]);
  writeTable(file, [row("Codex CLI", "2")]);
  const rows = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| C"));
  expect(rows).toEqual([
    "| Claude Code | 1 | 2026-11-16 | ok | FAILED | answer: a \\| in it |",
    "| Codex CLI | 2 | 2026-11-16 | ok | FAILED | answer: a \\| in it |",
  ]);
});

it("a step that a program cannot take is distinguished from one that failed and from a wrong reading", () => {
  const program = { steps: {}, without: { fork: "not in this program" } };
  const report = { outcome: { prompt: [], answer: ["missing"] }, failed: { edit: "the screen stayed empty" } };
  const states = Object.fromEntries(
    linesOf(program, report).map(({ check, state, notes }) => [check, [state, ...notes]]),
  );
  expect(states).toMatchObject({
    prompt: ["ok"],
    answer: ["FAILED", "missing"],
    fork: ["–", "not in this program"],
    resume: ["–", "not tried"],
    "edited prompt": ["did not run", "the screen stayed empty"],
  });
});
