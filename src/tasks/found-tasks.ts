// All tasks of the vault's notes and of the outlines, in one order: by due date,
// then priority, then place. Notes come from the index, outlines are read once
// and again when they changed. Used by list.ts and update.ts.
import { statSync } from "node:fs";
import { join } from "node:path";
import type { VaultPath } from "../files/files.ts";
import { once, pathWithin, Problem, Turns } from "../kernel/kernel.ts";
import { checkedRows, type Outline, type Outlines } from "../outline/outline.ts";
import type { Freshness } from "../search/search.ts";
import type { FileTable, IndexedFile, Vault } from "../vault/vault.ts";
import { parseTaskLine, PRIORITIES, type TaskLine, valueOf } from "./lines/task-line.ts";
import { type Day, dayOf } from "./recurrence/dates.ts";
import { isClosed, type Status } from "./settings/statuses.ts";
import { taskSettings, type TaskSettings } from "./settings/task-settings.ts";
import type { Identified } from "./task-ids.ts";

export type Kind = "note" | "outline";

/** A task as it is written. */
export interface TaskFact extends Identified {
  /** Of a note, from 1. */
  readonly line?: number;
  /** The id of its row, in an outline. */
  readonly row?: string;
}

export interface TaskFile {
  /** In the vault; else absolute. */
  readonly path: string;
  readonly kind: Kind;
  /** An outline in no vault, which is found with every vault. */
  readonly isOutside: boolean;
  readonly tasks: readonly TaskFact[];
  /** The words and fields of a task, parsed once: most tasks stay the same from one list to the next. */
  readonly lineAt: (index: number) => TaskLine;
}

export function taskFile(path: string, kind: Kind, tasks: readonly TaskFact[], isOutside = false): TaskFile {
  const lines: TaskLine[] = [];
  return { path, kind, isOutside, tasks, lineAt: (index) => (lines[index] ??= lineOf(tasks[index]!)) };
}

export interface FoundTask {
  readonly file: TaskFile;
  /** The number of its file among all, and its own in the file. */
  readonly place: number;
  readonly index: number;
  readonly fact: TaskFact;
  readonly line: TaskLine;
  readonly status: Status;
  /** The date in the name of its note, if the settings take it for one. */
  readonly inferred: string | undefined;
  /** The day on which it is due. Without one, or with a day that does not exist, it sorts after all others. */
  readonly due: Day;
  /** Of its priority, the highest first. */
  readonly rank: number;
}

export interface TaskFiles {
  readonly settings: TaskSettings;
  readonly freshness: Freshness;
  /** Those with tasks. */
  readonly files: readonly TaskFile[];
  /** All of the vault. */
  readonly paths: FileTable["files"];
  /** Outlines that could not be read. */
  readonly unread: readonly string[];
  /** Made when it is asked for. */
  readonly inOrder: () => TasksInOrder;
}

export interface TasksInOrder {
  readonly tasks: readonly FoundTask[];
  /** Those that are not finished, which most lists are about; made when it is asked for, as are the others. */
  readonly open: () => readonly FoundTask[];
  /** The same two by file, in the order of their paths. */
  readonly byFile: () => readonly FoundTask[];
  readonly openByFile: () => readonly FoundTask[];
  /** The ids of the tasks that are not finished, which others may wait for. */
  readonly openIds: ReadonlySet<string>;
}

/** The places in which tasks are found. */
export interface TaskPlaces {
  readonly vault: Vault;
  readonly outlines: Outlines;
}

/** The latest result for an index, and the state of the index it was made from. */
interface Made {
  readonly key: string;
  readonly files: readonly TaskFile[];
  inOrder: TasksInOrder | undefined;
}

/** While the index stays the same, so does the order of all tasks. */
const made = new WeakMap<FileTable, Made>();

