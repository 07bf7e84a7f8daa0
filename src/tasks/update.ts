// Changes one task in its note or outline, in one entry of the journal. The id
// stands for the task as it was read: one that was changed since is refused. Used
// by the tool update_task.
import { Problem } from "../kernel/kernel.ts";
import { taskBoxes } from "../markdown/markdown.ts";
import { checkedRows, type CheckedRow, type Outline, rowOf } from "../outline/outline.ts";
import { type Author, editNote } from "../vault/vault.ts";
import { changedTask, type ChangedTask, type TaskChange, type TaskState } from "./changes.ts";
import {
  findTasks,
  foundTask,
  lineOf,
  type TaskFact,
  taskFile,
  type TaskFile,
  type TaskFiles,
  type TaskPlaces,
} from "./found-tasks.ts";
import { type NamedPlaces, shower, type ShownTask, todayOf } from "./list.ts";
import { valueOf } from "./lines/task-line.ts";
import { placeTasks } from "./note-lines.ts";
import { isClosed } from "./settings/statuses.ts";
import type { TaskSettings } from "./settings/task-settings.ts";
import { fileKey, indexOfId, isTaskId } from "./task-ids.ts";

export interface UpdatedTask {
  readonly message: string;
  /** As it is now; undefined if it was deleted. */
  readonly task: ShownTask | undefined;
  /** The next one of a recurring task. */
  readonly next: ShownTask | undefined;
  readonly path: string;
  /** The one that has it, if it may be of several. */
  readonly vault?: string;
}

/** @param places those that the id may be of: of several vaults, the one that has the task */
export async function updateTask(
  places: readonly NamedPlaces[],
  author: Author,
  sent: string,
  change: TaskChange,
): Promise<UpdatedTask> {
  const id = sent.trim();
  if (!isTaskId(id))
    throw new Problem("invalid", `"${sent.slice(0, 60)}" is no id of a task.`, "list_tasks returns the ids.");
  const key = id.slice(0, fileKey("").length);
  const having: { place: NamedPlaces; found: TaskFiles; file: TaskFile; hasTask: boolean }[] = [];
  for (const place of places) {
    const found = await findTasks(place, author.signal);
    const files = found.files.filter(({ path }) => fileKey(path) === key);
    const file = files.find(({ path, tasks }) => indexOfId(id, path, tasks) !== undefined) ?? files[0];
    if (file !== undefined)
      having.push({ place, found, file, hasTask: indexOfId(id, file.path, file.tasks) !== undefined });
  }
  const certain = having.filter(({ hasTask }) => hasTask);
  // An outline outside the vaults is found with each of them.
  const files = new Set(certain.map(({ place, file }) => (file.isOutside ? file.path : place)));
  if (files.size > 1) {
    const names = certain.map(({ place }) => place.name).join(" and ");
    throw new Problem("conflict", `The vaults ${names} both have this task. Nothing was changed.`, "Send vault, too.");
  }
  const meant = certain[0] ?? having[0];
  if (meant === undefined) throw changedSince();
  const { place, found, file } = meant;
  const request = { id, change, found };
  const made = await (file.kind === "note" ? updateInNote : updateInOutline)(place, author, file, request);
  return { ...made, ...(place.name !== undefined && !file.isOutside && { vault: place.name }) };
}

interface Request {
  readonly id: string;
  readonly change: TaskChange;
  readonly found: TaskFiles;
}

function changedSince(): Problem {
  return new Problem(
    "conflict",
    "There is no such task any more: it was changed, moved or deleted since it was listed, or another one is now equal to it. Nothing was changed.",
    "Call list_tasks again, and use the id that it returns now.",
  );
}

async function updateInNote(
  { vault }: TaskPlaces,
  author: Author,
  { path }: TaskFile,
  { id, change, found }: Request,
): Promise<UpdatedTask> {
  const { settings } = found;
  let changes: Changes | undefined;
  const { text, facts } = await editNote(vault, author, {
    filePath: path,
    change: {
      verb: "Changed a task in",
      apply: (note) => {
        const boxes = taskBoxes(note.text);
        const tasks = boxes.map(({ task }) => task);
        const index = indexOfId(id, path, tasks);
        if (index === undefined) throw changedSince();
        changes = changesOf(tasks[index]!, path, change, settings, todayOf(vault));
        const { text: made, ...places } = placeTasks(note, boxes[index]!.box, changes.after, settings.nextIsBelow);
        return { text: made, facts: places };
      },
    },
  });
  const boxes = taskBoxes(text);
  const file = taskFile(
    path,
    "note",
    boxes.map(({ task }) => task),
  );
  const at = (offset: number | undefined) =>
    offset === undefined ? undefined : boxes.findIndex(({ box }) => box.start === offset);
  return updated(found, changes!, file, at(facts.task), at(facts.next));
}

