// list_tasks and update_task: the check boxes of notes and outlines as tasks.
import type { ShownTask, TaskGroup } from "../../tasks/tasks.ts";
import { Problem } from "../../kernel/kernel.ts";
import { type Offers, offeredText } from "../call/offered-tools.ts";
import { otherVaults } from "../call/other-vaults.ts";
import { asLines } from "../call/result-lines.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { defineTool, type Services } from "../definition/define-tool.ts";
import { CHANGES, READS } from "../definition/effects.ts";
import { LazyList, mapped } from "../definition/lazy-list.ts";
import {
  choice,
  flag,
  integer,
  list,
  optional,
  resultObject,
  text,
  unlisted,
  withDefault,
} from "../definition/schema.ts";
import { FRESHNESS, SHARED } from "./fields.ts";

const TASK = resultObject<ShownTask>();

/** Characters of a task's words in a list for a model. */
const LONGEST_TEXT = 300;
const MOST_TASKS = 1000;

export const listTasks = defineTool({
  ...SHARED,
  name: "list_tasks",
  title: "List tasks",
  description:
    "List tasks (to-dos, todos, checkboxes) of notes and outlines: what do I still have to do, which are unfinished, overdue or due before a day, which did I finish? With dates, priority and recurrence.",
  byDefault: true,
  effects: READS,
  pages: "tasks",
  pageSize: "limit",
  input: {
    status: optional(text("open (default), done, all or a status")),
    dueBefore: optional(text("e.g. 2026-11-20, tomorrow, 7 days")),
    /** That day, too. */
    dueBy: unlisted(text()),
    overdue: optional(flag()),
    path: optional(text("Note or folder")),
    tag: optional(text()),
    heading: optional(text()),
    text: optional(text()),
    priority: unlisted(text()),
    kind: optional(choice(["note", "outline"])),
    group: optional(choice(["path", "heading", "due", "status", "priority", "tag"])),
    limit: withDefault(integer("", { minimum: 1, maximum: MOST_TASKS, isUnlisted: true }), 50),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    success: flag(),
    tasks: list(TASK),
    totalTasks: integer(),
    /** Those on this page, with the number of all tasks in each. */
    groups: optional(list(resultObject<TaskGroup>())),
    /** Outlines that could not be read. */
    unread: unlisted(list(text())),
    /** How to change one. */
    hint: unlisted(text()),
    ...FRESHNESS,
  },
  touches: ({ path }) => [path],
  about: ({ text: words, tag }) => words ?? tag,
  text: ({ tasks, totalTasks, unread = [], stale, indexing }) => ({
    head: [
      totalTasks === 0 ? "No tasks found." : `${tasks.length} of ${totalTasks} tasks: id, box, text, place`,
      ...unread.map((file) => `Could not be read: ${file}`),
      ...(stale === true ? ["stale: true"] : []),
      ...(indexing === undefined ? [] : [asLines({ indexing })]),
    ].join("\n"),
    words: tasks
      .flatMap((task, i) =>
        task.group === undefined || task.group === tasks[i - 1]?.group
          ? [lineOf(task)]
          : [`# ${onOneLine(task.group)}`, lineOf(task)],
      )
      .join("\n"),
  }),
  run: async ({ context: _, limit, ...question }, { services, signal, isForModel, page, offers }) => {
    const { listTasks: listed } = await import("../../tasks/tasks.ts");
    const answer = await listed(await placesOf(services), { ...question, signal });
    const groups = answer.groups(page.start, limit);
    const hint =
      answer.total === 0 ? otherVaults(services) : isForModel ? changeHint(offers, question.kind, services) : undefined;
    const shortened = isForModel ? await shortener() : (task: ShownTask) => task;
    return {
      success: true,
      tasks: new LazyList(answer.total, (start) => mapped(answer.tasks(start), shortened)),
      totalTasks: answer.total,
      ...(groups !== undefined && { groups }),
      ...(answer.unread.length > 0 && { unread: answer.unread }),
      ...(hint !== undefined && { hint }),
      ...(answer.freshness.stale && answer.freshness),
    };
  },
});

/** With what a task is changed, of what the caller has; undefined if it may change nothing. */
function changeHint(
  offers: Offers,
  kind: "note" | "outline" | undefined,
  { vaults, askedVaults }: Services,
): string | undefined {
  const [named] = vaults.length > 1 && askedVaults.length === 1 ? askedVaults : [];
  const inVault = named === undefined ? "" : `, vault: ${JSON.stringify(named.name)}`;
  if (offers("update_task") === true) return `Change one with update_task {id${inVault}}.`;
  const inNote = "Tick off a task of a note with contentManager_replaceContent, on its line.";
  const inOutline = "Tick off a row of an outline with update_row {rowId, state}.";
  const hints = [...(kind === "outline" ? [] : [inNote]), ...(kind === "note" ? [] : [inOutline])];
  return offeredText(hints.join(" "), offers);
}

