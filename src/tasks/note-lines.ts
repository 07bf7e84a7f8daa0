// Puts changed tasks back into the text of a note, line by line: what is nested
// below a task stays below it. Pure; used by update.ts.
import type { CheckBox, NoteText } from "../markdown/markdown.ts";
import { Problem } from "../kernel/kernel.ts";
import type { ChangedTask, TaskState } from "./changes.ts";

export interface PlacedTasks {
  readonly text: string;
  /** The offsets of the lines of the task and of its next one; undefined if there is none. */
  readonly task: number | undefined;
  readonly next: number | undefined;
}

/** @param isNextBelow whether the next task comes below the old one with all that belongs to it, else above */
export function placeTasks(note: NoteText, box: CheckBox, changed: ChangedTask, isNextBelow: boolean): PlacedTasks {
  const { text } = note;
  const { start, end } = box;
  const ending = lineEndingAt(text, end);
  const after = end + ending.length;
  const line = (state: TaskState) => lineWith(text, box, state);
  const { task, next } = changed;
  if (task === undefined && next === undefined) {
    if (itemEnd(text, box) > after) throw nestedBelow();
    return { text: text.slice(0, start) + text.slice(after), task: undefined, next: undefined };
  }
  const own = line(task ?? next!);
  if (task === undefined || next === undefined)
    return {
      text: text.slice(0, start) + own + text.slice(end),
      task: task === undefined ? undefined : start,
      next: next === undefined ? undefined : start,
    };
  const newLine = ending || note.lineEnding || "\n";
  const further = line(next);
  if (!isNextBelow)
    return {
      text: text.slice(0, start) + further + newLine + own + text.slice(end),
      task: start + further.length + newLine.length,
      next: start,
    };
  const below = itemEnd(text, box);
  const nested = text.slice(end, below);
  const isOpenEnded = !(own + nested).endsWith("\n");
  const before = text.slice(0, start) + own + nested + (isOpenEnded ? newLine : "");
  return {
    text: before + further + (isOpenEnded ? "" : newLine) + text.slice(below),
    task: start,
    next: before.length,
  };
}

function nestedBelow(): Problem {
  return new Problem(
    "invalid",
    "This task is to be deleted once it is done (🏁 delete), but other lines are nested below it: nothing was changed.",
    "Move or delete them first, or take the field onCompletion out of the line.",
  );
}

/** The first line of the item with another character in its box and other words. */
function lineWith(text: string, { start, end, status, text: from, textEnd }: CheckBox, state: TaskState): string {
  const statusEnd = status + String.fromCodePoint(text.codePointAt(status)!).length;
  // Spaces at the end may be a line break of Markdown.
  const [before, between, after] = [text.slice(start, status), text.slice(statusEnd, from), text.slice(textEnd, end)];
  return before + state.status.symbol + between + state.line.body + after;
}

function lineEndingAt(text: string, end: number): string {
  return text.startsWith("\r\n", end) ? "\r\n" : text.startsWith("\n", end) ? "\n" : "";
}

/** Begins a block of its own, even without a blank line before it. */
const STARTS_BLOCK =
  /^ {0,3}(?:[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|#{1,6}(?:[ \t]|$)|>|```|~~~|\||([-*_])[ \t]*(?:\1[ \t]*){2,}$)/;

/** The offset after the item with everything that is nested in it. */
function itemEnd(text: string, { start, end }: CheckBox): number {
  const [quotes] = /^(?:[ \t]*>)*/.exec(text.slice(start, end))!;
  const depth = quotes.split(">").length - 1;
  const own = columnOf(text.slice(start + quotes.length, end));
  let last = nextLine(text, end);
  let isAfterBlank = false;
  for (let from = last; from < text.length;) {
    const next = nextLine(text, from);
    const line = text.slice(from, next).replace(/\r?\n$/, "");
    from = next;
    const inside = withoutQuotes(line, depth);
    if (inside === undefined) break;
    if (inside.trim() === "") {
      isAfterBlank = true;
      continue;
    }
    const isNested = columnOf(inside) > own;
    const isContinued = !isAfterBlank && !STARTS_BLOCK.test(inside);
    if (!isNested && !isContinued) break;
    isAfterBlank = false;
    last = next;
  }
  return last;
}

function nextLine(text: string, from: number): number {
  const lineBreak = text.indexOf("\n", from);
  return lineBreak === -1 ? text.length : lineBreak + 1;
}

/** Undefined if the line is quoted less. */
function withoutQuotes(line: string, depth: number): string | undefined {
  let rest = line;
  for (let i = 0; i < depth; i++) {
    const quote = /^[ \t]*>/.exec(rest)?.[0];
    if (quote === undefined) return undefined;
    rest = rest.slice(quote.length);
  }
  return rest;
}

/** The column of the first character that is not white. */
function columnOf(line: string): number {
  let column = 0;
  for (const character of line) {
    if (character === "\t") column += 4 - (column % 4);
    else if (character === " ") column++;
    else break;
  }
  return column;
}
