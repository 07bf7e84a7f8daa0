// The findings as text: one line each, with the hint below it.
import { counted, joined, printable, type Printable } from "../../kernel/kernel.ts";
import { commandLine, type Finding } from "../../setup/setup.ts";

const MARKS = { ok: "ok     ", missing: "-      ", problem: "PROBLEM" };

export function tableOf(rows: readonly Finding[], now = Date.now()): Printable {
  const width = Math.max(...rows.map(({ part }) => part.length));
  const indent = " ".repeat(MARKS.ok.length + 2 + width + 2);
  return joined(
    rows.map(({ part, state, path, note, hint, updated }) => {
      const found = updated === undefined ? note : `${note}, ${ago(now - Date.parse(updated))}`;
      const line = printable`${MARKS[state]}  ${part.padEnd(width)}  ${path === undefined ? found : `${path} (${found})`}`;
      return hint === undefined ? line : printable`${line}\n${indent}→ ${hint}`;
    }),
  );
}

const CHATS = / chats$/;

function isAbsent({ part, state }: Finding): boolean {
  return state === "missing" && CHATS.test(part);
}

/** The same for a first look: the programs of which no conversation was found share one line. */
export function shortTableOf(rows: readonly Finding[]): Printable {
  const absent = rows.filter(isAbsent);
  if (absent.length < 2) return tableOf(rows);
  const names = absent.map(({ part }) => part.replace(CHATS, "")).join(", ");
  const shared: Finding = {
    part: absent.length === rows.filter(({ part }) => CHATS.test(part)).length ? "chats" : "other chats",
    state: "missing",
    note: `none found of ${names}; '${commandLine("doctor")}' shows where each was looked for`,
  };
  return tableOf(rows.flatMap((row) => (row === absent[0] ? [shared] : isAbsent(row) ? [] : [row])));
}

/** The summary line. */
export function summaryOf(rows: readonly Finding[]): string {
  const inState = (state: Finding["state"]) => rows.filter((row) => row.state === state);
  const problems = inState("problem");
  const names = [...new Set(problems.map(({ part }) => part))].join(", ");
  const verdict =
    problems.length === 0
      ? "No problems"
      : `${counted(problems.length, "problem")} (${names}): the lines with → below them say what to do`;
  return `${verdict}. ${inState("ok").length} ok, ${inState("missing").length} not there yet.`;
}

/** How long ago, in the largest unit that fits. */
function ago(milliseconds: number): string {
  const units = [
    ["day", 86_400_000],
    ["hour", 3_600_000],
    ["minute", 60_000],
  ] as const;
  for (const [unit, length] of units) {
    const count = Math.floor(milliseconds / length);
    if (count >= 1) return `${counted(count, unit)} ago`;
  }
  return "just now";
}
