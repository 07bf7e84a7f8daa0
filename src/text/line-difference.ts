// What differs between two texts, line by line, as a person reads it before
// agreeing to a change. Used by connect.

/** Longer lines are cut: a file in one line would fill the screen. */
const LONGEST = 160;

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
  return [...head.map(staying), ...changed, ...tail.map(staying)].map(shortened).join("\n");
}

const staying = (line: string) => `  ${line}`;

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
      lines.push(staying(old[i]!));
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
