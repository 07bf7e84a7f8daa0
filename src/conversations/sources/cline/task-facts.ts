// What Cline, Roo Code and Kilo Code note about a task beside its rows: the
// project, the model, the task that started it. Used by task-reader.ts.
import { closeSync, fstatSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { openForReading, readBeginning } from "../../../files/files.ts";
import { listAt, recordAt } from "../kit/json-document.ts";
import { recordsOf, textOf } from "../kit/stored-json.ts";
import { folderOfUri } from "../kit/workspace-uri.ts";
import type { Fields } from "./task-rows.ts";

export interface TaskFacts {
  readonly folder: string | undefined;
  readonly model: string | undefined;
  /** The first line of the task, if the assistant of another one gave it. */
  readonly givenByTask: string | undefined;
}

/** @param task the folder of the task */
export function factsOfTask(task: string): TaskFacts {
  const item = recordAt(join(task, "history_item.json")) ?? itemInLists(task);
  const used = recordsOf(recordAt(join(task, "task_metadata.json"))?.["model_usage"]).at(-1);
  const noted = item?.["workspace"] ?? item?.["cwdOnTaskInitialization"] ?? item?.["shadowGitConfigWorkTree"];
  const folder = textOf(noted);
  const model = textOf(used?.["model_id"]) ?? textOf(item?.["modelId"]);
  // Older versions have neither, but send both to the model with each prompt.
  const sent = folder !== undefined && model !== undefined ? undefined : environmentIn(task);
  return {
    folder: (folder === undefined ? undefined : folderOfUri(folder)) ?? sent?.folder,
    model: model ?? sent?.model,
    givenByTask: textOf(item?.["parentTaskId"]) === undefined ? undefined : firstLineOf(textOf(item?.["task"])),
  };
}

function firstLineOf(text = "Subtask"): string {
  return text.trim().split("\n", 1)[0]!.slice(0, 100);
}

/** The list of all tasks: Roo's beside them, Cline's in the folder `state`. */
function itemInLists(task: string): Fields | undefined {
  const tasks = dirname(task);
  const id = basename(task);
  for (const list of [join(tasks, "_index.json"), join(dirname(tasks), "state", "taskHistory.json")]) {
    const item = listAt(list).get(id);
    if (item !== undefined) return item;
  }
  return undefined;
}

/** Enough for a prompt, and for the state of the editor behind it. */
const MAX_READ = 1 << 17;

function environmentIn(task: string): Pick<TaskFacts, "folder" | "model"> {
  const path = join(task, "api_conversation_history.json");
  const begin = beginningOf(path);
  return { folder: folderSentIn(begin), model: modelSentIn(endOf(path)) ?? modelSentIn(begin) };
}

/** The folder in what is sent with a prompt: `# Current Working Directory (/code) Files`. */
export function folderSentIn(text: string): string | undefined {
  const folder = /# Current (?:Working|Workspace) Directory \(([^\n"]{1,4000}?)\) Files/.exec(text)?.[1];
  return folder === undefined ? undefined : folderOfUri(folder);
}

/** The last model in what is sent with prompts, as Roo Code and Kilo Code name it. */
function modelSentIn(text: string): string | undefined {
  return [...text.matchAll(/# Current Mode(?:\\n|\n)[^"]{0,400}?<model>([^<"\\]{1,200})<\/model>/g)].at(-1)?.[1];
}

function beginningOf(path: string): string {
  try {
    return readBeginning(path, MAX_READ, { followsLinks: true }).toString("utf8");
  } catch {
    return "";
  }
}

function endOf(path: string): string {
  try {
    const file = openForReading(path, { followsLinks: true });
    try {
      const bytes = Buffer.alloc(MAX_READ);
      const start = Math.max(0, fstatSync(file).size - MAX_READ);
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, MAX_READ, start));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}