export async function findTasks(places: TaskPlaces, signal?: AbortSignal): Promise<TaskFiles> {
  const { answer: table, ...freshness } = await places.vault.index.files(signal);
  const settings = await taskSettings(places.vault);
  const { files: outlines, unread } = await outlineFiles(places, table, signal);
  const key = `${JSON.stringify({ ...settings, statuses: settings.statuses.all })} ${outlines.map(numberOf).join(" ")}`;
  let known = made.get(table);
  if (known?.key !== key) {
    const files = [...table.files.flatMap((file) => noteFile(file) ?? []), ...outlines];
    made.set(table, (known = { key, files, inOrder: undefined }));
    await parseLines(files, settings, new Turns(signal));
  }
  const { files } = known;
  const current = known;
  return {
    settings,
    freshness,
    paths: table.files,
    files,
    unread,
    inOrder: () => (current.inOrder ??= tasksInOrder(files, settings)),
  };
}

/** A task at a time, before the list needs all of them at once: one note may have 100,000. */
async function parseLines(files: readonly TaskFile[], { globalFilter }: TaskSettings, turns: Turns): Promise<void> {
  for (const { kind, tasks, lineAt } of files)
    for (const [index, { text }] of tasks.entries()) {
      if (kind === "outline" || text.includes(globalFilter)) lineAt(index);
      if (turns.isOver()) await turns.next();
    }
}

const numbers = new WeakMap<TaskFile, number>();
let lastNumber = 0;

/** Tells one reading of an outline from another. */
function numberOf(file: TaskFile): number {
  const number = numbers.get(file) ?? ++lastNumber;
  numbers.set(file, number);
  return number;
}

function tasksInOrder(files: readonly TaskFile[], settings: TaskSettings): TasksInOrder {
  const tasks: FoundTask[] = [];
  const openIds = new Set<string>();
  for (const [place, file] of files.entries())
    for (const [index, fact] of file.tasks.entries()) {
      if (file.kind === "note" && !fact.text.includes(settings.globalFilter)) continue;
      const task = foundTask(file, index, settings, place);
      tasks.push(task);
      const id = isClosed(task.status.type) ? undefined : valueOf(task.line, "id");
      if (id !== undefined) openIds.add(id);
    }
  // They are in the order of their places already, and sorting keeps that of equal ones.
  tasks.sort((a, b) => a.due - b.due || a.rank - b.rank);
  const byFile = once(() => tasks.toSorted((a, b) => a.place - b.place));
  return {
    tasks,
    openIds,
    byFile,
    open: once(() => tasks.filter(isOpen)),
    openByFile: once(() => byFile().filter(isOpen)),
  };
}

function isOpen({ status }: FoundTask): boolean {
  return !isClosed(status.type);
}

export function foundTask(file: TaskFile, index: number, settings: TaskSettings, place = 0): FoundTask {
  const fact = file.tasks[index]!;
  const line = file.lineAt(index);
  const due = valueOf(line, "due");
  return {
    file,
    place,
    index,
    fact,
    line,
    status: settings.statuses.of(fact.status),
    inferred: inferredDate(file, line, settings),
    due: (due === undefined ? undefined : dayOf(due)) ?? NO_DAY,
    rank: rankOf(line),
  };
}

/** The date in a note's name, if the task has none of its own. */
function inferredDate({ path, kind }: TaskFile, line: TaskLine, { dateInName }: TaskSettings): string | undefined {
  if (dateInName === undefined || kind !== "note") return undefined;
  const isDated = line.fields.some(({ name }) => name === "due" || name === "scheduled" || name === "start");
  return isDated ? undefined : dateInName.of(path);
}

/** After all days. */
export const NO_DAY: Day = 1e9;

function rankOf(line: TaskLine): number {
  const priority = valueOf(line, "priority");
  const rank = PRIORITIES.findIndex((each) => each === priority);
  // Without one, it is between medium and low.
  return rank === -1 ? 2.5 : rank;
}

export function lineOf({ text }: TaskFact): TaskLine {
  // A topic may have several lines, and its offsets must stay.
  return parseTaskLine(text.replaceAll("\n", " "));
}

const notes = new WeakMap<IndexedFile, TaskFile>();

