// What differs between two texts, line by line, as a person reads it before
// agreeing to a change. Used by connect.

/** Longer lines are cut: a file in one line would fill the screen. */
const LONGEST = 160;
/** What is shown of a long line on either side of what changes in it, and of what changes. */
const AROUND = 50;
const LONGEST_CHANGE = 1_000;

/** Lines that go (`- `), come (`+ `) and stay around them (two blanks). Empty where nothing differs. */
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
  return [...head.map(staying), ...changedPartsOf(changed), ...tail.map(staying)].join("\n");
}

const staying = (line: string) => shortened(`  ${line}`);

/** Lines that go and those that come in their place; where one is long, only the part that differs. */
function changedPartsOf(lines: readonly string[]): string[] {
  const shown: string[] = [];
  for (let i = 0; i < lines.length;) {
    const gone = runOf("- ", lines, i);
    const come = runOf("+ ", lines, i + gone.length);
    const run = [...gone, ...come];
    const isLong = gone.length > 0 && come.length > 0 && run.some((line) => line.length > LONGEST);
    shown.push(...(isLong ? differingParts(gone, come) : run.map(shortened)));
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

function differingParts(gone: readonly string[], come: readonly string[]): string[] {
  const [old, now] = [textOf(gone), textOf(come)];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const partOf = (text: string, mark: string) => {
    const [from, to] = [Math.max(0, start - AROUND), Math.min(text.length, text.length - end + AROUND)];
    const last = Math.min(to, from + LONGEST_CHANGE);
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

/** By the longest common subsequence: what differs is an entry of a few lines. */
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
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}
