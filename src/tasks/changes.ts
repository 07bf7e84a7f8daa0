// The effect of a change on a task: its new line, the next one of a recurring task,
// or nothing, as the Tasks plugin documents it. Pure; used by update.ts.
import { Problem } from "../kernel/kernel.ts";
import { formOf, withDescription, withField, withoutBlockId } from "./lines/line-edits.ts";
import {
  DATE_FIELDS,
  type DateField,
  type FieldName,
  parseTaskLine,
  PRIORITIES,
  type TaskLine,
  valueOf,
} from "./lines/task-line.ts";
import { type Day, dayNamed, dayOf, LAST_DAY, writtenDay } from "./recurrence/dates.ts";
import { nextDate } from "./recurrence/next-date.ts";
import { parseRule } from "./recurrence/rule.ts";
import type { Status } from "./settings/statuses.ts";
import type { TaskSettings } from "./settings/task-settings.ts";

/** The change that a caller asks for. An empty text removes a field. */
export interface TaskChange extends Partial<Readonly<Record<DateField, string | undefined>>> {
  /** A name or a character. */
  readonly status?: string | undefined;
  readonly text?: string | undefined;
  readonly priority?: string | undefined;
  readonly recurrence?: string | undefined;
}

export interface TaskState {
  readonly status: Status;
  readonly line: TaskLine;
}

/** A task before a change. */
export interface TaskBefore extends TaskState {
  /** The date in the name of its note, which counts as its scheduled date while it has no date of its own. */
  readonly inferred?: string | undefined;
}

export interface ChangedTask {
  /** Undefined if it is removed: `🏁 delete`. */
  readonly task: TaskState | undefined;
  /** The next one of a recurring task. */
  readonly next: TaskState | undefined;
}

export function changedTask(before: TaskBefore, change: TaskChange, settings: TaskSettings, today: Day): ChangedTask {
  const line = withFields(withText(before.line, change.text, settings), change, settings, today);
  if (change.status === undefined) return { task: { ...before, line }, next: undefined };
  const status = settings.statuses.named(change.status);
  if (status.symbol === before.status.symbol) return { task: { status, line }, next: undefined };
  const doneOn = dayOf(valueOf(line, "done") ?? "") ?? today;
  const isFinished = status.type === "done" && before.status.type !== "done";
  const finished = { line, status, inferred: before.inferred, doneOn: change.done ? doneOn : today };
  const next = isFinished ? nextTask(finished, settings, today) : undefined;
  if (isFinished && valueOf(line, "onCompletion")?.toLowerCase() === "delete") return { task: undefined, next };
  return { task: { status, line: withStatusDates(line, { before, status, change, settings, today }) }, next };
}

function withText(line: TaskLine, text: string | undefined, { globalFilter }: TaskSettings): TaskLine {
  if (text === undefined) return line;
  const words = text.trim();
  if (words === "" || /[\n\r]/.test(words))
    throw new Problem("invalid", "text must be one line, and not empty.", "It is the task without its dates.");
  const parsed = parseTaskLine(words);
  if (parsed.fields.length > 0 || parsed.end < words.length)
    throw new Problem(
      "invalid",
      "text is the words of the task alone: it has a date, another field or a block id in it.",
      "Send these in arguments of their own: due, scheduled, start, priority, recurrence. What is not sent stays.",
    );
  const hasLostFilter = globalFilter !== "" && line.description.includes(globalFilter) && !words.includes(globalFilter);
  return withDescription(line, hasLostFilter ? `${globalFilter} ${words}` : words);
}

function withFields(before: TaskLine, change: TaskChange, { form }: TaskSettings, today: Day): TaskLine {
  let line = before;
  const set = (name: FieldName, value: string | undefined) => (line = withField(line, name, value, form));
  if (change.priority !== undefined) set("priority", priorityNamed(change.priority));
  if (change.recurrence !== undefined) set("recurrence", ruleNamed(change.recurrence));
  for (const name of DATE_FIELDS) {
    const sent = change[name];
    if (sent !== undefined) set(name, dateNamed(name, sent, today));
  }
  return line;
}

const isNone = (sent: string) => ["", "none", "normal"].includes(sent.trim().toLowerCase());

/** Undefined for none. */
export function priorityNamed(sent: string): string | undefined {
  if (isNone(sent)) return undefined;
  const found = PRIORITIES.find((priority) => priority === sent.trim().toLowerCase());
  if (found !== undefined) return found;
  throw new Problem("invalid", `priority must be one of ${PRIORITIES.join(", ")}, none.`);
}

