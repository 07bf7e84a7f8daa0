// The difference of two texts: lines that were removed and added, with the words
// that differ within them, and some lines around. Pure.

export interface Part {
  readonly text: string;
  /** True if it is one of the words that differ. */
  readonly isChanged: boolean;
}

export type DifferenceLine =
  | { readonly kind: "same" | "added" | "removed"; readonly parts: readonly Part[] }
  /** Lines that are left out. */
  | { readonly kind: "gap"; readonly count: number };

/** Lines that are shown around a change. */
const CONTEXT = 3;
/** Steps after which two texts count as having nothing in common: a text that was rewritten. */
const MAX_STEPS = 600;

export function differenceOf(before: string, after: string): DifferenceLine[] {
  const steps = stepsBetween(linesOf(before), linesOf(after));
  const lines: DifferenceLine[] = [];
  for (let i = 0; i < steps.length;) {
    const same = runOf(steps, i, "same");
    if (same.length > 0) lines.push(...same.map((text): DifferenceLine => plainLine("same", text)));
    const removed = runOf(steps, i + same.length, "removed");
    const added = runOf(steps, i + same.length + removed.length, "added");
    lines.push(...changedLines(removed, added));
    i += same.length + removed.length + added.length;
  }
  return withGaps(lines);
}

/** How many lines were added and removed. */
export function countLines(before: string, after: string): { readonly added: number; readonly removed: number } {
  const counts = { added: 0, removed: 0, same: 0 };
  for (const { kind } of stepsBetween(linesOf(before), linesOf(after))) counts[kind]++;
  return counts;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

const plainLine = (kind: "same" | "added" | "removed", text: string): DifferenceLine => ({
  kind,
  parts: [{ text, isChanged: false }],
});

/** Lines that replace each other are compared word by word. */
function changedLines(removed: readonly string[], added: readonly string[]): DifferenceLine[] {
  const paired = removed.length === added.length ? removed.map((line, i) => wordsBetween(line, added[i]!)) : [];
  const lineAt = (kind: "removed" | "added", text: string, i: number): DifferenceLine => {
    const parts = paired[i]?.[kind];
    return parts === undefined ? plainLine(kind, text) : { kind, parts };
  };
  return [...removed.map((line, i) => lineAt("removed", line, i)), ...added.map((line, i) => lineAt("added", line, i))];
}

/** Undefined if the lines have little in common. */
function wordsBetween(
  before: string,
  after: string,
): { readonly removed: readonly Part[]; readonly added: readonly Part[] } | undefined {
  const steps = stepsBetween(wordsOf(before), wordsOf(after));
  const common = steps.filter(({ kind }) => kind === "same").reduce((sum, { text }) => sum + text.trim().length, 0);
  if (common * 3 < Math.max(before.trim().length, after.trim().length)) return undefined;
  return { removed: partsOf(steps, "removed"), added: partsOf(steps, "added") };
}

/** Words, runs of blanks, and single signs. */
function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu) ?? [];
}

function partsOf(steps: readonly Step[], side: "removed" | "added"): Part[] {
  const parts: { text: string; isChanged: boolean }[] = [];
  for (const { kind, text } of steps) {
    if (kind !== "same" && kind !== side) continue;
    const isChanged = kind === side;
    const last = parts.at(-1);
    if (last?.isChanged === isChanged) last.text += text;
    else parts.push({ text, isChanged });
  }
  return parts;
}

interface Step {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

function runOf(steps: readonly Step[], from: number, kind: Step["kind"]): string[] {
  let end = from;
  while (steps[end]?.kind === kind) end++;
  return steps.slice(from, end).map(({ text }) => text);
}

const asSame = (text: string): Step => ({ kind: "same", text });

/** The shortest way from one list to the other, by Myers' algorithm; what both begin and end with is not searched. */
export function stepsBetween(before: readonly string[], after: readonly string[]): Step[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [
    ...before.slice(0, start).map(asSame),
    ...ordered(searched(before.slice(start, before.length - end), after.slice(start, after.length - end))),
    ...before.slice(before.length - end).map(asSame),
  ];
}

function searched(before: readonly string[], after: readonly string[]): Step[] {
  const removed = before.map((text): Step => ({ kind: "removed", text }));
  const added = after.map((text): Step => ({ kind: "added", text }));
  if (before.length === 0 || after.length === 0) return [...removed, ...added];
  /** For each number of steps: how far each diagonal reaches in `before`. */
  const history: Map<number, number>[] = [];
  let reached = new Map<number, number>([[1, 0]]);
  for (let count = 0; count <= Math.min(before.length + after.length, MAX_STEPS); count++) {
    const next = new Map<number, number>();
    for (let k = -count; k <= count; k += 2) {
      const isDown = k === -count || (k !== count && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1));
      let x = isDown ? (reached.get(k + 1) ?? 0) : (reached.get(k - 1) ?? 0) + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++;
      next.set(k, x);
      if (x >= before.length && x - k >= after.length) return backtracked([...history, reached], before, after);
    }
    history.push(reached);
    reached = next;
  }
  return [...removed, ...added];
}

function backtracked(
  history: readonly Map<number, number>[],
  before: readonly string[],
  after: readonly string[],
): Step[] {
  const steps: Step[] = [];
  let [x, y] = [before.length, after.length];
  for (let count = history.length - 1; count >= 0 && (x > 0 || y > 0); count--) {
    const reached = history[count]!;
    const k = x - y;
    const isDown = k === -count || (k !== count && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1));
    const fromK = isDown ? k + 1 : k - 1;
    const fromX = reached.get(fromK) ?? 0;
    const fromY = fromX - fromK;
    while (x > Math.max(fromX, 0) && y > Math.max(fromY, 0)) {
      steps.push({ kind: "same", text: before[--x]! });
      y--;
    }
    if (count === 0) break;
    if (isDown) steps.push({ kind: "added", text: after[--y]! });
    else steps.push({ kind: "removed", text: before[--x]! });
  }
  return steps.toReversed();
}

/** Within a run of changes, what was removed comes before what was added. */
function ordered(steps: readonly Step[]): Step[] {
  const all: Step[] = [];
  let run: Step[] = [];
  const flush = () => {
    all.push(...run.filter(({ kind }) => kind === "removed"), ...run.filter(({ kind }) => kind === "added"));
    run = [];
  };
  for (const step of steps) {
    if (step.kind !== "same") run.push(step);
    else {
      flush();
      all.push(step);
    }
  }
  flush();
  return all;
}

/** Leaves out lines that are the same and far from any change. */
function withGaps(lines: readonly DifferenceLine[]): DifferenceLine[] {
  const isNear = new Uint8Array(lines.length);
  for (const [i, { kind }] of lines.entries())
    if (kind !== "same") isNear.fill(1, Math.max(0, i - CONTEXT), i + CONTEXT + 1);
  const shown: DifferenceLine[] = [];
  let hidden = 0;
  for (const [i, line] of lines.entries()) {
    if (isNear[i] === 1) {
      if (hidden > 0) shown.push({ kind: "gap", count: hidden });
      hidden = 0;
      shown.push(line);
    } else hidden++;
  }
  if (hidden > 0 && shown.length > 0) shown.push({ kind: "gap", count: hidden });
  return shown;
}
