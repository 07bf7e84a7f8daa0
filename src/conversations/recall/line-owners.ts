// Finds the edits that made a file what it is. Goes back from the text that is there now:
// the newest edit whose result is in the text is undone in it, then the next.
// Text that is no longer there (it was undone, or written to another copy)
// explains nothing, whatever its date. Calls that failed are left out before, see
// call-outcomes.ts. Pure; used by file-authors.ts.
import type { FileEdit } from "./file-edits.ts";

export interface TimedEdit extends Omit<FileEdit, "file"> {
  /** In milliseconds; an edit without a time is taken for the oldest. */
  readonly time: number;
}

export interface Explained<E extends TimedEdit> {
  readonly edit: E;
  /** The lines of the present text that it wrote last, counted from 1. */
  readonly lines: readonly number[];
}

/** Shorter text is anywhere. */
const SHORTEST = 4;
/** A file that was written as a whole and changed since by others must still have so much of it. */
const SHARE_LEFT = 0.5;

/** The edits that led to the text, newest first. */
export function explain<E extends TimedEdit>(text: string, edits: readonly E[]): Explained<E>[] {
  const ordered = withoutRepeats(edits).toSorted((a, b) => b.time - a.time);
  let lines = linesOf(text).map((line, i): Line => ({ text: line, now: i + 1 }));
  const owned = new Set<number>();
  const explained: Explained<E>[] = [];
  const take = (edit: E, of: readonly Line[]): void => {
    const own = of.map(({ now }) => now).filter((now) => now !== undefined && !owned.has(now)) as number[];
    for (const line of own) owned.add(line);
    explained.push({ edit, lines: own });
  };
  for (const edit of ordered) {
    if (edit.isWhole) {
      const left = linesLeft(lines, edit.added);
      if (left !== undefined) take(edit, left);
      continue;
    }
    const undone = undo(lines, edit);
    if (undone === undefined) continue;
    lines = undone.lines;
    take(edit, undone.changed);
  }
  return explained;
}

/** A line, and which one of the present text it is or became. */
interface Line {
  readonly text: string;
  readonly now: number | undefined;
}

function linesOf(text: string): string[] {
  return text.replaceAll("\r\n", "\n").split("\n");
}

/** Of the same replacement only the first can have worked: then there was nothing left to replace. */
function withoutRepeats<E extends TimedEdit>(edits: readonly E[]): E[] {
  const first = new Map<string, E>();
  for (const edit of edits.toSorted((a, b) => a.time - b.time)) {
    const key = JSON.stringify([edit.removed, edit.added, edit.isWhole]);
    if (!first.has(key) && (edit.isWhole || edit.removed !== edit.added)) first.set(key, edit);
  }
  return [...first.values()];
}

/** The text before an edit, and the lines that it changed; undefined if its result is not in the text, or in several places. */
function undo(lines: readonly Line[], { removed, added }: TimedEdit): { lines: Line[]; changed: Line[] } | undefined {
  const text = lines.map((line) => line.text).join("\n");
  const result = added.replaceAll("\r\n", "\n");
  const before = removed.replaceAll("\r\n", "\n");
  if (result.trim().length < SHORTEST) return undefined;
  const at = text.indexOf(result);
  if (at === -1 || text.indexOf(result, at + 1) !== -1 || !isWholeWords(text, at, result)) return undefined;
  // An insertion whose neighbours were sent, too, replaces them by themselves: only what differs was changed.
  const [head, tail] = sharedEnds(before, result);
  const from = lineAt(text, at + head);
  const to = lineAt(text, Math.max(at + head, at + result.length - tail - 1));
  const restored = (text.slice(0, at) + before + text.slice(at + result.length)).split("\n");
  const kept = lines.length - 1 - to;
  const changed = lines.slice(from, to + 1);
  return {
    changed: [...changed],
    lines: restored.map((line, i) => {
      if (i < from) return lines[i]!;
      if (i >= restored.length - kept) return lines[i - restored.length + lines.length]!;
      return { text: line, now: changed[i - from]?.now };
    }),
  };
}

/** Returns whether no word goes on beyond the text: `shop` is not in `shopkeeper`, which somebody else wrote. */
function isWholeWords(text: string, at: number, result: string): boolean {
  const end = at + result.length;
  return !(isWord(text[at - 1]) && isWord(result[0])) && !(isWord(result.at(-1)) && isWord(text[end]));
}

function isWord(letter: string | undefined): boolean {
  return letter !== undefined && /[\p{L}\p{N}_]/u.test(letter);
}

/** How many characters two texts share at their beginnings and ends. */
function sharedEnds(a: string, b: string): [head: number, tail: number] {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return [head, tail];
}

function lineAt(text: string, index: number): number {
  let line = 0;
  for (let i = text.indexOf("\n"); i !== -1 && i < index; i = text.indexOf("\n", i + 1)) line++;
  return line;
}

/** Those lines that a file had when it was written as a whole; undefined if too few of its own lines are left. */
function linesLeft(lines: readonly Line[], written: string): Line[] | undefined {
  const telling = new Set(linesOf(written).filter((line) => line.trim().length >= SHORTEST));
  const left = lines.filter(({ text }) => telling.has(text));
  const share = new Set(left.map(({ text }) => text)).size / telling.size;
  return telling.size > 0 && share >= SHARE_LEFT ? left : undefined;
}