function ruleNamed(sent: string): string | undefined {
  if (isNone(sent)) return undefined;
  const rule = sent.trim();
  if (parseRule(rule) !== undefined) return rule;
  throw unreadableRule(rule);
}

function dateNamed(name: string, sent: string, today: Day): string | undefined {
  if (isNone(sent)) return undefined;
  const day = dayNamed(sent, today);
  if (day !== undefined) return writtenDay(day);
  throw new Problem(
    "invalid",
    `${name} must be a date that exists, such as 2026-11-17; not ${JSON.stringify(sent)}.`,
    'Also today, tomorrow, friday, 3 days; "" removes it.',
  );
}

interface StatusChange {
  readonly before: TaskState;
  readonly status: Status;
  readonly change: TaskChange;
  readonly settings: TaskSettings;
  readonly today: Day;
}

/** The dates of being done and of being cancelled, which come and go with the status. */
function withStatusDates(line: TaskLine, { before, status, change, settings, today }: StatusChange): TaskLine {
  const dated = [
    ["done", settings.setsDone],
    ["cancelled", settings.setsCancelled],
  ] as const;
  return dated.reduce((made, [type, isSet]) => {
    if (change[type] !== undefined) return made;
    if (status.type !== type) return settings.removesDates ? withField(made, type, undefined, settings.form) : made;
    const isNew = before.status.type !== type && isSet;
    return isNew ? withField(made, type, writtenDay(today), settings.form) : made;
  }, line);
}

interface Finished extends TaskBefore {
  readonly doneOn: Day;
}

/** Undefined for a task that does not recur. */
function nextTask(
  { line, status: done, inferred, doneOn }: Finished,
  settings: TaskSettings,
  today: Day,
): TaskState | undefined {
  const written = valueOf(line, "recurrence");
  if (written === undefined) return undefined;
  const rule = parseRule(written);
  if (rule === undefined) throw unreadableRule(written);
  const dates = datesOf(line, inferred);
  const { due, scheduled, start } = dates;
  const reference = settings.dropsScheduled ? (due ?? start ?? scheduled) : (due ?? scheduled ?? start);
  const next = reference === undefined ? undefined : nextDate(rule, rule.isFromDone ? doneOn : reference);
  const moved = next === undefined || reference === undefined ? 0 : next - reference;
  const latest = Math.max(...Object.values(dates).map((day) => (day ?? 0) + moved));
  if (reference !== undefined && (next === undefined || latest > LAST_DAY))
    throw new Problem("invalid", `The rule "${written}" has no next date.`, UNREADABLE_HINT);
  const form = formOf(line, settings.form);
  const isDropped = settings.dropsScheduled && (due !== undefined || start !== undefined);
  let made = withoutBlockId(line);
  for (const name of ["id", "dependsOn", "done", "cancelled"] as const) made = withField(made, name, undefined, form);
  made = withField(made, "created", settings.setsCreated ? writtenDay(today) : undefined, form);
  for (const [name, day] of Object.entries(dates)) {
    if (day === undefined) continue;
    const isLeftOut = name === "scheduled" && isDropped;
    const date = isLeftOut ? undefined : writtenDay(day + moved);
    made = withField(made, name as DateField, date, form);
  }
  return { status: settings.statuses.afterDone(done), line: made };
}

/** @param inferred the date in the note's name: as in the plugin, the next task gets it as a date of its own */
function datesOf(
  line: TaskLine,
  inferred: string | undefined,
): Readonly<Record<"due" | "scheduled" | "start", Day | undefined>> {
  const dayOfField = (name: DateField) => {
    const value = valueOf(line, name);
    if (value === undefined) return undefined;
    const day = dayOf(value);
    if (day !== undefined) return day;
    throw new Problem(
      "invalid",
      `The ${name} date ${value} does not exist, so the next date of this recurring task cannot be known.`,
      `Send a correct one as ${name}, together with the status.`,
    );
  };
  const dates = { due: dayOfField("due"), scheduled: dayOfField("scheduled"), start: dayOfField("start") };
  const isDated = Object.values(dates).some((day) => day !== undefined);
  return isDated || inferred === undefined ? dates : { ...dates, scheduled: dayOf(inferred) };
}

const UNREADABLE_HINT =
  'Send another recurrence together with the status, or recurrence: "" to finish it without a next one.';

function unreadableRule(rule: string): Problem {
  return new Problem(
    "invalid",
    `The rule "${rule}" cannot be read. Rules are like: every 3 days, every weekday, every 2 weeks on Friday, every month on the last, every January on the 15th; with "when done" at the end, they count from that day.`,
    UNREADABLE_HINT,
  );
}
