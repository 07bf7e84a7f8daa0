// Lists tasks: filtered, grouped, and as results show them. Used by the tool
// list_tasks.
import { once, Problem } from "../kernel/kernel.ts";
import { foldForSearch, type Freshness } from "../search/search.ts";
import { isWithin, localTime, meantPlace, missingPlace, type Vault } from "../vault/vault.ts";
import {
  type FoundTask,
  findTasks,
  isIn,
  type Kind,
  NO_DAY,
  type TaskFiles,
  type TaskPlaces,
  type TasksInOrder,
} from "./found-tasks.ts";
import { priorityNamed } from "./changes.ts";
import { DATE_FIELDS, FIELDS, type FieldName, tagsOf, type TaskLine, valueOf } from "./lines/task-line.ts";
import { type Day, dayNamed, dayOf } from "./recurrence/dates.ts";
import { isClosed, type StatusType } from "./settings/statuses.ts";
import type { TaskSettings } from "./settings/task-settings.ts";
import { idsOf } from "./task-ids.ts";

export const GROUPS = ["path", "heading", "due", "status", "priority", "tag"] as const;
export type Grouping = (typeof GROUPS)[number];

export interface TaskQuestion {
  /** open, done, all, or the name or character of a status. */
  readonly status?: string | undefined;
  /** Due on this day or before. */
  readonly dueBy?: string | undefined;
  readonly overdue?: boolean | undefined;
  /** A file or a folder. */
  readonly path?: string | undefined;
  readonly tag?: string | undefined;
  readonly heading?: string | undefined;
  readonly text?: string | undefined;
  readonly priority?: string | undefined;
  readonly kind?: Kind | undefined;
  readonly group?: Grouping | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A task as results show it. */
export interface ShownTask extends Partial<Readonly<Record<Exclude<FieldName, "id">, string>>> {
  readonly id: string;
  /** In a list of several vaults. */
  readonly vault?: string;
  readonly path: string;
  /** In a note, from 1. */
  readonly line?: number;
  /** In an outline, for get_row. */
  readonly row?: string;
  readonly status: StatusType;
  /** The character of its box, if it is not a space or x. */
  readonly mark?: string;
  readonly text: string;
  readonly heading?: string;
  /** Its own id, which others name in dependsOn. */
  readonly taskId?: string;
  /** True if it waits for another one. */
  readonly blocked?: true;
  /** The fields with a day that does not exist. */
  readonly invalid?: readonly string[];
  /** The grouping of the list. */
  readonly group?: string;
}

export interface TaskAnswer {
  readonly total: number;
  /** The tasks from this position on. */
  readonly tasks: (start: number) => Iterable<ShownTask>;
  /** The groups of `count` tasks from a position on, each with the number of all its tasks. */
  readonly groups: (start: number, count: number) => readonly TaskGroup[] | undefined;
  readonly unread: readonly string[];
  /** True if changes may be missing. */
  readonly freshness: Freshness;
}

export interface TaskGroup {
  readonly value: string;
  readonly count: number;
}

/** A vault whose tasks are listed, by its name if the list is of several, and the outlines. */
export interface NamedPlaces extends TaskPlaces {
  readonly name?: string | undefined;
}

/** The part of a list from one vault, and from the outlines that are in no other. */
interface Part {
  readonly name: string | undefined;
  readonly tasks: readonly FoundTask[];
  readonly show: (task: FoundTask) => ShownTask;
  readonly found: TaskFiles;
}

/** A task in a list of several vaults. */
interface Listed {
  readonly task: FoundTask;
  readonly part: Part;
}

export async function listTasks(places: readonly NamedPlaces[], question: TaskQuestion): Promise<TaskAnswer> {
  const { group } = question;
  const parts = await partsOf(places, question);
  const all = parts.flatMap((part) => part.tasks.map((task): Listed => ({ task, part })));
  // Sorting keeps the order of equal tasks, which is that of the vaults.
  const inOrder =
    parts.length === 1 || group === "path"
      ? all
      : all.toSorted((a, b) => a.task.due - b.task.due || a.task.rank - b.task.rank);
  const shown = group === undefined || group === "path" ? inOrder : inGroups(inOrder, group);
  return {
    total: shown.length,
    tasks: function* (start) {
      for (const { task, part } of shown.slice(start))
        yield {
          ...part.show(task),
          ...(part.name !== undefined && !task.file.isOutside && { vault: part.name }),
          ...(group !== undefined && { group: groupValue({ task, part }, group) }),
        };
    },
    groups: (start, count) => (group === undefined ? undefined : groupsWithin(shown, group, start, start + count)),
    unread: [...new Set(parts.flatMap(({ found }) => found.unread))],
    freshness: parts.find(({ found }) => found.freshness.stale)?.found.freshness ?? { stale: false },
  };
}

async function partsOf(places: readonly NamedPlaces[], question: TaskQuestion): Promise<Part[]> {
  const parts: Part[] = [];
  const seen = new Set<string>();
  let missing: Problem | undefined;
  for (const place of places) {
    const found = await findTasks(place, question.signal);
    const inOrder = found.inOrder();
    let end: number;
    let filters: readonly Filter[];
    try {
      ({ end, filters } = await filtersOf(place.vault, found, question));
    } catch (error) {
      // A path of another vault: only if none has it is it missing.
      if (!(error instanceof Problem) || error.code !== "not_found" || places.length === 1) throw error;
      missing ??= error;
      continue;
    }
    const others = places.filter((other) => other !== place).map(({ vault }) => vault);
    const isOfOthers = once(() =>
      found.files.map(
        (file) => file.isOutside && (seen.has(file.path) || others.some((vault) => isIn(vault, file.path))),
      ),
    );
    const tasks = candidatesIn(inOrder, question, end).filter(
      (task) => filters.every((passes) => passes(task)) && !(places.length > 1 && isOfOthers()[task.place]!),
    );
    for (const file of found.files) if (file.isOutside) seen.add(file.path);
    parts.push({ name: place.name, tasks, show: shower(found.settings, inOrder.openIds), found });
  }
  if (parts.length === 0 && missing !== undefined) throw missing;
  return parts;
}

/** The tasks that a list may have: by their order those that are due in time are the first ones. */
function candidatesIn(inOrder: TasksInOrder, { status, group }: TaskQuestion, end: number): readonly FoundTask[] {
  const { tasks, open, byFile, openByFile } = inOrder;
  if (group === "path") {
    const all = isForOpen(status) ? openByFile() : byFile();
    return end === Number.POSITIVE_INFINITY ? all : all.filter(({ due }) => due < end);
  }
  const all = isForOpen(status) ? open() : tasks;
  if (end === Number.POSITIVE_INFINITY) return all;
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (all[middle]!.due < end) low = middle + 1;
    else high = middle;
  }
  return all.slice(0, low);
}