async function updateInOutline(
  { vault, outlines }: TaskPlaces,
  author: Author,
  { path }: TaskFile,
  { id, change, found }: Request,
): Promise<UpdatedTask> {
  // The application's document has no path here, and is the current one.
  const isNamed =
    found.paths.some((file) => file.path === path || file.path.startsWith(`${path}/`)) || /[/\\]/.test(path);
  const document = isNamed ? await outlines.at(path, vault) : await outlines.current();
  // The plugin's dates are for notes: in an outline, nothing is added that was not asked for.
  const settings = {
    ...found.settings,
    globalFilter: "",
    setsDone: false,
    setsCreated: false,
    setsCancelled: false,
    removesDates: false,
    dateInName: undefined,
  };
  let changes: Changes | undefined;
  let own: string | undefined;
  const { outline, added } = await document.change(author, (before) => {
    const rows = checkedRows(before);
    const index = indexOfId(id, path, rows.map(factOf));
    if (index === undefined) throw changedSince();
    const row = rows[index]!;
    own = row.id;
    changes = changesOf(factOf(row), path, change, settings, todayOf(vault));
    return {
      edits: editsOf(before, row, changes, settings),
      message: `Changed the task '${lineOf(factOf(row)).description.slice(0, 80)}'`,
    };
  });
  const rows = checkedRows(outline);
  const file = taskFile(path, "outline", rows.map(factOf));
  const at = (rowId: string | undefined) => {
    const index = rows.findIndex((row) => row.id === rowId);
    return index === -1 ? undefined : index;
  };
  return updated({ ...found, settings }, changes!, file, changes!.after.task && at(own), at(added[0]));
}

function factOf({ id, topic, isChecked, parent }: CheckedRow): TaskFact {
  return {
    status: isChecked ? "x" : " ",
    text: topic,
    row: id,
    ...(parent !== undefined && { heading: parent }),
  };
}

function editsOf(
  outline: Outline,
  { id, topic, isChecked }: CheckedRow,
  { after }: Changes,
  { nextIsBelow }: TaskSettings,
) {
  const { parentId, descendants } = rowOf(outline, id);
  const siblings = parentId === null ? outline.topIds : rowOf(outline, parentId).childIds;
  const { task, next } = after;
  if (task === undefined && descendants > 0)
    throw new Problem(
      "invalid",
      "This task is to be deleted once it is done (🏁 delete), but it has rows below it: nothing was changed.",
      "Move or delete them first, or take the field onCompletion out of its topic.",
    );
  const state = task && stateOf(task);
  const index = siblings.indexOf(id) + (nextIsBelow ? 1 : 0);
  return [
    ...(next === undefined
      ? []
      : [
          {
            kind: "add" as const,
            rows: [{ topic: withLineBreaks(topic, next.line.body), state: "unchecked" as const }],
            position: { parentId, index },
          },
        ]),
    task === undefined
      ? { kind: "delete" as const, id }
      : {
          kind: "update" as const,
          id,
          topic: withLineBreaks(topic, task.line.body),
          ...(state !== (isChecked ? "checked" : "unchecked") && { state }),
        },
  ];
}

function stateOf({ status: { type, name } }: TaskState): "checked" | "unchecked" {
  if (type === "done") return "checked";
  if (type === "todo") return "unchecked";
  throw new Problem("invalid", `An outline has no status "${name}": a box is checked or not.`, "Send done or todo.");
}

/** A topic whose line breaks were read as spaces, changed only where the new text differs. */
function withLineBreaks(topic: string, body: string): string {
  const flat = topic.replaceAll("\n", " ");
  let start = 0;
  while (start < flat.length && start < body.length && flat[start] === body[start]) start++;
  let end = 0;
  const most = Math.min(flat.length, body.length) - start;
  while (end < most && flat.at(-1 - end) === body.at(-1 - end)) end++;
  return topic.slice(0, start) + body.slice(start, body.length - end) + topic.slice(topic.length - end);
}

interface Changes {
  readonly before: TaskState;
  readonly after: ChangedTask;
}

function changesOf(fact: TaskFact, path: string, change: TaskChange, settings: TaskSettings, today: number): Changes {
  const before = {
    status: settings.statuses.of(fact.status),
    line: lineOf(fact),
    inferred: settings.dateInName?.of(path),
  };
  return { before, after: changedTask(before, change, settings, today) };
}

function updated(
  found: TaskFiles,
  { before, after }: Changes,
  file: TaskFile,
  task: number | undefined,
  next: number | undefined,
): UpdatedTask {
  // Only what other tasks are waited for needs a look at all of them.
  const waits = [before, after.task, after.next].some((state) => state && valueOf(state.line, "dependsOn"));
  const openIds = waits ? found.inOrder().openIds : new Set<string>();
  const show = shower(found.settings, openIds);
  const shown = (index: number | undefined) =>
    index === undefined || index === -1 ? undefined : show(foundTask(file, index, found.settings));
  const [own, following] = [shown(task), shown(next)];
  return { message: messageOf(before, after, following, openIds), task: own, next: following, path: file.path };
}

function messageOf(
  before: TaskState,
  { task }: ChangedTask,
  next: ShownTask | undefined,
  openIds: ReadonlySet<string>,
): string {
  const isSame = task !== undefined && task.status === before.status && task.line.body === before.line.body;
  const isFinished = task === undefined || (isClosed(task.status.type) && !isClosed(before.status.type));
  const waitsFor = isFinished
    ? (valueOf(before.line, "dependsOn") ?? "").split(",").filter((id) => openIds.has(id))
    : [];
  const date = next?.due ?? next?.scheduled ?? next?.start;
  return [
    task === undefined
      ? "The task is done, and was deleted, as it asks for (🏁 delete)."
      : isSame
        ? "Nothing to change: the task is like that already."
        : task.status.symbol === before.status.symbol
          ? "Changed the task."
          : `The task is now ${task.status.type}.`,
    ...(next === undefined ? [] : [`The next one is ${date === undefined ? "made" : `of ${date}`}.`]),
    ...(waitsFor.length === 0 ? [] : [`It waited for ${waitsFor.join(", ")}, which is not done.`]),
  ].join(" ");
}