function noteFile(file: IndexedFile): TaskFile | undefined {
  if (file.tasks.length === 0 || !file.isNote) return undefined;
  const known = notes.get(file);
  if (known !== undefined) return known;
  const made = taskFile(file.path, "note", file.tasks);
  notes.set(file, made);
  return made;
}

const OUTLINE = /\.(?:opml|ooutline|oo3)$/i;
/** In a package, which is a folder. */
const CONTENTS = /\.(?:ooutline|oo3)\/contents\.xml$/i;

interface ReadOutline {
  readonly stamp: string;
  readonly file: TaskFile;
}

/** The last reading of each outline, by its path: two vaults may have one of the same path. */
const readings = new WeakMap<Vault, Map<string, ReadOutline>>();
const documents = new WeakMap<FileTable, readonly IndexedFile[]>();

async function outlineFiles({ vault, outlines }: TaskPlaces, table: FileTable, signal: AbortSignal | undefined) {
  let known = readings.get(vault);
  if (known === undefined) readings.set(vault, (known = new Map()));
  let inVault = documents.get(table);
  if (inVault === undefined)
    documents.set(table, (inVault = table.files.filter(({ path }) => OUTLINE.test(path) || CONTENTS.test(path))));
  const wanted = new Map<string, string>();
  const outside = new Set<string>();
  for (const { path, size, mtime } of inVault) wanted.set(path.replace(/\/contents\.xml$/i, ""), `${size} ${mtime}`);
  for (const { path, real } of await outlines.inFolders(signal)) {
    wanted.set(path, stampOf(real));
    outside.add(path);
  }

  const files: TaskFile[] = [];
  const unread: string[] = [];
  const reading = async (path: string, read: () => Promise<Outline | undefined>): Promise<Outline | undefined> => {
    try {
      return await read();
    } catch (error) {
      // One damaged outline must not hide all other tasks.
      if (!(error instanceof Problem)) throw error;
      unread.push(`${path}: ${error.message}`);
      return undefined;
    }
  };
  const current = await reading("outline", async () => (await outlines.currentOfPerson())?.read(signal));
  const currentPath = current?.path ?? "";
  for (const [path, stamp] of wanted) {
    if (known.get(path)?.stamp !== stamp || stamp === "") {
      const outline = await reading(path, async () => (await outlines.at(path, vault)).read(signal));
      if (outline === undefined) continue;
      known.set(path, { stamp, file: fileOf(path, outline, outside.has(path)) });
    }
    if (known.get(path)!.file.tasks.length > 0) files.push(known.get(path)!.file);
  }
  // The vault's own files are in its index already, Markdown outlines as notes.
  if (current !== undefined && !isIn(vault, currentPath) && !wanted.has(currentPath)) {
    const name = currentPath === "" ? current.name : currentPath;
    if (known.get(name)?.stamp !== current.version)
      known.set(name, { stamp: current.version, file: fileOf(name, current, true) });
    if (known.get(name)!.file.tasks.length > 0) files.push(known.get(name)!.file);
  }
  return { files, unread };
}

/** @param path as outlines have it; empty if they have none */
export function isIn({ root, sidecars }: Vault, path: string): boolean {
  const inSpace = sidecars?.subjectOf("" as VaultPath);
  if (inSpace !== undefined) return path.startsWith(inSpace);
  return path !== "" && pathWithin(root.folder, path) !== undefined;
}

function fileOf(path: string, outline: Outline, isOutside: boolean): TaskFile {
  const tasks = checkedRows(outline).map(({ id, topic, isChecked, parent }) => ({
    status: isChecked ? "x" : " ",
    text: topic,
    row: id,
    ...(parent !== undefined && { heading: parent }),
  }));
  return taskFile(path, "outline", tasks, isOutside);
}

function stampOf(real: string): string {
  const stats = [real, join(real, "contents.xml")].map((path) => statSync(path, { throwIfNoEntry: false }));
  return stats.map((each) => (each === undefined ? "" : `${each.size} ${each.mtimeMs}`)).join(" ");
}
