// list_tasks and update_task: the check boxes of notes and outlines as tasks.
import type { ShownTask, TaskGroup } from "../../tasks/tasks.ts";
import { type Offers, offeredText } from "../call/offered-tools.ts";
import { asLines } from "../call/result-lines.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { defineTool, type Services } from "../definition/define-tool.ts";
import { CHANGES, READS } from "../definition/effects.ts";
import { LazyList, mapped } from "../definition/lazy-list.ts";
import { choice, flag, integer, list, optional, resultObject, text, unlisted } from "../definition/schema.ts";
import { askEveryVault, notAsked, UNAVAILABLE } from "./every-vault.ts";
import { FRESHNESS, SHARED } from "./fields.ts";

export const TASK_GROUPS = ["path", "heading", "due", "status", "priority", "tag"] as const;

const TASK = resultObject<ShownTask>();

/** Characters of a task's words in a list for a model. */
const MAX_TEXT_LENGTH = 300;
const MAX_TASKS = 1000;

export const listTasks = defineTool({
  ...SHARED,
  name: "list_tasks",
  title: "List tasks",
  description:
    "List tasks (to-dos, todos, checkboxes) of notes and outlines: what do I still have to do this week, what is unfinished, overdue or due by a day, what did I finish?",
  byDefault: true,
  effects: READS,
  pages: "tasks",
  pageSize: "limit",
  usualPageSize: 50,
  input: {
    status: optional(text("open (default), done, all")),
    dueBy: optional(text("That day too: 2026-11-20, tomorrow, 7 days")),
    overdue: optional(flag()),
    path: optional(text("Note or folder")),
    tag: optional(text()),
    heading: optional(text()),
    text: optional(text()),
    priority: unlisted(text()),
    kind: optional(choice(["note", "outline"])),
    group: optional(choice(TASK_GROUPS)),
    limit: unlisted(integer("", { minimum: 1, maximum: MAX_TASKS })),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    success: flag(),
    tasks: list(TASK),
    totalTasks: integer(),
    /** Vaults that were asked, if they are several. */
    vaults: unlisted(list(text())),
    /** Those on this page, with the number of all tasks in each. */
    groups: optional(list(resultObject<TaskGroup>())),
    /** Outlines that could not be read. */
    unread: unlisted(list(text())),
    /** How to change one. */
    hint: unlisted(text()),
    ...UNAVAILABLE,
    ...FRESHNESS,
  },
  touches: ({ path }) => [path],
  about: ({ text: words, tag }) => words ?? tag,
  text: ({ tasks, totalTasks, vaults, unread = [], unavailable, stale, indexing }) => ({
    head: [
      (totalTasks === 0 ? "No tasks found" : `${tasks.length} of ${totalTasks} tasks`) +
        (vaults === undefined ? "" : ` in the vaults ${vaults.join(", ")}`) +
        (totalTasks === 0 ? "." : ": id, box, text, place"),
      ...notAsked(unavailable),
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
  run: async ({ context: _, limit: __, ...question }, { services, signal, isForModel, page, offers }) => {
    const { listTasks: listed } = await import("../../tasks/tasks.ts");
    const { places, missing } = await placesOf(services);
    const answer = await listed(places, { ...question, signal });
    const groups = answer.groups(page.start, page.size);
    const hint = answer.total > 0 && isForModel ? changeHint(offers, question.kind) : undefined;
    const shortened = isForModel ? await shortener() : (task: ShownTask) => task;
    return {
      success: true,
      tasks: new LazyList(answer.total, (start) => mapped(answer.tasks(start), shortened)),
      totalTasks: answer.total,
      ...(places.length > 1 && { vaults: places.map(({ name = "" }) => name) }),
      ...(groups !== undefined && { groups }),
      ...(answer.unread.length > 0 && { unread: answer.unread }),
      ...(hint !== undefined && { hint }),
      ...missing,
      ...(answer.freshness.stale && answer.freshness),
    };
  },
});

/** With what a task is changed, of what the caller has; undefined if it may change nothing. */
function changeHint(offers: Offers, kind: "note" | "outline" | undefined): string | undefined {
  if (offers("update_task") === true) return "Change one with update_task {id}.";
  const inNote =
    "Tick off a task of a note with contentManager_replaceContent, on its line: one that recurs gets its next.";
  const inOutline = "Tick off a row of an outline with update_row {rowId, state}.";
  const hints = [...(kind === "outline" ? [] : [inNote]), ...(kind === "note" ? [] : [inOutline])];
  return offeredText(hints.join(" "), offers);
}

const DAY = unlisted(text());

export const updateTask = defineTool({
  ...SHARED,
  name: "update_task",
  title: "Update a task",
  description:
    "Change a task of list_tasks: tick off, complete, cancel, reopen, postpone; due date, priority, recurrence. If recurring, it gets its next one.",
  byDefault: true,
  effects: CHANGES,
  returnsForeignText: true,
  input: {
    id: text("Of list_tasks", { sample: "an id of list_tasks" }),
    status: optional(text("done, todo, in progress, cancelled")),
    text: optional(text()),
    due: optional(text('2026-11-20, tomorrow; "" removes it')),
    scheduled: DAY,
    start: DAY,
    done: DAY,
    created: unlisted(text()),
    cancelled: unlisted(text()),
    priority: optional(text("high, low, none …")),
    recurrence: optional(text()),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    success: flag(),
    message: text(),
    /** Missing if the task was deleted, as it asks for. */
    task: optional(TASK),
    next: optional(TASK),
    vault: unlisted(text()),
  },
  touches: (_, result) => [(result?.task ?? result?.next)?.path],
  about: ({ id }) => id,
  text: ({ message, task, next, vault }) => ({
    head: vault === undefined ? message : `${message} (In the vault ${vault}.)`,
    words: [
      ...(task === undefined ? [] : [lineOf(task)]),
      ...(next === undefined ? [] : [`Next: ${lineOf(next)}`]),
    ].join("\n"),
  }),
  run: async ({ id, context: _, ...change }, { services, author }) => {
    const { updateTask: updated } = await import("../../tasks/tasks.ts");
    const { places } = await placesOf(services);
    const { message, task, next, vault } = await updated(places, author, id, change);
    return {
      success: true,
      message,
      ...(task !== undefined && { task }),
      ...(next !== undefined && { next }),
      ...(vault !== undefined && { vault }),
    };
  },
});

/** The vaults that the call is about, each with all outlines; one that cannot be opened is named. */
async function placesOf(services: Services) {
  const outlines = await services.outlines();
  const { answers, missing } = await askEveryVault(services, (vault) => vault);
  const isSeveral = services.askedVaults.length > 1;
  const places = answers.map(({ answer, in: { vault } }) => ({
    vault: answer,
    outlines,
    name: isSeveral ? vault : undefined,
  }));
  return { places, missing };
}

async function shortener(): Promise<(task: ShownTask) => ShownTask> {
  const { beginningOf } = await import("../../search/search.ts");
  return (task) =>
    task.text.length <= MAX_TEXT_LENGTH ? task : { ...task, text: beginningOf(task.text, MAX_TEXT_LENGTH) };
}

const BOXES: Readonly<Record<string, string>> = { todo: " ", done: "x" };

/** Such as: k3f9za1q7x2 [ ] Pay rent (due 2026-12-01, high, every month) Home.md:12 › Flat */
function lineOf(task: ShownTask): string {
  const { words, place } = taskInWords(task);
  return onOneLine(`${task.id} ${words} ${place}`);
}

/** A task with its box and its facts, and the place of it, for models and for people. */
export function taskInWords(task: ShownTask): { readonly words: string; readonly place: string } {
  const { status, mark, priority, recurrence, heading, blocked, invalid, vault, path, line, row } = task;
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
  const file = `${vault === undefined ? "" : `${vault}: `}${path}${line === undefined ? "" : `:${line}`}${row === undefined ? "" : ` row ${row}`}`;
  return {
    words: `[${box}] ${task.text}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`,
    place: `${file}${heading === undefined ? "" : ` › ${heading}`}`,
  };
}

function onOneLine(words: string): string {
  return words.replace(/(?<!\s)\s*[\n\r]\s*/g, " ");
}