const DAY = optional(text());

export const updateTask = defineTool({
  ...SHARED,
  name: "update_task",
  title: "Update a task",
  description:
    "Change a task of list_tasks in its note or outline: tick it off, mark it done, cancel or reopen it, set its due date, priority, recurrence or text. A recurring task that is done makes its next one.",
  byDefault: false,
  effects: CHANGES,
  returnsForeignText: true,
  input: {
    id: text("Of list_tasks", { sample: "an id of list_tasks" }),
    status: optional(text("done, todo, in progress, cancelled, a status of the vault or its character")),
    text: optional(text("Without dates")),
    due: optional(text('2026-11-20, tomorrow, friday; "" removes it')),
    scheduled: DAY,
    start: DAY,
    done: DAY,
    created: unlisted(text()),
    cancelled: unlisted(text()),
    priority: optional(text("highest, high, medium, low, lowest, none")),
    recurrence: optional(text("Rule: every 2 weeks on Friday")),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    success: flag(),
    message: text(),
    /** Missing if the task was deleted, as it asks for. */
    task: optional(TASK),
    next: optional(TASK),
  },
  touches: (_, result) => [(result?.task ?? result?.next)?.path],
  about: ({ id }) => id,
  text: ({ message, task, next }) => ({
    head: message,
    words: [
      ...(task === undefined ? [] : [lineOf(task)]),
      ...(next === undefined ? [] : [`Next: ${lineOf(next)}`]),
    ].join("\n"),
  }),
  run: async ({ id, context: _, ...change }, { services, author }) => {
    const { updateTask: updated } = await import("../../tasks/tasks.ts");
    const { message, task, next } = await updated(await placesOf(services), author, id, change).catch(
      (error: unknown) => {
        // Ids of tasks are not those of another vault.
        const others = error instanceof Problem && error.code === "conflict" ? otherVaults(services) : undefined;
        if (others === undefined) throw error;
        const { code, message: sentence, hint } = error as Problem;
        throw new Problem(code, sentence, `${others} ${hint}`);
      },
    );
    return { success: true, message, ...(task !== undefined && { task }), ...(next !== undefined && { next }) };
  },
});

async function placesOf({ vault, outlines }: Services) {
  return { vault: await vault(), outlines: await outlines() };
}

async function shortener(): Promise<(task: ShownTask) => ShownTask> {
  const { beginningOf } = await import("../../search/search.ts");
  return (task) => (task.text.length <= LONGEST_TEXT ? task : { ...task, text: beginningOf(task.text, LONGEST_TEXT) });
}

const BOXES: Readonly<Record<string, string>> = { todo: " ", done: "x" };

/** Such as: k3f9za1q7x2 [ ] Pay rent (due 2026-12-01, high, every month) Home.md:12 › Flat */
function lineOf(task: ShownTask): string {
  const { id, status, mark, priority, recurrence, heading, blocked, invalid, path, line, row } = task;
  const box = mark ?? BOXES[status] ?? " ";
  const dates = ["due", "scheduled", "start", "done", "cancelled", "created"] as const;
  const facts = [
    ...(status === "todo" || status === "done" ? [] : [status]),
    ...dates.flatMap((name) => (task[name] === undefined ? [] : [`${name} ${task[name]}`])),
    ...(priority === undefined ? [] : [`${priority} priority`]),
    ...(recurrence === undefined ? [] : [recurrence]),
    ...(task.onCompletion === undefined ? [] : [`on completion ${task.onCompletion}`]),
    ...(task.taskId === undefined ? [] : [`id ${task.taskId}`]),
    ...(task.dependsOn === undefined ? [] : [`depends on ${task.dependsOn}`]),
    ...(blocked === true ? ["blocked"] : []),
    ...(invalid === undefined ? [] : [`no such day: ${invalid.join(", ")}`]),
  ];
  const place = `${path}${line === undefined ? "" : `:${line}`}${row === undefined ? "" : ` row ${row}`}`;
  return onOneLine(
    `${id} [${box}] ${task.text}${facts.length === 0 ? "" : ` (${facts.join(", ")})`} ${place}${heading === undefined ? "" : ` › ${heading}`}`,
  );
}

function onOneLine(words: string): string {
  return words.replace(/(?<!\s)\s*[\n\r]\s*/g, " ");
}
