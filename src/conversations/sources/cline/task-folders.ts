// Where Cline, Roo Code and Kilo Code keep tasks: a folder for each, below the
// storage of the extension in any editor, and below places of their own. Only
// names and stats. Used by the three sources.
import { join } from "node:path";
import { textAt } from "../kit/json-document.ts";
import { everyUserFolder } from "../kit/editor-folders.ts";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import type { Finding, Home } from "../source.ts";

export interface TaskPlaces {
  /** As the marketplace names it, in lower case: the name of its folder. */
  readonly extension: string;
  /** The editor's setting for another folder, if the extension has one. */
  readonly setting?: string;
}

/** @param others folders of the program outside of editors that have `tasks` too */
export function* findTasks(
  home: Home,
  { extension, setting }: TaskPlaces,
  others: readonly string[],
): Generator<Finding> {
  const seen = new Set<string>();
  for (const user of everyUserFolder(home)) {
    const storage = join(user, "globalStorage", extension);
    yield* findIn(storage, seen);
    const moved = setting === undefined ? undefined : settingIn(join(user, "settings.json"), setting);
    if (moved !== undefined) yield* findIn(moved, seen);
  }
  for (const folder of others) yield* findIn(folder, seen);
}

/** The file that is read: rows as they were shown, or what was sent to the model if there are none. */
const FILES = ["ui_messages.json", "claude_messages.json", "api_conversation_history.json"];

function* findIn(storage: string, seen: Set<string>): Generator<Finding> {
  const tasks = join(storage, "tasks");
  if (seen.has(tasks)) return;
  seen.add(tasks);
  for (const task of yield* lookedInto(tasks)) {
    if (!task.isDirectory()) continue;
    const names = new Set(((yield* listed(join(tasks, task.name))) ?? []).map(({ name }) => name));
    const file = FILES.find((name) => names.has(name));
    if (file !== undefined) yield* foundFile(join(tasks, task.name, file));
  }
}

/** A text in an editor's settings, which may have comments. Undefined if it is empty or missing. */
function settingIn(settings: string, name: string): string | undefined {
  const text = textAt(settings);
  const at = text?.indexOf(`"${name}"`) ?? -1;
  const value = at === -1 ? null : /^\s*:\s*("(?:[^"\\]|\\.)+")/.exec(text!.slice(at + name.length + 2));
  if (value === null) return undefined;
  try {
    return JSON.parse(value[1]!) as string;
  } catch {
    return undefined;
  }
}