/** The groups of the tasks from `start` to before `end`, each with the number of all its tasks, which stand together. */
function groupsWithin(tasks: readonly Listed[], by: Grouping, start: number, end: number): TaskGroup[] {
  const groups: { readonly value: string; count: number }[] = [];
  let at = start;
  for (; at > 0 && at < tasks.length && isTogether(tasks[at - 1]!, tasks[at]!, by); at--);
  for (; at < tasks.length; at++) {
    const isFirst = at === 0 || groups.length === 0 || !isTogether(tasks[at - 1]!, tasks[at]!, by);
    if (isFirst && at >= end) break;
    if (isFirst) groups.push({ value: groupValue(tasks[at]!, by), count: 0 });
    groups.at(-1)!.count++;
  }
  return groups;
}

function isTogether(a: Listed, b: Listed, by: Grouping): boolean {
  return by === "path" ? a.task.file === b.task.file : groupKey(a, by) === groupKey(b, by);
}

/** The day that it is for the person. */
export function todayOf({ clock }: Pick<Vault, "clock">): Day {
  return localTime(clock.now(), clock.zone).day;
}

type Filter = (task: FoundTask) => boolean;

/** @returns the day before which a task must be due, and what else it must pass */
async function filtersOf(
  vault: Vault,
  found: TaskFiles,
  question: TaskQuestion,
): Promise<{ readonly end: number; readonly filters: readonly Filter[] }> {
  const { dueBy, overdue, path, tag, heading, text, priority, kind } = question;
  const today = todayOf(vault);
  const filters: Filter[] = isForOpen(question.status) ? [] : [statusFilter(found, question.status)];
  if (kind !== undefined) filters.push(({ file }) => file.kind === kind);
  if (path !== undefined) filters.push(await pathFilter(vault, found, path));
  const end = Math.min(dayIn("dueBy", dueBy, today) + 1, overdue === true ? today : Number.POSITIVE_INFINITY);
  if (overdue === true) filters.push(({ status }) => !isClosed(status.type));
  if (tag !== undefined) filters.push(tagFilter(tag));
  if (priority !== undefined) {
    const wanted = priorityNamed(priority);
    filters.push(({ line }) => valueOf(line, "priority") === wanted);
  }
  if (heading !== undefined) {
    const wanted = folded(heading.replace(/^#+\s+/, ""));
    // The same headings are in many notes.
    const answers = new Map<string, boolean>();
    filters.push(({ fact: { heading: own = "" } }) => {
      let isWanted = answers.get(own);
      if (isWanted === undefined) answers.set(own, (isWanted = folded(own).includes(wanted)));
      return isWanted;
    });
  }
  if (text !== undefined) {
    const words = folded(text).split(/\s+/).filter(Boolean);
    filters.push(({ line }) => {
      const body = foldedBody(line);
      return words.every((word) => body.includes(word));
    });
  }
  return { end, filters };
}

/** Later than every day, if none was sent. */
function dayIn(name: string, sent: string | undefined, today: Day): number {
  const day = sent === undefined ? Number.POSITIVE_INFINITY : dayNamed(sent, today);
  if (day !== undefined) return day;
  throw new Problem(
    "invalid",
    `${name} must be a date, such as 2026-11-17; not ${JSON.stringify(sent)}.`,
    "Also today, tomorrow, friday, 7 days.",
  );
}

function folded(text: string): string {
  return foldForSearch(text).trim();
}

/** Folded once: a list of 20,000 tasks would take 30 ms for it each time. */
function foldedBody(line: TaskLine): string {
  return (line.folded ??= folded(line.body));
}

/** Returns whether a filter asks for unfinished tasks. */
function isForOpen(sent = "open"): boolean {
  return ["open", "not done", "undone", ""].includes(sent.trim().toLowerCase()) && sent !== " ";
}

function statusFilter({ settings }: TaskFiles, sent = "open"): Filter {
  const word = sent.trim().toLowerCase();
  if (word === "all" || word === "any") return ({ status }) => status.type !== "not a task";
  const type = settings.statuses.typeNamed(sent);
  if (type !== undefined) return ({ status }) => status.type === type;
  const { symbol } = settings.statuses.named(sent);
  return ({ status }) => status.symbol === symbol;
}

async function pathFilter(vault: Vault, { files }: TaskFiles, sent: string): Promise<Filter> {
  // An outline outside the vault has an absolute path, and the application's document only a name.
  const isOutline = files.some((file) => file.kind === "outline" && file.path === sent);
  const place = isOutline ? undefined : await meantPlace(vault, sent);
  if (!isOutline && place === undefined) throw await missingPlace(vault, sent);
  const isAt = place === undefined ? (path: string) => path === sent : isWithin(place);
  // One look at each file instead of one at each task.
  const isWanted = files.map((file) => isAt(file.path));
  return ({ place: number }) => isWanted[number]!;
}

function tagFilter(sent: string): Filter {
  const wanted = sent.replace(/^#*/, "#").toLowerCase();
  const isWanted = (tag: string) => tag === wanted || tag.startsWith(`${wanted}/`);
  return ({ line }) => tagsOf(line).some((tag) => isWanted(tag.toLowerCase()));
}

/** Groups in the order of their first tasks, or of the alphabet; within one, tasks keep theirs. */
function inGroups(tasks: readonly Listed[], by: Grouping): Listed[] {
  const groups = new Map<string | number, Listed[]>();
  for (const task of tasks) {
    const key = groupKey(task, by);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [task]);
    else group.push(task);
  }
  const all = [...groups];
  if (by === "heading" || by === "tag") all.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return all.flatMap(([, group]) => group);
}

/** Returns the key of a task's group. Days are compared as numbers: looking at the words of 100,000 tasks takes 20 ms. */
function groupKey(listed: Listed, by: Grouping): string | number {
  return by === "due" && listed.task.due !== NO_DAY ? listed.task.due : groupValue(listed, by);
}

function groupValue({ task: { file, fact, line, status }, part: { name } }: Listed, by: Grouping): string {
  const path = name === undefined || file.isOutside ? file.path : `${name}: ${file.path}`;
  switch (by) {
    case "path":
      return path;
    case "heading":
      return fact.heading === undefined ? path : `${path} › ${fact.heading}`;
    case "due":
      return valueOf(line, "due") ?? "no due date";
    case "status":
      return status.type;
    case "priority":
      return valueOf(line, "priority") ?? "normal";
    case "tag":
      return tagsOf(line)[0] ?? "no tag";
  }
}

/** Shows tasks of these; the ids of a file are made once. */
export function shower(settings: TaskSettings, openIds: TasksInOrder["openIds"]) {
  const ids = new Map<FoundTask["file"], readonly string[]>();
  return (task: FoundTask): ShownTask => {
    const { file, fact, line, status, index, inferred } = task;
    let known = ids.get(file);
    if (known === undefined) ids.set(file, (known = idsOf(file.path, file.tasks)));
    const values: Partial<Record<FieldName, string>> = {};
    for (const name of FIELDS) {
      const value = valueOf(line, name);
      if (value !== undefined) values[name] = value;
    }
    if (inferred !== undefined) values.scheduled = inferred;
    const { id: taskId, ...fields } = values;
    const invalid = DATE_FIELDS.filter((name) => values[name] !== undefined && dayOf(values[name]) === undefined);
    const isBlocked = !isClosed(status.type) && (fields.dependsOn ?? "").split(",").some((each) => openIds.has(each));
    return {
      id: known[index]!,
      path: file.path,
      ...(fact.line !== undefined && { line: fact.line }),
      ...(fact.row !== undefined && { row: fact.row }),
      status: status.type,
      ...(status.symbol !== " " && status.symbol !== "x" && { mark: status.symbol }),
      text: withoutFilter(line.description, settings),
      ...(fact.heading !== undefined && { heading: fact.heading }),
      ...fields,
      ...(taskId !== undefined && { taskId }),
      ...(isBlocked && { blocked: true }),
      ...(invalid.length > 0 && { invalid }),
    };
  };
}

/** Without the global filter as a word, if the settings hide it. */
function withoutFilter(description: string, { globalFilter, hidesGlobalFilter }: TaskSettings): string {
  if (globalFilter === "" || !hidesGlobalFilter) return description;
  return description
    .split(" ")
    .filter((word) => word !== globalFilter)
    .join(" ");
}
