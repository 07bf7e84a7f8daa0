// Ids of tasks: made of the path and of what the task says, so that they survive
// edits elsewhere in the file, and so that an id never means a task that was
// changed since it was read. Pure.
import { hash32 } from "../kernel/kernel.ts";

/** The parts of an id. */
export interface Identified {
  readonly status: string;
  readonly text: string;
  readonly heading?: string | undefined;
  /** The text nested below it; known if another task of the file has the same words. */
  readonly nested?: string | undefined;
}

const [PATH_LENGTH, TEXT_LENGTH, PLACE_LENGTH] = [6, 5, 3] as const;
const ID = /^([0-9a-z]{6})([0-9a-z]{5})(?:-([0-9a-z]{3})([0-9a-z]{3})?(?:-(\d+)of(\d+))?)?$/;

/** The beginning of the ids of all tasks in a file. */
export function fileKey(path: string): string {
  return key(path, 0x51ed270b, PATH_LENGTH);
}

/** The ids of all tasks of a file, in their order. */
export function idsOf(path: string, tasks: readonly Identified[]): string[] {
  const file = fileKey(path);
  const short = tasks.map((task) => file + textKey(task));
  const counts = countsOf(short);
  // Equal tasks are told apart by their headings and what is nested in them; then by their number.
  const long = tasks.map((task, i) =>
    counts.get(short[i]!) === 1 ? short[i]! : `${short[i]}-${headingKey(task)}${nestedKey(task) ?? ""}`,
  );
  const alike = countsOf(long);
  const seen = new Map<string, number>();
  return long.map((id) => {
    const count = alike.get(id)!;
    if (count === 1) return id;
    const number = (seen.get(id) ?? 0) + 1;
    seen.set(id, number);
    return `${id}-${number}of${count}`;
  });
}

/** The index of the only task that an id can mean; undefined if it is gone, was changed, or others are now equal to it. */
export function indexOfId(id: string, path: string, tasks: readonly Identified[]): number | undefined {
  const [, file, text, heading, nested, number, count] = ID.exec(id) ?? [];
  if (file !== fileKey(path)) return undefined;
  const found = [...tasks.keys()].filter(
    (i) => textKey(tasks[i]!) === text && (heading === undefined || headingKey(tasks[i]!) === heading),
  );
  // A task that has become the only one of its words needs no more to be known by.
  const isNested = (i: number) => nested === undefined || (nestedKey(tasks[i]!) ?? nested) === nested;
  const meant = found.filter(isNested);
  if (number !== undefined) return meant.length === Number(count) ? meant[Number(number) - 1] : undefined;
  return meant.length === 1 ? meant[0] : undefined;
}

export function isTaskId(id: string): boolean {
  return ID.test(id);
}

function textKey({ status, text }: Identified): string {
  return key(`${status} ${text}`, 0x2545f491, TEXT_LENGTH);
}

function headingKey({ heading = "" }: Identified): string {
  return key(heading, 0x6c8e9cf5, PLACE_LENGTH);
}

function nestedKey({ nested }: Identified): string | undefined {
  return nested === undefined ? undefined : key(nested, 0x3c6ef372, PLACE_LENGTH);
}

function key(text: string, seed: number, length: number): string {
  return ((hash32(text, seed) >>> 0) % 36 ** length).toString(36).padStart(length, "0");
}

function countsOf(ids: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
