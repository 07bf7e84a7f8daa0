// A line diff of two texts, shown to the user before connect writes a file.

/** Longer lines are cut: a file that is one line would fill the screen. */
const MAX_LENGTH = 160;
/** Characters shown of a long line on each side of the change, and of the change itself. */
const AROUND = 50;
const MAX_CHANGE_LENGTH = 1_000;

/** Removed (`- `), added (`+ `) and unchanged lines (two blanks). Empty if the texts have the same lines. */
export function differenceOf(before: string, after: string, context = 2): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  let first = 0;
  while (first < old.length && first < now.length && old[first] === now[first]) first++;
  let last = 0;
  while (last < old.length - first && last < now.length - first && old.at(-1 - last) === now.at(-1 - last)) last++;
  const changed = changesOf(old.slice(first, old.length - last), now.slice(first, now.length - last));
  if (changed.length === 0) return "";
  const head = old.slice(Math.max(0, first - context), first);
  const tail = old.slice(old.length - last, old.length - last + context);
  return [...head.map(unchanged), ...changedPartsOf(changed), ...tail.map(unchanged)].join("\n");
}

const unchanged = (line: string) => shortened(`  ${line}`);

/** Removed lines and their replacements. If one is long, only the part that differs. */
function changedPartsOf(lines: readonly string[]): string[] {
  const shown: string[] = [];
  for (let i = 0; i < lines.length;) {
    const removed = runOf("- ", lines, i);
    const added = runOf("+ ", lines, i + removed.length);
    const run = [...removed, ...added];
    const isLong = removed.length > 0 && added.length > 0 && run.some((line) => line.length > MAX_LENGTH);
    shown.push(...(isLong ? differingParts(removed, added) : run.map(shortened)));
    i += run.length;
    if (run.length === 0) shown.push(shortened(lines[i++]!));
  }
  return shown;
}

function runOf(mark: string, lines: readonly string[], from: number): string[] {
  const to = lines.findIndex((line, i) => i >= from && !line.startsWith(mark));
  return lines.slice(from, to === -1 ? undefined : to);
}

const textOf = (lines: readonly string[]) => lines.map((line) => line.slice(2)).join("\n");

function differingParts(removed: readonly string[], added: readonly string[]): string[] {
  const [old, now] = [textOf(removed), textOf(added)];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const partOf = (text: string, mark: string) => {
    const [from, to] = [Math.max(0, start - AROUND), Math.min(text.length, text.length - end + AROUND)];
    const last = Math.min(to, from + MAX_CHANGE_LENGTH);
    const part = `${from > 0 ? "…" : ""}${text.slice(from, last)}${last < text.length ? "…" : ""}`.toWellFormed();
    return part.split("\n").map((line) => `${mark}${line}`);
  };
  return [...partOf(old, "- "), ...partOf(now, "+ ")];
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Uses the longest common subsequence, which is fast enough: the changed part is an entry of a few lines. */
function changesOf(old: readonly string[], now: readonly string[]): string[] {
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i]![j] = old[i] === now[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push(`  ${old[i]!}`);
      i++;
      j++;
    } else if (j >= now.length || (i < old.length && common[i + 1]![j]! >= common[i]![j + 1]!))
      lines.push(`- ${old[i++]}`);
    else lines.push(`+ ${now[j++]}`);
  }
  return lines;
}

function shortened(line: string): string {
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH - 1)}…`;
}
