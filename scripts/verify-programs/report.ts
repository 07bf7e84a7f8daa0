// What is known of a program after it was run, and the table in
// docs/internals/verified-programs.md that this becomes.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type Check, CHECKS, type Outcome } from "./check.ts";
import type { Program, Step } from "./program.ts";

export interface Report {
  readonly outcome: Outcome;
  /** Why a step could not be taken. */
  readonly failed: Readonly<Partial<Record<Step, string>>>;
}

/** The step that a check needs. */
export const STEP_OF: Readonly<Record<Check, Step>> = {
  prompt: "talk",
  answer: "talk",
  "tool call": "talk",
  thinking: "talk",
  facts: "talk",
  resume: "resume",
  "sub-agent": "helper",
  fork: "fork",
  compaction: "compaction",
  "edited prompt": "edit",
  "as it grew": "talk",
};

export interface Line {
  readonly check: Check;
  readonly state: "ok" | "FAILED" | "did not run" | "–";
  readonly notes: readonly string[];
}

export function linesOf(program: Pick<Program, "without" | "steps">, { outcome, failed }: Report): Line[] {
  return CHECKS.map((check): Line => {
    const step = STEP_OF[check];
    const problems = outcome[check];
    const reason = failed[step];
    if (reason !== undefined) return { check, state: "did not run", notes: [reason] };
    const lacking = program.without?.[check === "thinking" ? "thinking" : step];
    if (lacking !== undefined || problems === undefined) return { check, state: "–", notes: [lacking ?? "not tried"] };
    return { check, state: problems.length === 0 ? "ok" : "FAILED", notes: problems };
  });
}

const HEAD = `# Verified programs

Written by \`npm run verify-programs [NAME…]\`: each program was installed from its package, run against a stub model in a network of its own, and its files were read with our readers. Other programs have no package that can be run here; [conversations.md](conversations.md) says what their readers were written by.

- prompt, answer, tool call, thinking: each is found once, as what it is
- facts: title, folder, model and times
- resume, sub-agent, fork, compaction, edited prompt: what is said stays in order and is stored once
- as it grew: reading after each step gives the same

`;

const COLUMNS = ["program", "version", "date", ...CHECKS, "notes"];

export interface Row {
  readonly title: string;
  readonly version: string;
  readonly date: string;
  readonly lines: readonly Line[];
  readonly notes: readonly string[];
}

/** Replaces the rows of these programs in the document. */
export function writeTable(file: string, rows: readonly Row[]): void {
  const all = existsSync(file) ? rowsIn(readFileSync(file, "utf8")) : new Map<string, string>();
  for (const row of rows) all.set(row.title, rowText(row));
  const table = [textOf(COLUMNS), textOf(COLUMNS.map(() => "---")), ...[...all].toSorted().map(([, text]) => text)];
  writeFileSync(file, `${HEAD}${table.join("\n")}\n`);
}

function rowsIn(text: string): Map<string, string> {
  const lines = text.split("\n").filter((line) => line.startsWith("| "));
  return new Map(lines.slice(2).map((line) => [line.split(" | ")[0]!.slice(2), line]));
}

function rowText({ title, version, date, lines, notes }: Row): string {
  const reasons = lines.flatMap(({ check, state, notes: why }) =>
    state === "ok" ? [] : why.map((one) => `${check}: ${one}`),
  );
  return textOf([title, version, date, ...lines.map(({ state }) => state), [...notes, ...reasons].join("; ")]);
}

function textOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}
