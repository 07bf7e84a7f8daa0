// commonplace index, or push memory, --install and --remove: shows what would be
// written, and writes or removes it if the person agrees.
import { joined, multiline, print, printable, type Printable, printJson } from "../kernel/kernel.ts";
import {
  checkFree,
  installSchedule,
  ownSchedule,
  removeSchedule,
  shellWords,
  writtenFiles,
  type Schedule,
  type ScheduledTask,
} from "../setup/setup.ts";
import type { Invocation } from "./command.ts";
import { isConfirmed } from "./confirmation.ts";

/** @param task by default: to bring the index up to date */
export async function install(invocation: Invocation, task?: ScheduledTask): Promise<number> {
  const schedule = await ownSchedule(invocation.settings, task);
  checkFree(schedule);
  const shown = schedule.files.map(({ path, text }) => printable`${path}\n${multiline(indented(text))}`);
  const outcome = { ...aboutOf(schedule), commands: schedule.start };
  if (!invocation.flags["json"])
    print(joined([printable`A ${schedule.title}:`, ...shown, ...schedule.start.map(shellLine), ""]));
  if (!(await isConfirmed(invocation, "Write these files, and run these commands?", "does"))) {
    if (invocation.flags["json"]) printJson({ ...outcome, result: "pending" });
    else print("Nothing was written.");
    return 1;
  }
  const failed = await installSchedule(schedule);
  if (invocation.flags["json"]) printJson({ ...outcome, result: "written", failed });
  else print(joined(["Written.", ...failed.map(failure), ...(failed.length === 0 ? [schedule.note] : [])]));
  return failed.length === 0 ? 0 : 1;
}

export async function remove(invocation: Invocation, task?: ScheduledTask): Promise<number> {
  const schedule = await ownSchedule(invocation.settings, task);
  const files = writtenFiles(schedule);
  const isJson = invocation.flags["json"];
  if (files.length === 0) {
    if (isJson) printJson({ ...aboutOf(schedule), result: "unchanged" });
    else print("Nothing to do: no schedule of Commonplace is there.");
    return 0;
  }
  if (!isJson)
    print(joined([...schedule.stop.map(shellLine), ...files.map(({ path }) => printable`delete ${path}`), ""]));
  if (!(await isConfirmed(invocation, "Take it out?", "does"))) {
    if (isJson) printJson({ ...aboutOf(schedule), result: "pending" });
    else print("Nothing was removed.");
    return 1;
  }
  const failed = removeSchedule(schedule);
  if (isJson) printJson({ ...aboutOf(schedule), result: "removed", failed });
  else print(joined(["Removed.", ...failed.map(failure)]));
  return failed.length === 0 ? 0 : 1;
}

function aboutOf({ title, files }: Schedule) {
  return { schedule: title, files: files.map(({ path }) => path) };
}

function failure({ words, reason }: { readonly words: readonly string[]; readonly reason: string }): Printable {
  return printable`This failed (${reason}); run it yourself:  ${shellLine(words)}`;
}

function shellLine(words: readonly string[]): string {
  return shellWords(words);
}

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, "  ");
}
